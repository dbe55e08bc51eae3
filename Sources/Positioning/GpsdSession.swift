import Navigation

/// A client of gpsd without the socket: told what happened to the connection and what the time is, it says what to do with the connection, and gives
/// fixes. Connects again for ever. Reads no clock; one thread at a time.
///
/// Fixes have been through its `gate`: take them as they are.
public final class GpsdSession {
    public enum Input {
        /// Begin, or begin again after the connection was closed by the caller.
        case started
        /// What `Output.connect` asked for has come about.
        case connected
        /// `reason`: for a person, such as "connection refused by 127.0.0.1 port 2947".
        case connectFailed(reason: String)
        /// Bytes as they came; not kept.
        case received(UnsafeRawBufferPointer)
        /// gpsd closed the connection, or it broke.
        case disconnected(reason: String)
        /// `deadline` has come.
        case timer
    }

    public enum Output: Sendable {
        /// Open a connection; answer with `connected` or `connectFailed`.
        case connect
        /// Send this text whole.
        case send(String)
        /// Close the connection, or give up opening it; no answer is expected.
        case disconnect
        case fix(Fix)
        /// The state, or what is said of it, has changed. `detail`: a line for a person.
        case state(PositionState, detail: String)
        /// For the log.
        case note(String)
    }

    public struct Counts: Equatable, Sendable {
        /// Complete lines received.
        public fileprivate(set) var lines = 0
        /// Of them, reports of class TPV.
        public fileprivate(set) var reports = 0
        /// Of those, from another receiver than the one followed.
        public fileprivate(set) var ignoredReports = 0
        /// Lines that gpsd would not write, and lines too long.
        public fileprivate(set) var badLines = 0
        /// Connections lost or failed.
        public fileprivate(set) var reconnects = 0
    }

    private enum Phase {
        case idle, connected
        case connecting(until: Int64)
        case waiting(until: Int64)
    }

    private static let second: Int64 = 1_000_000_000
    /// Opening a connection, the name's resolution included, may take so long.
    static let connectLimit = 10 * second
    /// Without a report: says so, asks again, connects again.
    static let quietLimit = 3 * second
    static let watchLimit = 10 * second
    static let silenceLimit = 30 * second
    /// Without a usable fix while reports come.
    static let staleLimit = 5 * second

    public private(set) var state = PositionState.connecting
    public private(set) var counts = Counts()
    /// Read it for what was dropped.
    public private(set) var gate = FixGate()

    private let watch: String
    private let parser = TPVParser()
    private var phase = Phase.idle
    private var splitter = LineSplitter()
    private var devices: DeviceChoice
    private var epochs = EpochMerger()
    private var backOff: ReconnectBackOff

    private var detail = ""
    private var quietDetail: String
    private let pinnedText: String?
    private var lastReport: Int64 = 0
    private var hasWatchedAgain = false
    private var lastFix: Int64 = 0
    private var hadFix = false
    /// Why the last fix was dropped; nil once one was taken.
    private var rejection: FixRejection?
    private var outputs: [Output] = []

    /// - Parameters:
    ///   - device: the only receiver to listen to; nil for the first that has a fix.
    ///   - seed: of the back-off's jitter; different for each unit.
    public init(device: DevicePath?, seed: UInt64) {
        watch = watchCommand(device: device)
        devices = DeviceChoice(pinned: device)
        backOff = ReconnectBackOff(seed: seed)
        pinnedText = device?.text
        quietDetail = ""
    }

    /// When `timer` is wanted at the latest, nanoseconds of the clock that `handle` is given; `Int64.max` for never.
    public var deadline: Int64 {
        switch phase {
        case .idle: return .max
        case .connecting(let until), .waiting(let until): return until
        case .connected:
            let silence = state != .noData ? Self.quietLimit : hasWatchedAgain ? Self.silenceLimit : Self.watchLimit
            let stale = state == .fix ? lastFix &+ Self.staleLimit : .max
            return min(lastReport &+ silence, stale, epochs.deadline)
        }
    }

    /// Takes what happened and gives what to do, in order.
    ///
    /// - Parameter now: nanoseconds of a clock that goes on while suspended.
    public func handle(_ input: Input, at now: Int64) -> [Output] {
        outputs = []
        switch input {
        case .started:
            backOff.reset()
            connect(at: now)
        case .connected: beginWatching(at: now)
        case .connectFailed(let reason), .disconnected(let reason): lose(reason, at: now)
        case .received(let bytes): receive(bytes, at: now)
        case .timer: break
        }
        runTimers(at: now)
        return outputs
    }
}

// MARK: - The connection

extension GpsdSession {
    private func connect(at now: Int64) {
        phase = .connecting(until: now &+ Self.connectLimit)
        if state != .connecting || detail.isEmpty { enter(.connecting, "connecting to gpsd") }
        outputs.append(.connect)
    }

    private func beginWatching(at now: Int64) {
        guard case .connecting = phase else { return }
        phase = .connected
        splitter.reset()
        lastReport = now
        hasWatchedAgain = false
        quietDetail = pinnedText.map { "connected to gpsd; nothing from \($0)" } ?? "connected to gpsd; nothing from any receiver"
        outputs.append(.send(watch))
        enter(.noData, quietDetail)
    }

