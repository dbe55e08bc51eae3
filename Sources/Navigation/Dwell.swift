/// The time that is spent at the waypoints before the last: it delays the waypoints after, and runs down while the vehicle is at one.
struct Dwell: Sendable {
    /// For each waypoint the seconds at all before it; empty while none has any.
    private var before: [Double] = []
    private(set) var leg = 0
    /// Seconds still to be spent at the waypoint just passed.
    private(set) var left = 0.0
    /// Seconds already spent at the next, by a vehicle that stops a little before it.
    private(set) var spent = 0.0

    /// At most a day.
    static var longest: Double { 86_400 }
    /// One stops within so many metres of a waypoint.
    private static var radius: Double { 50 }

    /// Seconds at a waypoint of the route; those at the last delay nothing. What is no duration counts as 0.
    mutating func set(_ seconds: Double, waypoint: Int, of route: Route) {
        guard waypoint >= 0 && waypoint < route.legCount - 1 else { return }
        if before.isEmpty { before = Array(repeating: 0, count: route.legCount) }
        let seconds = seconds > 0 ? min(seconds, Self.longest) : 0
        let change = seconds - (before[waypoint + 1] - before[waypoint])
        for later in waypoint + 1..<before.count { before[later] += change }
    }

    /// Seconds at a waypoint.
    subscript(waypoint: Int) -> Double {
        waypoint >= 0 && waypoint + 1 < before.count ? min(max(before[waypoint + 1] - before[waypoint], 0), Self.longest) : 0
    }

    init() {}

    /// As it was in the middle of a drive, with the seconds at each waypoint.
    init(leg: Int, left: Double, spent: Double, seconds: [Double]) {
        self.leg = leg
        self.left = left
        self.spent = spent
        guard seconds.contains(where: { $0 > 0 }) else { return }
        before.reserveCapacity(seconds.count)
        var sum = 0.0
        for own in seconds {
            before.append(sum)
            sum += own
        }
    }

    /// Whether a place on the route, metres from its start, belongs to a waypoint's stop or to the start.
    @inline(__always)
    static func isStop(_ along: Double, leg: Int, of route: Route) -> Bool {
        let start = leg > 0 ? route.legEndAlong(leg - 1) : 0
        return abs(along - start) <= radius || route.legEndAlong(leg) - along <= radius
    }

    /// Takes in `seconds` that the vehicle spent not driving on, having reached a place within a leg.
    mutating func spend(_ seconds: Double, at along: Double, leg: Int, of route: Route) {
        guard !before.isEmpty else { return }
        if leg != self.leg {
            left = max(left + before[leg] - before[self.leg] - spent, 0)
            spent = 0
            self.leg = leg
        }
        let isNearPassed = leg > 0 && abs(along - route.legEndAlong(leg - 1)) <= Self.radius
        left = isNearPassed ? max(left - seconds, 0) : 0
        if left == 0 && route.legEndAlong(leg) - along <= Self.radius { spent += seconds }
    }

    /// Seconds still to be spent before a waypoint that is not passed yet.
    @inline(__always)
    func ahead(of waypoint: Int) -> Double {
        guard !before.isEmpty && waypoint >= leg else { return 0 }
        guard waypoint > leg else { return left }
        return left + max(before[waypoint] - before[leg] - min(spent, before[leg + 1] - before[leg]), 0)
    }
}
