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

    func testLinesThatDoNotContinueOneAnotherAreRefusedWithBothPaths() throws {
        let line = Fixture.geoJSON(Fixture.north)
        let reason = try refusal(collection([line, point, line]))
        assertContains(reason, "features[2].geometry starts")
        assertContains(reason, "from the end of features[0].geometry")
    }

    func testLinesThatContinueOneAnotherAreJoinedInEveryContainer() throws {
        let north = Fixture.north
        let parts = [Array(north[...2]), Array(north[2...])]
        let positions = parts.map { $0.map { [$0.longitude, $0.latitude] } }
        let multi: [String: Any] = ["type": "MultiLineString", "coordinates": positions + [[]]]
        let geometries: [String: Any] = ["type": "GeometryCollection", "geometries": parts.map { Fixture.geoJSON($0) }]
        let nested: [String: Any] = ["type": "GeometryCollection", "geometries": [geometries]]
        for object in [multi, feature(multi), geometries, nested, feature(geometries), collection(parts.map { Fixture.geoJSON($0) })] {
            assertEqual(try describe(Fixture.json(object)).points, north)
        }
        let apart: [String: Any] = ["type": "MultiLineString", "coordinates": Array(positions.reversed())]
        assertContains(try refusal(apart), "coordinates[1] starts")
    }

    func testALineCutAtThe180thMeridianIsJoined() throws {
        let description = try describe(
            #"{"type":"MultiLineString","coordinates":[[[179.9,-17],[180,-17.1]],[[-180,-17.1],[-179.9,-17.2]]]}"#)
        XCTAssertEqual(description.points.count, 3)
        XCTAssertLessThan(try Route(description).length, 40_000)
    }

    func testPointsInACollectionAreWaypoints() throws {
        let line = Fixture.geoJSON(Fixture.north)
        let middle: [String: Any] = ["type": "Point", "coordinates": [11.502, 48.101]]
        let end: [String: Any] = ["type": "Point", "coordinates": [11.505, 48.103]]
        XCTAssertEqual(try describe(Fixture.json(collection([line, point, middle, end]))).legEnds, [2, 4])
        let many: [String: Any] = ["type": "MultiPoint", "coordinates": [[11.5, 48.101], [11.502, 48.101]]]
        XCTAssertEqual(try describe(Fixture.json(["type": "GeometryCollection", "geometries": [many, line]])).legEnds, [1, 2, 4])
        let far: [String: Any] = ["type": "Point", "coordinates": [11.6, 48.1]]
        assertContains(try refusal(collection([line, far])), "the line passes features[1].geometry.coordinates at")
    }

    private func timed(_ times: [Any], key: String = "coordTimes") throws -> RouteDescription {
        var object = feature(Fixture.geoJSON(Fixture.north))
        object["properties"] = key == "times" ? ["coordinateProperties": [key: times]] : [key: times]
        return try describe(Fixture.json(object))
    }

    func testTimesOfConvertedTracksAreASchedule() throws {
        let times = [
            "2026-05-01T08:00:00Z", "2026-05-01T08:00:10Z", "2026-05-01T10:00:30+02:00", "2026-05-01T08:00:35.5Z", "2026-05-01T08:01:00Z",
        ]
        for key in ["coordTimes", "times"] {
            XCTAssertEqual(try timed(times, key: key).segmentDurations, [10, 20, 5.5, 24.5])
        }
        let seconds = try XCTUnwrap(Route(try timed(times)).duration)
        XCTAssertEqual(seconds, 60, accuracy: 1e-9)
    }

    func testAWaypointBetweenTimedPointsSharesTheirTime() throws {
        let line: [String: Any] = ["type": "LineString", "coordinates": [[11.5, 48.1], [11.51, 48.1], [11.52, 48.1]]]
        var timed = feature(line)
        timed["properties"] = ["coordTimes": ["2026-05-01T08:00:00Z", "2026-05-01T08:01:00Z", "2026-05-01T08:02:00Z"]]
        let stop: [String: Any] = ["type": "Point", "coordinates": [11.5125, 48.1]]
        let description = try describe(Fixture.json(["type": "FeatureCollection", "features": [timed, feature(stop)]]))
        XCTAssertEqual(description.legEnds, [2, 3])
        let durations = try XCTUnwrap(description.segmentDurations)
        for (duration, expected) in zip(durations, [60.0, 15, 45]) { XCTAssertEqual(duration, expected, accuracy: 0.01) }
    }

    func testTimesThatAreNoScheduleAreLeftOut() throws {
        let start = "2026-05-01T08:00:00Z"
        for times in [
            [start], [start, start, start, start, start], [start, "x", start, start, "2026-05-01T08:01:00Z"],
            ["1970-01-01T00:00:00Z", "1970-01-01T00:00:10Z", "1970-01-01T00:00:20Z", "1970-01-01T00:00:30Z", "1970-01-01T00:00:40Z"],
            [start, "2026-05-01T07:59:00Z", "2026-05-01T08:00:10Z", "2026-05-01T08:00:20Z", "2026-05-01T08:00:30Z"],
            [start, "2026-05-01T08:00:01Z", "2026-05-01T08:00:02Z", "2026-05-01T08:00:03Z", "2026-05-01T08:00:04Z"],
            [start, "2026-05-02T08:00:01Z", "2026-05-03T08:00:02Z", "2026-05-04T08:00:03Z", "2026-05-05T08:00:04Z"],
        ] { XCTAssertNil(try timed(times).segmentDurations, "\(times)") }
    }

    func testACollectionWithoutALineIsRefused() throws {
        assertContains(try refusal(collection([point])), "features holds no LineString")
        assertContains(try refusal(["type": "FeatureCollection"]), "features holds no LineString")
    }

    func testOtherGeometriesAreRefusedByName() throws {
        assertContains(try refusal(point), "this is Point, not a LineString")
        assertContains(try refusal(feature(["type": "Polygon", "coordinates": [Any]()])), "geometry is Polygon, not a LineString")
        assertContains(try refusal(["type": "GeometryCollection", "geometries": [point]]), "geometries holds no LineString")
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
