import Foundation
import Navigation
import XCTest

@testable import RouteFiles

final class GraphHopperRouteTests: XCTestCase {
    private let north = Fixture.north

    private func instruction(_ first: Int, _ last: Int, seconds: Double, sign: Int = 0) -> [String: Any] {
        [
            "interval": [first, last], "time": Int(seconds * 1000), "distance": Ground.length(north[first...last]), "sign": sign,
        ]
    }

    private func path(_ points: Any) -> [String: Any] {
        [
            "points": points, "distance": Fixture.length(north), "time": 100_000,
            "instructions": [
                instruction(0, 1, seconds: 40), instruction(1, 2, seconds: 20), instruction(2, 2, seconds: 0, sign: 5),
                instruction(2, 4, seconds: 40), instruction(4, 4, seconds: 0, sign: 4),
            ],
        ]
    }

    private func describe(_ path: [String: Any]) throws -> RouteDescription { try describe(Fixture.json(["paths": [path]])) }

    private var encoded: String { Fixture.encoded(north, precision: 5) }

    /// With a third number a point, hundredths of a metre.
    private var withElevation: String {
        let heights = [52_000, 52_310, 51_900, 53_000, 52_000]
        return Fixture.encoded(
            zip(north, heights).map { [Int(($0.latitude * 1e5).rounded()), Int(($0.longitude * 1e5).rounded()), $1] })
    }

    func testWaypointsAreInstructionsAndTimesMilliseconds() throws {
        let description = try describe(path(encoded))
        assertEqual(description.points, north)
        XCTAssertEqual(description.legEnds, [2, 4])
        XCTAssertEqual(description.legDurations, [60, 40])
        XCTAssertEqual(description.segmentDurations?.prefix(2).map { $0 }, [40, 20])
        XCTAssertEqual(try XCTUnwrap(description.legLengths)[0], Ground.length(north[...2]), accuracy: 1e-6)
    }

    func testPointsThatAreNotEncodedAreGeoJSON() throws {
        var object = path(Fixture.geoJSON(north))
        object["points_encoded"] = false
        assertEqual(try describe(object).points, north)
        object["points"] = ["type": "LineString", "coordinates": north.map { [$0.longitude, $0.latitude, 520.5] }]
        assertEqual(try describe(object).points, north)
    }

    func testTheMultiplierSetsThePrecision() throws {
        var object = path(Fixture.encoded(north, precision: 6))
        object["points_encoded_multiplier"] = 1e6
        assertEqual(try describe(object).points, north)
        object["points_encoded_multiplier"] = 7
        assertContains(try refusal(["paths": [object]]), "points_encoded_multiplier is neither 1e5 nor 1e6")
    }

    func testElevationsAreToldFromDegrees() throws {
        var object = path(withElevation)
        assertEqual(try describe(object).points, north)
        object["instructions"] = nil
        assertEqual(try describe(object).points, north)
        object["distance"] = nil
        object["bbox"] = [11.5, 48.1, 11.505, 48.103]
        assertEqual(try describe(object).points, north)
        object["bbox"] = [11.5, 48.1, 519, 11.505, 48.103, 530]
        assertEqual(try describe(object).points, north)
    }

    func testALineThatFitsNothingIsRefused() throws {
        var object = path(encoded)
        object["distance"] = 1e6
        assertContains(try refusal(["paths": [object]]), "paths[0].points does not fit the path's distance")
        object["points"] = "_p~iF ~ps"
        assertContains(try refusal(["paths": [object]]), "paths[0].points: byte 5")
    }

    func testTheDetailTimeShapesTheTime() throws {
        var object = path(encoded)
        object["details"] = ["time": [[0, 1, 30_000], [1, 2, 30_000], [2, 3, 10_000], [3, 4, 30_000]]]
        XCTAssertEqual(try describe(object).segmentDurations, [30, 30, 10, 30])
        for bad in [[[0, 1, 30_000]], [[1, 4, 5]], [[0, 99, 5]], [[0, 4, -1]], [[0, 0, 1], [0, 4, 5]]] {
            object["details"] = ["time": bad]
            XCTAssertEqual(try describe(object).segmentDurations?[0], 40)
        }
    }

    func testWithoutInstructionsTheSnappedWaypointsCutTheLegs() throws {
        var object = path(encoded)
        object["instructions"] = nil
        XCTAssertEqual(try describe(object).legEnds, [4])
        XCTAssertEqual(try describe(object).legDurations, [100])
        object["snapped_waypoints"] = Fixture.encoded([north[0], north[2], north[4]], precision: 5)
        let description = try describe(object)
        XCTAssertEqual(description.legEnds, [2, 4])
        let share = Ground.length(north[...2]) / Fixture.length(north)
        XCTAssertEqual(try XCTUnwrap(description.legDurations)[0], 100 * share, accuracy: 1e-6)
    }

    func testInstructionsThatCountOtherPointsAreLeftOutUnlessTheyTellOfWaypoints() throws {
        var object = path(encoded)
        object["instructions"] = [instruction(0, 3, seconds: 1)]
        let description = try describe(object)
        assertEqual(description.points, north)
        XCTAssertEqual(description.legDurations, [100])
        object["instructions"] = [instruction(0, 2, seconds: 1), instruction(2, 2, seconds: 0, sign: 5), instruction(2, 3, seconds: 1)]
        assertContains(try refusal(["paths": [object]]), "paths[0].instructions count other points than there are")
    }

    func testBadInstructionsAndNoPathAreRefused() throws {
        var object = path(encoded)
        object["instructions"] = [["interval": [0]]]
        assertContains(try refusal(["paths": [object]]), "paths[0].instructions[0].interval is not [from, to]")
        object["instructions"] = [instruction(0, 1, seconds: 1), instruction(2, 4, seconds: 1)]
        assertContains(try refusal(["paths": [object]]), "instructions[1].interval does not follow")
        assertContains(refusal(#"{"paths":[]}"#), "paths holds no path")
        assertContains(refusal(#"{"paths":[{"time":1}]}"#), "paths[0].points is missing")
    }
}
