import FleetEngine
import Navigation

/// What the host wants of a reporter, as it is to be taken up after a power cycle.
public struct DesiredState: Equatable, Sendable {
    /// Whose state it is, in the caller's words; nil when none was named.
    public var owner: String?
    /// Fleet Engine's id of the vehicle; nil when none was set.
    public var vehicle: String?
    public var isTracking = false
    public var vehicleState = VehicleState.offline
    /// Seconds between updates, 5 to 60; nil when none was set.
    public var interval: Int?
    /// The server has not confirmed yet that the vehicle is offline: it is to be told after the restart.
    public var isOfflineDue = false
    /// Those ahead, of a delivery vehicle.
    public var stops: [Stop] = []

    /// A stop that is still ahead.
    public struct Stop: Equatable, Sendable {
        public var coordinate: Coordinate
        public var state: State
        /// Their Fleet Engine ids.
        public var tasks: [String]

        /// google.maps.fleetengine.delivery.v1.VehicleStop.State
        public enum State: Int32, Sendable {
            case new = 1
            case enroute = 2
            case arrived = 3
        }

        public init(coordinate: Coordinate, state: State, tasks: [String]) {
            self.coordinate = coordinate
            self.state = state
            self.tasks = tasks
        }
    }

    public init() {}
}
