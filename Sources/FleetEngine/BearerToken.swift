import JSON

/// Why a text cannot be sent as a bearer token.
public struct BearerTokenError: Error, Equatable {
    public let reason: String
}

/// A token for the Authorization header: an opaque one, or a JWT whose claims are read but not verified, which is the server's part.
public struct BearerToken: Sendable {
    /// Without "Bearer ".
    public let text: String
    /// A JWT's exp - iat in seconds, above 0, so no wall clock is needed to use it; nil for an opaque token and where the claims are missing.
    public let lifetime: Int64?

    /// Longest token, in bytes.
    public static let limit = 16 * 1024

    public init(_ text: String) throws(BearerTokenError) {
        let bytes = text.utf8
        if bytes.isEmpty { throw BearerTokenError(reason: "the token is empty") }
        if bytes.count > Self.limit { throw BearerTokenError(reason: "the token is longer than 16 KiB") }
        guard bytes.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw BearerTokenError(reason: "the token holds a character that is not visible ASCII, such as a space or a line break")
        }
        self.text = text
        lifetime = Self.lifetime(ofJWT: bytes)
    }

    private static func lifetime(ofJWT token: String.UTF8View) -> Int64? {
        let parts = token.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3, let payload = Base64URL.decode(parts[1]) else { return nil }
        return JSONDocument.read(payload, limit: limit) { claims in
            guard let expiry = claims["exp"]?.number, let issued = claims["iat"]?.number else { return nil }
            let seconds = (expiry - issued).rounded(.down)
            return seconds >= 1 && seconds < 1e12 ? Int64(seconds) : nil
        }
    }
}
