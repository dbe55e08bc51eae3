import CSystem
import FleetEngine
import Navigation
import Positioning
import Reporting

/// The loop's half: one turn at a time, by whichever thread drives it.
extension ReporterSession {
    /// Waits at most so many milliseconds (-1: for ever) for something to do, and does it.
    func turn(timeout: Int32) {
        loop.poll(timeout: timeout)
        startGpsd()
        actOnDeadlines()
        carryOut()
        loop.setDeadline(nextDeadline)
    }

    /// Nothing is outstanding and nothing is due: it may stop.
    var isSettled: Bool { state.with { $0.reporter.isSettled && $0.effects.isEmpty } }

    /// Ends what is under way. The state machine hears of it, so that a later start goes on rightly.
    func shutDown() {
        isShuttingDown = true
        defer { isShuttingDown = false }
        gpsd?.close()
        gpsdIsStarted = false
        for id in TokenQuestions.shared.close(self) { handle(.token(id: id, .failure(TokenFailure("stopped before a token came")))) }
        http.cancelAll()
        carryOut()
    }

    private func startGpsd() {
        guard !gpsdIsStarted else { return }
        gpsdIsStarted = true
        gpsd?.start()
    }

    private func actOnDeadlines() {
        let now = mp_clock_boot_ns()
        http.act(at: now)
        gpsd?.act(at: now)
        state.with { state in
            if let news = state.pushedFixes.act(at: now) { state.notices.append(.positionState(news, "no fix was pushed for 5 s")) }
        }
    }

    private var nextDeadline: Instant {
        let own = state.with { min($0.reporter.deadline, $0.pushedFixes.deadline) }
        let stop = run.with { $0.stopAt ?? .max }
        return min(own, stop, http.deadline, gpsd?.deadline ?? .max)
    }

    /// Carries out what the state machine wants and tells the listeners, until nothing is left. What the host's callbacks cause comes in the same
    /// go, up to a bound: then the loop is woken again, so that a dispatch always returns.
    func carryOut() {
        for _ in 0..<64 {
            let (effects, notices) = state.with { state in
                let effects = state.effects + state.reporter.handle(.timer, at: mp_clock_boot_ns())
                state.effects = []
                return (effects, state.notices.takeAll())
            }
            if effects.isEmpty && notices.isEmpty { return }
            for notice in notices { tell(notice) }
            for effect in effects { carryOut(effect) }
        }
        loop.mailbox.wake()
    }

    private func carryOut(_ effect: ReporterEffect) {
        switch effect {
        case .send(let request) where mayBegin: send(request)
        case .send(let request): handle(.response(id: request.id, .failed(timedOut: false, message: "stopped before it was sent")))
        case .fetchToken(let id, let context) where mayBegin: tokens.fetch(context, for: self, id: id)
        case .fetchToken(let id, _): handle(.token(id: id, .failure(TokenFailure("stopped before a token was asked for"))))
        case .reckon: state.with { $0.reckon(carriesOn: configuration.reckons) }
        case .succeeded(let update): tell(.succeeded(update))
        case .failed(let failure): tell(.failed(failure))
        case .occurred(let occurrence): tell(.occurrence(occurrence))
        }
    }

    private var mayBegin: Bool { !isShuttingDown && !run.with { $0.isAbandoned } }

    private func send(_ request: OutgoingRequest) {
        let endpoint = configuration.endpoint
        let http = HTTPClient.Request(
            method: request.method.rawValue, url: endpoint.address(of: request.target), body: request.body, bearer: request.bearer,
            isSecure: endpoint.isSecure)
        self.http.send(http) { [unowned(unsafe) self] result in handle(.response(id: request.id, result)) }
    }

    private func tell(_ notice: Notice) {
        switch notice {
        case .succeeded(let update):
            listeners.each { $0.succeeded?(update) }
            log(.debug, "update taken: \(update.mask)")
        case .failed(let failure):
            listeners.each { $0.failed?(failure) }
            log(.warning, "update failed: HTTP \(failure.httpStatus), code \(failure.code.rawValue): \(failure.message)")
        case .routeEvents(let events):
            for index in 0..<events.count { listeners.each { $0.routeEvent?(events[index]) } }
        case .progress(let tracker, let time): listeners.each { $0.progress?(tracker, time) }
        case .positionState(let state, let detail):
            listeners.each { $0.positionState?(state, detail) }
            log(.info, "position: \(detail)")
        case .occurrence(let occurrence):
            listeners.each { $0.occurrence?(occurrence) }
            log(.warning, occurrence.message)
        case .log(let level, let text): log(level, text)
        }
    }

    private func log(_ level: Log.Level, _ text: String) {
        guard let log = configuration.log, level.rawValue <= log.level.rawValue, !run.with({ $0.isAbandoned }) else { return }
        log.write(level, text)
    }

    /// What comes from gpsd.
    func take(_ event: GpsdConnection.Event) {
        state.with { state in
            switch event {
            case .fix(let fix): state.accept(fix)
            case .state(let news, let detail): state.notices.append(.positionState(news, detail))
            case .note(let text): state.notices.append(.log(.info, text))
            }
        }
    }
}
