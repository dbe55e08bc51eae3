import FleetEngine
import Reporting

/// Where a reporter's tokens come from.
public enum TokenProvider {
    /// The host answers the question of this number through ``TokenQuestions``.
    case callback((UInt64, TokenContext) -> Void)
    case fixed(String)
    /// Holds a token and nothing else; read whenever one is needed.
    case file(String)
    case server(TokenServer)
}

/// A URL that answers GET with a JSON object.
public struct TokenServer {
    public enum Expiry: Int32, Sendable {
        case secondsFromNow = 1
        case unixSeconds = 2
        case unixMilliseconds = 3
    }

    /// `{provider}`, `{vehicle}`, `{task}` and `{trip}` stand for the percent-encoded ids.
    public var url: Endpoint
    public var tokenKey: String
    public var expiryKey: String?
    public var expiry: Expiry

    public init(url: Endpoint, tokenKey: String, expiryKey: String?, expiry: Expiry) {
        self.url = url
        self.tokenKey = tokenKey
        self.expiryKey = expiryKey
        self.expiry = expiry
    }
}
