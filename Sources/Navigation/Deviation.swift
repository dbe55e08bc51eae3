/// Collects the fixes in a row that do not fit the route, until they are enough to believe them.
struct Deviation: Sendable {
    private(set) var fixes = 0
    private var outside = Run()
    private var turned = Run()
    private var beside = Run()
    private var besideFrom = 0.0
    private var besideRight = false
    private var farFixes = 0
    /// What certainty came from, or what was last doubted.
    private(set) var reason = TrackerEvent.Reason.none

    /// Beyond this no receiver that works is mistaken twice, metres.
    static let farDistance = 180.0

    /// Fixes in a row, and the seconds from the first to the last.
    private struct Run {
        var fixes = 0
        var seconds = 0.0

        mutating func add(_ isPart: Bool, gap: Double) {
            if isPart && fixes > 0 { seconds += gap }
            if !isPart { seconds = 0 }
            fixes = isPart ? fixes + 1 : 0
        }
    }

    /// What one fix says against the route.
    struct Doubt {
        var reason: TrackerEvent.Reason
        /// Whether the vehicle moves in another direction than the route.
        var isTurned = false
        /// Of the place on the route beside which it is, metres from the start; NaN when it is not beside the route.
        var besideAlong = Double.nan
        var isRight = false
    }

    /// `gap`: seconds since the fix before.
    mutating func add(_ doubt: Doubt, gap: Double) {
        fixes += 1
        reason = doubt.reason
        outside.add(doubt.reason == .outsideCorridor || doubt.reason == .farAway, gap: gap)
        turned.add(doubt.isTurned, gap: gap)
        farFixes = doubt.reason == .farAway ? farFixes + 1 : 0
        let isBeside = !doubt.besideAlong.isNaN
        if beside.fixes > 0 && doubt.isRight != besideRight { beside = Run() }
        beside.add(isBeside, gap: gap)
        if beside.fixes == 1 {
            besideFrom = doubt.besideAlong
            besideRight = doubt.isRight
        }
        if isTurnedForCertain { reason = .headingDisagrees } else if isBesideForCertain(doubt.besideAlong) { reason = .besideRoute }
        isCertain = isCertain || isTurnedForCertain || isBesideForCertain(doubt.besideAlong) || isOutsideForCertain
    }

    private(set) var isCertain = false

    /// Drift ends within seconds: five fixes and ten seconds; two where no drift reaches.
    private var isOutsideForCertain: Bool { (outside.fixes >= 5 && outside.seconds >= 10) || farFixes >= 2 }
    /// A turn shows at once, but a course of the receiver may be wrong for a moment.
    var isTurnedForCertain: Bool { turned.fixes >= 3 && turned.seconds >= 2 }
    /// A parallel road: errors of the receiver last, but seldom for so long.
    private func isBesideForCertain(_ along: Double) -> Bool { beside.fixes >= 3 && along - besideFrom >= 60 }
}
