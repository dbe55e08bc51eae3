import Foundation
import XCTest

/// The sample program `telematics`: a vehicle's unit.
final class Telematics {
    enum Service: String, CaseIterable {
        case onDemand = "ondemand"
        case delivery

        /// In the emulator's paths.
        var collection: String { self == .onDemand ? "vehicles" : "deliveryVehicles" }
        var account: String { self == .onDemand ? "driver" : "delivery-driver" }
    }

    let child: Child
    let emulator: Emulator
    let vehicle: String
    let service: Service
    private let feed: Feed?

    /// - Parameters:
    ///   - gpsd: kept as long as the unit; nil for a port where nothing listens.
    ///   - endpoint: nil for the emulator itself.
    ///   - tokens: options; nil for the emulator's tokens.
    init(
        _ emulator: Emulator, vehicle: String = "van-1", _ service: Service = .onDemand, gpsd feed: Feed?, route: String? = nil,
        online: Bool = true, endpoint: String? = nil, tokens: [String]? = nil, _ more: [String] = []
    ) throws {
        self.emulator = emulator
        self.vehicle = vehicle
        self.service = service
        self.feed = feed
        var arguments = ["--provider", Emulator.provider, "--vehicle", vehicle, "--service", service.rawValue]
        arguments += [
            "--gpsd", "127.0.0.1:\(feed?.port ?? ClosedPort.shared.port)", "--endpoint", endpoint ?? emulator.url, "--interval", "5",
        ]
        arguments += tokens ?? Self.tokenServer("\(emulator.url)/token/\(service.account)/{vehicle}")
        if let route { arguments += ["--route", route] }
        if service == .onDemand, online { arguments += ["--online"] }
        // Ends by itself should the test be killed.
        arguments += ["--duration", "150"]
        child = try Child(Places.program("telematics"), arguments + more)
    }

    static func tokenServer(_ url: String) -> [String] {
        ["--token-url", url, "--token-key", "token", "--expiry-key", "expiresInSeconds", "--expiry-kind", "seconds"]
    }

    func updates(atLeast count: Int = 0) throws -> [Emulator.Entry] { try emulator.updates(vehicle, service, atLeast: count) }

    /// What it last said: the summary.
    var summary: String { child.output.lines.last ?? "" }

    /// Of gpsd, as it saw them: "connecting", "no data" …; a state again with other words counts once.
    var positionStates: [String] {
        child.output.lines.reduce(into: []) { states, line in
            let parts = line.components(separatedBy: ": ")
            if parts.count > 1, parts[0].hasSuffix("gpsd"), parts[1] != states.last { states.append(parts[1]) }
        }
    }

    /// What changed on the route, as it said: "acquired", "stale" …
    var routeEvents: [String] { child.output.lines.compactMap { $0.components(separatedBy: "  route: ").dropFirst().first } }

    /// What somebody may have to do something about, as it said.
    var reporterEvents: [String] { child.output.lines.compactMap { $0.components(separatedBy: "  event: ").dropFirst().first } }

    /// Lines of updates that failed, without the time.
    func failures(atLeast count: Int = 0) -> [String] {
        let mark = "update failed: "
        return child.output.matching(count) { $0.contains(mark) }.compactMap { $0.components(separatedBy: mark).last }
    }
}

/// A port that refuses connections as long as this object lives: bound, and nobody listens.
final class ClosedPort: Sendable {
    static let shared = ClosedPort()
    let port: String
    private let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)

    init() {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let socket = socket
        withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = bind(socket, $0, length)
                _ = getsockname(socket, $0, &length)
            }
        }
        port = String(UInt16(bigEndian: address.sin_port))
    }

    deinit { close(socket) }
}
