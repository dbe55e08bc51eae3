public import CMilepost
import Runtime

@_cdecl("milepost_reporter_get_statistics") @implementation
public func milepost_reporter_get_statistics(
    _ reporter: OpaquePointer?, _ statistics: UnsafeMutablePointer<milepost_statistics>?
) -> milepost_status {
    with(reporter) { session throws(HostError) in
        let out = try Out(statistics, "statistics")
        var c = milepost_statistics(session.statistics)
        out.write(&c)
    }
}

@_cdecl("milepost_reporter_diagnose") @implementation
public func milepost_reporter_diagnose(
    _ reporter: OpaquePointer?, _ diagnosis: UnsafeMutablePointer<milepost_diagnosis>?
) -> milepost_status {
    with(reporter) { session throws(HostError) in
        let out = try Out(diagnosis, "diagnosis")
        var c = milepost_diagnosis(session.diagnose())
        out.write(&c)
    }
}

extension milepost_statistics {
    fileprivate init(_ statistics: Statistics) {
        self.init()
        updates_sent = statistics.updatesSent
        updates_succeeded = statistics.updatesSucceeded
        updates_failed = statistics.updatesFailed
        failed_transient = statistics.failedTransient
        failed_needs_token = statistics.failedNeedsToken
        failed_configuration = statistics.failedConfiguration
        failed_gone = statistics.failedGone
        positions_rejected = statistics.positionsRejected
        back_offs = statistics.backOffs
        tokens_fetched = statistics.tokensFetched
        tokens_failed = statistics.tokensFailed
        fixes_taken = statistics.fixesTaken
        fixes_dropped = statistics.fixesDropped
        gpsd_reconnects = statistics.gpsdReconnects
        connections = statistics.traffic.connections
        bytes_sent = statistics.traffic.sentBytes
        bytes_received = statistics.traffic.receivedBytes
        interval_s = Int32(clamping: statistics.interval)
        if let lastSuccess = statistics.lastSuccess {
            last_success_unix_ms = lastSuccess
            fields |= UInt32(MILEPOST_STATISTICS_LAST_SUCCESS)
        }
    }
}

extension milepost_diagnosis {
    fileprivate init(_ diagnosis: Diagnosis) {
        self.init()
        broken = diagnosis.broken.first?.rawValue ?? 0
        holding = Self.bits(diagnosis.holding)
        failing = Self.bits(diagnosis.broken)
        withUnsafeMutableBytes(of: &message) { room in
            room.copyBytes(from: oneLine(diagnosis.message, limit: room.count - 1).utf8)
        }
    }

    private static func bits(_ links: [Diagnosis.Link]) -> UInt32 { links.reduce(0) { $0 | 1 << UInt32($1.rawValue) } }
}
