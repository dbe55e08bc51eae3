import FleetEngine
import Foundation
import Navigation
import XCTest

@testable import Reporting

/// What Google's Driver SDK does for an on-demand vehicle, row by row, as the emulator receives and then holds it.
final class ParityTests: XCTestCase {
    private func onDemand(sharesRoute: Bool = true) throws -> (EmulatedServer, Bench) {
        let server = try EmulatedServer()
        return (server, try server.bench(try Bench(sharesRoute: sharesRoute), "driver"))
    }

    /// Nothing was refused, and nothing was left out by the server.
    private func assertTaken(_ updates: [EmulatedServer.Update], line: UInt = #line) {
        XCTAssertEqual(updates.map { $0.status }, updates.map { _ in 200 }, line: line)
        XCTAssertEqual(updates.flatMap { $0.remarks }, [], line: line)
    }

    private func latitude(_ vehicle: [String: Any]) -> Double? {
        ((vehicle["lastLocation"] as? [String: Any])?["supplementalLocation"] as? [String: Any])?["latitude"] as? Double
    }

    func testTheStateIsOfflineUntilItIsSetAndGoesWithEveryPosition() throws {
        let (server, bench) = try onDemand()
        bench.startTracking()
        XCTAssertEqual(try server.vehicle()["vehicleState"] as? String, "OFFLINE")
        bench.run(to: 3)
        bench.send(.vehicleState(.online))
        XCTAssertEqual(try server.vehicle()["vehicleState"] as? String, "ONLINE", "at once")
        bench.run(to: 25) { bench.drive(to: $0) }
        let updates = try server.updates()
        XCTAssertEqual(updates.compactMap { $0.body["vehicleState"] as? String }, ["OFFLINE", "ONLINE", "ONLINE", "ONLINE"])
        assertTaken(updates)
    }

    func testTrackingOffIsOneLastOfflineWithoutAPosition() throws {
        let (server, bench) = try onDemand()
        bench.startTracking()
        bench.send(.vehicleState(.online))
        let before = latitude(try server.vehicle())
        bench.run(to: 5) { bench.drive(to: 100 * $0) }
        bench.send(.tracking(false))
        bench.run(to: 100) { bench.drive(to: 100 * $0) }
        let vehicle = try server.vehicle()
        XCTAssertEqual(vehicle["vehicleState"] as? String, "OFFLINE")
        XCTAssertEqual(latitude(vehicle), before)
        let updates = try server.updates()
        XCTAssertEqual(updates.count, 3)
        XCTAssertEqual(updates.last?.mask, ["vehicleState"])
        XCTAssertEqual(updates.last?.body.count, 1)
        assertTaken(updates)
    }

    func testTheStateStaysOfflineAfterTrackingIsOnAgainUntilItIsSet() throws {
        let (server, bench) = try onDemand()
        bench.startTracking()
        bench.send(.vehicleState(.online))
        bench.send(.tracking(false))
        bench.send(.tracking(true))
        bench.run(to: 25) { bench.drive(to: $0) }
        XCTAssertEqual(try server.vehicle()["vehicleState"] as? String, "OFFLINE")
        bench.send(.vehicleState(.online))
        XCTAssertEqual(try server.vehicle()["vehicleState"] as? String, "ONLINE")
        let updates = try server.updates()
        XCTAssertEqual(
            updates.compactMap { $0.body["vehicleState"] as? String },
            ["OFFLINE", "ONLINE", "OFFLINE", "OFFLINE", "OFFLINE", "OFFLINE", "ONLINE"])
        assertTaken(updates)
    }

    func testThePositionGoesEveryIntervalFromFiveToSixtySeconds() throws {
        let (server, bench) = try onDemand()
        bench.startTracking()
        var counts: [Int] = []
        for (interval, end) in [(1, 60.0), (10, 120), (60, 240), (1000, 360)] {
            bench.send(.interval(interval))
            let before = try server.updates().count
            bench.run(to: end) { bench.drive(to: $0) }
            counts.append(try server.updates().count - before)
        }
        XCTAssertEqual(counts, [12, 6, 2, 2])
        assertTaken(try server.updates())
    }

