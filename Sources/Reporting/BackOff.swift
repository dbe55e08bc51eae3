/// How long to hold back after failures. Each wait is made longer at random.
struct BackOff {
    /// Longest wait between attempts before it is spread, but at least an interval, seconds.
    static let longest: Int64 = 40
    /// The pace of attempts that only a change of configuration can help, seconds.
    static let slow: Int64 = 60
    /// Longest wait that a server is granted, seconds.
    static let longestRetryAfter: Int64 = 3600

    private var jitter: Jitter
    private var failures = 0
    /// What has failed before is not tried again earlier.
    private(set) var until = Instant.min
    /// Nothing at all is sent earlier: the server has asked for it.
    private(set) var hold = Instant.min
    /// How often it has been waited.
    private(set) var count = 0

    init(_ jitter: Jitter) { self.jitter = jitter }

    /// After a success, and for another vehicle.
    mutating func reset() {
        failures = 0
        until = .min
        hold = .min
    }

    /// Forgets failures, but not what the server has asked for.
    mutating func startAfresh() {
        failures = 0
        until = hold
    }

    /// An attempt begun at `start` has failed: the next waits 1, 2, 4 … slots of `interval` seconds from there.
    mutating func failed(_ start: Instant, interval: Int64) {
        let slots = Int64(1) << Int64(min(failures, 6))
        failures = min(failures + 1, 6)
        wait(from: start, seconds: min(interval * slots, max(interval, Self.longest)))
    }

    /// Repeating it soon would not help.
    mutating func misconfigured(_ start: Instant) { wait(from: start, seconds: Self.slow) }

    /// The server has asked to wait so many seconds from now.
    mutating func asked(_ now: Instant, seconds: Int) {
        hold = now.adding(nanoseconds: jitter.spread(seconds: min(Int64(seconds), Self.longestRetryAfter)))
        until = max(until, hold)
    }

    private mutating func wait(from start: Instant, seconds: Int64) {
        count &+= 1
        until = max(hold, start.adding(nanoseconds: jitter.spread(seconds: seconds)))
    }
}
