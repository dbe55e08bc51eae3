import CSystem
import FleetEngine
import Navigation
import Positioning
import Reporting

/// The chain from the receiver to the server, link by link, as far as the reporter knows from what it has done: nothing is tried.
public struct Diagnosis: Sendable {
    /// In the order of the chain; with the numbers of MILEPOST_LINK_*.
    public enum Link: Int32, CaseIterable, Sendable {
        case gpsd = 1
        case fix = 2
        case route = 3
        case tracking = 4
        case token = 5
        case claims = 6
        case server = 7
        case certificate = 8
        case vehicle = 9
        case updates = 10
    }

    public enum Verdict: Sendable {
        case holds
        /// Why, and what to do about it.
        case broken(String)
        /// Not tried yet, not reached, or not wanted.
        case unknown
    }

    public private(set) var holding: [Link] = []
    public private(set) var broken: [Link] = []
    /// Of the first that is broken, in words.
    public private(set) var message = "nothing is known to be broken"

    fileprivate mutating func add(_ link: Link, _ verdict: Verdict) {
        switch verdict {
        case .holds: holding.append(link)
        case .broken(let reason):
            if broken.isEmpty { message = reason }
            broken.append(link)
        case .unknown: break
        }
    }
}

extension ReporterSession {
    public func diagnose() -> Diagnosis {
        state.with { state in
            let chain = Chain(configuration: configuration, state: state, now: mp_clock_boot_ns())
            var diagnosis = Diagnosis()
            for link in Diagnosis.Link.allCases { diagnosis.add(link, chain.verdict(on: link)) }
            return diagnosis
        }
    }
}

/// What the links are judged by.
private struct Chain {
    let configuration: Configuration
    let state: ReporterSession.State
    let now: Instant

    private var ledger: Ledger { state.ledger }

    func verdict(on link: Diagnosis.Link) -> Diagnosis.Verdict {
        switch link {
        case .gpsd: gpsd
        case .fix: fix
        case .route: route
        case .tracking:
            state.reporter.isTracking ? .holds : .broken("tracking is off, so nothing is reported: call milepost_reporter_set_tracking")
        case .token: token
        case .claims: claims
        case .server: server
        case .certificate: certificate
        case .vehicle: vehicle
        case .updates: updates
        }
    }

    private var gpsd: Diagnosis.Verdict {
        guard configuration.gpsd != nil else { return .unknown }
        guard let position = ledger.position else {
            return .broken("nothing drives the reporter: call milepost_reporter_start, or milepost_reporter_dispatch in a loop")
        }
        return position.state == .connecting ? .broken("gpsd is not reached: \(position.detail)") : .holds
    }

    private var fix: Diagnosis.Verdict {
        guard let position = ledger.position else {
            return configuration.gpsd == nil ? .broken("no fix has come: call milepost_reporter_push_fix, or set gpsd") : .unknown
        }
        switch position.state {
        case .connecting: return .unknown
        case .noData, .noFix, .stale: return .broken("there is no fix: \(position.detail)")
        case .fix:
            return state.reporter.hasPosition
                ? .holds : .broken("the fixes have no time, and the host's clock is not set: they are followed but not reported")
        }
    }

    private var route: Diagnosis.Verdict {
        guard let progress = state.tracker?.progress else { return .unknown }
        switch progress.state {
        case .offRoute, .wrongWay: return .broken("the vehicle is off its route: no distance and time are reported until it is back")
        case .acquiring, .stale: return .unknown
        case .onRoute, .arrived, .ambiguous, .uncertain: return .holds
        }
    }

    private var token: Diagnosis.Verdict {
        if let failure = ledger.failure, failure.meaning == .needsToken {
            let reason = failure.httpStatus == 0 ? "there is no token" : "the server does not take the token"
            return .broken("\(reason): \(failure.message)")
        }
        if state.reporter.hasToken(at: now) { return .holds }
        return ledger.tokenFailure.map { .broken("there is no token: \($0)") } ?? .unknown
    }

    private var claims: Diagnosis.Verdict {
        switch ledger.claims {
        case .good: .holds
        case .wrong(let reason): .broken("the token is not for this vehicle: \(reason)")
        case .opaque, nil: .unknown
        }
    }

    private var server: Diagnosis.Verdict {
        switch ledger.transport {
        case .answered, .untrusted: .holds
        case .failed(let message): .broken("\(configuration.endpoint.url) does not answer: \(message)")
        case nil: .unknown
        }
    }

    private var certificate: Diagnosis.Verdict {
        switch ledger.transport {
        case .untrusted(let message): .broken("\(configuration.endpoint.url) is not trusted: \(message)")
        case .answered where configuration.endpoint.isSecure: .holds
        case .answered, .failed, nil: .unknown
        }
    }

    private var vehicle: Diagnosis.Verdict {
        if state.reporter.vehicleIsMissing { return .broken("Fleet Engine does not have the vehicle: create it through your backend") }
        return isTaken ? .holds : .unknown
    }

    private var updates: Diagnosis.Verdict {
        if let failure = ledger.failure {
            return .broken("the last update failed: HTTP \(failure.httpStatus), code \(failure.code.rawValue): \(failure.message)")
        }
        return isTaken ? .holds : .unknown
    }

    /// The last update was taken.
    private var isTaken: Bool { ledger.failure == nil && ledger.counts.updatesSucceeded > 0 }
}
