/// Metres around each waypoint within which it counts as visited.
struct ArrivalRadii: Sendable {
    private var common: Double
    /// For each waypoint; NaN where the common one counts; empty while none has its own.
    private var own: [Double] = []

    init(_ metres: Double) { common = Self.clamped(metres) }

    subscript(waypoint: Int) -> Double {
        guard waypoint >= 0 && waypoint < own.count && !own[waypoint].isNaN else { return common }
        return own[waypoint]
    }

    /// For every waypoint without one of its own.
    mutating func set(_ metres: Double) { common = Self.clamped(metres) }

    mutating func set(_ metres: Double, waypoint: Int, of route: Route) {
        guard waypoint >= 0 && waypoint < route.legCount else { return }
        if own.isEmpty { own = Array(repeating: .nan, count: route.legCount) }
        own[waypoint] = Self.clamped(metres)
    }

    /// What holds for another route.
    var withoutOwn: ArrivalRadii { ArrivalRadii(common) }

    private static func clamped(_ metres: Double) -> Double { min(max(metres, 5), 500) }
}
