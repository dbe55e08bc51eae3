import Navigation

/// Seldom while the vehicle is parked, often while it nears a stop.
struct MotionPace {
    /// Parked: it has not left a circle of so many metres for so many seconds.
    static let parkedRadius = 30.0
    static let parkedAfter: Int64 = 120
    /// Near a stop: so many metres before it, or less.
    static let nearStop: Int32 = 500

    private var anchor: (place: Coordinate, since: Instant)?
    private var isParked = false
    private var isNearStop = false

    /// remaining: metres to the next waypoint; nil without a route.
    mutating func heard(_ place: Coordinate, remaining: Int32?, at now: Instant) {
        isNearStop = remaining.map { $0 <= Self.nearStop } ?? false
        if let anchor, distance(from: anchor.place, to: place) <= Self.parkedRadius {
            isParked = now.seconds(since: anchor.since) >= Self.parkedAfter
        } else {
            anchor = (place, now)
            isParked = false
        }
    }

    func interval(asked: Int) -> Int { isParked ? Pace.longest : isNearStop ? Pace.shortest : asked }
}
