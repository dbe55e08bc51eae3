/// Why a call of the host failed; the kinds are those of the C interface (MILEPOST_ERROR_*), with the same numbers.
public struct HostError: Error {
    public enum Kind: Int32, Sendable {
        case argument = -1
        case state = -2
        case trackingOff = -3
        case file = -4
        case route = -5
        case fix = -6
        case notFound = -7
        case timeout = -8
        case inCallback = -9
        case system = -10
        case library = -11
        case unconfirmed = -12
        case saved = -13
    }

    public let kind: Kind
    /// What was wrong, naming the value, and what to do.
    public let message: String

    public init(_ kind: Kind, _ message: String) {
        self.kind = kind
        self.message = message
    }
}
