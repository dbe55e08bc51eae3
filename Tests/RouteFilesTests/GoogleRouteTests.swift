import Foundation
import Navigation
import XCTest

@testable import RouteFiles

/// Answers of the Google Routes API, which hold what the field mask asked for, without zeros.
final class GoogleRouteTests: XCTestCase {
    private let north = Fixture.north

    private func polyline(_ points: [Coordinate]) -> [String: Any] { ["encodedPolyline": Fixture.encoded(points, precision: 5)] }

    private func end(_ point: Coordinate) -> [String: Any] {
        ["latLng": ["latitude": point.latitude, "longitude": point.longitude]]
    }

    private func step(_ points: ArraySlice<Coordinate>, _ duration: String) -> [String: Any] {
        ["staticDuration": duration, "polyline": polyline(Array(points)), "distanceMeters": Int(Ground.length(points))]
    }

    /// Two legs with two steps and one, 100 and 50 s without traffic.
    private func legs() -> [[String: Any]] {
        [
            [
                "distanceMeters": Int(Fixture.length(Array(north[...2]))), "duration": "130.5s", "staticDuration": "100s",
                "polyline": polyline(Array(north[...2])), "endLocation": end(north[2]),
                "steps": [step(north[...1], "80s"), step(north[1...2], "20s")],
            ],
            [
                "distanceMeters": String(Int(Fixture.length(Array(north[2...])))), "duration": "40s", "staticDuration": "50s",
                "polyline": polyline(Array(north[2...])), "endLocation": end(north[4]), "steps": [step(north[2...], "50s")],
            ],
        ]
    }

    private func answer(_ route: [String: Any]) -> [String: Any] { ["routes": [route]] }

    private func describe(_ route: [String: Any]) throws -> RouteDescription { try describe(Fixture.json(answer(route))) }

    func testStepsMakeTheLineAndTheirStaticTimesItsShape() throws {
        let description = try describe(["legs": legs(), "polyline": polyline([north[0], north[4]])])
        assertEqual(description.points, north)
        XCTAssertEqual(description.legEnds, [2, 4])
        XCTAssertEqual(description.legDurations, [130.5, 40])
        XCTAssertEqual(description.segmentDurations?.prefix(2).map { $0 }, [80, 20])
        XCTAssertEqual(description.legLengths?[1], Double(Int(Fixture.length(Array(north[2...])))))
        let route = try Route(description)
        XCTAssertEqual(route.elapsed[1], 130.5 * 0.8, accuracy: 1e-9)
        XCTAssertEqual(route.elapsed[4], 170.5, accuracy: 1e-9)
    }

    func testLegsWithoutStepsUseTheirOwnLine() throws {
        var legs = legs()
        legs[0]["steps"] = nil
        legs[1]["steps"] = [["staticDuration": "50s"]]
        let description = try describe(["legs": legs])
        assertEqual(description.points, north)
        XCTAssertEqual(description.legEnds, [2, 4])
    }

    func testARouteThatIsASimplifiedOverviewAloneIsOneLegOfItsDeclaredLength() throws {
        let declared = Fixture.length(north)
        let description = try describe(["distanceMeters": Int(declared), "duration": "165s", "polyline": polyline(north)])
        assertEqual(description.points, north)
        XCTAssertEqual(description.legDurations, [165])
        XCTAssertEqual(try Route(description).length, Double(Int(declared)), accuracy: 1e-9)
    }

    func testAnOverviewIsCutWhereItsLegsEnd() throws {
        var legs = legs()
        for index in legs.indices {
            legs[index]["steps"] = nil
            legs[index]["polyline"] = nil
        }
        XCTAssertEqual(try describe(["legs": legs, "polyline": polyline(north)]).legEnds, [2, 4])
        legs[0]["endLocation"] = nil
        assertContains(try refusal(answer(["legs": legs, "polyline": polyline(north)])), "routes[0].legs[0].endLocation is missing")
    }

    func testGeoJSONLinesReadAsEncodedOnes() throws {
        let line = ["geoJsonLinestring": Fixture.geoJSON(north)]
        assertEqual(try describe(["polyline": line]).points, north)
        var leg = legs()[0]
        leg["steps"] = [["polyline": ["geoJsonLinestring": Fixture.geoJSON(north)], "staticDuration": "9s"]]
        assertEqual(try describe(["legs": [leg]]).points, north)
    }

    func testZerosAreLeftOutAndALegWithoutLengthNeedsNoLine() throws {
        let empty: [String: Any] = ["duration": "0s", "staticDuration": "0s"]
        let description = try describe(["legs": [legs()[0], empty, legs()[1]], "distanceMeters": 700])
        XCTAssertEqual(description.legEnds, [2, 2, 4])
        XCTAssertEqual(description.legLengths?[1], 0)
        XCTAssertEqual(description.legDurations, [130.5, 0, 40])
    }

