import FleetEngine
import Navigation
import XCTest

@testable import Reporting

/// Guidance of the host's own in the place of ours.
final class HostGuidanceTests: XCTestCase {
    private let status = "navigationStatus"
    private let waypoint = Coordinate(latitude: 48.5, longitude: 11)

    private func guidance(_ metres: Int32 = 5000, route: UInt32 = 1, _ change: (inout HostGuidance) -> Void = { _ in }) -> HostGuidance {
        var guidance = HostGuidance()
        guidance.remainingDistance = metres
        guidance.remainingDuration = metres / 10
        guidance.waypoint = waypoint
        guidance.points = [Coordinate(latitude: 48.5 - Double(metres) / 111_195, longitude: 11), waypoint]
        guidance.route = route
        change(&guidance)
        return guidance
    }

    private func encoded(_ bench: Bench) -> String? { bench.member("currentRouteSegment", of: bench.requests.last?.request) as? String }

    func testItIsToldAtOnceThenWhatIsLeftWithEachUpdateAndTheLineEveryMinute() throws {
        let bench = try Bench()
        bench.startTracking()
        bench.run(to: 2)
        bench.send(.guidance(guidance()))
        XCTAssertEqual(bench.lines(), ["2.0 PUT \(base),\(remaining),\(status),\(segment)"])
        var update = try XCTUnwrap(bench.succeeded.last?.update)
        XCTAssertEqual([update.remainingDistance, update.remainingDuration], [5000, 500])
        XCTAssertEqual(update.navigationStatus, .enroute)
        XCTAssertEqual(update.segment?.end, waypoint)
        XCTAssertEqual(update.segment?.points, guidance().points)
        XCTAssertNil(update.location?.snapped)
        let first = encoded(bench)
        bench.run(to: 63) {
            bench.drive()
            bench.send(.guidance(guidance(5000 - 10 * Int32($0))))
        }
        let light = "PUT \(base),\(remaining)"
        XCTAssertEqual(bench.lines(), (1...5).map { "\($0)2.0 \(light)" } + ["62.0 \(light),\(segment)"])
        update = try XCTUnwrap(bench.succeeded.last?.update)
        XCTAssertEqual(update.remainingDistance, 4390)
        XCTAssertNotEqual(encoded(bench), first, "the line begins where the vehicle is by now")
    }

    func testANewRouteAWaypointAndAStatusGoAtOnce() throws {
        let bench = try Bench(.delivery)
        bench.startTracking()
        bench.send(.guidance(guidance()))
        _ = bench.lines()
        let whole = "lastLocation,remainingDuration,remainingDistanceMeters"
        bench.run(to: 1)
        bench.send(.guidance(guidance(4900)))
        XCTAssertEqual(bench.lines(), [])
        bench.send(.guidance(guidance(route: 2)))
        XCTAssertEqual(bench.lines(), ["1.0 PATCH \(whole),\(segment)"])
        bench.send(.guidance(guidance(route: 2) { $0.waypoint?.latitude = 48.6 }))
        XCTAssertEqual(bench.lines(), ["1.0 PATCH \(whole),\(segment)"])
        XCTAssertEqual(bench.succeeded.last?.update.segment?.end?.latitude, 48.6)
        bench.send(
            .guidance(
                guidance(route: 2) {
                    $0.waypoint?.latitude = 48.6; $0.status = .offRoute
                }))
        XCTAssertEqual(bench.lines(), ["1.0 PATCH \(whole),\(status)"])
        bench.send(
            .guidance(
                guidance(route: 2) {
                    $0.waypoint?.latitude = 48.6; $0.status = .arrived
                }))
        XCTAssertEqual(bench.succeeded.last?.update.navigationStatus, .arrived)
    }

    func testItTakesThePlaceOfOursUntilItIsWithdrawn() throws {
        let bench = try Bench()
        let route = try Bench.road()
        bench.startTracking()
        bench.send(.route(route))
        bench.drive(.onRoute, along: 100, on: route)
        bench.run(to: 1)
        bench.send(.guidance(guidance()))
        bench.drive(.onRoute, along: 120, on: route)
        _ = bench.lines()
        bench.run(to: 12) {
            bench.drive(.onRoute, along: 100 + 10 * $0, on: route)
            bench.send(.guidance(guidance()))
        }
        XCTAssertEqual(bench.lines(), ["11.0 PUT \(base),\(remaining)"])
        XCTAssertEqual(bench.succeeded.last?.update.remainingDistance, 5000)
        XCTAssertNil(bench.succeeded.last?.update.location?.snapped, "not onto a route that is not driven")
        bench.send(.guidance(nil))
        XCTAssertEqual(bench.lines(), ["12.0 PUT \(base),\(remaining),\(segment)"])
        XCTAssertEqual(bench.succeeded.last?.update.remainingDistance, 780)
        XCTAssertNotNil(bench.succeeded.last?.update.location?.snapped)
        bench.send(.guidance(nil))
        XCTAssertEqual(bench.lines(), [])
    }

