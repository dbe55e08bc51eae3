import FleetEngine

/// What a failure means for the reporter and its host; with the numbers of MILEPOST_FAILURE_*.
public enum FailureMeaning: Int32, Sendable {
    /// It passes by itself.
    case transient = 1
    /// There is no token, or the server does not take it.
    case needsToken = 2
    /// It lasts until something is set otherwise: here, in the token or at the server.
    case configuration = 3
    /// Fleet Engine has no such vehicle.
    case gone = 4

    init(_ code: CanonicalCode, httpStatus: Int) {
        switch code {
        case .unauthenticated: self = .needsToken
        case .notFound: self = .gone
        case .permissionDenied, .invalidArgument, .outOfRange, .alreadyExists, .unimplemented: self = .configuration
        // A redirect, or a refusal that is not Google's.
        case .unknown where (300..<500).contains(httpStatus): self = .configuration
        case .cancelled, .unknown, .deadlineExceeded, .resourceExhausted, .failedPrecondition, .aborted, .internalError, .unavailable,
            .dataLoss:
            self = .transient
        }
    }
}
