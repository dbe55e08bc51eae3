import FleetEngine
import Navigation
import XCTest

@testable import Reporting

final class FailureTests: XCTestCase {
    private let unavailable = { (_: OutgoingRequest) -> TransportResult? in .answer(status: 503, body: [], retryAfter: nil) }

    func testTransientFailuresWaitOneTwoFourSlotsAndFortySecondsAtMost() throws {
        for (result, name) in [
            (TransportResult.answer(status: 503, body: [], retryAfter: nil), "unavailable 503"),
            (.answer(status: 500, body: [], retryAfter: nil), "internalError 500"),
            (.answer(status: 409, body: [], retryAfter: nil), "aborted 409"),
            (.answer(status: 302, body: [], retryAfter: nil), "unknown 302"),
            (.failed(timedOut: false, message: "refused"), "unavailable 0"),
            (.failed(timedOut: true, message: "slow"), "deadlineExceeded 0"),
            (.untrusted(message: "self-signed"), "unavailable 0"),
        ] {
            let bench = try Bench()
            bench.startTracking()
            bench.server = { _ in result }
            bench.run(to: 205) { _ in bench.drive() }
            XCTAssertEqual(
                bench.lines(),
                ["10.0", "20.0", "40.0", "80.0", "120.0", "160.0", "200.0"].flatMap {
                    ["\($0) PUT \(base)", "\($0) failed \(name) retries"]
                })
            bench.server = { _ in .answer(status: 200, body: Array("garbage".utf8), retryAfter: nil) }
            bench.run(to: 255) { _ in bench.drive() }
            XCTAssertEqual(bench.lines(), ["240.0 PUT \(base)", "250.0 PUT \(base)"], "a success starts the count afresh")
            XCTAssertNil(bench.succeeded.last?.serverETA)
        }
    }

    func testTheNewestDataGoesAfterAFailure() throws {
        let bench = try Bench()
        bench.startTracking()
        bench.server = unavailable
        bench.run(to: 10) { _ in bench.drive() }
        bench.server = { _ in .answer(status: 200, body: [], retryAfter: nil) }
        bench.run(to: 20) { _ in bench.drive() }
        XCTAssertEqual(bench.succeeded.last?.update.location?.fix.time, 1_700_000_020)
        XCTAssertEqual(bench.succeeded.last?.update.location?.timeSinceUpdate, 0)
    }

    func testTheSameFixGoesAgainWithItsAgeWhenThereIsNoNewer() throws {
        let bench = try Bench()
        bench.server = unavailable
        bench.send(.tracking(true))
        bench.drive()
        bench.server = { _ in .answer(status: 200, body: [], retryAfter: nil) }
        bench.run(to: 10)
        XCTAssertEqual(bench.lines().last, "10.0 PUT \(base)")
        XCTAssertEqual(bench.succeeded.last?.update.location?.timeSinceUpdate, 10)
    }

    func testRetryAfterIsHonouredByEverything() throws {
        let bench = try Bench()
        bench.startTracking()
        bench.server = { _ in .answer(status: 429, body: [], retryAfter: 33) }
        bench.run(to: 10) { _ in bench.drive() }
        bench.server = { _ in .answer(status: 200, body: [], retryAfter: nil) }
        bench.send(.vehicleState(.online))
        bench.run(to: 45) { _ in bench.drive() }
        XCTAssertEqual(
            bench.lines(),
            ["10.0 PUT \(base)", "10.0 failed resourceExhausted 429 retries", "10.0 intervalStretched 20 s", "43.0 PUT \(base)"])
        XCTAssertEqual(bench.failed.last?.retryAfter, 33)
    }

    func testRetryInfoServesWithoutTheHeader() throws {
        let bench = try Bench()
        bench.startTracking()
        let body =
            #"{"error":{"status":"RESOURCE_EXHAUSTED","message":"slow down","#
            + #""details":[{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"24.5s"}]}}"#
        bench.server = { _ in .answer(status: 429, body: Array(body.utf8), retryAfter: nil) }
        bench.run(to: 10) { _ in bench.drive() }
        bench.server = { _ in .answer(status: 200, body: [], retryAfter: nil) }
        bench.run(to: 36) { _ in bench.drive() }
        XCTAssertEqual(bench.lines().last, "35.0 PUT \(base)")
        XCTAssertEqual(bench.failed.first?.message, "slow down")
    }

    func testAChangeThatFailedGoesWithTheNextAttemptAndANewOneAtOnce() throws {
        let bench = try Bench()
        bench.startTracking()
        bench.server = unavailable
        bench.run(to: 3) { _ in bench.drive() }
        bench.send(.vehicleState(.online))
        bench.run(to: 5) { _ in bench.drive() }
        bench.send(.route(try Bench.road()))
        bench.server = { _ in .answer(status: 200, body: [], retryAfter: nil) }
        bench.run(to: 26) { _ in bench.drive() }
        XCTAssertEqual(
            bench.lines(),
            [
                "3.0 PUT \(base)", "3.0 failed unavailable 503 retries", "5.0 PUT \(base),navigationStatus",
                "5.0 failed unavailable 503 retries",
                "25.0 PUT \(base),navigationStatus",
            ])
        XCTAssertEqual(bench.member("vehicleState", of: bench.requests.last?.request) as? String, "ONLINE")
    }

