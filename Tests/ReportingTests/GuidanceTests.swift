import FleetEngine
import Navigation
import XCTest

@testable import Reporting

final class GuidanceTests: XCTestCase {
    private let status = "navigationStatus"

    func testARouteIsToldAtOnceAndItsSegmentWithTheFirstProgress() throws {
        let bench = try Bench()
        let route = try Bench.road()
        bench.startTracking()
        bench.run(to: 3)
        bench.send(.route(route))
        XCTAssertEqual(bench.lines(), ["3.0 PUT \(base),\(status)"])
        bench.run(to: 4)
        bench.drive(.acquiring, along: 0, on: route)
        XCTAssertEqual(bench.lines(), [])
        bench.run(to: 5)
        bench.drive(.onRoute, along: 250, on: route)
        XCTAssertEqual(bench.lines(), ["5.0 PUT \(base),\(remaining),\(segment)"])
        let update = try XCTUnwrap(bench.succeeded.last?.update)
        XCTAssertEqual(update.remainingDistance, 750)
        XCTAssertEqual(update.remainingDuration, 75)
        XCTAssertEqual(update.segment?.end?.latitude ?? 0, 48 + 1000 / 111_195, accuracy: 1e-9)
        XCTAssertEqual(update.location?.snapped, route.coordinate(along: 250))
        bench.run(to: 16) { bench.drive(.onRoute, along: 200 + $0 * 10, on: route) }
        XCTAssertEqual(bench.lines(), ["15.0 PUT \(base),\(remaining)"])
        XCTAssertEqual(bench.succeeded.last?.update.remainingDistance, 650, "what is left comes from the newest progress")
    }

    func testWithoutDurationsOnlyTheDistanceIsTold() throws {
        let bench = try Bench()
        let points = (0...1).map { Coordinate(latitude: 48, longitude: 11 + Double($0) / 100) }
        let route = try Route(RouteDescription(points: points, legEnds: [1]))
        bench.startTracking()
        bench.send(.route(route))
        bench.drive(.onRoute, along: 0, on: route)
        XCTAssertEqual(bench.lines().last, "0.0 PUT \(base),remainingDistanceMeters,\(segment)")
    }

    func testTheSegmentIsRefreshedEveryMinuteWithAPeriodicUpdate() throws {
        let bench = try Bench()
        let route = try Bench.road()
        bench.startTracking()
        bench.send(.route(route))
        bench.drive(.onRoute, along: 0, on: route)
        _ = bench.lines()
        bench.run(to: 125) { bench.drive(.onRoute, along: $0, on: route) }
        let light = "PUT \(base),\(remaining)"
        XCTAssertEqual(
            bench.lines(),
            ["10.0 \(light)", "20.0 \(light)", "30.0 \(light)", "40.0 \(light)", "50.0 \(light)", "60.0 \(light),\(segment)"]
                + ["70.0 \(light)", "80.0 \(light)", "90.0 \(light)", "100.0 \(light)", "110.0 \(light)", "120.0 \(light),\(segment)"])
    }

    func testANewLegIsToldAtOnceUpToItsOwnEnd() throws {
        let bench = try Bench()
        let route = try Bench.road()
        bench.startTracking()
        bench.send(.route(route))
        bench.drive(.onRoute, along: 990, on: route)
        bench.run(to: 2)
        _ = bench.lines()
        bench.drive(.onRoute, leg: 1, along: 1010, on: route)
        XCTAssertEqual(bench.lines(), ["2.0 PUT \(base),\(remaining),\(segment)"])
        let update = try XCTUnwrap(bench.succeeded.last?.update)
        XCTAssertEqual(update.leg, 1)
        XCTAssertEqual(update.remainingDistance, 990)
        XCTAssertEqual(update.remainingDuration, 99)
    }

    func testOffTheRouteNothingIsLeftToTellUntilItIsRejoined() throws {
        let bench = try Bench()
        let route = try Bench.road()
        bench.startTracking()
        bench.send(.route(route))
        bench.drive(.onRoute, along: 100, on: route)
        bench.run(to: 2)
        _ = bench.lines()
        bench.drive(.offRoute, along: 100, on: route)
        XCTAssertNil(bench.succeeded.last?.update.location?.snapped)
        bench.run(to: 13) { _ in bench.drive(.offRoute, along: 100, on: route) }
        bench.drive(.onRoute, along: 300, on: route)
        XCTAssertEqual(
            bench.lines(), ["2.0 PUT \(base),\(status)", "12.0 PUT \(base)", "13.0 PUT \(base),\(remaining),\(status),\(segment)"])
        XCTAssertEqual(bench.succeeded.compactMap(\.update.navigationStatus), [.enroute, .offRoute, .enroute])
    }

