import Navigation

/// The newest fix, and what has been sent of it.
struct FixRecord {
    private(set) var newest: Fix?
    private var firstSent: Instant?
    /// It has gone out in a request that has not failed.
    private(set) var isSent = false
    /// It comes from a receiver: it was not carried on along the route.
    private var isMeasured = true

    /// The newest, when it is worth keeping and has not gone out.
    var untold: Fix? { isMeasured && !isSent ? newest : nil }

    /// It has gone out in a request that has failed.
    var wasTried: Bool { firstSent != nil && !isSent }

    mutating func take(_ fix: Fix, isMeasured: Bool = true) {
        newest = fix
        self.isMeasured = isMeasured
        firstSent = nil
        isSent = false
    }

    /// Marks it as sent; gives the seconds since it was first.
    mutating func send(at now: Instant) -> Int32 {
        isSent = true
        guard let firstSent else {
            self.firstSent = now
            return 0
        }
        return Int32(min(now.seconds(since: firstSent), Int64(Int32.max)))
    }

    /// The last request with a position has failed.
    mutating func lost() { isSent = false }

    /// To a vehicle that is told of it for the first time.
    mutating func startAfresh() {
        firstSent = nil
        isSent = false
    }
}
