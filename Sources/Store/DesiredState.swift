import FleetEngine

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
    public var stops: [VehicleStop] = []
    /// The server does not know that list yet: it is to be told after the restart.
    public var areStopsDue = false

    public init() {}
}
