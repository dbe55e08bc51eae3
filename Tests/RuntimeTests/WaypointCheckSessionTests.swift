import FleetEngine
import Navigation
import Reporting
import XCTest

@testable import Runtime

/// A reporter that holds its route against the emulator's vehicle.
final class WaypointCheckSessionTests: XCTestCase {
    private var fleet: EmulatedFleet!
    private var occurrences: [Occurrence] = []

    override func setUpWithError() throws { fleet = try EmulatedFleet() }

    override func tearDown() { fleet.stop() }

    /// Reports on a route over the given latitudes until something has been told.
    private func check(_ service: Service, _ vehicle: String, as role: String, _ latitudes: [Double]) throws {
        var configuration = Configuration(service: service, userAgent: "test")
        configuration.provider = "demo-provider"
        configuration.vehicle = vehicle
        configuration.endpoint = try Endpoint(checking: fleet.url)
        configuration.tokens = .fixed(try fleet.token(role + "/" + vehicle))
        configuration.waypointTolerance = 100
        let session = try ReporterSession(configuration)
        var listener = Listener()
        listener.occurrence = { [unowned self] in occurrences.append($0) }
        _ = session.add(listener)
        session.setTracking(true)
        session.setRoute(try route(latitudes))
        var fix = Fix(coordinate: Coordinate(latitude: latitudes[0], longitude: 11))
        fix.time = 1_793_500_000
        try session.push(fix)
        while occurrences.isEmpty { session.turn(timeout: 1000) }
    }

    private func route(_ latitudes: [Double]) throws -> Route {
        let points = latitudes.map { Coordinate(latitude: $0, longitude: 11) }
        return try Route(RouteDescription(points: points, legEnds: Array(1..<points.count)))
    }

    func testATripsWaypointsThatTheRouteMissesAreTold() throws {
        try fleet.createTrip("t")
        try check(.onDemand, "van-17", as: "driver", [48, 48.1, 48.3])
        XCTAssertEqual(occurrences[0].kind, .waypointsDiffer)
        XCTAssertEqual(occurrences[0].waypoint, 1)
        XCTAssertEqual(try XCTUnwrap(occurrences[0].distance), 11_120, accuracy: 20)
    }

    func testADeliveryVehicleWithoutStopsHasNoneOfTheRoutes() throws {
        try check(.delivery, "depot-3", as: "delivery-driver", [48, 48.1])
        XCTAssertEqual(occurrences[0].waypoint, 0)
        XCTAssertEqual(occurrences[0].count, 0)
    }
}
