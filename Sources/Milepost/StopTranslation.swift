import CMilepost
import FleetEngine
import Navigation
import Runtime

/// An array of the host's, whose own version of the struct may be longer than ours: the first one's size tells how far apart they lie.
func vehicleStops(_ stops: UnsafePointer<milepost_stop>?, _ count: Int) throws(HostError) -> [VehicleStop] {
    guard (1...StopList.limit).contains(count) else {
        throw HostError(.argument, "count is \(UInt(bitPattern: count)): give 1 to \(StopList.limit) stops")
    }
    let size = Int(try read(stops, "stops").size)
    guard let stops, size % MemoryLayout<milepost_stop>.alignment == 0 else {
        throw HostError(.argument, "stops->size is \(size): set it with MILEPOST_STOP_INIT")
    }
    var list: [VehicleStop] = []
    for index in 0..<count {
        let stop = (UnsafeRawPointer(stops) + index * size).loadUnaligned(as: milepost_stop.self)
        guard Int(stop.size) == size else {
            throw HostError(.argument, "stop \(index): size is \(stop.size), not \(size) as of the first: set each with MILEPOST_STOP_INIT")
        }
        list.append(try vehicleStop(stop, index))
    }
    return list
}

private func vehicleStop(_ c: milepost_stop, _ index: Int) throws(HostError) -> VehicleStop {
    guard let state = VehicleStop.State(rawValue: c.state) else {
        throw HostError(.argument, "stop \(index): state is \(c.state): give MILEPOST_STOP_NEW, _ENROUTE or _ARRIVED")
    }
    guard (0...StopList.taskLimit).contains(c.task_count), c.task_ids != nil || c.task_count == 0 else {
        let count = UInt(bitPattern: c.task_count)
        throw HostError(.argument, "stop \(index): task_count is \(count): give an id for each of at most \(StopList.taskLimit)")
    }
    var stop = VehicleStop(coordinate: Coordinate(latitude: c.latitude_deg, longitude: c.longitude_deg), state: state)
    for task in 0..<c.task_count { stop.tasks.append(try resourceID(c.task_ids?[task], "task_ids")) }
    return stop
}

extension milepost_stop {
    /// tasks: the ids of its tasks, where they are to be there.
    init(_ stop: VehicleStop, _ tasks: UnsafePointer<UnsafePointer<CChar>?>?) {
        self.init()
        size = UInt32(MemoryLayout<milepost_stop>.size)
        state = stop.state.rawValue
        latitude_deg = stop.coordinate.latitude
        longitude_deg = stop.coordinate.longitude
        task_ids = tasks
        task_count = stop.tasks.count
    }
}

/// Stops as C has them, for as long as `body` runs.
func withStops(_ stops: [VehicleStop], _ body: (UnsafeBufferPointer<milepost_stop>) -> Void) {
    guard !stops.isEmpty else { return body(UnsafeBufferPointer(start: nil, count: 0)) }
    var text: [CChar] = []
    var starts: [Int] = []
    for id in stops.flatMap({ $0.tasks }) {
        starts.append(text.count)
        text += id.utf8.map { CChar(bitPattern: $0) }
        text.append(0)
    }
    text.withUnsafeBufferPointer { text in
        starts.map { start in text.baseAddress.map { $0 + start } }.withUnsafeBufferPointer { ids in
            var first = 0
            let list = stops.map { stop in
                defer { first += stop.tasks.count }
                return milepost_stop(stop, stop.tasks.isEmpty ? nil : ids.baseAddress.map { $0 + first })
            }
            list.withUnsafeBufferPointer(body)
        }
    }
}
