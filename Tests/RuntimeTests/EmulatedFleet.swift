import Emulator
import Foundation
import Reporting
import XCTest

@testable import Runtime

/// A Fleet Engine in this process with the vehicles van-17 and depot-3, and the backend's and the vehicles' requests to it.
final class EmulatedFleet {
    static let root = "/v1/providers/demo-provider"
    let url: String
    private let emulator: Emulator
    private let loop: EventLoop
    private let http: HTTPClient

    init() throws {
        var options = EmulatorOptions()
        options.vehicles = ["van-17"]
        options.deliveryVehicles = ["depot-3"]
        emulator = try Emulator(options)
        url = "http://127.0.0.1:\(emulator.port)"
        loop = try EventLoop()
        http = try HTTPClient(loop: loop, options: .init(timeout: 30_000, caFile: nil, userAgent: "test", compressesBodies: false))
    }

    func stop() { emulator.stop() }

    /// role: as in /token/ROLE; nil for requests that need no token.
    @discardableResult
    func send(_ method: String, _ target: String, as role: String? = "admin", _ body: String? = nil) throws -> [String: Any] {
        let bearer = try role.map { try token($0) }
        var result: TransportResult?
        http.send(.init(method: method, url: url + target, body: body, bearer: bearer, isSecure: false)) { result = $0 }
        while result == nil {
            loop.setDeadline(http.deadline)
            loop.poll(timeout: 1000)
            http.act(at: .max)
        }
        guard case .answer(200, let bytes, _)? = result else { throw Refused("\(method) \(target): \(String(describing: result))") }
        return try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any] ?? [:]
    }

    func token(_ role: String) throws -> String { try XCTUnwrap(send("GET", "/token/" + role, as: nil)["token"] as? String) }

    struct Refused: Error {
        var what: String
        init(_ what: String) { self.what = what }
    }

    // MARK: trips

    func createTrip(_ id: String) throws {
        let place = { (latitude: Double) in #"{"point":{"latitude":\#(latitude),"longitude":11}}"# }
        try send(
            "POST", Self.root + "/trips?tripId=" + id,
            #"{"tripType":"EXCLUSIVE","pickupPoint":\#(place(48.1)),"dropoffPoint":\#(place(48.2)),"vehicleId":"van-17"}"#)
    }

    func setTrip(_ id: String, status: String) throws {
        try send("PUT", Self.root + "/trips/\(id)?updateMask=tripStatus", #"{"tripStatus":"\#(status)"}"#)
    }

    /// The van reports where it is, and that it is a minute and 266 m from the next waypoint.
    func reportVan(latitude: Double) throws {
        try send(
            "PUT", Self.root + "/vehicles/van-17?updateMask=lastLocation,currentRouteSegment,remainingTimeSeconds,remainingDistanceMeters",
            as: "driver/van-17",
            """
            {"lastLocation":{"location":{"latitude":\(latitude),"longitude":11},"locationSensor":"GPS","heading":45},
            "currentRouteSegment":"AhYFIoF_XZ6GAPV1plu2AYQNAA==","remainingTimeSeconds":60,"remainingDistanceMeters":266}
            """)
    }
}