    func testTheNavigationStatusGoesOnChangeOnly() throws {
        let (server, bench) = try onDemand()
        let route = try Bench.road()
        bench.startTracking()
        bench.send(.route(route))
        bench.run(to: 150) { second in
            let state: Navigation.Progress.State = (40..<60).contains(second) ? .offRoute : second > 140 ? .arrived : .onRoute
            bench.drive(state, leg: 10 * second < 1000 ? 0 : 1, along: min(10 * second, 2000), on: route)
            let told: String = state == .offRoute ? "OFF_ROUTE" : state == .arrived ? "ARRIVED_AT_DESTINATION" : "ENROUTE_TO_DESTINATION"
            XCTAssertEqual(try? server.vehicle()["navigationStatus"] as? String, told, "at once")
        }
        let updates = try server.updates()
        XCTAssertEqual(
            updates.compactMap { $0.body["navigationStatus"] as? String },
            ["ENROUTE_TO_DESTINATION", "OFF_ROUTE", "ENROUTE_TO_DESTINATION", "ARRIVED_AT_DESTINATION"])
        XCTAssertGreaterThan(updates.count, 15)
        assertTaken(updates)
    }

    func testTheSegmentAndItsEndGoOnChangeAndAreRefreshed() throws {
        let (server, bench) = try onDemand()
        let route = try Bench.road()
        bench.startTracking()
        bench.send(.route(route))
        bench.run(to: 125) { second in bench.drive(.onRoute, leg: second < 100 ? 0 : 1, along: 10 * second, on: route) }
        let told = try server.updates().enumerated().filter { $0.element.mask.contains("currentRouteSegment") }.map { $0.element }
        XCTAssertEqual(told.count, 3, "the first, its refreshment, the next leg's")
        let ends = told.map { update in
            let place = (update.body["currentRouteSegmentEndPoint"] as? [String: Any])?["location"] as? [String: Any]
            return ((place?["point"] as? [String: Any])?["latitude"] as? Double ?? 0) * 111_195 - 48 * 111_195
        }
        for (end, wanted) in zip(ends, [1000.0, 1000, 2000]) { XCTAssertEqual(end, wanted, accuracy: 1) }
        let texts = told.compactMap { $0.body["currentRouteSegment"] as? String }
        XCTAssertEqual(Set(texts).count, 3, "a refreshed one begins where the vehicle is by then")
        XCTAssertEqual(try server.vehicle()["currentRouteSegment"] as? String, texts.last)
        assertTaken(try server.updates())
    }