    func testAnUnconfirmedSegmentAndClearingGoOutAgain() throws {
        let bench = try Bench()
        let route = try Bench.road()
        bench.startTracking()
        bench.server = unavailable
        bench.send(.route(route))
        bench.drive(.onRoute, along: 1, on: route)
        bench.run(to: 11)
        bench.server = { _ in .answer(status: 200, body: [], retryAfter: nil) }
        _ = bench.lines()
        bench.run(to: 21)
        XCTAssertEqual(bench.lines(), ["20.0 PUT \(base),\(remaining),navigationStatus,\(segment)"])
        bench.server = unavailable
        bench.send(.route(nil))
        bench.server = { _ in .answer(status: 200, body: [], retryAfter: nil) }
        _ = bench.lines()
        bench.run(to: 32)
        XCTAssertEqual(bench.lines(), ["31.0 PUT \(base),navigationStatus,currentRouteSegment"])
    }

    func testAStateIsNotRetriedWhileTrackingIsOff() throws {
        let bench = try Bench()
        bench.startTracking()
        bench.server = unavailable
        bench.send(.tracking(false))
        XCTAssertTrue(bench.reporter.isSettled)
        XCTAssertFalse(bench.reporter.isConfirmed)
        bench.run(to: 500) { _ in bench.drive() }
        XCTAssertEqual(bench.lines(), ["0.0 PUT vehicleState", "0.0 failed unavailable 503"])
        bench.send(.vehicleState(.offline))
        XCTAssertEqual(bench.lines(), ["500.0 PUT vehicleState", "500.0 failed unavailable 503"], "set again, it is told again")
        bench.server = { _ in .answer(status: 200, body: [], retryAfter: nil) }
        bench.send(.vehicleState(.offline))
        XCTAssertTrue(bench.reporter.isConfirmed)
    }

    func testAFailureOfTheUpdateBeforeDoesNotTakeOfflineWithIt() throws {
        let bench = try Bench()
        bench.startTracking()
        bench.server = nil
        bench.send(.vehicleState(.online))
        bench.send(.tracking(false))
        XCTAssertFalse(bench.reporter.isSettled)
        bench.answer(status: 503)
        bench.answer(status: 200)
        XCTAssertEqual(bench.lines(), ["0.0 PUT \(base)", "0.0 failed unavailable 503", "0.0 PUT vehicleState"])
        XCTAssertTrue(bench.reporter.isSettled)
    }

    func testAForbiddenVehicleIsTriedOnceAMinute() throws {
        let bench = try Bench()
        bench.startTracking()
        bench.server = { _ in .answer(status: 403, body: [], retryAfter: nil) }
        bench.run(to: 75) { _ in bench.drive() }
        let failed = "failed permissionDenied 403 retries"
        XCTAssertEqual(bench.lines(), ["10.0 PUT \(base)", "10.0 \(failed)", "70.0 token", "70.0 PUT \(base)", "70.0 \(failed)"])
    }

    func testAMissingVehicleIsToldOnceTriedOnceAMinuteAndGoneOnWithOnceItIsThere() throws {
        let bench = try Bench()
        bench.startTracking()
        bench.server = { _ in .answer(status: 404, body: [], retryAfter: nil) }
        bench.run(to: 75) { _ in bench.drive() }
        let failed = "failed notFound 404 retries"
        XCTAssertEqual(
            bench.lines(),
            ["10.0 PUT \(base)", "10.0 \(failed)", "10.0 vehicleNotFound 60 s", "70.0 PUT \(base)", "70.0 \(failed)"])
        XCTAssertTrue(bench.occurrences[0].message.contains("no vehicle \"v\" of provider \"p\": create it through your backend"))
        bench.server = { _ in .answer(status: 200, body: [], retryAfter: nil) }
        bench.run(to: 145) { _ in bench.drive() }
        XCTAssertEqual(bench.lines(), ["130.0 PUT \(base)", "130.0 vehicleFound", "140.0 PUT \(base)"])
    }

    func testAnotherVehicleIsNotMissingBecauseTheFormerWas() throws {
        let bench = try Bench()
        bench.server = { .answer(status: $0.target.contains("/v?") ? 404 : 200, body: [], retryAfter: nil) }
        bench.startTracking()
        bench.send(.vehicle(id: "w"))
        XCTAssertEqual(bench.occurrences.map(\.kind), [.vehicleNotFound])
        XCTAssertEqual(bench.succeeded.count, 1)
    }

