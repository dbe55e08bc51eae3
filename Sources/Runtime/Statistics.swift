import Positioning
import Reporting

/// What a reporter has done since it was made.
public struct Statistics: Sendable {
    public internal(set) var updatesSent: UInt64 = 0
    public internal(set) var updatesSucceeded: UInt64 = 0
    /// Those included that failed before one was sent, for want of a token.
    public internal(set) var updatesFailed: UInt64 = 0
    public internal(set) var failedTransient: UInt64 = 0
    public internal(set) var failedNeedsToken: UInt64 = 0
    public internal(set) var failedConfiguration: UInt64 = 0
    public internal(set) var failedGone: UInt64 = 0
    public internal(set) var positionsRejected: UInt64 = 0
    public internal(set) var backOffs: UInt64 = 0
    public internal(set) var tokensFetched: UInt64 = 0
    public internal(set) var tokensFailed: UInt64 = 0
    public internal(set) var fixesTaken: UInt64 = 0
    public internal(set) var fixesDropped: UInt64 = 0
    public internal(set) var gpsdReconnects: UInt64 = 0
    /// Over the network, with all that TLS and HTTP add.
    public internal(set) var traffic = Traffic()
    /// Seconds between updates, in force.
    public internal(set) var interval = 0
    /// Of the last update taken, milliseconds since 1970; nil without one and while the host's clock is not set.
    public internal(set) var lastSuccess: Int64?
}

extension ReporterSession {
    public var statistics: Statistics {
        var statistics = state.with { state in
            var counts = state.ledger.counts
            counts.positionsRejected = UInt64(clamping: state.reporter.rejectedPositions)
            counts.backOffs = UInt64(clamping: state.reporter.backOffs)
            counts.fixesDropped &+= UInt64(clamping: state.gate.rejected.total)
            counts.interval = state.reporter.currentInterval
            return counts
        }
        statistics.traffic = traffic
        return statistics
    }
}
