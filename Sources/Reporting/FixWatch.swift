import Navigation

/// When a position that no fix renews is to be looked after: once it is stale, and every second before where it is carried on.
struct FixWatch {
    private let carriesOn: Bool
    private var lastFix = Instant.min
    /// .max for never.
    private(set) var deadline = Instant.max

    init(carriesOn: Bool) { self.carriesOn = carriesOn }

    /// A fix has come. Before the route is found and after the arrival nothing is waited for.
    mutating func heard(_ progress: Progress?, at now: Instant) {
        lastFix = now
        guard let progress, progress.state != .acquiring, progress.state != .arrived else { return rest() }
        deadline = now.adding(seconds: Int64(carriesOn ? Tracker.lateAfter : Tracker.staleAfter))
    }

    /// Until the next fix.
    mutating func rest() { deadline = .max }

    /// True once each time; sets the next.
    mutating func isDue(at now: Instant) -> Bool {
        guard now >= deadline else { return false }
        let goesOn = carriesOn && now.seconds(since: lastFix) < Int64(Tracker.longestReckoning)
        deadline = goesOn ? now.adding(seconds: 1) : .max
        return true
    }
}
