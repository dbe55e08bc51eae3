/// google.rpc.Code with the HTTP status that Google maps it to.
enum CanonicalCode: String, Sendable, CaseIterable {
    case invalidArgument = "INVALID_ARGUMENT"
    case failedPrecondition = "FAILED_PRECONDITION"
    case unauthenticated = "UNAUTHENTICATED"
    case permissionDenied = "PERMISSION_DENIED"
    case notFound = "NOT_FOUND"
    case alreadyExists = "ALREADY_EXISTS"
    case resourceExhausted = "RESOURCE_EXHAUSTED"
    case cancelled = "CANCELLED"
    case internalError = "INTERNAL"
    case unimplemented = "UNIMPLEMENTED"
    case unavailable = "UNAVAILABLE"
    case deadlineExceeded = "DEADLINE_EXCEEDED"
    case unknown = "UNKNOWN"

    var httpStatus: Int {
        switch self {
        case .invalidArgument, .failedPrecondition: 400
        case .unauthenticated: 401
        case .permissionDenied: 403
        case .notFound: 404
        case .alreadyExists: 409
        case .resourceExhausted: 429
        case .cancelled: 499
        case .internalError, .unknown: 500
        case .unimplemented: 501
        case .unavailable: 503
        case .deadlineExceeded: 504
        }
    }

    /// The first code that has this status.
    init(httpStatus: Int) {
        self = Self.allCases.first { $0.httpStatus == httpStatus } ?? .unknown
    }
}

/// A refusal in the form Google's REST front end gives it.
struct APIError: Error {
    var code: CanonicalCode
    var message: String
    /// google.protobuf.Any objects.
    var details: [JSON] = []

    init(_ code: CanonicalCode, _ message: String, details: [JSON] = []) {
        self.code = code
        self.message = message
        self.details = details
    }

    /// INVALID_ARGUMENT that names a field.
    static func invalid(_ field: String, _ reason: String) -> APIError {
        let violation: JSONObject = ["field": .string(field), "description": .string(reason)]
        return APIError(
            .invalidArgument, "Invalid value at '\(field)': \(reason).",
            details: [
                .object([
                    "@type": .string("type.googleapis.com/google.rpc.BadRequest"), "fieldViolations": .array([.object(violation)]),
                ])
            ])
    }

    /// A refusal of a token, with Google's machine-readable reason.
    static func token(_ code: CanonicalCode, _ reason: String, _ message: String) -> APIError {
        APIError(code, message, details: [.errorInfo(reason)])
    }

    /// httpStatus: other than the code's own only for injected faults.
    func body(httpStatus: Int? = nil) -> JSON {
        var error: JSONObject = [
            "code": .integer(Int64(httpStatus ?? code.httpStatus)), "message": .string(message), "status": .string(code.rawValue),
        ]
        if !details.isEmpty { error["details"] = .array(details) }
        return .object(["error": .object(error)])
    }
}

/// Details of an error, each a google.protobuf.Any.
extension JSON {
    static func errorInfo(_ reason: String) -> JSON {
        .object([
            "@type": .string("type.googleapis.com/google.rpc.ErrorInfo"), "reason": .string(reason), "domain": .string("googleapis.com"),
        ])
    }

    static func retryInfo(seconds: Int64) -> JSON {
        .object(["@type": .string("type.googleapis.com/google.rpc.RetryInfo"), "retryDelay": .string("\(seconds)s")])
    }
}
