import FleetEngine
import Navigation
import XCTest

@testable import Reporting

/// A delivery vehicle's stops: alone in their own requests, in order, until the server has the newest.
final class StopTests: XCTestCase {
    private let field = "remainingVehicleJourneySegments"

    private func list(_ states: [VehicleStop.State]) throws -> StopList {
        try StopList(
            states.enumerated().map { index, state in
                VehicleStop(coordinate: Coordinate(latitude: 48 + Double(index) / 100, longitude: 11), state: state, tasks: ["t\(index)"])
            })
    }

    private func states(_ bench: Bench) -> [[VehicleStop.State]] { bench.succeeded.compactMap { $0.update.stops?.map { $0.state } } }

    private func bench() throws -> Bench {
        let bench = try Bench(.delivery)
        bench.startTracking()
        return bench
    }

    func testStopsGoAtOnceAloneAndThePositionsKeepTheirSlots() throws {
        let bench = try bench()
        bench.run(to: 3) { _ in bench.drive() }
        bench.send(.stops(try list([.new, .new])))
        bench.run(to: 4) { _ in bench.drive() }
        bench.send(.stops(try list([.enroute, .new])))
        bench.run(to: 21) { _ in bench.drive() }
        XCTAssertEqual(
            bench.lines(), ["3.0 PATCH \(field)", "4.0 PATCH \(field)", "10.0 PATCH lastLocation", "20.0 PATCH lastLocation"])
        XCTAssertEqual(states(bench), [[.new, .new], [.enroute, .new]])
        XCTAssertEqual(bench.succeeded[1].mask, field)
        XCTAssertNil(bench.succeeded[1].update.location)
        XCTAssertTrue(bench.reporter.isConfirmed)
    }

    func testWithoutTrackingAndWithoutAFixTheyGoTooAndAreWaitedFor() throws {
        let bench = try Bench(.delivery)
        bench.server = nil
        bench.send(.stops(try list([.new])))
        XCTAssertEqual(bench.lines(), ["0.0 token", "0.0 PATCH \(field)"])
        XCTAssertFalse(bench.reporter.isSettled)
        bench.answer(status: 200)
        XCTAssertTrue(bench.reporter.isConfirmed)
        bench.run(to: 200)
        XCTAssertEqual(bench.lines(), [])
    }

    func testBetweenPositionsOneRequestIsUnderWayAndTheNewestListGoes() throws {
        let bench = try bench()
        bench.server = nil
        bench.run(to: 10) { _ in bench.drive() }
        bench.send(.stops(try list([.new])))
        bench.send(.stops(try list([.enroute])))
        XCTAssertEqual(bench.lines(), ["10.0 PATCH lastLocation"])
        bench.answer(status: 200)
        XCTAssertEqual(bench.lines(), ["10.0 PATCH \(field)"])
        bench.send(.stops(try list([.arrived])))
        bench.run(to: 21) { _ in bench.drive() }
        bench.send(.route(try Bench.road()))
        XCTAssertEqual(bench.lines(), [])
        bench.answer(status: 200)
        XCTAssertEqual(bench.lines(), ["21.0 PATCH \(field)"], "the answer to the former list is none to this one")
        XCTAssertFalse(bench.reporter.isSettled)
        bench.answer(status: 200)
        XCTAssertEqual(bench.lines(), ["21.0 PATCH lastLocation,navigationStatus"])
        bench.answer(status: 200)
        XCTAssertEqual(states(bench), [[.enroute], [.arrived]])
        XCTAssertTrue(bench.reporter.isSettled)
    }

