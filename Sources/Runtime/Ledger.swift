import FleetEngine
import Positioning
import Reporting

/// What has happened to a reporter: counts, and the last outcome at each link between the vehicle and its server.
struct Ledger {
    private(set) var counts = Statistics()
    /// nil while nothing drives the reporter.
    private(set) var position: (state: PositionState, detail: String)?
    /// Why there was no token when one was last asked for; nil once there was.
    private(set) var tokenFailure: String?
    /// Of the last token; nil while there has been none for this vehicle.
    private(set) var claims: TokenClaims?
    /// Of the last request.
    private(set) var transport: TransportOutcome?
    /// nil once an update was taken.
    private(set) var failure: FailedUpdate?

    enum TransportOutcome {
        case answered
        case failed(String)
        case untrusted(String)
    }

    mutating func heard(_ event: ReporterEvent) {
        switch event {
        case .position: counts.fixesTaken &+= 1
        case .token(_, .success):
            counts.tokensFetched &+= 1
            tokenFailure = nil
        case .token(_, .failure(let failure)):
            counts.tokensFailed &+= 1
            tokenFailure = failure.message
        case .response(_, .answer): transport = .answered
        case .response(_, .failed(_, let message)): transport = .failed(message)
        case .response(_, .untrusted(let message)): transport = .untrusted(message)
        case .vehicle:
            failure = nil
            claims = nil
        default: break
        }
    }

    /// unixNow: milliseconds since 1970; nil while the host's clock is not set.
    mutating func noted(_ effect: ReporterEffect, unixNow: Int64?) {
        switch effect {
        case .send: counts.updatesSent &+= 1
        case .succeeded:
            counts.updatesSucceeded &+= 1
            counts.lastSuccess = unixNow
            failure = nil
        case .failed(let failure):
            counts.updatesFailed &+= 1
            switch failure.meaning {
            case .transient: counts.failedTransient &+= 1
            case .needsToken: counts.failedNeedsToken &+= 1
            case .configuration: counts.failedConfiguration &+= 1
            case .gone: counts.failedGone &+= 1
            }
            self.failure = failure
        default: break
        }
    }

    mutating func note(_ claims: TokenClaims) { self.claims = claims }

    mutating func note(_ state: PositionState, _ detail: String) { position = (state, detail) }

    /// By gpsd's session, so far.
    mutating func note(gpsdDropped dropped: Int, reconnects: Int) {
        counts.fixesDropped = UInt64(clamping: dropped)
        counts.gpsdReconnects = UInt64(clamping: reconnects)
    }
}