    func testItIsStaleAfterHalfAMinuteWithoutANewOne() throws {
        let bench = try Bench()
        bench.startTracking()
        bench.send(.guidance(guidance()))
        bench.run(to: 25) { _ in bench.drive() }
        bench.send(.guidance(guidance(4000)))
        _ = bench.lines()
        bench.run(to: 54.9)
        XCTAssertEqual(bench.lines(), ["30.0 PUT \(base),\(remaining)"])
        XCTAssertEqual(bench.reporter.deadline, 55_000_000_000)
        bench.run(to: 55)
        XCTAssertEqual(bench.lines(), ["55.0 PUT \(base),\(status),currentRouteSegment"])
        XCTAssertEqual(encoded(bench), "")
        XCTAssertEqual(bench.succeeded.last?.update.navigationStatus, .noGuidance)
        bench.run(to: 300)
        XCTAssertEqual(bench.lines().filter { $0.contains("remaining") }, [])
    }

    func testItGoesStaleWhileTheUnitSleeps() throws {
        let bench = try Bench()
        let route = try Bench.road()
        bench.startTracking()
        bench.send(.route(route))
        bench.drive(.onRoute, along: 100, on: route)
        bench.send(.guidance(guidance()))
        _ = bench.lines()
        // No timer ran: the first thing that happens afterwards is a fix, an hour later.
        _ = bench.reporter.note(.timer, at: bench.now)
        let later = bench.now + 3600 * 1_000_000_000
        var fix = bench.fix(at: 150)
        fix.time += 3600
        let effects = bench.reporter.handle(.position(fix, bench.progress(.onRoute, leg: 0, along: 150, on: route)), at: later)
        guard case .send(let request)? = effects.last else { return XCTFail("\(effects)") }
        XCTAssertEqual(bench.member("remainingDistanceMeters", of: request) as? Int, 850)
    }

    func testWithoutALineAFormerOneIsTakenBackOnce() throws {
        let bench = try Bench()
        let route = try Bench.road()
        bench.startTracking()
        bench.send(.route(route))
        bench.drive(.onRoute, along: 100, on: route)
        bench.run(to: 1)
        _ = bench.lines()
        bench.send(.guidance(guidance { $0.points = [] }))
        XCTAssertEqual(bench.lines(), ["1.0 PUT \(base),\(remaining),currentRouteSegment"])
        XCTAssertEqual(encoded(bench), "")
        bench.run(to: 100) { _ in
            bench.drive(.onRoute, along: 100, on: route)
            bench.send(.guidance(guidance { $0.points = [] }))
        }
        XCTAssertEqual(bench.lines().filter { $0.contains("currentRouteSegment") }, [])
        bench.send(.guidance(guidance()))
        XCTAssertEqual(bench.lines(), ["100.0 PUT \(base),\(remaining),\(segment)"])
    }

    func testNoGuidanceOfTheHostsTellsNothingLeft() throws {
        let bench = try Bench()
        bench.startTracking()
        bench.send(.guidance(guidance()))
        _ = bench.lines()
        bench.send(.guidance(guidance { $0.status = .noGuidance }))
        XCTAssertEqual(bench.lines(), ["0.0 PUT \(base),\(status),currentRouteSegment"])
        bench.run(to: 25) { _ in bench.drive() }
        XCTAssertEqual(bench.lines(), ["10.0 PUT \(base)", "20.0 PUT \(base)"])
    }

    func testALineWithoutAWaypointEndsAtItsLastPointAndWhatIsNotToldIsNot() throws {
        let bench = try Bench()
        bench.startTracking()
        bench.send(
            .guidance(
                guidance {
                    $0.waypoint = nil; $0.remainingDuration = nil
                }))
        XCTAssertEqual(bench.lines(), ["0.0 PUT \(base),remainingDistanceMeters,\(status),\(segment)"])
        XCTAssertEqual(bench.succeeded.last?.update.segment?.end, waypoint)
    }

    func testWithSharingOffOnlyItsStatusIsTold() throws {
        let bench = try Bench(sharesRoute: false)
        bench.startTracking()
        bench.send(.guidance(guidance()))
        bench.send(.guidance(nil))
        XCTAssertEqual(bench.lines(), ["0.0 PUT \(base),\(status)", "0.0 PUT \(base),\(status)"])
    }

    func testALineThatTheServerRefusesIsLeftOutUntilTheNextWaypoint() throws {
        let bench = try Bench()
        bench.startTracking()
        bench.server = { .answer(status: $0.body.contains("currentRouteSegment") ? 400 : 200, body: [], retryAfter: nil) }
        bench.send(.guidance(guidance()))
        XCTAssertEqual(
            bench.lines(),
            [
                "0.0 PUT \(base),\(remaining),\(status),\(segment)", "0.0 failed invalidArgument 400 retries",
                "0.0 PUT \(base),\(remaining),\(status)",
            ])
        bench.run(to: 11) { _ in
            bench.drive()
            bench.send(.guidance(guidance()))
        }
        XCTAssertEqual(bench.lines(), ["10.0 PUT \(base),\(remaining)"])
    }
}
