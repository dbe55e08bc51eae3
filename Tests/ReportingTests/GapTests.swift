import FleetEngine
import Navigation
import XCTest

@testable import Reporting

/// Gaps without fixes: the state machine's timer, and what is reported.
final class GapTests: XCTestCase {
    private let light = "PUT \(base),\(remaining)"

    /// On the road up to 200 m after 20 seconds, all told.
    private func bench(reckons: Bool) throws -> Bench {
        let bench = try Bench(reckons: reckons)
        let route = try Bench.road()
        bench.tracker = Tracker(route: route)
        bench.send(.tracking(true))
        bench.send(.route(route))
        bench.follow(to: 0)
        bench.run(to: 20) { bench.follow(to: 10 * $0) }
        _ = bench.lines()
        return bench
    }

    func testWithoutFixesForTenSecondsTheStateIsStaleOnce() throws {
        let bench = try bench(reckons: false)
        bench.run(to: 200)
        XCTAssertEqual(bench.lines().filter { !$0.contains("PUT") }, ["30.0 stale"])
        XCTAssertEqual(bench.succeeded.last?.update.navigationStatus, nil, "still on its way, as told before")
        bench.follow(to: 250)
        XCTAssertEqual(bench.told.last?.state, .onRoute)
        bench.run(to: 300)
        XCTAssertEqual(bench.lines().filter { $0.contains("stale") }, ["210.0 stale"], "and again after the next gap")
    }

    func testEachFixPutsItOff() throws {
        let bench = try bench(reckons: false)
        bench.run(to: 100) { if $0.truncatingRemainder(dividingBy: 9) == 0 { bench.follow(to: 10 * $0) } }
        XCTAssertEqual(bench.lines().filter { $0.contains("stale") }, [])
    }

    func testThePositionIsCarriedOnEverySecondAndReportedAsEstimated() throws {
        let bench = try bench(reckons: true)
        bench.run(to: 33)
        XCTAssertEqual(
            bench.lines(),
            (22...29).map { "\($0).0 onRoute estimated" } + ["30.0 stale estimated", "30.0 \(light)"]
                + (31...33).map { "\($0).0 stale estimated" })
        let update = try XCTUnwrap(bench.succeeded.last?.update)
        let location = try XCTUnwrap(update.location)
        XCTAssertTrue(location.fix.isEstimated)
        XCTAssertEqual(location.fix.coordinate, location.snapped)
        XCTAssertEqual(location.fix.time, 1_700_000_029, accuracy: 0.01, "the last before it")
        XCTAssertEqual(location.fix.accuracy, 5 + 0.2 * 90, accuracy: 1)
        XCTAssertEqual(Double(try XCTUnwrap(update.remainingDistance)), 710, accuracy: 5)
        XCTAssertEqual(Double(try XCTUnwrap(update.remainingDuration)), 71, accuracy: 2)
        let body = bench.member("lastLocation", of: bench.requests.last?.request) as? [String: Any]
        XCTAssertNotNil(body?["location"])
        XCTAssertNil(body?["rawLocation"], "nothing was measured")
    }

    func testCarryingOnEndsAfterAMinute() throws {
        let bench = try bench(reckons: true)
        bench.run(to: 500)
        let lines = bench.lines().filter { $0.contains("estimated") }
        XCTAssertEqual(lines.count, 59)
        XCTAssertEqual(lines.last, "80.0 stale estimated")
        XCTAssertEqual(bench.told.last?.along ?? 0, 800, accuracy: 10)
    }

    func testTheFirstFixTakesItBack() throws {
        let bench = try bench(reckons: true)
        bench.run(to: 40)
        bench.follow(to: 230)
        XCTAssertEqual(bench.told.last?.along ?? 0, 230, accuracy: 1)
        XCTAssertEqual(bench.told.last?.state, .onRoute)
        bench.run(to: 41)
        _ = bench.lines()
        bench.run(to: 50)
        XCTAssertEqual(bench.lines().first, "42.0 onRoute estimated")
        let location = try XCTUnwrap(bench.succeeded.last?.update.location)
        XCTAssertTrue(location.fix.isEstimated)
    }

    func testNothingIsWaitedForBeforeTheRouteIsFoundAfterTheArrivalAndWithoutARoute() throws {
        let bench = try bench(reckons: true)
        bench.send(.route(nil))
        bench.run(to: 100)
        let route = try Bench.road()
        bench.send(.route(route))
        bench.drive(.acquiring, along: 0, on: route)
        bench.run(to: 200)
        bench.drive(.arrived, leg: 1, along: 1990, on: route)
        bench.run(to: 300)
        XCTAssertEqual(bench.lines().filter { !$0.contains("PUT") }, [])
    }

    func testOffTheRouteAStaleVehicleStaysOffRoute() throws {
        let bench = try Bench()
        let route = try Bench.road()
        bench.startTracking()
        bench.send(.route(route))
        bench.drive(.onRoute, along: 100, on: route)
        bench.drive(.offRoute, along: 100, on: route)
        var stale = bench.progress(.stale, leg: 0, along: 100, on: route)
        stale.along = .nan
        stale.remainingDistance = .nan
        bench.send(.progress(stale, estimate: nil))
        bench.run(to: 70)
        XCTAssertEqual(bench.succeeded.compactMap(\.update.navigationStatus), [.enroute, .offRoute])
        XCTAssertNil(bench.succeeded.last?.update.location?.snapped)
    }

    func testASkippedWaypointIsANewLegAtOnce() throws {
        let bench = try bench(reckons: false)
        bench.run(to: 22)
        XCTAssertEqual(bench.tracker?.skipWaypoint(0), true)
        bench.send(.progress(try XCTUnwrap(bench.tracker?.progress), estimate: nil))
        XCTAssertEqual(bench.lines(), ["22.0 \(light),\(segment)"])
        let update = try XCTUnwrap(bench.succeeded.last?.update)
        XCTAssertEqual(update.leg, 1)
        XCTAssertEqual(Double(try XCTUnwrap(update.remainingDistance)), 1800, accuracy: 2)
        XCTAssertEqual(Double(try XCTUnwrap(update.remainingDuration)), 180, accuracy: 5)
    }
}