    private func lose(_ reason: String, at now: Int64) {
        switch phase {
        case .idle, .waiting: return
        case .connecting, .connected: break
        }
        if let fix = epochs.release() { admit(fix, at: now) }
        counts.reconnects &+= 1
        let wait = backOff.next()
        phase = .waiting(until: now &+ wait)
        enter(.connecting, reason)
        outputs.append(.note("\(reason); trying again in \(wait / 1_000_000) ms"))
    }

    private func runTimers(at now: Int64) {
        switch phase {
        case .idle: break
        case .waiting(let until): if now >= until { connect(at: now) }
        case .connecting(let until): if now >= until { hangUp("gpsd has not answered for \(Self.connectLimit / Self.second) s", at: now) }
        case .connected:
            if now >= epochs.deadline, let fix = epochs.release() { admit(fix, at: now) }
            watchForSilence(at: now)
        }
    }

    private func watchForSilence(at now: Int64) {
        let silence = now &- lastReport
        if silence >= Self.silenceLimit {
            backOff.reset()
            hangUp("no report from a receiver for \(Self.silenceLimit / Self.second) s", at: now)
        } else if silence >= Self.quietLimit {
            enter(.noData, quietDetail)
            if silence >= Self.watchLimit, !hasWatchedAgain {
                hasWatchedAgain = true
                outputs.append(.note("no report for \(Self.watchLimit / Self.second) s: asking gpsd again"))
                outputs.append(.send(watch))
            }
        } else if state == .fix, now &- lastFix >= Self.staleLimit {
            enter(.stale, rejection?.text ?? "no position for \(Self.staleLimit / Self.second) s")
        }
    }

    private func hangUp(_ reason: String, at now: Int64) {
        outputs.append(.disconnect)
        lose(reason, at: now)
    }

    private func enter(_ state: PositionState, _ detail: String) {
        guard state != self.state || detail != self.detail else { return }
        self.state = state
        self.detail = detail
        outputs.append(.state(state, detail: detail))
    }
}

// MARK: - What gpsd says

extension GpsdSession {
    private func receive(_ bytes: UnsafeRawBufferPointer, at now: Int64) {
        guard case .connected = phase else { return }
        var rest = bytes
        let overlong = splitter.overlong
        while splitter.next(from: &rest) {
            counts.lines &+= 1
            take(at: now)
        }
        counts.badLines &+= splitter.overlong &- overlong
    }

    private func take(at now: Int64) {
        enum Line {
            case report(TPV)
            case release(String)
            case error(String)
            case bad, other
        }
        let line: Line = splitter.withLine { bytes in
            switch ReportClass(bytes) {
            case .tpv: parser.parse(bytes).map { .report($0) } ?? .bad
            case .version: .release(messageText("release", in: bytes))
            case .error: .error(messageText("message", in: bytes))
            case .garbage: .bad
            case .other: .other
            }
        }
        switch line {
        case .report(let report): take(report, at: now)
        case .release(let release): outputs.append(.note("gpsd \(release) answers"))
        case .error(let message):
            quietDetail = "gpsd says: \(message)"
            outputs.append(.note(quietDetail))
            if state == .noData { enter(.noData, quietDetail) }
        case .bad: counts.badLines &+= 1
        case .other: break
        }
    }

    private func take(_ report: TPV, at now: Int64) {
        counts.reports &+= 1
        switch devices.judge(report, at: now) {
        case .ignored:
            counts.ignoredReports &+= 1
            return
        case .changed(let former):
            outputs.append(.note("no fix from \(former.text): following \(report.device.text)"))
            epochs = EpochMerger()
        case .followed: break
        }
        lastReport = now
        hasWatchedAgain = false
        backOff.reset()
        if report.hasPosition {
            takePosition(report, at: now)
        } else {
            takeAbsence(report, at: now)
        }
    }

    private func takePosition(_ report: TPV, at now: Int64) {
        let fixes = epochs.take(report, at: now)
        if let fix = fixes.previous { admit(fix, at: now) }
        if let fix = fixes.current {
            admit(fix, at: now)
        } else if report.time == nil, epochs.deadline == .max, hadFix {
            // The same position without a time: no news, but the receiver still has it.
            hold(at: now)
        }
    }

    private func takeAbsence(_ report: TPV, at now: Int64) {
        if let fix = epochs.release() { admit(fix, at: now) }
        if report.mode >= 2 {
            admit(report.fix, at: now)
        } else if report.mode == 1 || state != .fix {
            enter(hadFix ? .stale : .noFix, "no fix from \(report.device.text)")
        }
    }

    private func admit(_ fix: Fix, at now: Int64) {
        switch gate.admit(fix, now: Double(now) / 1e9) {
        case .success(let fix):
            rejection = nil
            hadFix = true
            outputs.append(.fix(fix))
            hold(at: now)
        case .failure(let reason):
            // One line for a run of them.
            if rejection == nil { outputs.append(.note("fix dropped: \(reason.text)")) }
            rejection = reason
            if state != .fix { enter(hadFix ? .stale : .noFix, reason.text) }
        }
    }

    /// There is a position at `now`.
    private func hold(at now: Int64) {
        lastFix = now
        devices.noteFix(at: now)
        enter(.fix, "receiving positions")
    }
}
