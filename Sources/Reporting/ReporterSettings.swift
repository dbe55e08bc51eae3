import FleetEngine

/// What a reporter is made from.
public struct ReporterSettings: Sendable {
    public let vehicle: VehicleName
    /// The task and the trip that tokens are asked for besides the vehicle.
    public internal(set) var task: String?
    public let trip: String?
    public var locationForm = LocationForm.both
    /// Whether the route segment, its end and the remaining distance and time are sent.
    public var sharesRoute = true
    /// Whether the position is carried on along the route while no fix comes.
    public var reckons = false
    /// Whether fixes that were due and could not be told are kept and told later.
    public var keepsFixes = false
    /// Whether the OFFLINE at the end of tracking is tried again until the server has taken or refused it.
    public var insistsOnOffline = false
    /// Metres by which the backend's waypoints may lie beside the route's; nil: they are not looked at.
    public var waypointTolerance: Double?
    /// Seconds between updates; clamped to 5...60.
    public var interval = 10
    /// Whether they are more while the vehicle is parked and fewer while it nears a stop.
    public var isAdaptive = false
    /// Of what makes waits after failures longer at random; nil: nothing does.
    public var seed: UInt64?

    /// Throws for an identifier that Fleet Engine would refuse.
    public init(provider: String, vehicle: String, service: Service, task: String? = nil, trip: String? = nil) throws(ResourceNameError) {
        self.vehicle = try VehicleName(service: service, provider: provider, vehicle: vehicle)
        if let task { try ResourceName.check(task) }
        if let trip { try ResourceName.check(trip) }
        self.task = task
        self.trip = trip
    }

    func tokenContext(for vehicle: VehicleName) -> TokenContext {
        TokenContext(provider: vehicle.provider, vehicle: vehicle.vehicle, task: task, trip: trip)
    }
}
