import FleetEngine
import Foundation
import XCTest

@testable import Navigation
@testable import Reporting

/// A day of driving, one fix a second, with random faults and host calls; every hour the faults stop and all must have been told.
final class DayTests: XCTestCase {
    func testADayWithEveryFault() throws {
        for seed in [UInt64(1), 2] { try Day(seed: seed).run() }
    }
}

private final class Day {
    let bench: Bench
    var random: Seeded
    var isHealthy = false

    /// What the server holds of each vehicle.
    var held: [String: [String: Any]] = [:]
    var lastRequest = -Double.infinity
    var requestCount = 0
    /// Why a request may come before its slot: a host call or a 400 or 401 since the one before.
    var excuse = true

    var vehicle = "v"
    var route: Route?
    var progress: Navigation.Progress?
    var along = 0.0
    var offUntil = 0.0
    var segmentWasRefused = false

    init(seed: UInt64) throws {
        bench = try Bench(interval: 5)
        random = Seeded(state: seed)
        bench.onRequest = { [unowned self] in check($0) }
        bench.server = { [unowned self] in answer($0) }
        bench.provider = { [unowned self] _ in token() }
    }

    func run() throws {
        for hour in 1...24 {
            isHealthy = false
            bench.run(to: Double(hour) * 3600 - 400) { _ in second() }
            isHealthy = true
            call(.tracking(true))
            bench.run(to: Double(hour) * 3600) { _ in drive() }
            try checkAllIsTold()
        }
        XCTAssertGreaterThan(requestCount, 3000)
        XCTAssertGreaterThan(bench.failed.count, 300)
    }

    private func chance(_ oneIn: Int) -> Bool { Int.random(in: 0..<oneIn, using: &random) == 0 }

    private func second() {
        if !chance(50) { drive() }
        if chance(600) { call(.tracking(!bench.reporter.isTracking)) }
        if !bench.reporter.isTracking, chance(60) { call(.tracking(true)) }
        if chance(300) { call(.vehicleState(chance(2) ? .online : .offline)) }
        if chance(900) { call(.interval(Int.random(in: 0...70, using: &random))) }
        if chance(400) { follow(chance(3) ? nil : try? Bench.road()) }
        if chance(7200) {
            vehicle = "v\(Int.random(in: 0..<1000, using: &random))"
            call(.vehicle(id: vehicle))
        }
    }

    private func call(_ event: ReporterEvent) {
        excuse = true
        bench.send(event)
    }

    private func follow(_ route: Route?) {
        self.route = route
        progress = nil
        along = 0
        segmentWasRefused = false
        call(.route(route))
    }

    private func drive() {
        var fix = bench.fix(at: along)
        if chance(3) { fix.accuracy = .nan } else { fix.accuracy = 4 }
        fix.speed = chance(3) ? .nan : 10
        fix.heading = chance(3) ? .infinity : Double.random(in: 0..<360, using: &random)
        if let route {
            let wasLeg = progress?.leg
            along = min(along + 10, route.length)
            if !isHealthy, chance(200) { offUntil = bench.time + 30 }
            let leg = along < 1000 ? 0 : 1
            let state: Navigation.Progress.State =
                bench.time < offUntil ? .offRoute : along < 20 ? .acquiring : along >= route.length - 40 ? .arrived : .onRoute
            progress = bench.progress(state, leg: leg, along: along, on: route)
            if leg != wasLeg { segmentWasRefused = false }
        }
        bench.send(.position(fix, progress))
    }

    private func check(_ request: OutgoingRequest) {
        requestCount += 1
        let mask = request.target
        let tellsChange = mask.contains("navigationStatus") || mask.contains("currentRouteSegment")
        if !excuse, !tellsChange {
            XCTAssertGreaterThanOrEqual(bench.time - lastRequest, Double(bench.reporter.interval) - 1e-6, "at \(bench.time) s")
        }
        XCTAssertTrue(isHealthy || bench.reporter.isTracking || mask.hasSuffix("=vehicleState"))
        lastRequest = bench.time
        excuse = false
        XCTAssertNotNil(try? JSONSerialization.jsonObject(with: Data(request.body.utf8)), request.body)
    }

    private func answer(_ request: OutgoingRequest) -> TransportResult {
        bench.latency = chance(10) ? Double.random(in: 0...15, using: &random) : 0.2
        let fault = isHealthy ? 99 : Int.random(in: 0..<60, using: &random)
        let statuses = [400, 401, 403, 404, 429, 500, 503, 302]
        if fault < statuses.count {
            if statuses[fault] == 400 || statuses[fault] == 401 { excuse = true }
            if statuses[fault] == 400, request.target.contains("currentRouteSegment") { segmentWasRefused = true }
            return .answer(status: statuses[fault], body: Array("<html>".utf8), retryAfter: chance(2) ? 20 : nil)
        }
        if fault == 10 { return .failed(timedOut: false, message: "refused") }
        store(request)
        // Taken, but the answer is lost.
        if fault == 11 || fault == 12 { return .failed(timedOut: true, message: "lost") }
        return .answer(status: 200, body: Array((fault == 13 ? "\u{0}garbage" : "{}").utf8), retryAfter: nil)
    }

    private func store(_ request: OutgoingRequest) {
        let name = String(request.target.split(separator: "/")[4].prefix { $0 != "?" })
        let body = (try? JSONSerialization.jsonObject(with: Data(request.body.utf8))) as? [String: Any] ?? [:]
        held[name, default: [:]].merge(body) { $1 }
    }

    private func token() -> Result<FetchedToken, TokenFailure>? {
        if !isHealthy, chance(10) { return chance(2) ? nil : .failure(TokenFailure("down")) }
        return .success(FetchedToken(token: "t", goodFor: chance(4) ? nil : Int64.random(in: 20...3600, using: &random)))
    }

    private func checkAllIsTold() throws {
        let server = held[vehicle] ?? [:]
        let place = "at \(bench.time) s"
        XCTAssertEqual(server["vehicleState"] as? String, bench.reporter.vehicleState == .online ? "ONLINE" : "OFFLINE", place)
        let status = server["navigationStatus"] as? String
        let segment = server["currentRouteSegment"] as? String
        guard let route, let progress else {
            XCTAssertTrue(status == nil || status == "NO_GUIDANCE", "\(status ?? "") \(place)")
            XCTAssertTrue(segment == nil || segment == "" || segmentWasRefused, place)
            return
        }
        let expected = [.offRoute: "OFF_ROUTE", .arrived: "ARRIVED_AT_DESTINATION"][progress.state] ?? "ENROUTE_TO_DESTINATION"
        XCTAssertEqual(status, expected, place)
        if progress.state == .onRoute || progress.state == .arrived, !segmentWasRefused {
            let end = (server["currentRouteSegmentEndPoint"] as? [String: [String: [String: Double]]])?["location"]?["point"]?["latitude"]
            XCTAssertEqual(try XCTUnwrap(end, place), route.coordinate(route.legEnds[progress.leg]).latitude, accuracy: 1e-6, place)
            XCTAssertNotEqual(segment ?? "", "", place)
        }
    }
}

struct Seeded: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return (state ^ state >> 29) &* 0xBF58_476D_1CE4_E5B9
    }
}
