/// Seconds between updates: as the host has asked, fitted to what the vehicle does where that is wanted, and stretched after the server has said
/// that updates are too many.
struct Pace {
    static let shortest = 5
    static let longest = 60
    /// So many updates in a row have to be taken before the stretch is halved.
    static let patience = 5

    /// By the host.
    private(set) var asked: Int
    /// nil: the host's interval whatever the vehicle does.
    var motion: MotionPace?
    /// 1, 2, 4 …
    private var stretch = 1
    private var successes = 0

    init(asked: Int, isAdaptive: Bool) {
        self.asked = Self.clamped(asked)
        motion = isAdaptive ? MotionPace() : nil
    }

    mutating func ask(_ seconds: Int) { asked = Self.clamped(seconds) }

    /// In force.
    var interval: Int { min((motion?.interval(asked: asked) ?? asked) * stretch, Self.longest) }

    /// The server says that updates are too many. True when they go out more seldom from now on.
    mutating func tooMany() -> Bool {
        successes = 0
        guard asked * stretch < Self.longest else { return false }
        stretch *= 2
        return true
    }

    /// An update was taken. True when the interval is the host's again.
    mutating func succeeded() -> Bool {
        guard stretch > 1 else { return false }
        successes += 1
        guard successes >= Self.patience else { return false }
        successes = 0
        stretch /= 2
        return stretch == 1
    }

    static func clamped(_ interval: Int) -> Int { min(max(interval, shortest), longest) }
}

/// Telling the host of it.
extension Reporter {
    mutating func stretchInterval() -> [ReporterEffect] {
        guard pace.tooMany() else { return [] }
        var occurrence = Occurrence(
            .intervalStretched, "the server says that updates are too many: they go out every \(pace.interval) s until it takes them again")
        occurrence.interval = pace.interval
        return [.occurred(occurrence)]
    }

    mutating func restoreInterval() -> [ReporterEffect] {
        guard pace.succeeded() else { return [] }
        var occurrence = Occurrence(.intervalRestored, "the server takes updates again: they go out every \(pace.interval) s as before")
        occurrence.interval = pace.interval
        return [.occurred(occurrence)]
    }
}
