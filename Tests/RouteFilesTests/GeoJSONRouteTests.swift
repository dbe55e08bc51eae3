import Foundation
import Navigation
import XCTest

@testable import RouteFiles

final class GeoJSONRouteTests: XCTestCase {
    private func feature(_ geometry: Any) -> [String: Any] { ["type": "Feature", "properties": [String: Any](), "geometry": geometry] }
    private func collection(_ geometries: [Any]) -> [String: Any] {
        ["type": "FeatureCollection", "features": geometries.map { feature($0) }]
    }
    private let point: [String: Any] = ["type": "Point", "coordinates": [11.5, 48.1]]

    func testALineStringAFeatureAndACollectionReadAlike() throws {
        let line = Fixture.geoJSON(Fixture.north)
        for object in [line, feature(line), collection([point, line])] {
            let description = try describe(Fixture.json(object))
            assertEqual(description.points, Fixture.north)
            XCTAssertEqual(description.legEnds, [4])
            XCTAssertNil(description.legDurations)
        }
    }

    func testAltitudesAreIgnored() throws {
        let description = try describe(#"{"type":"LineString","coordinates":[[11.5,48.1,520.5],[11.6,48.2,521,7]]}"#)
        assertEqual(description.points, Fixture.line([(48.1, 11.5), (48.2, 11.6)]))
    }

    func testSeveralLinesAreRefusedWithBothPaths() throws {
        let line = Fixture.geoJSON(Fixture.north)
        let reason = try refusal(collection([line, point, line]))
        assertContains(reason, "features[0].geometry and features[2].geometry are both lines")
    }

    func testACollectionWithoutALineIsRefused() throws {
        assertContains(try refusal(collection([point])), "features holds no LineString")
        assertContains(try refusal(["type": "FeatureCollection"]), "features holds no LineString")
    }

    func testOtherGeometriesAreRefusedByName() throws {
        assertContains(try refusal(point), "this is Point, not a LineString")
        let parts: [String: Any] = ["type": "MultiLineString", "coordinates": [[[11, 48], [12, 48]], [[13, 48], [14, 48]]]]
        assertContains(try refusal(feature(parts)), "geometry is MultiLineString, not a LineString: join its parts")
        assertContains(try refusal(["type": "Feature", "geometry": NSNull()]), "geometry is missing")
    }

    func testABadPositionIsNamed() {
        assertContains(refusal(#"{"type":"LineString","coordinates":[[11,48],[11]]}"#), "coordinates[1] is no position")
        assertContains(refusal(#"{"type":"LineString","coordinates":[[11,48],["a",48]]}"#), "coordinates[1] is no position")
        assertContains(refusal(#"{"type":"LineString","coordinates":[]}"#), "coordinates is no array of positions")
        assertContains(refusal(#"{"type":"LineString","coordinates":{"0":1}}"#), "coordinates is no array of positions")
    }

    func testSwappedCoordinatesAreSeenWhereTheyLeaveTheEarth() {
        assertContains(
            refusal(#"{"type":"LineString","coordinates":[[37.7,-122.4],[37.8,-122.4]]}"#), "coordinates[0] is not on earth: longitude 37.7"
        )
    }

    func testLongitudesOverThe180thMeridianAreWrapped() throws {
        let description = try describe(#"{"type":"LineString","coordinates":[[179.9,-17],[180.3,-17]]}"#)
        assertEqual(description.points, Fixture.line([(-17, 179.9), (-17, -179.7)]))
    }

    func testRepeatedPointsAreKept() throws {
        let description = try describe(#"{"type":"LineString","coordinates":[[11,48],[11,48],[11,48.1]]}"#)
        XCTAssertEqual(description.points.count, 3)
    }
}
