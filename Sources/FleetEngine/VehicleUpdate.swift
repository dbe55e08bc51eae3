import Navigation

/// What one update tells of a vehicle. nil: not in the field mask.
public struct VehicleUpdate: Sendable {
    public var vehicleState: VehicleState?
    public var navigationStatus: NavigationStatus?
    public var location: ReportedLocation?
    /// Taken earlier and not told then, oldest first; empty: not in the field mask.
    public var pastFixes: [Fix] = []
    /// To the next waypoint, metres.
    public var remainingDistance: Int32?
    /// To the next waypoint, seconds.
    public var remainingDuration: Int32?
    public var segment: RouteSegment?
    /// Of the route, from 0.
    public var leg = 0
    /// All that are ahead of a delivery vehicle.
    public var stops: [VehicleStop]?

    public init() {}
}

/// A fix as it is reported.
public struct ReportedLocation: Sendable {
    public var fix: Fix
    /// The fix snapped onto the route; nil off the route.
    public var snapped: Coordinate?
    /// Seconds since this fix was first sent; 0 the first time.
    public var timeSinceUpdate: Int32

    public init(fix: Fix, snapped: Coordinate?, timeSinceUpdate: Int32) {
        self.fix = fix
        self.snapped = snapped
        self.timeSinceUpdate = timeSinceUpdate
    }
}