    func testALengthThatTheMaskLeftOutIsNotZero() throws {
        var legs = legs()
        for index in legs.indices { legs[index]["distanceMeters"] = nil }
        XCTAssertNil(try describe(["legs": legs]).legLengths)
    }

    func testAnIntermediateThatIsPassedOnlyMakesNoLeg() throws {
        let intermediates: [String: Any] = ["legs": [legs()[0]], "optimizedIntermediateWaypointIndex": [-1]]
        XCTAssertEqual(try describe(intermediates).legEnds, [2])
    }

    func testDelaysFallWhereTheLegsIntervalsSayTraffic() throws {
        var leg = legs()[0]
        leg["travelAdvisory"] = [
            "speedReadingIntervals": [
                ["endPolylinePointIndex": 1, "speed": "NORMAL"],
                ["startPolylinePointIndex": 1, "endPolylinePointIndex": 2, "speed": "TRAFFIC_JAM"],
            ]
        ]
        let durations = try XCTUnwrap(describe(["legs": [leg]]).segmentDurations)
        XCTAssertEqual(durations[0], 80, accuracy: 1e-9)
        XCTAssertEqual(durations[1], 50.5, accuracy: 1e-9)
    }

    func testAJamDelaysThreeTimesAsMuchAsSlowTraffic() throws {
        var leg = legs()[0]
        leg["steps"] = [step(north[...1], "50s"), step(north[1...2], "50s")]
        leg["duration"] = "140s"
        leg["travelAdvisory"] = [
            "speedReadingIntervals": [
                ["endPolylinePointIndex": 1, "speed": "SLOW"],
                ["startPolylinePointIndex": 1, "endPolylinePointIndex": 2, "speed": "TRAFFIC_JAM"],
            ]
        ]
        let durations = try XCTUnwrap(describe(["legs": [leg]]).segmentDurations)
        XCTAssertEqual(durations[0], 60, accuracy: 1e-9)
        XCTAssertEqual(durations[1], 80, accuracy: 1e-9)
    }

    func testTheRoutesIntervalsReachItsLegs() throws {
        let intervals: [[String: Any]] = [
            ["endPolylinePointIndex": 1, "speed": "SLOW"], ["startPolylinePointIndex": 1, "endPolylinePointIndex": 4, "speed": "NORMAL"],
        ]
        let durations = try XCTUnwrap(
            describe(["legs": legs(), "polyline": polyline(north), "travelAdvisory": ["speedReadingIntervals": intervals]]).segmentDurations
        )
        XCTAssertEqual(durations[0], 110.5, accuracy: 1e-9)
        XCTAssertEqual(durations[1], 20, accuracy: 1e-9)
        XCTAssertEqual(durations[2] + durations[3], 50, accuracy: 1e-9)
    }

    func testIntervalsBeyondTheLineAndQuickerLegsChangeNothing() throws {
        var legs = legs()
        legs[0]["travelAdvisory"] = [
            "speedReadingIntervals": [["startPolylinePointIndex": -1, "endPolylinePointIndex": 99, "speed": "SLOW"]]
        ]
        legs[1]["travelAdvisory"] = ["speedReadingIntervals": [["endPolylinePointIndex": 2, "speed": "TRAFFIC_JAM"]]]
        XCTAssertEqual(try describe(["legs": legs]).segmentDurations?[0], 80)
    }

    func testAnAnswerWithoutARouteIsRefused() {
        assertContains(refusal("{}"), "neither routes nor type")
        assertContains(refusal(#"{"routes":[{"distanceMeters":5,"duration":"3s"}]}"#), "routes[0] has no polyline")
    }

    func testBadValuesAreNamedByPath() throws {
        for bad in ["10", "s", "-3s", "1e10s", "ten s", 10] as [Any] {
            var legs = legs()
            legs[1]["duration"] = bad
            assertContains(try refusal(answer(["legs": legs])), "routes[0].legs[1].duration is not a duration")
        }
        var legs = legs()
        legs[1]["distanceMeters"] = "far"
        assertContains(try refusal(answer(["legs": legs])), "routes[0].legs[1].distanceMeters is not a number of metres")
        assertContains(
            refusal(#"{"routes":[{"polyline":{"encodedPolyline":"_p~iF ~ps"}}]}"#), "routes[0].polyline.encodedPolyline: byte 5")
        assertContains(refusal(#"{"routes":[{"polyline":{"encodedPolyline":7}}]}"#), "encodedPolyline: this is no string")
    }
}
