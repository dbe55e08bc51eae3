import FleetEngine
import Reporting
import XCTest

@testable import Runtime

/// A trip monitor against the emulator.
final class TripSessionTests: XCTestCase {
    private var fleet: EmulatedFleet!
    private var updates: [TripSnapshot] = []
    private var failures: [FailedUpdate] = []

    override func setUpWithError() throws { fleet = try EmulatedFleet() }

    override func tearDown() { fleet.stop() }

    private func session(_ trip: String, token: TokenProvider) throws -> TripSession {
        var configuration = Configuration(service: .onDemand, userAgent: "test")
        configuration.provider = "demo-provider"
        configuration.trip = trip
        configuration.endpoint = try Endpoint(checking: fleet.url)
        configuration.interval = 5
        configuration.tokens = token
        let session = try TripSession(configuration)
        var listener = TripListener()
        listener.updated = { [unowned self] snapshot, _ in updates.append(snapshot) }
        listener.failed = { [unowned self] failure in failures.append(failure) }
        _ = session.add(listener)
        return session
    }

    private func tokens(_ role: String) throws -> TokenProvider {
        .server(
            TokenServer(
                url: try Endpoint(checking: fleet.url + "/token/\(role)"), tokenKey: "token", expiryKey: nil, expiry: .secondsFromNow))
    }

    private func drive(_ session: TripSession, until isEnough: () -> Bool) {
        while !isEnough() { session.turn(timeout: 1000) }
    }

    func testAConsumerReadsItsTripAsTheVehicleReportsIt() throws {
        try fleet.createTrip("t")
        try fleet.createTrip("other")
        try fleet.setTrip("t", status: "ENROUTE_TO_PICKUP")
        try fleet.reportVan(latitude: 48.05)
        let session = try session("t", token: tokens("consumer/{trip}"))
        XCTAssertNil(session.latest)
        drive(session) { !updates.isEmpty || !failures.isEmpty }
        let (snapshot, now) = try XCTUnwrap(session.latest, failures.first?.message ?? "")
        let trip = snapshot.trip
        XCTAssertEqual(trip.status, .enrouteToPickup)
        XCTAssertEqual(trip.location?.coordinate.latitude, 48.05)
        XCTAssertEqual(trip.location?.heading, 45)
        XCTAssertEqual(trip.remainingDistance, 266)
        XCTAssertNotNil(trip.eta)
        XCTAssertTrue((1...60).contains(try XCTUnwrap(trip.remainingDuration)))
        XCTAssertEqual(trip.waypoints.map(\.kind), [.pickup, .dropoff])
        XCTAssertEqual(trip.waypoints.map(\.coordinate.latitude), [48.1, 48.2])
        XCTAssertTrue(trip.waypoints.allSatisfy(\.isOwn))
        XCTAssertNotNil(trip.segmentVersion)
        XCTAssertNotNil(snapshot.locationAge(at: now), "the emulator's answers have a date")
    }

    func testItPollsUntilTheTripIsComplete() throws {
        try fleet.createTrip("t")
        try fleet.setTrip("t", status: "ENROUTE_TO_PICKUP")
        try fleet.reportVan(latitude: 48.05)
        let session = try session("t", token: tokens("consumer/{trip}"))
        drive(session) { !updates.isEmpty }
        try fleet.setTrip("t", status: "COMPLETE")
        drive(session) { updates.count == 2 }
        XCTAssertEqual(updates.map(\.trip.status), [.enrouteToPickup, .complete])
        XCTAssertNil(updates[1].trip.eta)
        XCTAssertEqual(session.deadline, .max, "nothing follows")
        XCTAssertTrue(failures.isEmpty)
    }

    func testATokenForAnotherTripIsRefusedInTheServersWords() throws {
        try fleet.createTrip("t")
        let session = try session("t", token: tokens("consumer/other"))
        drive(session) { !failures.isEmpty }
        XCTAssertEqual(failures.map(\.code), [.permissionDenied])
        XCTAssertEqual(failures.map(\.httpStatus), [403])
        XCTAssertTrue(failures[0].message.contains("tripid"), failures[0].message)
    }

    func testATripThatDoesNotExistIsTold() throws {
        let session = try session("nowhere", token: tokens("consumer/{trip}"))
        drive(session) { !failures.isEmpty }
        XCTAssertEqual(failures.map(\.code), [.notFound])
    }

    func testItRunsOnAThreadOfItsOwnAndStopsAtOnce() throws {
        try fleet.createTrip("t")
        let session = try session("t", token: tokens("consumer/{trip}"))
        let came = expectation(description: "an answer")
        var listener = TripListener()
        listener.updated = { _, _ in came.fulfill() }
        _ = session.add(listener)
        try session.start()
        wait(for: [came], timeout: 30)
        try session.stop(timeout: 0)
        try session.destroy()
        XCTAssertEqual(updates.map(\.trip.status), [.new])
    }

    func testADeliveryOrAConfigurationWithoutATripHasNone() throws {
        var configuration = Configuration(service: .onDemand, userAgent: "test")
        configuration.tokens = .fixed("t")
        let message = { (configuration: Configuration) in
            do throws(HostError) {
                _ = try TripSession(configuration)
                return "none"
            } catch { return error.message }
        }
        XCTAssertTrue(message(configuration).contains("milepost_config_set_provider_id"))
        configuration.provider = "p"
        XCTAssertTrue(message(configuration).contains("milepost_config_set_trip_id"))
        configuration.trip = "a/b"
        XCTAssertTrue(message(configuration).contains("a/b"))
        configuration.trip = "t"
        XCTAssertEqual(message(configuration), "none")
        configuration.service = .delivery
        XCTAssertTrue(message(configuration).contains("MILEPOST_SERVICE_ON_DEMAND"))
    }
}
