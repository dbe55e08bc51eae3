import FleetEngine
import Foundation
import Navigation
import XCTest

@testable import Reporting

final class TokenTests: XCTestCase {
    private func jwt(life: Int) -> String {
        let claims = Data(#"{"iat":1700000000,"exp":\#(1_700_000_000 + life)}"#.utf8).base64EncodedString()
        return "e30.\(claims.replacingOccurrences(of: "=", with: "")).x"
    }

    private func bench(_ token: String, goodFor: Int64?) throws -> Bench {
        let bench = try Bench()
        bench.provider = { _ in .success(FetchedToken(token: token, goodFor: goodFor)) }
        return bench
    }

    private func questionTimes(_ bench: Bench, until end: Double) -> [String] {
        bench.send(.tracking(true))
        bench.drive()
        bench.run(to: end) { _ in bench.drive() }
        return bench.lines().filter { $0.hasSuffix("token") }.map { String($0.dropLast(6)) }
    }

    func testATokenServesUntilShortlyBeforeItExpires() throws {
        XCTAssertEqual(try questionTimes(bench("opaque", goodFor: nil), until: 9000), ["0.0"])
        XCTAssertEqual(try questionTimes(bench("opaque", goodFor: 3600), until: 7000), ["0.0", "3305.0", "6605.0"])
        XCTAssertEqual(try questionTimes(bench("opaque", goodFor: 100), until: 170), ["0.0", "75.0", "155.0"])
        XCTAssertEqual(try questionTimes(bench(jwt(life: 3600), goodFor: nil), until: 3600), ["0.0", "3305.0"])
        XCTAssertEqual(try questionTimes(bench(jwt(life: 3600), goodFor: 100), until: 90), ["0.0", "75.0"])
        XCTAssertEqual(try questionTimes(bench(jwt(life: 100), goodFor: 3600), until: 90), ["0.0", "75.0"])
        XCTAssertEqual(try questionTimes(bench("opaque", goodFor: 0), until: 9000), ["0.0"], "0 is unknown")
        XCTAssertEqual(try questionTimes(bench("opaque", goodFor: .max), until: 9000), ["0.0"])
    }

    func testAVeryShortLifeAsksOnceAnUpdate() throws {
        XCTAssertEqual(try questionTimes(bench("opaque", goodFor: 1), until: 25), ["0.0", "9.8", "19.8"])
    }

    func testARenewalDoesNotDelayUpdatesAndItsFailureIsSilentWhileTheOldTokenServes() throws {
        let bench = try bench("old", goodFor: 100)
        bench.startTracking()
        bench.provider = { _ in .failure(TokenFailure("down")) }
        bench.run(to: 99) { _ in bench.drive() }
        XCTAssertEqual(
            bench.lines().suffix(6),
            ["70.0 PUT \(base)", "75.0 token", "80.0 PUT \(base)", "85.0 token", "90.0 PUT \(base)", "95.0 token"])
        XCTAssertEqual(bench.failed.count, 0)
        bench.run(to: 121) { _ in bench.drive() }
        XCTAssertEqual(
            bench.lines(),
            ["100.0 token", "100.0 failed unauthenticated 0 retries", "110.0 token", "110.0 failed unauthenticated 0 retries"])
        XCTAssertEqual(bench.failed.last?.message, "down")
        XCTAssertEqual(bench.failed.last?.mask, "")
    }

    func testWithoutATokenAnUpdateWaitsForItAndGoesWithTheNewestFix() throws {
        let bench = try Bench()
        bench.provider = nil
        bench.send(.tracking(true))
        bench.run(to: 8) { _ in bench.drive() }
        XCTAssertFalse(bench.reporter.isSettled)
        bench.give("late")
        XCTAssertEqual(bench.lines(), ["1.0 token", "8.0 PUT \(base)"])
        XCTAssertEqual(bench.succeeded.last?.update.location?.fix.time, 1_700_000_008)
    }

    func testAnUnansweredQuestionFailsAfterHalfAMinuteAndItsLateAnswerIsIgnored() throws {
        let bench = try Bench()
        bench.provider = nil
        bench.startTracking()
        bench.run(to: 29) { _ in bench.drive() }
        XCTAssertEqual(bench.lines(), [])
        bench.run(to: 41) { _ in bench.drive() }
        XCTAssertEqual(bench.lines(), ["30.0 failed unauthenticated 0 retries", "40.0 token"])
        bench.send(.token(id: 1, .success(FetchedToken(token: "late", goodFor: nil))))
        XCTAssertEqual(bench.lines(), [])
        bench.give("in-time")
        bench.give("twice")
        XCTAssertEqual(bench.lines(), ["41.0 PUT \(base)"])
        XCTAssertEqual(bench.requests.last?.request.bearer, "in-time")
    }

    func testABadTokenIsAFailureInWordsAndNeverSent() throws {
        for (token, word) in [("", "empty"), ("a\r\nHost: x", "visible ASCII"), (String(repeating: "x", count: 1 << 20), "16 KiB")] {
            let bench = try bench(token, goodFor: nil)
            bench.startTracking()
            bench.run(to: 5)
            XCTAssertEqual(bench.requests.count, 0)
            XCTAssertEqual(bench.failed.map(\.code), [.unauthenticated])
            XCTAssertTrue(bench.failed[0].message.contains(word), bench.failed[0].message)
        }
    }

    func testA401GetsOneFreshTokenAndOneRetryThenBacksOff() throws {
        let bench = try Bench()
        bench.startTracking()
        bench.server = { _ in .answer(status: 401, body: [], retryAfter: nil) }
        bench.run(to: 45) { _ in bench.drive() }
        let failed = "failed unauthenticated 401 retries"
        XCTAssertEqual(
            bench.lines(),
            [
                "10.0 PUT \(base)", "10.0 \(failed)", "10.0 token", "10.0 PUT \(base)", "10.0 \(failed)", "20.0 token", "20.0 PUT \(base)",
                "20.0 \(failed)", "40.0 token", "40.0 PUT \(base)", "40.0 \(failed)",
            ])
    }

    func testAfterA401ChangesWaitForTheOneQuestionThatIsOpen() throws {
        let bench = try Bench()
        let route = try Bench.road()
        bench.startTracking()
        bench.provider = nil
        bench.server = { _ in .answer(status: 401, body: [], retryAfter: nil) }
        bench.send(.vehicleState(.online))
        bench.send(.route(route))
        bench.send(.vehicleState(.offline))
        bench.run(to: 25) { _ in bench.drive() }
        XCTAssertEqual(bench.lines(), ["0.0 PUT \(base)", "0.0 failed unauthenticated 401 retries", "0.0 token"])
        bench.give("fresh")
        XCTAssertEqual(bench.lines(), ["25.0 PUT \(base),navigationStatus", "25.0 failed unauthenticated 401 retries"])
    }

    func testADayOfRefusedTokensIsARequestAndAQuestionForEachWaitOfTheBackOff() throws {
        let bench = try Bench(seed: 3)
        bench.server = { _ in .answer(status: 401, body: [], retryAfter: nil) }
        bench.startTracking()
        bench.run(to: 86_400) { _ in bench.drive() }
        XCTAssertLessThan(bench.requests.count, 86_400 / 40 + 5)
        XCTAssertGreaterThan(bench.requests.count, 86_400 / 60)
        XCTAssertEqual(bench.questions.count, bench.requests.count)
    }

    func testA401IsMendedByAFreshTokenAlsoForTheLastOffline() throws {
        let bench = try Bench()
        bench.startTracking()
        bench.server = { .answer(status: $0.bearer == "token-1" ? 401 : 200, body: [], retryAfter: nil) }
        bench.send(.tracking(false))
        XCTAssertEqual(
            bench.lines(), ["0.0 PUT vehicleState", "0.0 failed unauthenticated 401 retries", "0.0 token", "0.0 PUT vehicleState"])
        XCTAssertTrue(bench.reporter.isSettled)
    }

    func testWithTrackingOffAFailedTokenEndsTheOneOff() throws {
        let bench = try Bench()
        bench.provider = { _ in .failure(TokenFailure("down")) }
        bench.send(.vehicleState(.offline))
        bench.run(to: 300)
        XCTAssertEqual(bench.lines(), ["0.0 token", "0.0 failed unauthenticated 0"])
        XCTAssertTrue(bench.reporter.isSettled)
    }

    func testAQuestionForTheOldVehicleIsForgotten() throws {
        let bench = try Bench()
        bench.provider = nil
        bench.startTracking()
        bench.send(.vehicle(id: "w"))
        XCTAssertEqual(bench.lines(), ["0.0 token"])
        bench.send(.token(id: 1, .success(FetchedToken(token: "for-v", goodFor: nil))))
        XCTAssertEqual(bench.lines(), [])
        bench.give("for-w")
        XCTAssertEqual(bench.requests.map(\.request.bearer), ["for-w"])
        XCTAssertEqual(bench.questions.map(\.context.vehicle), ["v", "w"])
    }

    func testAnotherTaskAsksForAnotherTokenAndTheSameOneDoesNot() throws {
        let bench = try Bench()
        bench.startTracking()
        bench.send(.task(id: "task"))
        bench.run(to: 11) { _ in bench.drive() }
        XCTAssertEqual(bench.questions.map(\.context.task), ["task"], "it is the same")
        bench.send(.task(id: "other"))
        bench.run(to: 21) { _ in bench.drive() }
        bench.send(.task(id: nil))
        bench.run(to: 31) { _ in bench.drive() }
        XCTAssertEqual(bench.questions.map(\.context.task), ["task", "other", nil])
        XCTAssertEqual(bench.requests.map(\.request.bearer), ["token-1", "token-1", "token-2", "token-3"])
    }

    func testAQuestionForAFormerTaskIsForgotten() throws {
        let bench = try Bench()
        bench.provider = nil
        bench.startTracking()
        bench.send(.task(id: "other"))
        bench.send(.token(id: 1, .success(FetchedToken(token: "for-task", goodFor: nil))))
        XCTAssertEqual(bench.requests.count, 0)
        bench.give("for-other")
        XCTAssertEqual(bench.requests.map(\.request.bearer), ["for-other"])
    }

    func testSettingsRefuseIdentifiersThatFleetEngineWould() {
        XCTAssertThrowsError(try ReporterSettings(provider: "p", vehicle: "v", service: .onDemand, task: "a/b"))
        XCTAssertThrowsError(try ReporterSettings(provider: "p", vehicle: "v", service: .onDemand, trip: ""))
        XCTAssertThrowsError(try ReporterSettings(provider: "p:", vehicle: "v", service: .onDemand))
    }

    func testWhatIsOnlyNotedBeginsNothingThroughADayAndThenTheNewestGoesOutOnce() throws {
        let bench = try Bench()
        for second in stride(from: 0, to: 86_400, by: 10) {
            let at = Instant(second) * 1_000_000_000
            if second == 0 { XCTAssertTrue(bench.reporter.note(.tracking(true), at: at).isEmpty) }
            var fix = Fix(coordinate: Coordinate(latitude: 48 + Double(second) * 1e-6, longitude: 11))
            fix.time = 1_790_000_000 + Double(second)
            XCTAssertTrue(bench.reporter.note(.position(fix, nil), at: at).isEmpty)
        }
        bench.run(to: 86_400)
        bench.send(.timer)
        XCTAssertEqual(bench.questions.count, 1)
        XCTAssertEqual(bench.requests.count, 1)
        XCTAssertTrue(bench.requests.allSatisfy { $0.request.body.contains("48.08639") })
    }
}
