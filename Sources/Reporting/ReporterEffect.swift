import FleetEngine
import Navigation

/// What a reporter wants done.
public enum ReporterEffect {
    /// Send this; answer with ``ReporterEvent/response``. Never two outstanding.
    case send(OutgoingRequest)
    /// Get a token; answer with ``ReporterEvent/token``. Never two outstanding.
    case fetchToken(id: UInt64, TokenContext)
    /// No fix comes: let the tracker reckon, and tell the outcome with ``ReporterEvent/progress``.
    case reckon(at: Instant)
    /// Tell the listeners.
    case succeeded(SucceededUpdate)
    case failed(FailedUpdate)
    case occurred(Occurrence)
    /// In order with the others.
    case backlog(BacklogStep)
}

public struct OutgoingRequest: Sendable {
    public let id: UInt64
    public let method: HTTPMethod
    /// From the leading "/v1" on, with the query, percent-encoded.
    public let target: String
    /// JSON; empty for none.
    public let body: String
    public let bearer: String

    public init(id: UInt64, method: HTTPMethod, target: String, body: String, bearer: String) {
        self.id = id
        self.method = method
        self.target = target
        self.body = body
        self.bearer = bearer
    }
}

/// Whom a token is for.
public struct TokenContext: Equatable, Sendable {
    public var provider: String
    /// nil for a trip's consumer.
    public var vehicle: String?
    public var task: String?
    public var trip: String?

    public init(provider: String, vehicle: String?, task: String?, trip: String?) {
        self.provider = provider
        self.vehicle = vehicle
        self.task = task
        self.trip = trip
    }
}

/// An update that the server has taken.
public struct SucceededUpdate: Sendable {
    public let httpStatus: Int
    /// What was sent.
    public let update: VehicleUpdate
    /// The comma-separated field mask.
    public let mask: String
    /// Milliseconds since 1970: the arrival time at the next waypoint that the server answered.
    public let serverETA: Int64?

    public init(httpStatus: Int, update: VehicleUpdate, mask: String, serverETA: Int64?) {
        self.httpStatus = httpStatus
        self.update = update
        self.mask = mask
        self.serverETA = serverETA
    }
}

public struct FailedUpdate: Sendable {
    public let code: CanonicalCode
    /// 0 when no answer came.
    public let httpStatus: Int
    public let message: String
    public let willRetry: Bool
    /// Empty when the update failed before one was made, for want of a token.
    public let mask: String
    public var meaning: FailureMeaning
    /// Of Google's error object; see ``ErrorResponse``.
    public var reason = ""
    public var details = ""
    /// Seconds that the server has asked to wait.
    public var retryAfter: Int?

    public init(code: CanonicalCode, httpStatus: Int, message: String, willRetry: Bool, mask: String) {
        self.code = code
        self.httpStatus = httpStatus
        self.message = message
        self.willRetry = willRetry
        self.mask = mask
        meaning = FailureMeaning(code, httpStatus: httpStatus)
    }

    mutating func describe(_ error: ErrorResponse, _ retryAfter: Int?) {
        reason = error.reason
        details = error.details
        self.retryAfter = retryAfter
    }
}
