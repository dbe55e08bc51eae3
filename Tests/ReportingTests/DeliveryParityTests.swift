import FleetEngine
import Foundation
import Navigation
import XCTest

@testable import Reporting

/// What Google's Driver SDK does for a delivery vehicle, as the emulator receives and then holds it.
final class DeliveryParityTests: XCTestCase {
    private let collection = "deliveryVehicles"
    private let field = "remainingVehicleJourneySegments"

    private func delivery(_ account: String = "delivery-driver") throws -> (EmulatedServer, Bench) {
        let server = try EmulatedServer()
        for id in ["a", "b", "c"] {
            try server.admin(
                "POST", "tasks?taskId=\(id)",
                #"{"type":"DELIVERY","state":"OPEN","trackingId":"parcel-\#(id)","taskDuration":"90s","#
                    + #""plannedLocation":{"point":{"latitude":48,"longitude":11}}}"#)
        }
        return (server, try server.bench(try Bench(.delivery), account))
    }

    private func threeTasksAtTwoStops() throws -> StopList {
        let place = { Coordinate(latitude: 48 + $0, longitude: 11) }
        return try StopList([VehicleStop(coordinate: place(0.01), tasks: ["a", "b"]), VehicleStop(coordinate: place(0.02), tasks: ["c"])])
    }

    private func states(_ server: EmulatedServer) throws -> [String] {
        let segments = try server.vehicle(collection)[field] as? [[String: Any]] ?? []
        return segments.compactMap { ($0["stop"] as? [String: Any])?["state"] as? String }
    }

    private func tasks(_ server: EmulatedServer) throws -> [String] {
        try ["a", "b", "c"].map { try server.admin("GET", "tasks/\($0)")["state"] as? String ?? "" }
    }

    func testStopsAreSetLeftForReachedAndCompleted() throws {
        let (server, bench) = try delivery()
        bench.startTracking()
        var list = try threeTasksAtTwoStops()
        bench.send(.stops(list))
        XCTAssertEqual(try states(server), ["NEW", "NEW"])
        for _ in 0..<2 {
            try list.enrouteToNext()
            bench.send(.stops(list))
            XCTAssertEqual(try states(server).first, "ENROUTE")
            bench.run(to: bench.time + 7) { _ in bench.drive() }
            try list.arrive()
            bench.send(.stops(list))
            XCTAssertEqual(try states(server).first, "ARRIVED")
            bench.run(to: bench.time + 7) { _ in bench.drive() }
            try list.complete()
            bench.send(.stops(list))
            XCTAssertEqual(try states(server).count, list.stops.count)
            XCTAssertEqual(try tasks(server), ["CLOSED", "CLOSED", list.stops.isEmpty ? "CLOSED" : "OPEN"])
        }
        let updates = try server.updates(collection)
        XCTAssertEqual(updates.filter { $0.mask == [field] }.count, 7)
        XCTAssertTrue(updates.allSatisfy { $0.mask == [field] || !$0.mask.contains(field) }, "stops travel alone")
        XCTAssertEqual(updates.filter { $0.mask == ["lastLocation"] }.count, 3)
        XCTAssertEqual(updates.map { $0.status }, updates.map { _ in 200 })
        XCTAssertEqual(updates.flatMap { $0.remarks }, [])
    }

    func testATokenForPositionsAloneKeepsThePositionsComing() throws {
        let (server, bench) = try delivery("untrusted-delivery-driver")
        bench.startTracking()
        bench.send(.stops(try threeTasksAtTwoStops()))
        XCTAssertEqual(bench.failed.last?.code, .permissionDenied)
        bench.run(to: 45) { bench.drive(to: $0) }
        XCTAssertEqual(try server.updates(collection).map { $0.status }, [200, 403, 200, 200, 200, 200])
        XCTAssertEqual(try states(server), [])
    }

    func testAStopsTaskThatIsClosedIsRefusedAndTheListAfterItIsTaken() throws {
        let (server, bench) = try delivery()
        var list = try threeTasksAtTwoStops()
        bench.send(.stops(list))
        try list.enrouteToNext()
        try list.arrive()
        try list.complete()
        bench.send(.stops(list))
        bench.send(.stops(try threeTasksAtTwoStops()))
        XCTAssertEqual(bench.failed.last?.code, .failedPrecondition)
        XCTAssertEqual(bench.failed.last?.willRetry, true)
        bench.send(.stops(list))
        XCTAssertEqual(try states(server), ["NEW"])
        XCTAssertTrue(bench.reporter.isConfirmed)
    }

    func testPositionStatusSegmentAndWhatIsLeftGoAsForOnDemand() throws {
        let (server, bench) = try delivery()
        let route = try Bench.road()
        bench.startTracking()
        bench.send(.stops(try threeTasksAtTwoStops()))
        bench.send(.route(route))
        bench.run(to: 65) { bench.drive(.onRoute, along: 10 * $0, on: route) }
        var vehicle = try server.vehicle(collection)
        XCTAssertEqual(vehicle["navigationStatus"] as? String, "ENROUTE_TO_DESTINATION")
        XCTAssertEqual(vehicle["remainingDistanceMeters"] as? Int, 390)
        XCTAssertNotNil(vehicle["remainingDuration"])
        XCTAssertNotNil(vehicle["currentRouteSegmentEndPoint"])
        XCTAssertEqual(try server.updates(collection).filter { $0.mask.contains("currentRouteSegment") }.count, 2)
        bench.send(.route(nil))
        vehicle = try server.vehicle(collection)
        XCTAssertEqual(vehicle["navigationStatus"] as? String, "NO_GUIDANCE")
        for name in ["currentRouteSegment", "remainingDistanceMeters", "remainingDuration"] { XCTAssertNil(vehicle[name], name) }
        let count = try server.updates(collection).count
        bench.send(.tracking(false))
        bench.run(to: 200) { _ in bench.drive() }
        XCTAssertEqual(try server.updates(collection).count, count, "a delivery vehicle has no state to be told")
        XCTAssertEqual(try server.updates(collection).flatMap { $0.remarks }, [])
    }
}
