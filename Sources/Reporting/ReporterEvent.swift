import FleetEngine
import Navigation

/// Nanoseconds on a clock that goes on while the unit is suspended (CLOCK_BOOTTIME).
public typealias Instant = Int64

/// What happens to a reporter.
public enum ReporterEvent {
    /// The host switches tracking.
    case tracking(Bool)
    /// The host sets the vehicle's state (on-demand only). The caller has refused ONLINE while tracking is off.
    case vehicleState(VehicleState)
    /// The host sets what stops are ahead, or has moved on along them (delivery only).
    case stops(StopList)
    /// Seconds between updates; clamped to 5...60.
    case interval(Int)
    /// Reports for another vehicle from now on.
    case vehicle(id: String)
    /// Tokens are asked for with another task from now on, or with none.
    case task(id: String?)
    /// A route is followed from now on, or none.
    case route(Route?)
    /// The host's own guidance in the place of ours, until it is withdrawn (nil) or ``HostGuidance/staleAfter`` has passed.
    case guidance(HostGuidance?)
    /// A plausible fix, and what the tracker made of it where a route is loaded.
    case position(Fix, Progress?)
    /// The tracker's progress has changed without a fix: the host has changed something, or it was carried on, to an estimate where there is one.
    case progress(Progress, estimate: Fix?)
    /// An answer to ``ReporterEffect/fetchToken``.
    case token(id: UInt64, Result<FetchedToken, TokenFailure>)
    /// An answer to ``ReporterEffect/send``.
    case response(id: UInt64, TransportResult)
    /// An answer to ``BacklogStep/next(atMost:)``.
    case batch(PastFixes)
    /// ``Reporter/deadline`` may have come.
    case timer
}

/// A token as its provider hands it over.
public struct FetchedToken: Sendable {
    /// Without "Bearer ".
    public let token: String
    /// Seconds from now for which it is good; nil when unknown.
    public let goodFor: Int64?

    public init(token: String, goodFor: Int64?) {
        self.token = token
        self.goodFor = goodFor
    }
}

public struct TokenFailure: Error, Sendable {
    public let message: String
    public init(_ message: String) { self.message = message }
}

/// What became of a request: an answer, or none.
public enum TransportResult: Sendable {
    /// retryAfter: seconds, from the header of that name.
    case answer(status: Int, body: [UInt8], retryAfter: Int?)
    /// No answer; `message` says why in words.
    case failed(timedOut: Bool, message: String)
    /// The server's certificate, or ours, is not good: nothing was sent.
    case untrusted(message: String)
}
