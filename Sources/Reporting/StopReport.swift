import FleetEngine

/// The stops as the host wants them, and whether the server knows. They have a back-off of their own: a token that is good for positions alone is
/// refused for stops, which must not hold the positions up.
struct StopReport {
    private(set) var list = StopList()
    /// Counts settings, so that an answer is not taken for that to an earlier one.
    private(set) var setting = 0
    /// The server does not know them yet.
    private(set) var isDue = false
    /// The server will never take them.
    private(set) var isGivenUp = false
    /// They do not wait for a failure of others.
    private var isNew = false
    private var backOff: BackOff

    init(_ jitter: Jitter) { backOff = BackOff(jitter) }

    mutating func set(_ list: StopList) {
        self.list = list
        setting &+= 1
        isDue = true
        isGivenUp = false
        isNew = true
        backOff.reset()
    }

    /// As an earlier run has left them.
    mutating func resume(_ list: StopList, isDue: Bool) {
        self.list = list
        self.isDue = isDue
        isNew = isDue
    }

    /// When they go out; .max for never. `hold`: nothing is sent earlier.
    func nextSend(after hold: Instant) -> Instant {
        guard isDue else { return .max }
        return isNew ? hold : max(hold, backOff.until)
    }

    mutating func sent() { isNew = false }

    mutating func confirm(_ setting: Int) {
        backOff.reset()
        if setting == self.setting { isDue = false }
    }

    /// An attempt begun at `start` has failed.
    mutating func failed(_ start: Instant, interval: Int) { backOff.failed(start, interval: Int64(interval)) }

    /// Repeating it soon would not help.
    mutating func misconfigured(_ start: Instant) { backOff.misconfigured(start) }

    /// There is reason to believe that it will be taken now.
    mutating func resendAtOnce() { isNew = true }

    /// Repeating that setting would never help.
    mutating func giveUp(_ setting: Int) {
        guard setting == self.setting else { return }
        isDue = false
        isGivenUp = true
    }
}
