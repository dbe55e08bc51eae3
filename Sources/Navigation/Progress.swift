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
    }

    public var state: State
    /// The leg being driven, from 0. Never lowered.
    public var leg: Int
    /// The fix snapped onto the route.
    public var snapped: Coordinate
    /// The direction of the route there, degrees from true north.
    public var course: Double
    /// Metres from the start of the route.
    public var along: Double
    /// Metres from the route to the fix; negative when the fix is left of it.
    public var crossTrack: Double
    /// Metres to the end of the route.
    public var remainingDistance: Double
    /// Seconds to the end of the route; NaN too when the route declares no durations.
    public var remainingDuration: Double

    public init(
        state: State, leg: Int, snapped: Coordinate, course: Double, along: Double, crossTrack: Double, remainingDistance: Double,
        remainingDuration: Double
    ) {
        self.state = state
        self.leg = leg
        self.snapped = snapped
        self.course = course
        self.along = along
        self.crossTrack = crossTrack
        self.remainingDistance = remainingDistance
        self.remainingDuration = remainingDuration
    }
}