    func testArrivalIsToldOnceAndThePositionIsNoLongerSnapped() throws {
        let bench = try Bench()
        let route = try Bench.road()
        bench.startTracking()
        bench.send(.route(route))
        bench.drive(.onRoute, leg: 1, along: 1900, on: route)
        bench.run(to: 2)
        _ = bench.lines()
        bench.drive(.arrived, leg: 1, along: 1970, on: route)
        bench.run(to: 23) { _ in bench.drive(.arrived, leg: 1, along: 1995, on: route) }
        XCTAssertEqual(
            bench.lines(), ["2.0 PUT \(base),\(remaining),\(status)", "12.0 PUT \(base),\(remaining)", "22.0 PUT \(base),\(remaining)"])
        XCTAssertEqual(bench.succeeded.last?.update.remainingDistance, 5)
        XCTAssertNil(bench.succeeded.last?.update.location?.snapped)
    }

    func testTheEndOfGuidanceClearsWhatTheServerHolds() throws {
        let bench = try Bench()
        let route = try Bench.road()
        bench.startTracking()
        bench.send(.route(nil))
        XCTAssertEqual(bench.lines(), [], "no route was ever told")
        bench.send(.route(route))
        bench.drive(.onRoute, along: 100, on: route)
        bench.run(to: 2)
        _ = bench.lines()
        bench.send(.route(nil))
        bench.send(.route(nil))
        XCTAssertEqual(bench.lines(), ["2.0 PUT \(base),\(status),currentRouteSegment"])
        XCTAssertEqual(bench.member("currentRouteSegment", of: bench.requests.last?.request) as? String, "")
        XCTAssertEqual(bench.member("navigationStatus", of: bench.requests.last?.request) as? String, "NO_GUIDANCE")
        bench.run(to: 13) { _ in bench.drive() }
        XCTAssertEqual(bench.lines(), ["12.0 PUT \(base)"])
    }

    func testAnotherRouteIsToldEvenOnTheSameRoad() throws {
        let bench = try Bench(.delivery)
        let route = try Bench.road()
        bench.startTracking()
        bench.send(.route(route))
        bench.drive(.onRoute, along: 100, on: route)
        _ = bench.lines()
        bench.send(.route(route))
        XCTAssertEqual(bench.lines(), [])
        bench.drive(.onRoute, along: 100, on: route)
        XCTAssertEqual(bench.lines(), ["0.0 PATCH lastLocation,remainingDuration,remainingDistanceMeters,\(segment)"])
    }

    func testWithSharingOffOnlyTheStatusIsTold() throws {
        let bench = try Bench(sharesRoute: false)
        let route = try Bench.road()
        bench.startTracking()
        bench.send(.route(route))
        bench.run(to: 11) { bench.drive(.onRoute, along: $0, on: route) }
        bench.send(.route(nil))
        XCTAssertEqual(bench.lines(), ["0.0 PUT \(base),\(status)", "10.0 PUT \(base)", "11.0 PUT \(base),\(status)"])
    }

    func testWithoutAFixTheStatusGoesAlone() throws {
        let bench = try Bench()
        bench.send(.tracking(true))
        bench.send(.route(try Bench.road()))
        bench.send(.vehicleState(.online))
        bench.send(.route(nil))
        XCTAssertEqual(
            bench.lines(), ["0.0 token", "0.0 PUT \(status)", "0.0 PUT vehicleState", "0.0 PUT \(status),currentRouteSegment"])
    }

    func testWhileTrackingIsOffGuidanceIsNotTold() throws {
        let bench = try Bench()
        let route = try Bench.road()
        bench.startTracking()
        bench.send(.tracking(false))
        _ = bench.lines()
        bench.send(.route(route))
        bench.drive(.onRoute, along: 100, on: route)
        XCTAssertEqual(bench.lines(), [])
        bench.send(.tracking(true))
        XCTAssertEqual(bench.lines(), ["0.0 PUT \(base),\(remaining),\(status),\(segment)"])
    }

    func testProgressThatFitsNoLegIsNoProgress() throws {
        let bench = try Bench()
        let route = try Bench.road()
        bench.startTracking()
        bench.send(.route(route))
        _ = bench.lines()
        for (leg, along) in [(2, 5.0), (-1, 5.0), (Int.max, 5.0), (0, .nan), (0, .infinity)] {
            bench.drive(.onRoute, leg: leg, along: along, on: route)
        }
        bench.run(to: 11)
        XCTAssertEqual(bench.lines(), ["10.0 PUT \(base)"])
    }
}
