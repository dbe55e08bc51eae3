import FleetEngine
import Navigation
import XCTest

@testable import Reporting

final class RejectedPositionTests: XCTestCase {
    /// A server that shows the vehicle so many metres north of the start of the road.
    private func shows(_ metres: Double) -> (OutgoingRequest) -> TransportResult? {
        let body = #"{"lastLocation":{"location":{"latitude":\#(48 + metres / 111_195),"longitude":11}}}"#
        return { _ in .answer(status: 200, body: Array(body.utf8), retryAfter: nil) }
    }

    func testAPositionThatTheServerShowsElsewhereIsToldOnceUntilOneIsTaken() throws {
        let bench = try Bench()
        bench.server = shows(0)
        bench.startTracking()
        bench.run(to: 20) { bench.drive(to: $0 * 20) }
        XCTAssertEqual(bench.lines(), ["10.0 PUT \(base)", "10.0 positionRejected", "20.0 PUT \(base)"])
        XCTAssertEqual(bench.occurrences[0].distance ?? 0, 200, accuracy: 1)
        XCTAssertTrue(bench.occurrences[0].message.contains("200 m from where it was reported"), bench.occurrences[0].message)
        XCTAssertEqual(bench.reporter.rejectedPositions, 2)
        XCTAssertEqual(bench.succeeded.count, 3, "the updates themselves were taken")
        bench.server = shows(600)
        bench.run(to: 30) { bench.drive(to: $0 * 20) }
        bench.server = shows(0)
        bench.run(to: 40) { bench.drive(to: $0 * 20) }
        XCTAssertEqual(bench.occurrences.count, 2)
    }

    func testSnappingErrorsAndSilenceAreNoRejections() throws {
        let bench = try Bench()
        bench.server = shows(90)
        bench.startTracking()
        bench.server = { _ in .answer(status: 200, body: Array(#"{"lastLocation":{}}"#.utf8), retryAfter: nil) }
        bench.run(to: 10) { _ in bench.drive(to: 5000) }
        bench.server = shows(250)
        bench.run(to: 20) { _ in
            var fix = bench.fix()
            fix.accuracy = 100
            bench.send(.position(fix, nil))
        }
        XCTAssertEqual(bench.occurrences.count, 0)
    }

    func testAPositionSnappedOntoTheRouteIsOneOfOurs() throws {
        let bench = try Bench()
        let route = try Bench.road()
        bench.server = shows(1000)
        bench.send(.route(route))
        bench.send(.tracking(true))
        var fix = bench.fix(at: 700)
        fix.accuracy = 5
        bench.send(.position(fix, bench.progress(.onRoute, leg: 0, along: 1000, on: route)))
        XCTAssertEqual(bench.occurrences.count, 0)
        XCTAssertNotNil(bench.succeeded.last?.update.location?.snapped)
    }

    func testAnUpdateWithoutAPositionIsNotCompared() throws {
        let bench = try Bench()
        bench.startTracking()
        bench.server = shows(5000)
        bench.send(.tracking(false))
        XCTAssertEqual(bench.occurrences.count, 0)
    }
}
