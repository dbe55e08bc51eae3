import Foundation
import XCTest

/// The emulator as a process, and what it has received.
final class Emulator {
    static let provider = "demo"
    let child: Child
    /// Such as http://127.0.0.1:4711.
    let url: String
    let port: UInt16

    /// Each vehicle is there as one of either service.
    init(vehicles: [String] = ["van-1"], _ more: [String] = []) throws {
        let vehicles = vehicles.flatMap { ["--vehicle", $0, "--delivery-vehicle", $0] }
        child = try Child(
            Places.program("fleet-engine-emulator"), ["--port", "0", "--stdin", "--quiet", "--provider", Self.provider] + vehicles + more)
        url = try child.line(after: "listening")
        port = try XCTUnwrap(UInt16(url.split(separator: ":").last ?? ""), url)
    }

    /// One request as the emulator saw it.
    struct Entry: Decodable, Sendable {
        var index: Int
        var monotonicMs: Int
        var method: String
        var path: String
        var mask: [String]
        var body: Vehicle?
        /// 0: not answered.
        var status: Int
        var error: String?
        var remarks: [String]
        var fault: String?
        var tokenHash: String?
    }

    /// What is asked for under a path, oldest first: at once, or as soon as there is so much of it.
    func history(_ under: String, atLeast count: Int = 0) throws -> [Entry] {
        let answer = try HTTP.send(
            "GET", port: port, "/control/history?under=\(under)&atLeast=\(count)&timeoutMs=\(Int(patience - 5) * 1000)")
        let entries = try JSONDecoder().decode([Entry].self, from: answer.body)
        guard entries.count >= count else { throw Failure("\(entries.count) of \(count) requests under \(under)") }
        return entries
    }

    /// The updates of a vehicle.
    func updates(_ vehicle: String, _ service: Telematics.Service = .onDemand, atLeast count: Int = 0) throws -> [Entry] {
        try history("/v1/providers/\(Self.provider)/\(service.collection)/\(vehicle)", atLeast: count).filter { $0.method != "GET" }
    }

    /// The tokens that were asked for.
    func tokensAsked(_ vehicle: String, _ service: Telematics.Service = .onDemand) throws -> [Entry] {
        try history("/token/\(service.account)/\(vehicle)")
    }

    /// What the next update requests meet with: JSON.
    func addFaults(_ list: String) throws { try post("/control/faults", list) }

    /// Tokens made so far are refused from now on.
    func rotateKeys() throws { try post("/control/keys/rotate") }

    private func post(_ target: String, _ body: String = "") throws {
        let answer = try HTTP.send("POST", port: port, target, body: body)
        guard answer.status == 200 else { throw Failure("\(target): \(answer.text)") }
    }

    private struct Token: Decodable { var token: String }

    func token(_ account: String) throws -> String {
        try JSONDecoder().decode(Token.self, from: HTTP.send("GET", port: port, "/token/" + account).body).token
    }

    func create(_ vehicle: String) throws {
        let body =
            #"{"vehicleState":"OFFLINE","supportedTripTypes":["EXCLUSIVE"],"maximumCapacity":1,"vehicleType":{"category":"AUTO"}}"#
        let answer = try HTTP.send(
            "POST", port: port, "/v1/providers/\(Self.provider)/vehicles?vehicleId=\(vehicle)", bearer: try token("admin"), body: body)
        guard answer.status == 200 else { throw Failure("\(vehicle) not created: \(answer.text)") }
    }

    func delete(_ vehicle: String) throws {
        let answer = try HTTP.send(
            "DELETE", port: port, "/v1/providers/\(Self.provider)/vehicles/\(vehicle)", bearer: try token("admin"))
        guard answer.status == 200 else { throw Failure("\(vehicle) not deleted: \(answer.text)") }
    }
}

/// A vehicle or a delivery vehicle as it is sent, as far as it matters here; the emulator refuses fields it does not know.
struct Vehicle: Decodable, Sendable {
    struct Location: Decodable, Sendable {
        var supplementalLocation: Position?
        var supplementalLocationTime: String?
        var supplementalLocationSensor: String?
        var location: Position?
        var locationSensor: String?
        var isRoadSnapped: Bool?
        var updateTime: String?
        var rawLocation: Position?
        var rawLocationTime: String?
        var speed: Double?
    }

    /// A TripWaypoint, or of a delivery vehicle the point itself.
    struct EndPoint: Decodable, Sendable {
        struct Place: Decodable, Sendable { var point: Position }
        var location: Place?
        var latitude: Double?
        var longitude: Double?

        var position: Position? {
            if let location { return location.point }
            guard let latitude, let longitude else { return nil }
            return Position(latitude: latitude, longitude: longitude)
        }
    }

    var vehicleState: String?
    var navigationStatus: String?
    var lastLocation: Location?
    var remainingTimeSeconds: Int?
    var remainingDuration: String?
    var remainingDistanceMeters: Int?
    var currentRouteSegment: String?
    var currentRouteSegmentEndPoint: EndPoint?
}
