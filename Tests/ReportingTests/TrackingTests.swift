import FleetEngine
import Navigation
import XCTest

@testable import Reporting

final class TrackingTests: XCTestCase {
    func testNothingIsSentUntilTrackingIsOn() throws {
        let bench = try Bench()
        XCTAssertFalse(bench.reporter.isTracking)
        bench.run(to: 100) { _ in bench.drive() }
        XCTAssertEqual(bench.lines(), [])
        XCTAssertEqual(bench.reporter.deadline, .max)
        XCTAssertTrue(bench.reporter.isSettled)
    }

    func testTheFirstUpdateGoesWithTheFirstFixThenOneEveryInterval() throws {
        let bench = try Bench()
        bench.send(.tracking(true))
        bench.run(to: 3)
        XCTAssertEqual(bench.lines(), [])
        bench.run(to: 33.5) { bench.drive(to: $0) }
        XCTAssertEqual(bench.lines(), ["4.0 token", "4.0 PUT \(base)", "14.0 PUT \(base)", "24.0 PUT \(base)"])
        XCTAssertEqual(bench.member("vehicleState", of: bench.requests.last?.request) as? String, "OFFLINE")
        XCTAssertEqual(bench.succeeded.last?.update.location?.fix.time, 1_700_000_024)
    }

    func testEveryUpdateHasTheNewestFix() throws {
        let bench = try Bench()
        bench.send(.tracking(true))
        for tenth in 1...305 {
            bench.run(to: Double(tenth) / 10)
            bench.drive()
        }
        XCTAssertEqual(
            bench.succeeded.compactMap { $0.update.location?.fix.time }, [1_700_000_000.1, 1_700_000_010, 1_700_000_020, 1_700_000_030])
    }