    /// The SDK never names `waypoints` in its mask; the server finds the waypoint by the segment's end.
    func testWaypointsAreTheTripsAndTheSegmentEndsAtTheNext() throws {
        let (server, bench) = try onDemand()
        let route = try Bench.road()
        let place = { (end: Int) in
            let point = route.coordinate(route.legEnds[end])
            return #"{"point":{"latitude":\#(point.latitude),"longitude":\#(point.longitude)}}"#
        }
        try server.admin(
            "POST", "trips?tripId=t",
            #"{"tripType":"EXCLUSIVE","vehicleId":"v","pickupPoint":\#(place(0)),"dropoffPoint":\#(place(1))}"#)
        let waypoints = try server.vehicle()["waypoints"] as? [[String: Any]] ?? []
        XCTAssertEqual(waypoints.map { $0["waypointType"] as? String }, ["PICKUP_WAYPOINT_TYPE", "DROP_OFF_WAYPOINT_TYPE"])
        bench.startTracking()
        bench.send(.route(route))
        bench.run(to: 45) { bench.drive(.onRoute, along: 10 * $0, on: route) }
        let updates = try server.updates()
        XCTAssertFalse(updates.contains { $0.mask.contains("waypoints") })
        XCTAssertEqual(try server.vehicle()["currentTrips"] as? [String], ["t"])
        let first = (waypoints.first?["location"] as? [String: Any])?["point"] as? [String: Double] ?? [:]
        let segment = updates.last { $0.mask.contains("currentRouteSegmentEndPoint") }
        let end = (segment?.body["currentRouteSegmentEndPoint"] as? [String: Any])?["location"] as? [String: Any]
        let point = end?["point"] as? [String: Double] ?? [:]
        for key in ["latitude", "longitude"] { XCTAssertEqual(point[key] ?? 0, first[key] ?? 1, accuracy: 1e-7) }
        let trip = try server.admin("GET", "trips/t?view=JOURNEY_SHARING_V1S")
        XCTAssertEqual(trip["remainingDistanceMeters"] as? Int, 590, "what the rider sees")
        assertTaken(updates)
    }

    func testMetresAndSecondsToTheNextWaypointGoWithEveryPosition() throws {
        let (server, bench) = try onDemand()
        let route = try Bench.road()
        bench.startTracking()
        bench.send(.route(route))
        bench.run(to: 120) { second in bench.drive(.onRoute, leg: second < 100 ? 0 : 1, along: 10 * second, on: route) }
        let told = try server.updates().filter { $0.mask.contains("remainingDistanceMeters") }
        let metres = told.compactMap { $0.body["remainingDistanceMeters"] as? Int }
        let seconds = told.compactMap { $0.body["remainingTimeSeconds"] as? Int }
        XCTAssertEqual(metres, Array(stride(from: 990, through: 90, by: -100)) + [1000, 900, 800])
        XCTAssertEqual(seconds, metres.map { $0 / 10 })
        XCTAssertEqual(try server.vehicle()["remainingDistanceMeters"] as? Int, metres.last)
        XCTAssertNotNil(bench.succeeded.last?.serverETA, "the server's own sum")
        assertTaken(try server.updates())
    }

    func testTheEndOfGuidanceClearsWhatWouldStayFrozen() throws {
        let (server, bench) = try onDemand()
        let route = try Bench.road()
        bench.startTracking()
        bench.send(.route(route))
        bench.run(to: 15) { bench.drive(.onRoute, along: 10 * $0, on: route) }
        XCTAssertNotNil(try server.vehicle()["etaToFirstWaypoint"])
        bench.send(.route(nil))
        bench.run(to: 45) { bench.drive(to: 150 + 10 * $0) }
        let vehicle = try server.vehicle()
        for name in ["currentRouteSegment", "currentRouteSegmentEndPoint", "remainingDistanceMeters", "etaToFirstWaypoint"] {
            XCTAssertNil(vehicle[name], name)
        }
        XCTAssertEqual(vehicle["navigationStatus"] as? String, "NO_GUIDANCE")
        let updates = try server.updates()
        let end = try XCTUnwrap(updates.first { $0.body["navigationStatus"] as? String == "NO_GUIDANCE" })
        XCTAssertEqual(end.body["currentRouteSegment"] as? String, "")
        XCTAssertFalse(updates.last?.mask.contains("remainingDistanceMeters") ?? true)
        assertTaken(updates)
    }

    func testGuidanceOfTheHostsReachesTheServerAndLeavesIt() throws {
        let (server, bench) = try onDemand()
        var guidance = HostGuidance()
        guidance.remainingDistance = 640
        guidance.remainingDuration = 64
        guidance.points = [Coordinate(latitude: 48, longitude: 11), Coordinate(latitude: 48.006, longitude: 11)]
        bench.startTracking()
        bench.send(.guidance(guidance))
        XCTAssertEqual(try server.vehicle()["remainingDistanceMeters"] as? Int, 640)
        XCTAssertEqual(try server.vehicle()["navigationStatus"] as? String, "ENROUTE_TO_DESTINATION")
        bench.run(to: 40) { bench.drive(to: $0) }
        XCTAssertNil(try server.vehicle()["remainingDistanceMeters"], "stale")
        XCTAssertEqual(try server.vehicle()["navigationStatus"] as? String, "NO_GUIDANCE")
        assertTaken(try server.updates())
    }
}
