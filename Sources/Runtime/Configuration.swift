import CCurl
import FleetEngine
import Positioning
import Reporting
import Store

/// Everything a reporter is made from. Its setters in the C interface have checked each value.
public struct Configuration {
    public var service: Service
    public var provider = ""
    public var vehicle = ""
    public var task: String?
    public var trip: String?
    public var endpoint = Endpoint.google
    /// Whether addresses given from now on may be http:// elsewhere than on this machine.
    public var allowsHTTP = false
    public var caFile: String?
    public var clientCertificate: ClientCertificate?
    /// Whether the bodies of requests go out as gzip.
    public var compressesRequests = false
    /// Whether answers to updates are asked to hold no more than what is read.
    public var wantsPartialAnswers = false
    /// Milliseconds for one request in all.
    public var requestTimeout: Int32 = 15_000
    public var gpsd: GpsdAddress?
    /// Seconds.
    public var interval = 10
    /// Whether they are more while the vehicle is parked and fewer while it nears a stop.
    public var isAdaptive = false
    public var sharesRoute = true
    /// Whether the position is carried on along the route while no fix comes.
    public var reckons = false
    /// Metres around each waypoint.
    public var arrivalRadius = 40.0
    /// Metres a second, for routes without durations; nil for none.
    public var speed: Double?
    public var locationForm = LocationForm.both
    /// Metres by which the backend's waypoints may lie beside the route's; nil: they are not looked at.
    public var waypointTolerance: Double?
    public var tokens: TokenProvider?
    /// Where what is to survive a power cycle is kept; nil: nothing is.
    public var stateDirectory: String?
    /// nil without a state directory: no fix is kept.
    public var backlogLimits: BacklogLimits?
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

    public let url: String
    public let isSecure: Bool

    private init(url: String, isSecure: Bool) {
        self.url = url
        self.isSecure = isSecure
    }

    /// https, or http on a loopback address: a bearer token must not travel in the clear, unless the host says that it may.
    public init(checking url: String, allowsHTTP: Bool = false) throws(HostError) {
        var scheme = [CChar](repeating: 0, count: 16)
        var host = [CChar](repeating: 0, count: 256)
        let isURL = url.utf8.count <= 2048 && mp_curl_url_split(url, &scheme, scheme.count, &host, host.count)
        guard isURL else {
            throw HostError(.argument, "\"\(url)\" is not a URL: give one such as https://fleetengine.googleapis.com")
        }
        let schemeText = text(scheme)
        let hostText = text(host)
        guard schemeText == "https" || (schemeText == "http" && (allowsHTTP || Self.isLoopback(hostText))) else {
            throw HostError(.argument, "\"\(url)\" would send tokens in the clear: use https (http is for loopback addresses only)")
        }
        self.init(url: url, isSecure: schemeText == "https")
    }

    /// The address of a target that begins with a slash.
    func address(of target: String) -> String { (url.utf8.last == UInt8(ascii: "/") ? String(url.dropLast()) : url) + target }

    /// 127.0.0.0/8 in digits (a name such as 127.example.org is anyone's), ::1, or localhost, for which libcurl asks no name server.
    private static func isLoopback(_ host: String) -> Bool {
        if host == "localhost" || host == "::1" { return true }
        let parts = host.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0].elementsEqual("127".utf8) && parts.allSatisfy(isOctet)
    }

    private static func isOctet(_ digits: Substring.UTF8View) -> Bool {
        guard (1...3).contains(digits.count), digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
            return false
        }
        return digits.reduce(0) { 10 * $0 + Int($1 - UInt8(ascii: "0")) } <= 255
    }
}

private func text(_ characters: [CChar]) -> String {
    String(decoding: characters.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
}

/// What a server that asks for it is shown: PEM files.
public struct ClientCertificate {
    public var file: String
    public var keyFile: String

    public init(file: String, keyFile: String) {
        self.file = file
        self.keyFile = keyFile
    }
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
