/// How long to hold back after failures.
struct BackOff {
    /// Longest wait between attempts, and the pace of attempts that only a change of configuration can help, seconds.
    static let longest: Int64 = 60
    /// Longest wait that a server is granted, seconds.
    static let longestRetryAfter: Int64 = 3600

    private var failures = 0
    /// What has failed before is not tried again earlier.
    private(set) var until = Instant.min
    /// Nothing at all is sent earlier: the server has asked for it.
    private(set) var hold = Instant.min

    mutating func succeeded() { self = BackOff() }

    /// Forgets failures, but not what the server has asked for.
    mutating func startAfresh() {
        failures = 0
        until = hold
    }

    /// An attempt begun at `start` has failed: the next waits 1, 2, 4 … slots of `interval` seconds from there.
    mutating func failed(_ start: Instant, interval: Int64) {
        let slots = Int64(1) << Int64(min(failures, 6))
        failures = min(failures + 1, 6)
        wait(from: start, seconds: min(interval * slots, Self.longest))
    }

    /// Repeating it soon would not help.
    mutating func misconfigured(_ start: Instant) { wait(from: start, seconds: Self.longest) }

    /// The server has asked to wait so many seconds from now.
    mutating func asked(_ now: Instant, seconds: Int) {
        hold = now.adding(seconds: min(Int64(max(0, seconds)), Self.longestRetryAfter))
        until = max(until, hold)
    }

    private mutating func wait(from start: Instant, seconds: Int64) { until = max(hold, start.adding(seconds: seconds)) }
}
