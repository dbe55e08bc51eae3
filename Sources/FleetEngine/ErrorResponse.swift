import JSON

/// What the server says when it refuses: Google's error object (AIP-193) where there is one, else what the HTTP status alone tells.
public struct ErrorResponse: Sendable {
    public let code: CanonicalCode
    /// The server's words, at most 300 bytes on one line; ours when it had none.
    public let message: String
    /// Of google.rpc.ErrorInfo, such as "RATE_LIMIT_EXCEEDED"; "" when there is none.
    public let reason: String
    /// The reason and its domain, and what is wrong with which field, at most 300 bytes on one line; "" when there are none.
    public let details: String
    /// Whole seconds to wait, from google.rpc.RetryInfo.
    public let retryDelay: Int?

    /// Bodies longer than this are not read.
    private static let bodyLimit = 65_536
    private static let lineLimit = 300

    public init(httpStatus: Int, body: [UInt8]) {
        let said = JSONDocument.read(body, limit: Self.bodyLimit) { root in
            root["error"].map { error in
                (
                    code: error["status"]?.string.flatMap { CanonicalCode(name: $0) }, message: error["message"]?.string,
                    details: error["details"].map { ErrorDetails($0) }
                )
            }
        }
        code = said?.code ?? CanonicalCode(httpStatus: httpStatus)
        let words = Self.oneLine(said?.message ?? "")
        message = words.isEmpty ? "the server answered HTTP \(httpStatus) without saying why" : words
        reason = Self.oneLine(said?.details?.reason ?? "")
        details = Self.oneLine(said?.details?.text ?? "")
        retryDelay = said?.details?.retryDelay
    }

    /// Without control characters, cut between characters.
    private static func oneLine(_ text: String) -> String {
        var line = ""
        var length = 0
        for scalar in text.unicodeScalars {
            length += UTF8.width(scalar)
            if length > lineLimit { break }
            line.unicodeScalars.append(scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) ? " " : scalar)
        }
        return line
    }
}