    func testEachFailureSaysWhatItMeans() throws {
        let rows: [(TransportResult, FailureMeaning)] = [
            (.answer(status: 503, body: [], retryAfter: nil), .transient), (.answer(status: 429, body: [], retryAfter: nil), .transient),
            (.answer(status: 409, body: [], retryAfter: nil), .transient), (.answer(status: 599, body: [], retryAfter: nil), .transient),
            (.answer(status: 401, body: [], retryAfter: nil), .needsToken),
            (.answer(status: 403, body: [], retryAfter: nil), .configuration),
            (.answer(status: 400, body: [], retryAfter: nil), .configuration),
            (.answer(status: 302, body: [], retryAfter: nil), .configuration),
            (.answer(status: 501, body: [], retryAfter: nil), .configuration), (.answer(status: 404, body: [], retryAfter: nil), .gone),
            (.failed(timedOut: true, message: ""), .transient), (.failed(timedOut: false, message: ""), .transient),
            (.untrusted(message: ""), .configuration),
        ]
        for (result, meaning) in rows {
            let bench = try Bench()
            bench.server = { _ in result }
            bench.startTracking()
            XCTAssertEqual(bench.failed.first?.meaning, meaning, "\(result)")
        }
        let bench = try Bench()
        bench.provider = { _ in .failure(TokenFailure("down")) }
        bench.startTracking()
        XCTAssertEqual(bench.failed.first?.meaning, .needsToken)
    }

    func testGooglesDetailsReachTheHost() throws {
        let bench = try Bench()
        let body =
            #"{"error":{"status":"INVALID_ARGUMENT","message":"m","details":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","#
            + #""reason":"BAD","domain":"d"}]}}"#
        bench.server = { _ in .answer(status: 400, body: Array(body.utf8), retryAfter: nil) }
        bench.startTracking()
        XCTAssertEqual(bench.failed.first?.reason, "BAD")
        XCTAssertEqual(bench.failed.first?.details, "BAD (d)")
        XCTAssertNil(bench.failed.first?.retryAfter)
    }

    func testARefusedSegmentIsLeftOutUntilTheLegChanges() throws {
        let bench = try Bench()
        let route = try Bench.road()
        bench.startTracking()
        bench.server = { .answer(status: $0.body.contains("currentRouteSegment") ? 400 : 200, body: [], retryAfter: nil) }
        bench.send(.route(route))
        bench.drive(.onRoute, along: 1, on: route)
        bench.run(to: 75) { bench.drive(.onRoute, along: $0, on: route) }
        var lines = bench.lines()
        XCTAssertEqual(
            Array(lines.prefix(4)),
            [
                "0.0 PUT \(base),navigationStatus", "0.0 PUT \(base),\(remaining),\(segment)", "0.0 failed invalidArgument 400 retries",
                "0.0 PUT \(base),\(remaining)",
            ])
        XCTAssertEqual(lines.dropFirst(4).map { $0 }, stride(from: 10, to: 75, by: 10).map { "\($0).0 PUT \(base),\(remaining)" })
        bench.drive(.onRoute, leg: 1, along: 1001, on: route)
        XCTAssertEqual(
            bench.lines(),
            ["75.0 PUT \(base),\(remaining),\(segment)", "75.0 failed invalidArgument 400 retries", "75.0 PUT \(base),\(remaining)"])
        bench.send(.route(nil))
        lines = bench.lines()
        XCTAssertEqual(
            lines,
            [
                "75.0 PUT \(base),navigationStatus,currentRouteSegment", "75.0 failed invalidArgument 400 retries",
                "75.0 PUT \(base),navigationStatus",
            ])
    }

    func testABadRequestWithoutASegmentBacksOff() throws {
        let bench = try Bench()
        bench.startTracking()
        bench.server = { _ in .answer(status: 400, body: [], retryAfter: nil) }
        bench.run(to: 25) { _ in bench.drive() }
        XCTAssertEqual(
            bench.lines(),
            [
                "10.0 PUT \(base)", "10.0 failed invalidArgument 400 retries", "20.0 PUT \(base)",
                "20.0 failed invalidArgument 400 retries",
            ])
    }

    func testTheServersArrivalTimeIsReadForOnDemandVehicles() throws {
        let body = Array(#"{"etaToFirstWaypoint":"2025-02-05T17:02:32.543Z"}"#.utf8)
        for (service, eta) in [(Service.onDemand, Int64(1_738_774_952_543)), (.delivery, nil)] {
            let bench = try Bench(service)
            bench.server = { _ in .answer(status: 200, body: body, retryAfter: nil) }
            bench.startTracking()
            XCTAssertEqual(bench.succeeded.last?.serverETA, eta)
        }
    }

    func testAnswersNobodyWaitsForChangeNothing() throws {
        let bench = try Bench()
        bench.startTracking()
        for id in [UInt64(0), 1, 2, .max] {
            bench.send(.response(id: id, .answer(status: 401, body: [], retryAfter: nil)))
            bench.send(.token(id: id, .failure(TokenFailure("late"))))
        }
        XCTAssertEqual(bench.lines(), [])
        XCTAssertEqual(bench.failed.count, 0)
    }
}