    func testTrackingOffTellsOfflineAloneAndStops() throws {
        let bench = try Bench()
        bench.startTracking()
        bench.send(.vehicleState(.online))
        XCTAssertEqual(bench.reporter.vehicleState, .online)
        bench.run(to: 5)
        bench.send(.tracking(false))
        XCTAssertEqual(bench.lines(), ["0.0 PUT \(base)", "5.0 PUT vehicleState"])
        XCTAssertEqual(bench.requests.last?.request.body, #"{"vehicleState":"OFFLINE"}"#)
        XCTAssertEqual(bench.requests.last?.request.target, "/v1/providers/p/vehicles/v?updateMask=vehicleState")
        bench.run(to: 200) { _ in bench.drive() }
        XCTAssertEqual(bench.lines(), [])
        XCTAssertTrue(bench.reporter.isConfirmed)
    }

    func testTheStateStaysOfflineAfterTrackingGoesOnAgainUntilItIsSet() throws {
        let bench = try Bench()
        bench.startTracking()
        bench.send(.vehicleState(.online))
        bench.send(.tracking(false))
        bench.send(.tracking(true))
        XCTAssertEqual(bench.reporter.vehicleState, .offline)
        XCTAssertEqual(bench.member("vehicleState", of: bench.requests.last?.request) as? String, "OFFLINE")
        bench.send(.vehicleState(.online))
        XCTAssertEqual(bench.member("vehicleState", of: bench.requests.last?.request) as? String, "ONLINE")
        XCTAssertEqual(bench.lines(), ["0.0 PUT \(base)", "0.0 PUT vehicleState", "0.0 PUT \(base)", "0.0 PUT \(base)"])
    }

    func testADeliveryVehicleHasNoState() throws {
        let bench = try Bench(.delivery)
        bench.startTracking()
        bench.send(.vehicleState(.online))
        bench.run(to: 12) { _ in bench.drive() }
        bench.send(.tracking(false))
        bench.run(to: 100) { _ in bench.drive() }
        XCTAssertEqual(bench.lines(), ["10.0 PATCH lastLocation"])
        XCTAssertEqual(bench.requests.last?.request.target, "/v1/providers/p/deliveryVehicles/v?updateMask=lastLocation")
    }

    func testTheIntervalIsClampedAndAppliesToTheNextSlot() throws {
        let bench = try Bench(interval: 1)
        XCTAssertEqual(bench.reporter.interval, 5)
        for (asked, given) in [(Int.min, 5), (4, 5), (7, 7), (60, 60), (61, 60), (Int.max, 60), (20, 20)] {
            bench.send(.interval(asked))
            XCTAssertEqual(bench.reporter.interval, given)
        }
        bench.startTracking()
        bench.run(to: 22) { _ in bench.drive() }
        bench.send(.interval(30))
        bench.run(to: 55) { _ in bench.drive() }
        bench.send(.interval(5))
        bench.run(to: 61) { _ in bench.drive() }
        XCTAssertEqual(bench.lines().map { $0.prefix { $0 != " " } }, ["20.0", "50.0", "55.0", "60.0"])
    }

    func testAStateGoesAtOnceWithTheRestOfAnUpdateOrAloneWithoutAFix() throws {
        let bench = try Bench()
        bench.send(.tracking(true))
        bench.send(.vehicleState(.online))
        XCTAssertEqual(bench.lines(), ["0.0 token", "0.0 PUT vehicleState"])
        bench.run(to: 2)
        bench.drive()
        bench.run(to: 3)
        bench.send(.vehicleState(.offline))
        bench.send(.vehicleState(.offline))
        bench.run(to: 12.5) { _ in bench.drive() }
        XCTAssertEqual(bench.lines(), ["2.0 PUT \(base)", "3.0 PUT \(base)"])
        bench.run(to: 13.5) { _ in bench.drive() }
        XCTAssertEqual(bench.lines(), ["13.0 PUT \(base)"])
    }

    func testWithTrackingOffOfflineCanBeSetAndOnlineCannot() throws {
        let bench = try Bench()
        bench.drive()
        bench.send(.vehicleState(.online))
        XCTAssertEqual(bench.reporter.vehicleState, .offline)
        XCTAssertEqual(bench.lines(), [])
        bench.send(.vehicleState(.offline))
        XCTAssertEqual(bench.lines(), ["0.0 token", "0.0 PUT vehicleState"])
    }

    func testOneRequestInFlightAndWhatBecomesDueMeanwhileIsMerged() throws {
        let bench = try Bench()
        bench.startTracking()
        bench.server = nil
        let route = try Bench.road()
        bench.run(to: 10) { _ in bench.drive() }
        XCTAssertEqual(bench.lines(), ["10.0 PUT \(base)"])
        XCTAssertFalse(bench.reporter.isSettled)
        bench.send(.vehicleState(.online))
        bench.send(.route(route))
        bench.run(to: 14) { bench.drive(.onRoute, along: $0, on: route) }
        XCTAssertEqual(bench.lines(), [])
        bench.answer(status: 200)
        XCTAssertEqual(bench.lines(), ["14.0 PUT \(base),\(remaining),navigationStatus,\(segment)"])
        XCTAssertEqual(bench.member("vehicleState", of: bench.requests.last?.request) as? String, "ONLINE")
        bench.answer(status: 200)
        XCTAssertEqual(bench.succeeded.last?.update.location?.fix.time, 1_700_000_014)
        bench.run(to: 23) { bench.drive(.onRoute, along: $0, on: route) }
        XCTAssertEqual(bench.lines(), [])
    }

    func testASlotWithoutANewerFixPassesButNeverMoreThanAMinute() throws {
        let bench = try Bench()
        bench.startTracking()
        bench.run(to: 59.9)
        XCTAssertEqual(bench.lines(), [])
        bench.run(to: 130)
        XCTAssertEqual(bench.lines(), ["60.0 PUT \(base)", "120.0 PUT \(base)"])
        XCTAssertEqual(bench.succeeded.map { $0.update.location?.timeSinceUpdate }, [0, 60, 120])
        bench.drive()
        XCTAssertEqual(bench.lines(), ["130.0 PUT \(base)"], "the slot is long over, so the fix need not wait for another")
        XCTAssertEqual(bench.succeeded.last?.update.location?.timeSinceUpdate, 0)
    }

    func testAFixThatIsNoCoordinateIsIgnored() throws {
        let bench = try Bench()
        bench.send(.tracking(true))
        for bad in [
            Coordinate(latitude: .nan, longitude: 0), Coordinate(latitude: 91, longitude: 0), Coordinate(latitude: 0, longitude: .infinity),
        ] {
            var fix = bench.fix()
            fix.coordinate = bad
            bench.send(.position(fix, nil))
        }
        XCTAssertEqual(bench.lines(), [])
    }

    func testAnotherVehicleIsToldEverythingAfresh() throws {
        let bench = try Bench()
        let route = try Bench.road()
        bench.startTracking()
        bench.send(.vehicleState(.online))
        bench.send(.route(route))
        bench.drive(.onRoute, along: 5, on: route)
        bench.run(to: 3)
        _ = bench.lines()
        bench.send(.vehicle(id: "v"))
        bench.send(.vehicle(id: "a/b"))
        XCTAssertEqual(bench.lines(), [])
        bench.send(.vehicle(id: "other 1"))
        XCTAssertEqual(bench.lines(), ["3.0 token", "3.0 PUT \(base),\(remaining),navigationStatus,\(segment)"])
        XCTAssertEqual(bench.reporter.vehicleState, .offline)
        XCTAssertEqual(bench.questions.last?.context, TokenContext(provider: "p", vehicle: "other 1", task: "task", trip: nil))
        XCTAssertTrue(try XCTUnwrap(bench.requests.last).request.target.hasPrefix("/v1/providers/p/vehicles/other%201?"))
        XCTAssertEqual(bench.requests.last?.request.bearer, "token-2")
        XCTAssertEqual(bench.succeeded.last?.update.location?.timeSinceUpdate, 0)
    }

    func testAnAnswerForTheOldVehicleOnlyFreesTheSlot() throws {
        for status in [200, 400, 401, 404, 503] {
            let bench = try Bench()
            bench.startTracking()
            bench.server = nil
            bench.run(to: 10) { _ in bench.drive() }
            bench.send(.vehicleState(.online))
            bench.send(.vehicle(id: "w"))
            _ = bench.lines()
            bench.answer(status: status)
            XCTAssertEqual(bench.lines(), ["10.0 token", "10.0 PUT \(base)"])
            XCTAssertEqual(bench.member("vehicleState", of: bench.requests.last?.request) as? String, "OFFLINE")
            XCTAssertEqual(bench.failed.count, 0)
            XCTAssertEqual(bench.succeeded.count, 1)
        }
    }

    func testNoTimeOverflows() throws {
        let times: [Instant] = [.min, -1, 0, 1, .max - 1, .max, .min, .max, 0]
        let route = try Bench.road()
        let fix = try Bench().fix()
        var reporter = Reporter(try ReporterSettings(provider: "p", vehicle: "v", service: .onDemand))
        for now in times {
            for event in [
                ReporterEvent.tracking(true), .position(fix, nil), .route(route), .timer,
                .interval(60), .vehicleState(.online), .token(id: 1, .success(FetchedToken(token: "t", goodFor: .max))), .timer,
                .response(id: 1, .answer(status: 429, body: [], retryAfter: .max)), .timer, .route(nil), .tracking(false), .timer,
            ] { _ = reporter.handle(event, at: now) }
        }
    }

    func testAVehicleLeftRightAfterTrackingWentOffIsStillToldThatItIsOffline() throws {
        let bench = try Bench()
        bench.send(.tracking(true))
        bench.send(.vehicleState(.online))
        let before = bench.requests.count
        XCTAssertTrue(bench.reporter.note(.tracking(false), at: bench.now).isEmpty)
        bench.send(.vehicle(id: "w"))
        XCTAssertEqual(bench.requests.count, before + 1)
        XCTAssertTrue(bench.requests.last?.request.target.contains("/vehicles/v?") ?? false)
        XCTAssertTrue(bench.requests.last?.request.body.contains("OFFLINE") ?? false)
    }

    func testAFixWithoutATimeIsNotReported() throws {
        let bench = try Bench()
        bench.send(.tracking(true))
        bench.send(.position(Fix(coordinate: Coordinate(latitude: 48, longitude: 11)), nil))
        bench.run(to: 120)
        XCTAssertEqual(bench.requests.count, 0)
    }
}
