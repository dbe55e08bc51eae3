import CSystem
import Reporting

/// Who drives the loop: a thread of its own, or the host.
struct Run {
    enum Mode {
        /// The host may dispatch, or start a thread.
        case idle
        case threaded(UInt)
        /// Its thread is being ended by a call of stop.
        case stopping
        /// Its thread did not end in time: it sits in a callback of the host.
        case abandoned
    }

    var mode = Mode.idle
    /// The thread that is inside a turn now, so that calls from inside callbacks are told.
    var turningThread: UInt?
    /// When to stop at the latest; nil while none is asked for.
    var stopAt: Instant?
    var threadHasEnded = false
    /// What the last stop found.
    var wasConfirmed = true

    var isStopping: Bool { if case .stopping = mode { true } else { false } }
    var isAbandoned: Bool { if case .abandoned = mode { true } else { false } }
}

extension Session {
    /// A callback that blocks is given this long beyond the time of a stop.
    private static let stopGrace: Int64 = 150_000_000

    public func start() throws(HostError) {
        try run.with { run throws(HostError) in
            guard case .idle = run.mode, run.turningThread == nil else { throw HostError(.state, "it is already running") }
            run.stopAt = nil
            run.threadHasEnded = false
            let me = Unmanaged.passRetained(self)
            var thread: UInt = 0
            let error = mp_thread_start(&thread, "milepost", { runThread($0) }, me.toOpaque())
            guard error == 0 else {
                me.release()
                throw HostError(.system, "no thread: " + String(cString: mp_errno_text(error)))
            }
            run.mode = .threaded(thread)
        }
        // After a stop nothing else would begin its first turn.
        loop.mailbox.wake()
    }

    /// Does what is due without blocking.
    public func dispatch() throws(HostError) {
        try beginTurning()
        defer { run.change { $0.turningThread = nil } }
        let signals = mp_sigpipe_block()
        turn(timeout: 0)
        mp_sigpipe_restore(signals)
    }

    /// Ends within the time given; throws `.unconfirmed` when the last update was not confirmed.
    public func stop(timeout milliseconds: Int32) throws(HostError) {
        try refuseInsideCallback("stop")
        let limit = Int64(milliseconds) &* 1_000_000
        if let thread = beginStopping(by: mp_clock_boot_ns() &+ limit) {
            try stopThread(thread, limit)
        } else {
            try stopHostDriven(limit)
        }
    }

    /// Gives the thread that is to end, to one caller only; nil when there is none.
    private func beginStopping(by end: Instant) -> UInt? {
        run.with { run in
            guard case .threaded(let thread) = run.mode else { return nil }
            run.mode = .stopping
            run.stopAt = end
            return thread
        }
    }

    /// Stops at once and closes everything.
    public func destroy() throws(HostError) {
        try refuseInsideCallback("destroy")
        try? stop(timeout: 0)
    }

    private func refuseInsideCallback(_ call: StaticString) throws(HostError) {
        guard run.with({ $0.turningThread }) != mp_thread_self() else {
            throw HostError(.inCallback, "\(call) from inside a callback of its own: do it after the callback has returned")
        }
    }

    private func beginTurning() throws(HostError) {
        try refuseInsideCallback("dispatch")
        try run.with { run throws(HostError) in
            guard case .idle = run.mode else { throw HostError(.state, "it runs on its own thread: do not dispatch it") }
            guard run.turningThread == nil else { throw HostError(.state, "another thread is dispatching it") }
            run.turningThread = mp_thread_self()
        }
    }

    private func stopThread(_ thread: UInt, _ limit: Int64) throws(HostError) {
        loop.mailbox.wake()
        _ = run.wait(atMost: limit &+ Self.stopGrace) { $0.threadHasEnded }
        let hasEnded = run.with { run in
            if !run.threadHasEnded {
                run.mode = .abandoned
                mute(true)
            }
            return run.threadHasEnded
        }
        guard hasEnded else {
            mp_thread_detach(thread)
            throw HostError(.timeout, "a callback of the host has not returned: the thread was left to end by itself")
        }
        mp_thread_join(thread)
        run.change { $0.mode = .idle }
        try requireConfirmed()
    }

    private func stopHostDriven(_ limit: Int64) throws(HostError) {
        let end = mp_clock_boot_ns() &+ limit
        guard run.wait(atMost: limit &+ Self.stopGrace, until: { $0.turningThread == nil && !$0.isStopping }) else {
            throw HostError(.timeout, "another thread is still dispatching or stopping it")
        }
        if run.with({ $0.isAbandoned }) { throw HostError(.timeout, "its thread still sits in a callback of the host") }
        try beginTurning()
        defer { run.change { $0.turningThread = nil } }
        let signals = mp_sigpipe_block()
        defer { mp_sigpipe_restore(signals) }
        driveUntilSettled(or: end)
        try requireConfirmed()
    }

    /// Turns until nothing is outstanding or the time is up, then shuts down. Remembers whether it was settled before what is under way was cut.
    func driveUntilSettled(or end: Instant) {
        // What is due by now is begun, and so waited for.
        if mp_clock_boot_ns() < end { carryOut() }
        while !isSettled {
            let left = end &- mp_clock_boot_ns()
            if left <= 0 { break }
            turn(timeout: Int32(clamping: left / 1_000_000 + 1))
        }
        let wasConfirmed = isConfirmed
        run.with { $0.wasConfirmed = wasConfirmed }
        shutDown()
    }

    private func requireConfirmed() throws(HostError) {
        guard run.with({ $0.wasConfirmed }) else {
            throw HostError(.unconfirmed, "stopped, but the server has not confirmed the last update")
        }
    }
}

private func runThread(_ argument: UnsafeMutableRawPointer?) {
    guard let argument else { return }
    let session = Unmanaged<Session>.fromOpaque(argument).takeRetainedValue()
    session.run.with { $0.turningThread = mp_thread_self() }
    var stopAt: Instant?
    while stopAt == nil {
        session.turn(timeout: -1)
        stopAt = session.run.with { $0.stopAt }
    }
    session.driveUntilSettled(or: stopAt ?? 0)
    session.run.change {
        $0.turningThread = nil
        $0.threadHasEnded = true
        guard $0.isAbandoned else { return }
        $0.mode = .idle
        session.mute(false)
    }
}
