/// The time between fixes.
struct FixClock: Sendable {
    /// Of the last fix: its own time, and when it arrived.
    private(set) var time: Double
    private var arrival = Double.nan

    /// `time`: of the last fix, where it is known from before.
    init(time: Double = .nan) { self.time = time }

    /// The longest gap that counts: after an hour the vehicle may be anywhere anyway.
    static let longestGap = 3600.0
    /// What is taken when nothing is known: the usual rate of a receiver.
    static let usualGap = 1.0

    /// Seconds since the fix before: by the fixes' own times when both are believable, so that a replay at another speed matches as the drive did,
    /// else by their arrival. `now` is NaN when there is no clock.
    @inline(__always)
    mutating func advance(to time: Double, now: Double) -> Double {
        let own = time - self.time
        let waited = now - arrival
        self.time = time
        arrival = now
        // Twenty times faster than arrivals is no replay that anyone watches: the receiver's clock was set.
        let isContradicted = waited >= 0 && own > 20 * waited + 60
        if own > 0 && own <= Self.longestGap && !isContradicted { return own }
        if waited > 0 { return min(waited, Self.longestGap) }
        return own > Self.longestGap && !isContradicted ? Self.longestGap : Self.usualGap
    }

    /// Seconds since the last fix arrived; NaN when there is no clock.
    func silence(at now: Double) -> Double { now - arrival }
}
