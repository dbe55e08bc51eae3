let nanosecondsPerSecond: Int64 = 1_000_000_000

/// Arithmetic that stops at the ends of the range, so that no instant can overflow.
extension Instant {
    func adding(seconds: Int64) -> Instant {
        let (nanoseconds, overflow) = seconds.multipliedReportingOverflow(by: nanosecondsPerSecond)
        return adding(nanoseconds: overflow ? (seconds < 0 ? .min : .max) : nanoseconds)
    }

    func adding(nanoseconds: Int64) -> Instant {
        let (sum, overflow) = addingReportingOverflow(nanoseconds)
        return overflow ? (nanoseconds < 0 ? .min : .max) : sum
    }

    /// Whole seconds that have passed since then; 0 when then is later.
    func seconds(since then: Instant) -> Int64 {
        guard self > then else { return 0 }
        let (difference, overflow) = subtractingReportingOverflow(then)
        return (overflow ? Int64.max : difference) / nanosecondsPerSecond
    }
}
