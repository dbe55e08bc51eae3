import CSystem
import FleetEngine
import Navigation
import Positioning
import Reporting

/// Carrying out what the state machine wants, and telling the listeners.
extension ReporterSession {
    /// nil while the host's clock is not set.
    var unixMilliseconds: Int64? { HostClock.now.isNaN ? nil : mp_clock_unix_ns() / 1_000_000 }

    func carryOut(_ effect: ReporterEffect) {
        switch effect {
        case .send(let request): send(request)
        case .fetchToken(let id, let context): fetchToken(id, context)
        case .reckon(let now): state.with { $0.reckon(at: now, carriesOn: configuration.reckons) }
        case .succeeded(let update): tell(.succeeded(update))
        case .failed(let failure): tell(.failed(failure))
        case .occurred(let occurrence): tell(.occurrence(occurrence))
        case .backlog(let step): keep(step)
        }
    }

    func tell(_ notice: Notice) {
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

    /// What comes from gpsd.
    func take(_ event: GpsdConnection.Event) {
        state.with { state in
            switch event {
            case .fix(let fix): state.accept(fix)
            case .state(let news, let detail): state.tell(news, detail)
            case .note(let text): state.notices.append(.log(.info, text))
            }
        }
    }
}
