/// Counts the fixes that do not fit the route, until they are enough to believe them.
struct Deviation: Sendable {
    private var fixes = 0
    private var farFixes = 0
    private var seconds = 0.0

    /// One stray fix, or a burst of them from a fast receiver, is no deviation.
    private static let leastFixes = 3
    private static let leastSeconds = 5.0
    /// Beyond this no receiver that works is mistaken twice, metres.
    static let farDistance = 180.0
    private static let leastFarFixes = 2

    /// `gap`: seconds since the fix before.
    mutating func add(isFar: Bool, gap: Double) {
        if fixes > 0 { seconds += gap }
        fixes += 1
        farFixes = isFar ? farFixes + 1 : 0
    }

    var isCertain: Bool { (fixes >= Self.leastFixes && seconds >= Self.leastSeconds) || farFixes >= Self.leastFarFixes }
}
