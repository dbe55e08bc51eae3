import Foundation
import Navigation
import XCTest

@testable import RouteFiles

final class GoogleDirectionsRouteTests: XCTestCase {
    private let north = Fixture.north

    private func polyline(_ points: [Coordinate]) -> [String: Any] { ["points": Fixture.encoded(points, precision: 5)] }

    private func leg(_ points: ArraySlice<Coordinate>, duration: Int) -> [String: Any] {
        guard let last = points.last else { return [:] }
        return [
            "distance": ["value": 15657, "text": "9.7 mi"], "duration": ["value": duration, "text": "1 Stunde"],
            "end_location": ["lat": last.latitude, "lng": last.longitude],
            "steps": zip(points, points.dropFirst()).map {
                ["polyline": polyline([$0.0, $0.1]), "duration": ["value": duration / 2, "text": ""]]
            },
        ]
    }

    private func answer(_ legs: [[String: Any]]) -> [String: Any] {
        ["status": "OK", "routes": [["legs": legs, "overview_polyline": polyline([north[0], north[2], north[4]])]]]
    }

    func testStepsAreTakenRatherThanTheOverviewAndValuesRatherThanTexts() throws {
        let description = try describe(Fixture.json(answer([leg(north[...2], duration: 60), leg(north[2...], duration: 80)])))
        assertEqual(description.points, north)
        XCTAssertEqual(description.legEnds, [2, 4])
        XCTAssertEqual(description.legDurations, [60, 80])
        XCTAssertEqual(description.legLengths, [15657, 15657])
        XCTAssertEqual(description.segmentDurations, [30, 30, 40, 40])
    }

    func testTheDurationInTrafficCounts() throws {
        var leg = leg(north[...2], duration: 60)
        leg["duration_in_traffic"] = ["value": 95]
        XCTAssertEqual(try describe(Fixture.json(answer([leg]))).legDurations, [95])
    }

    func testWithoutStepsTheOverviewIsCutWhereLegsEnd() throws {
        var legs = [leg(north[...2], duration: 60), leg(north[2...], duration: 80)]
        for index in legs.indices { legs[index]["steps"] = nil }
        let description = try describe(Fixture.json(answer(legs)))
        assertEqual(description.points, [north[0], north[2], north[4]])
        XCTAssertEqual(description.legEnds, [1, 2])
        legs[0]["end_location"] = nil
        assertContains(try refusal(answer(legs)), "routes[0].legs[0].end_location is missing")
    }

    func testALegWithNothingButAddressesIsRead() throws {
        let description = try describe(Fixture.json(["routes": [["legs": [["end_address": "x"]], "overview_polyline": polyline(north)]]]))
        assertEqual(description.points, north)
        XCTAssertNil(description.legDurations)
    }

    func testARefusalIsPassedOn() {
        assertContains(
            refusal(#"{"status":"REQUEST_DENIED","error_message":"no key","routes":[]}"#), "the router answered REQUEST_DENIED: no key")
        assertContains(refusal(#"{"status":"OK","routes":[]}"#), "routes holds no route")
        assertContains(refusal(#"{"routes":[{"overview_polyline":{}}]}"#), "routes[0].overview_polyline.points is missing")
    }
}
