import Foundation
import Navigation
import XCTest

@testable import RouteFiles

final class ValhallaRouteTests: XCTestCase {
    private let north = Fixture.north

    private func manoeuvre(_ first: Int, _ last: Int, _ time: Double) -> [String: Any] {
        ["begin_shape_index": first, "end_shape_index": last, "time": time, "length": 0.1]
    }

    private func leg(_ points: [Coordinate], shape: Any, metresPerUnit: Double = 1000) -> [String: Any] {
        let last = points.count - 1
        return [
            "shape": shape, "summary": ["length": Fixture.length(points) / metresPerUnit, "time": 100],
            "maneuvers": [manoeuvre(0, 1, 75), manoeuvre(1, last, 25), manoeuvre(last, last, 0)],
        ]
    }

    private func answer(_ legs: [[String: Any]], units: String = "kilometers") -> [String: Any] {
        [
            "trip": [
                "legs": legs, "units": units, "status": 0,
                "locations": [["type": "break", "lat": north[0].latitude, "lon": north[0].longitude]],
            ]
        ]
    }

    private func legs(metresPerUnit: Double = 1000, shape: ([Coordinate]) -> Any) -> [[String: Any]] {
        [Array(north[...2]), Array(north[2...])].map { leg($0, shape: shape($0), metresPerUnit: metresPerUnit) }
    }

    func testShapesOfPrecisionSixAreJoinedAndManoeuvresShapeTheTime() throws {
        let description = try describe(Fixture.json(answer(legs { Fixture.encoded($0, precision: 6) })))
        assertEqual(description.points, north)
        XCTAssertEqual(description.legEnds, [2, 4])
        XCTAssertEqual(description.legDurations, [100, 100])
        XCTAssertEqual(description.segmentDurations, [75, 25, 75, 25])
        XCTAssertEqual(try XCTUnwrap(description.legLengths)[0], Fixture.length(Array(north[...2])), accuracy: 1e-6)
    }

    func testUnitsApplyToAllLengths() throws {
        let legs = legs(metresPerUnit: 1609.344) { Fixture.encoded($0, precision: 6) }
        let description = try describe(Fixture.json(answer(legs, units: "miles")))
        XCTAssertEqual(try XCTUnwrap(description.legLengths)[1], Fixture.length(Array(north[2...])), accuracy: 1e-6)
        assertContains(try refusal(answer(legs, units: "leagues")), "trip.units is neither kilometers nor miles")
    }

    func testShapesOfPrecisionFiveAndGeoJSONReadAlike() throws {
        assertEqual(try describe(Fixture.json(answer(legs { Fixture.encoded($0, precision: 5) }))).points, north)
        assertEqual(try describe(Fixture.json(answer(legs { Fixture.geoJSON($0) }))).points, north)
    }

    func testALegWithoutAShapeIsRefused() throws {
        var legs = legs { Fixture.geoJSON($0) }
        legs[1]["shape"] = nil
        assertContains(try refusal(answer(legs)), "trip.legs[1].shape is missing: ask the router without shape_format=no_shape")
    }

    func testManoeuvresThatDoNotCoverTheLineLeaveALegItsTotal() throws {
        for bad in [[manoeuvre(0, 9, 75)], [manoeuvre(1, 2, 75)], [manoeuvre(0, 1, 75)], [manoeuvre(-1, 2, 75)], [[:]]] {
            var legs = legs { Fixture.geoJSON($0) }
            legs[0]["maneuvers"] = bad
            legs[1]["maneuvers"] = nil
            let description = try describe(Fixture.json(answer(legs)))
            XCTAssertNil(description.segmentDurations)
            XCTAssertEqual(description.legDurations, [100, 100])
        }
    }

    func testARefusalIsPassedOn() {
        assertContains(refusal(#"{"error_code":171,"error":"No suitable edges near location"}"#), "no route: No suitable edges")
        assertContains(refusal(#"{"trip":{"status":442,"status_message":"No path","legs":[]}}"#), "status 442: No path")
        assertContains(refusal(#"{"trip":{"status":0,"legs":[]}}"#), "trip.legs holds no leg")
    }
}
