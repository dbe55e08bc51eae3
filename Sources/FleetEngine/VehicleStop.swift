import JSON
import Navigation

/// A place where a delivery vehicle is to stop: google.maps.fleetengine.delivery.v1.VehicleStop.
public struct VehicleStop: Equatable, Sendable {
    /// google.maps.fleetengine.delivery.v1.VehicleStop.State.
    public enum State: Int32, Sendable {
        case new = 1
        case enroute = 2
        case arrived = 3
    }

    public var coordinate: Coordinate
    public var state: State
    /// Their Fleet Engine ids.
    public var tasks: [String]

    public init(coordinate: Coordinate, state: State = .new, tasks: [String] = []) {
        self.coordinate = coordinate
        self.state = state
        self.tasks = tasks
    }

    /// A VehicleJourneySegment, of which the stop is all that is not output only.
    var segment: JSONBuilder {
        let place = JSONBuilder.object()
        place.set("point", coordinate.body)
        let stop = JSONBuilder.object()
        stop.set("plannedLocation", place)
        if !tasks.isEmpty {
            let list = JSONBuilder.array()
            for id in tasks {
                let task = JSONBuilder.object()
                task.set("taskId", id)
                list.append(task)
            }
            stop.set("tasks", list)
        }
        stop.set("state", state.name)
        let segment = JSONBuilder.object()
        segment.set("stop", stop)
        return segment
    }
}

extension VehicleStop.State {
    public var name: String {
        switch self {
        case .new: "NEW"
        case .enroute: "ENROUTE"
        case .arrived: "ARRIVED"
        }
    }
}
