import CCurl
import FleetEngine
import Positioning
import Reporting

/// Everything a reporter is made from. Its setters in the C interface have checked each value.
public struct Configuration {
    public var service: Service
    public var provider = ""
    public var vehicle = ""
    public var task: String?
    public var trip: String?
    public var endpoint = Endpoint.google
    public var caFile: String?
    /// Milliseconds for one request in all.
    public var requestTimeout: Int32 = 15_000
    public var gpsd: GpsdAddress?
    /// Seconds.
    public var interval = 10
    public var sharesRoute = true
    public var locationForm = LocationForm.both
    public var tokens: TokenProvider?
    public var log: Log?
    /// For the header of that name.
    let userAgent: String

    public init(service: Service, userAgent: String) {
        self.service = service
        self.userAgent = userAgent
    }
}

/// Where updates go.
public struct Endpoint: Sendable {
    public static let google = Endpoint(url: "https://fleetengine.googleapis.com", isSecure: true)

    /// Without a slash at its end.
    public let url: String
    public let isSecure: Bool

    private init(url: String, isSecure: Bool) {
        self.url = url
        self.isSecure = isSecure
    }

    /// https, or http on a loopback address: a bearer token must not travel in the clear.
    public init(checking url: String) throws(HostError) {
        var scheme = [CChar](repeating: 0, count: 16)
        var host = [CChar](repeating: 0, count: 256)
        let isURL = url.utf8.count <= 2048 && mp_curl_url_split(url, &scheme, scheme.count, &host, host.count)
        guard isURL else {
            throw HostError(.argument, "\"\(url)\" is not a URL: give one such as https://fleetengine.googleapis.com")
        }
        let schemeText = text(scheme)
        let hostText = text(host)
        let isLoopback = hostText == "localhost" || hostText == "::1" || hostText.utf8.starts(with: "127.".utf8)
        guard schemeText == "https" || (schemeText == "http" && isLoopback) else {
            throw HostError(.argument, "\"\(url)\" would send tokens in the clear: use https (http is for loopback addresses only)")
        }
        self.init(url: url.utf8.last == UInt8(ascii: "/") ? String(url.dropLast()) : url, isSecure: schemeText == "https")
    }
}

private func text(_ characters: [CChar]) -> String {
    String(decoding: characters.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
}

public struct GpsdAddress {
    public var host: String
    public var port: String
    /// nil for the first receiver that has a fix.
    public var device: DevicePath?

    public init(host: String, port: String, device: DevicePath?) {
        self.host = host
        self.port = port
        self.device = device
    }
}

/// The host's log hook.
public struct Log {
    public enum Level: Int32, Sendable {
        case error = 1
        case warning = 2
        case info = 3
        case debug = 4
    }

    /// The least urgent level that is wanted.
    public var level: Level
    public var write: (Level, String) -> Void

    public init(level: Level, write: @escaping (Level, String) -> Void) {
        self.level = level
        self.write = write
    }
}
