/// Where a vehicle is on its route. Values that are not known are NaN.
public struct Progress: Sendable {
    public enum State: Int32, Sendable {
        /// Not yet found on the route: the remaining values are those of the whole route.
        case acquiring = 1
        case onRoute = 2
        /// The remaining values are NaN until the route is rejoined.
        case offRoute = 3
        /// At the last waypoint.
        case arrived = 4
        /// On a road that the route takes more than once, and not yet known which time: the values are those of the earliest.
        case ambiguous = 5
        /// About to be off the route, or with fixes too poor to tell: the values are those of the last fix that fitted.
        case uncertain = 6
        /// On the route's road, against its direction: as off the route.
        case wrongWay = 7
        /// No fix for ten seconds: the values are the last, or carried on; NaN where they were.
        case stale = 8

        /// Whether the vehicle has been found and neither left the route nor reached its end.
        public var isFollowing: Bool { self == .onRoute || self == .ambiguous || self == .uncertain || self == .stale }
        public var isOffRoute: Bool { self == .offRoute || self == .wrongWay }
    }

    public var state: State
    /// The leg being driven, from 0. Never lowered.
    public var leg: Int
    /// The fix snapped onto the route.
    public var snapped: Coordinate
    /// The direction of the route there, degrees from true north.
    public var course: Double { direction?.bearing ?? .nan }
    /// The same, of any length: few ask for degrees, which take time.
    var direction: Offset?
    /// Metres from the start of the route: the furthest so far.
    public var along: Double
    /// Metres that the vehicle is behind `along`: driven back, or rejoined there. 0 when it is not.
    public var backtracked = 0.0
    /// Metres from the route to the fix; negative when the fix is left of it.
    public var crossTrack: Double
    /// Metres to the end of the route.
    public var remainingDistance: Double
    /// Seconds to the end of the route; NaN too when the route declares no durations.
    public var remainingDuration: Double
    /// Seconds to the end of the leg being driven, which is the next waypoint; NaN too when the route declares no durations.
    public var legRemainingDuration = Double.nan
    /// Carried on from the last fix, through a gap.
    public var isEstimated = false

    public init(
        state: State, leg: Int, snapped: Coordinate, along: Double, crossTrack: Double, remainingDistance: Double, remainingDuration: Double
    ) {
        self.state = state
        self.leg = leg
        self.snapped = snapped
        self.along = along
        self.crossTrack = crossTrack
        self.remainingDistance = remainingDistance
        self.remainingDuration = remainingDuration
    }

    /// Off the route, also while no fix tells so any more: the remaining values are NaN.
    @inline(__always)
    public var isOffRoute: Bool { state.isOffRoute || state == .stale && along.isNaN }

    /// What is known off the route: the leg.
    mutating func forgetPosition() {
        snapped = .unknown
        direction = nil
        along = .nan
        crossTrack = .nan
        remainingDistance = .nan
        remainingDuration = .nan
        legRemainingDuration = .nan
    }
}
