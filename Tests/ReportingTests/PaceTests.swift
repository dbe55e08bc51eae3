import FleetEngine
import Navigation
import XCTest

@testable import Reporting

/// How often updates go out: stretched by the server's 429, fitted to what the vehicle does, spread at random after failures.
final class PaceTests: XCTestCase {
    private let taken = { (_: OutgoingRequest) -> TransportResult? in .answer(status: 200, body: [], retryAfter: nil) }
    private let tooMany = { (_: OutgoingRequest) -> TransportResult? in .answer(status: 429, body: [], retryAfter: nil) }

    private func sendTimes(_ bench: Bench) -> [Double] { bench.requests.map(\.at) }

    func testTooManyUpdatesStretchTheIntervalToAMinuteAtMost() throws {
        let bench = try Bench()
        bench.startTracking()
        bench.server = tooMany
        bench.run(to: 260) { _ in bench.drive() }
        let failed = "failed resourceExhausted 429 retries"
        XCTAssertEqual(
            bench.lines(),
            [
                "10.0 PUT \(base)", "10.0 \(failed)", "10.0 intervalStretched 20 s", "30.0 PUT \(base)", "30.0 \(failed)",
                "30.0 intervalStretched 40 s", "70.0 PUT \(base)", "70.0 \(failed)", "70.0 intervalStretched 60 s", "130.0 PUT \(base)",
                "130.0 \(failed)", "190.0 PUT \(base)", "190.0 \(failed)", "250.0 PUT \(base)", "250.0 \(failed)",
            ])
        XCTAssertEqual(bench.reporter.interval, 10, "the host's stays")
        XCTAssertEqual(bench.reporter.currentInterval, 60)
    }

    func testTheIntervalIsRestoredStepByStepAndThatIsTold() throws {
        let bench = try Bench()
        bench.startTracking()
        bench.server = tooMany
        bench.run(to: 30) { _ in bench.drive() }
        bench.server = taken
        _ = bench.lines()
        bench.run(to: 385) { _ in bench.drive() }
        let forty = stride(from: 70, through: 230, by: 40).map { "\($0).0 PUT \(base)" }
        let twenty = stride(from: 250, through: 330, by: 20).map { "\($0).0 PUT \(base)" }
        let ten = stride(from: 340, through: 380, by: 10).map { "\($0).0 PUT \(base)" }
        XCTAssertEqual(bench.lines(), forty + twenty + ["330.0 intervalRestored 10 s"] + ten)
    }

    func testAFailureOfAnotherKindDoesNotRestoreAndAnotherRefusalStartsTheCountAfresh() throws {
        var pace = Pace(asked: 10, isAdaptive: false)
        XCTAssertTrue(pace.tooMany())
        for _ in 0..<4 { XCTAssertFalse(pace.succeeded()) }
        XCTAssertTrue(pace.tooMany())
        XCTAssertEqual(pace.interval, 40)
        for _ in 0..<9 { XCTAssertFalse(pace.succeeded()) }
        XCTAssertEqual(pace.interval, 20)
        XCTAssertTrue(pace.succeeded())
        XCTAssertEqual(pace.interval, 10)
        XCTAssertFalse(pace.succeeded())
    }

    func testAnIntervalOfAMinuteIsNotStretched() throws {
        var pace = Pace(asked: 99, isAdaptive: false)
        XCTAssertFalse(pace.tooMany())
        XCTAssertEqual(pace.interval, 60)
        pace.ask(1)
        XCTAssertEqual(pace.interval, 5)
    }

    func testAParkedVehicleIsReportedOnceAMinuteAndAtOnceWhenItDrivesOff() throws {
        let bench = try Bench(isAdaptive: true)
        bench.startTracking()
        bench.run(to: 299) { bench.drive(to: $0.truncatingRemainder(dividingBy: 2) * 20) }
        XCTAssertEqual(sendTimes(bench), Array(stride(from: 0, through: 110, by: 10)) + [170, 230, 290])
        bench.run(to: 315) { bench.drive(to: ($0 - 299) * 10) }
        XCTAssertEqual(sendTimes(bench).suffix(2), [303, 313])
    }

    func testAStoppedVehicleIsReportedAsEverWithoutTheOption() throws {
        let bench = try Bench()
        bench.startTracking()
        bench.run(to: 200) { _ in bench.drive() }
        XCTAssertEqual(sendTimes(bench), Array(stride(from: 0, through: 200, by: 10)))
    }

    func testNearAStopUpdatesGoOutEveryFiveSeconds() throws {
        let bench = try Bench(isAdaptive: true)
        let route = try Bench.road()
        bench.send(.route(route))
        bench.send(.tracking(true))
        bench.run(to: 70) { bench.drive(.onRoute, along: $0 * 10, on: route) }
        XCTAssertEqual(sendTimes(bench), [0, 1, 11, 21, 31, 41, 50, 55, 60, 65, 70])
    }

    func testWaitsAfterFailuresAreLongerAtRandomAndNeverByMoreThanHalf() throws {
        var waits: [[Double]] = []
        for seed in UInt64(1)...20 {
            let bench = try Bench(seed: seed)
            bench.startTracking()
            bench.server = { _ in .answer(status: 503, body: [], retryAfter: nil) }
            bench.run(to: 250) { _ in bench.drive() }
            let times = sendTimes(bench).dropFirst()
            waits.append(zip(times, times.dropFirst()).map { $1 - $0 })
        }
        for row in waits {
            for (wait, base) in zip(row, [10.0, 20, 40, 40, 40]) {
                XCTAssertGreaterThanOrEqual(wait, base)
                XCTAssertLessThanOrEqual(wait, base * 1.5)
            }
        }
        XCTAssertGreaterThan(Set(waits.map(\.first)).count, 18, "twenty vehicles do not come back together")
        XCTAssertGreaterThan(waits.compactMap { $0.dropFirst(2).first }.max() ?? 0, 50)
        XCTAssertLessThan(waits.compactMap { $0.dropFirst(2).first }.min() ?? 0, 50)
    }

    func testWhatTheServerAsksForIsSpreadTooButNeverShortenedNorEndless() throws {
        for (asked, least, most) in [(33, 33.0, 49.5), (600, 600, 630), (Int.max, 3600, 3630), (-5, 0, 0)] {
            var backOff = BackOff(Jitter(seed: 7))
            backOff.asked(0, seconds: asked)
            let hold = Double(backOff.hold) / 1e9
            XCTAssertTrue(hold >= least && hold <= most, "\(asked): \(hold)")
            if asked > 0 { XCTAssertNotEqual(hold, least) }
        }
    }
}
