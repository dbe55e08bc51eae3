import Foundation
import Navigation
import XCTest

@testable import RouteFiles

final class FleetEngineJourneyTests: XCTestCase {
    private let north = Fixture.north

    private func segment(_ points: ArraySlice<Coordinate>, duration: String) -> [String: Any] {
        [
            "path": points.map { ["latitude": $0.latitude, "longitude": $0.longitude] }, "drivingDuration": duration,
            "drivingDistanceMeters": Int(Ground.length(points)), "stop": ["state": "NEW"],
        ]
    }

    private func vehicle() -> [String: Any] {
        ["remainingVehicleJourneySegments": [segment(north[...2], duration: "92.094290s"), segment(north[2...], duration: "60s")]]
    }

    func testAVehiclesSegmentsAreLegs() throws {
        let description = try describe(Fixture.json(vehicle()))
        assertEqual(description.points, north)
        XCTAssertEqual(description.legEnds, [2, 4])
        XCTAssertEqual(try XCTUnwrap(description.legDurations)[0], 92.09429, accuracy: 1e-9)
        XCTAssertEqual(description.legLengths?[0], Double(Int(Ground.length(north[...2]))))
    }

    func testLogsAreReadInBothSpellings() throws {
        let entry = try Fixture.json(["jsonPayload": ["request": ["deliveryVehicle": vehicle()]]])
        assertEqual(try describe(entry).points, north)
        let lower = String(decoding: entry, as: UTF8.self).lowercased()
        assertEqual(try describe(lower).points, north)
        assertEqual(try describe(Fixture.json(["jsonPayload": ["response": vehicle()]])).points, north)
    }

    func testTheHalfOfALogThatHasThePointsIsTaken() throws {
        let request = ["deliveryVehicle": ["remainingVehicleJourneySegments": [["stop": [String: Any]()]]]]
        assertEqual(try describe(Fixture.json(["jsonPayload": ["request": request, "response": vehicle()]])).points, north)
    }

    func testASegmentWithoutItsPathIsRefused() throws {
        var vehicle = vehicle()
        vehicle["remainingVehicleJourneySegments"] = [["pathHandle": "AdSi", "drivingDuration": "5s"]]
        assertContains(try refusal(vehicle), "remainingVehicleJourneySegments[0].path is absent: logs keep a handle only")
        vehicle["remainingVehicleJourneySegments"] = [Any]()
        assertContains(try refusal(vehicle), "remainingVehicleJourneySegments is empty")
    }

    func testAStopAtThePlaceOfTheOneBeforeIsALegWithoutLength() throws {
        var vehicle = vehicle()
        let segments = [segment(north[...2], duration: "9s"), ["drivingDuration": "0s"], segment(north[2...], duration: "6s")]
        vehicle["remainingVehicleJourneySegments"] = segments
        let description = try describe(Fixture.json(vehicle))
        XCTAssertEqual(description.legEnds, [2, 2, 4])
        XCTAssertEqual(description.legLengths?[1], 0)
    }

    func testAZeroOfAPositionMayBeLeftOut() throws {
        let path: [[String: Any]] = [["longitude": 3.2], ["latitude": 0.01, "longitude": 3.2]]
        let description = try describe(Fixture.json(["remainingVehicleJourneySegments": [["path": path]]]))
        assertEqual(description.points, Fixture.line([(0, 3.2), (0.01, 3.2)]))
        assertContains(
            refusal(#"{"remainingVehicleJourneySegments":[{"path":[{"latitude":1},{}]}]}"#),
            "remainingVehicleJourneySegments[0].path[1] is no position")
    }
}
