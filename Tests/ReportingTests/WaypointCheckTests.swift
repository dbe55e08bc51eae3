import FleetEngine
import Navigation
import XCTest

@testable import Reporting

/// The route's waypoints, at 1000 m and 2000 m north, held against the backend's.
final class WaypointCheckTests: XCTestCase {
    private func bench(_ service: Service = .onDemand, tolerance: Double? = 100) throws -> Bench {
        try Bench(service, waypointTolerance: tolerance)
    }

    /// The backend's answer to the check, and "{}" to all else.
    private func serve(_ bench: Bench, _ body: String, status: Int = 200) {
        bench.server = { request in
            let isCheck = request.method == .get
            return .answer(status: isCheck ? status : 200, body: Array((isCheck ? body : "{}").utf8), retryAfter: nil)
        }
    }

    private func vehicle(_ metres: [Double]) -> String {
        let list = metres.map { #"{"location":{"point":{"latitude":\#(48 + $0 / 111_195),"longitude":11}}}"# }
        return #"{"name":"n","waypoints":[\#(list.joined(separator: ","))]}"#
    }

    private func occurrences(of declared: [Double], tolerance: Double = 100) throws -> [Occurrence] {
        let bench = try bench(tolerance: tolerance)
        serve(bench, vehicle(declared))
        bench.startTracking()
        bench.send(.route(try Bench.road()))
        return bench.occurrences
    }

    func testWaypointsInOrderAndWithinTheToleranceAreNoNews() throws {
        for declared in [[1000.0, 2000.0], [1090, 1910]] { XCTAssertTrue(try occurrences(of: declared).isEmpty, "\(declared)") }
    }

    func testTheFirstDifferenceIsNamed() throws {
        let far = try XCTUnwrap(occurrences(of: [1000, 1500]).first)
        XCTAssertEqual(far.kind, .waypointsDiffer)
        XCTAssertEqual(far.waypoint, 1)
        XCTAssertEqual(try XCTUnwrap(far.distance), 500, accuracy: 3)
        XCTAssertEqual(far.count, 2)
        XCTAssertTrue(far.message.hasPrefix("waypoint 1 of the route is 500 m from the backend's"), far.message)
        XCTAssertEqual(try occurrences(of: [2000, 1000]).map(\.waypoint), [0], "the order counts, and only the first is told")
    }

    func testAMissingWaypointAndOneTooManyAreNamed() throws {
        let missing = try XCTUnwrap(occurrences(of: [1000]).first)
        XCTAssertEqual(missing.waypoint, 1)
        XCTAssertNil(missing.distance)
        XCTAssertTrue(missing.message.hasPrefix("waypoint 1 of the route is not among the backend's 1;"), missing.message)
        XCTAssertEqual(try occurrences(of: []).map(\.waypoint), [0])
        let more = try XCTUnwrap(occurrences(of: [1000, 2000, 3000]).first)
        XCTAssertTrue(more.message.hasPrefix("the backend has 1 waypoints more than the route;"), more.message)
        XCTAssertEqual(more.count, 3)
    }

    func testTheToleranceIsTheHosts() throws {
        XCTAssertEqual(try occurrences(of: [1000, 2150]).count, 1)
        XCTAssertEqual(try occurrences(of: [1000, 2150], tolerance: 200).count, 0)
    }

    func testADeliveryVehiclesStopsAreChecked() throws {
        let bench = try bench(.delivery)
        serve(
            bench,
            #"{"name":"n","remainingVehicleJourneySegments":[{"stop":{"plannedLocation":{"point":{"latitude":50,"longitude":11}}}}]}"#)
        bench.startTracking()
        bench.send(.route(try Bench.road()))
        XCTAssertEqual(bench.occurrences.map(\.waypoint), [0])
        XCTAssertTrue(bench.requests.contains { $0.request.target == "/v1/providers/p/deliveryVehicles/v" && $0.request.method == .get })
    }

    func testItIsAskedOnceForEachRouteAfterWhatIsToBeTold() throws {
        let bench = try bench()
        serve(bench, vehicle([1000, 2000]))
        bench.startTracking()
        let road = try Bench.road()
        bench.send(.route(road))
        bench.run(to: 300) { _ in bench.drive() }
        let lines = bench.lines()
        XCTAssertEqual(lines.filter { $0.contains("GET") }, ["0.0 GET /v1/providers/p/vehicles/v"])
        XCTAssertEqual(lines.first, "0.0 PUT vehicleState,lastLocation,navigationStatus", "the update goes first")
        bench.send(.route(road))
        bench.run(to: 320) { _ in bench.drive() }
        XCTAssertEqual(bench.lines().filter { $0.contains("GET") }.count, 1)
        bench.send(.route(nil))
        bench.run(to: 400) { _ in bench.drive() }
        XCTAssertEqual(bench.lines().filter { $0.contains("GET") }.count, 0)
    }

    func testItIsOffUnlessWantedAndWhileNothingIsTracked() throws {
        for (tolerance, tracks) in [(nil, true), (100.0, false)] {
            let bench = try bench(tolerance: tolerance)
            serve(bench, vehicle([]))
            if tracks { bench.startTracking() }
            bench.send(.route(try Bench.road()))
            bench.run(to: 100) { _ in bench.drive() }
            XCTAssertFalse(bench.requests.contains { $0.request.method == .get })
        }
    }

    func testAVehicleThatCannotBeReadIsTriedAgainEveryMinuteAndThenLeftAlone() throws {
        for body in ["", "<html>"] {
            let bench = try bench()
            serve(bench, body, status: body.isEmpty ? 503 : 200)
            bench.startTracking()
            bench.send(.route(try Bench.road()))
            bench.run(to: 900) { _ in bench.drive() }
            XCTAssertEqual(bench.requests.filter { $0.request.method == .get }.map(\.at), [0, 60, 120, 180, 240])
            XCTAssertTrue(bench.occurrences.isEmpty)
            XCTAssertTrue(bench.failed.isEmpty, "updates are not held up")
        }
    }

    func testAnAnswerForAFormerRouteOrVehicleMeansNothing() throws {
        let bench = try bench()
        bench.startTracking()
        bench.server = { $0.method == .get ? nil : .answer(status: 200, body: Array("{}".utf8), retryAfter: nil) }
        bench.send(.route(try Bench.road()))
        let first = try XCTUnwrap(bench.requests.last?.request)
        XCTAssertEqual(first.method, .get)
        bench.send(.vehicle(id: "w"))
        bench.send(.response(id: first.id, .answer(status: 200, body: Array(vehicle([]).utf8), retryAfter: nil)))
        XCTAssertTrue(bench.occurrences.isEmpty)
        bench.drive()
        bench.run(to: 30) { _ in bench.drive() }
        XCTAssertEqual(bench.requests.last { $0.request.method == .get }?.request.target, "/v1/providers/p/vehicles/w")
    }

    func testALostAnswerDoesNotHoldUpWhatIsToBeTold() throws {
        let bench = try bench()
        bench.server = { $0.method == .get ? .failed(timedOut: true, message: "") : .answer(status: 200, body: [], retryAfter: nil) }
        bench.startTracking()
        bench.send(.route(try Bench.road()))
        bench.run(to: 35) { _ in bench.drive() }
        XCTAssertEqual(bench.lines().filter { $0.contains("PUT vehicleState,lastLocation") }.count, 4)
    }
}
