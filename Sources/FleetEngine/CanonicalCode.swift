/// google.rpc.Code.
public enum CanonicalCode: Int32, Sendable {
    case cancelled = 1
    case unknown = 2
    case invalidArgument = 3
    case deadlineExceeded = 4
    case notFound = 5
    case alreadyExists = 6
    case permissionDenied = 7
    case resourceExhausted = 8
    case failedPrecondition = 9
    case aborted = 10
    case outOfRange = 11
    case unimplemented = 12
    case internalError = 13
    case unavailable = 14
    case dataLoss = 15
    case unauthenticated = 16
}

extension CanonicalCode {
    /// From its name in an error body, such as "NOT_FOUND".
    init?(name: String) {
        switch name {
        case "CANCELLED": self = .cancelled
        case "UNKNOWN": self = .unknown
        case "INVALID_ARGUMENT": self = .invalidArgument
        case "DEADLINE_EXCEEDED": self = .deadlineExceeded
        case "NOT_FOUND": self = .notFound
        case "ALREADY_EXISTS": self = .alreadyExists
        case "PERMISSION_DENIED": self = .permissionDenied
        case "RESOURCE_EXHAUSTED": self = .resourceExhausted
        case "FAILED_PRECONDITION": self = .failedPrecondition
        case "ABORTED": self = .aborted
        case "OUT_OF_RANGE": self = .outOfRange
        case "UNIMPLEMENTED": self = .unimplemented
        case "INTERNAL": self = .internalError
        case "UNAVAILABLE": self = .unavailable
        case "DATA_LOSS": self = .dataLoss
        case "UNAUTHENTICATED": self = .unauthenticated
        default: return nil
        }
    }

    /// The most general code that google.rpc.Code maps to an HTTP status; a gateway's 502 counts as unavailable.
    init(httpStatus: Int) {
        switch httpStatus {
        case 400: self = .invalidArgument
        case 401: self = .unauthenticated
        case 403: self = .permissionDenied
        case 404: self = .notFound
        case 409: self = .aborted
        case 429: self = .resourceExhausted
        case 499: self = .cancelled
        case 500: self = .internalError
        case 501: self = .unimplemented
        case 502, 503: self = .unavailable
        case 504: self = .deadlineExceeded
        default: self = .unknown
        }
    }
}