    func testAFailedListIsTriedAgainUntilConfirmedEvenWithTrackingOff() throws {
        for result in [
            TransportResult.answer(status: 503, body: [], retryAfter: nil), .answer(status: 409, body: [], retryAfter: nil),
            .failed(timedOut: true, message: "slow"),
            .answer(status: 400, body: Array(#"{"error":{"status":"FAILED_PRECONDITION"}}"#.utf8), retryAfter: nil),
        ] {
            let bench = try Bench(.delivery)
            bench.server = { _ in result }
            bench.send(.stops(try list([.new])))
            bench.run(to: 75)
            let lines = bench.lines().filter { $0.contains("PATCH") }
            XCTAssertEqual(lines, ["0.0", "10.0", "30.0", "70.0"].map { "\($0) PATCH \(field)" })
            XCTAssertTrue(bench.failed.allSatisfy { $0.willRetry && $0.mask == field })
            XCTAssertFalse(bench.reporter.isSettled)
            bench.send(.stops(try list([.enroute])))
            XCTAssertEqual(bench.lines().first, "75.0 PATCH \(field)", "what is new does not wait")
            bench.server = { _ in .answer(status: 200, body: [], retryAfter: nil) }
            bench.run(to: 90)
            XCTAssertEqual(bench.lines(), ["85.0 PATCH \(field)"])
            XCTAssertEqual(states(bench), [[.enroute]])
            XCTAssertTrue(bench.reporter.isConfirmed)
        }
    }

    func testATokenForPositionsAloneHoldsUpOnlyTheStops() throws {
        let bench = try bench()
        let field = field
        bench.server = { .answer(status: $0.target.contains(field) ? 403 : 200, body: [], retryAfter: nil) }
        bench.send(.stops(try list([.new])))
        bench.run(to: 65) { _ in bench.drive() }
        let patches = bench.lines().filter { $0.contains("PATCH") }
        XCTAssertEqual(
            patches,
            ["0.0 PATCH \(field)"] + (1...5).map { "\($0)0.0 PATCH lastLocation" } + ["60.0 PATCH \(field)", "60.0 PATCH lastLocation"])
    }

    func testAFailingPositionDoesNotHoldUpTheStops() throws {
        let bench = try bench()
        let field = field
        bench.server = { .answer(status: $0.target.contains(field) ? 200 : 503, body: [], retryAfter: nil) }
        bench.run(to: 31) { _ in bench.drive() }
        _ = bench.lines()
        bench.send(.stops(try list([.new])))
        XCTAssertEqual(bench.lines(), ["31.0 PATCH \(field)"])
        bench.run(to: 41) { _ in bench.drive() }
        XCTAssertEqual(bench.lines(), ["40.0 PATCH lastLocation", "40.0 failed unavailable 503 retries"])
    }

    func testAListTheServerCallsInvalidIsNotSentAgainUntilItChanges() throws {
        let bench = try bench()
        bench.server = { _ in .answer(status: 400, body: [], retryAfter: nil) }
        bench.send(.stops(try list([.new])))
        XCTAssertEqual(bench.lines(), ["0.0 PATCH \(field)", "0.0 failed invalidArgument 400"])
        bench.server = { _ in .answer(status: 200, body: [], retryAfter: nil) }
        bench.run(to: 5)
        XCTAssertEqual(bench.lines(), [])
        XCTAssertTrue(bench.reporter.isSettled)
        XCTAssertFalse(bench.reporter.isConfirmed)
        bench.send(.stops(try list([.enroute])))
        XCTAssertEqual(bench.lines(), ["5.0 PATCH \(field)"])
        XCTAssertTrue(bench.reporter.isConfirmed)
    }

    func testAnInvalidListUnderWayDoesNotTakeTheNextWithIt() throws {
        let bench = try bench()
        bench.server = nil
        bench.send(.stops(try list([.new])))
        bench.send(.stops(try list([.enroute])))
        bench.answer(status: 400)
        XCTAssertEqual(bench.failed.last?.willRetry, true)
        bench.answer(status: 200)
        XCTAssertEqual(states(bench), [[.enroute]])
    }

    func testRetryAfterHoldsBothAndA401TakesOneFreshToken() throws {
        let bench = try bench()
        bench.server = { _ in .answer(status: 429, body: [], retryAfter: 33) }
        bench.send(.stops(try list([.new])))
        bench.server = { _ in .answer(status: 200, body: [], retryAfter: nil) }
        bench.send(.stops(try list([.enroute])))
        bench.run(to: 34) { _ in bench.drive() }
        XCTAssertEqual(
            bench.lines().filter { $0.contains("PATCH") }, ["0.0 PATCH \(field)", "33.0 PATCH \(field)", "33.0 PATCH lastLocation"])
        bench.server = { _ in .answer(status: 401, body: [], retryAfter: nil) }
        bench.send(.stops(try list([.arrived])))
        XCTAssertEqual(
            bench.lines(),
            ["34.0 PATCH \(field)", "34.0 failed unauthenticated 401 retries", "34.0 token"]
                + ["34.0 PATCH \(field)", "34.0 failed unauthenticated 401 retries"])
    }

    func testWithoutATokenTheyWaitAndAskNoMoreThanTheBackOffAllows() throws {
        let bench = try Bench(.delivery)
        bench.provider = { _ in .failure(TokenFailure("none")) }
        bench.send(.stops(try list([.new])))
        bench.run(to: 29)
        XCTAssertEqual(bench.failed.map { $0.willRetry }, [true, true])
        XCTAssertEqual(
            bench.lines(),
            ["0.0 token", "0.0 failed unauthenticated 0 retries", "10.0 token", "10.0 failed unauthenticated 0 retries"])
    }

    func testAnotherVehicleHasNoStops() throws {
        let bench = try bench()
        bench.server = nil
        bench.send(.stops(try list([.new])))
        bench.send(.vehicle(id: "w"))
        XCTAssertEqual(bench.reporter.stops, StopList())
        bench.answer(status: 503)
        bench.run(to: 30)
        XCTAssertEqual(bench.lines().filter { $0.contains(field) }, ["0.0 PATCH \(field)"])
    }

    func testAnOnDemandVehicleHasNone() throws {
        let bench = try Bench()
        bench.send(.stops(try list([.new])))
        XCTAssertEqual(bench.lines(), [])
        XCTAssertEqual(bench.reporter.stops, StopList())
    }
}
