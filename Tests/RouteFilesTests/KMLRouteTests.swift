import Foundation
import Navigation
import XCTest

@testable import RouteFiles

final class KMLRouteTests: XCTestCase {
    private let north = Fixture.north

    private func lineString(_ points: ArraySlice<Coordinate>, separator: String = ",") -> String {
        let positions = points.map { "\($0.longitude)\(separator)\($0.latitude)\(separator)520" }
        return "<LineString><altitudeMode>absolute</altitudeMode><coordinates>\n " + positions.joined(separator: "\n ")
            + "\n</coordinates></LineString>"
    }

    private func kml(_ content: String) -> String {
        "<kml xmlns=\"http://www.opengis.net/kml/2.2\"><Document><Folder><Folder><Placemark>" + content
            + "</Placemark></Folder></Folder></Document></kml>"
    }

    private func track(_ points: ArraySlice<Coordinate>, seconds: [Int] = [], prefix: String = "gx:") -> String {
        let times = seconds.map { "<when>2026-05-01T08:00:\($0 < 10 ? "0" : "")\($0)Z</when>" }.joined()
        let positions = points.map { "<\(prefix)coord>\($0.longitude) \($0.latitude) 520</\(prefix)coord>\n" }.joined()
        return "<\(prefix)Track>" + times + positions + "</\(prefix)Track>"
    }

    func testALineStringIsReadWhereverItLiesWithOrWithoutNamespace() throws {
        assertEqual(try describe(kml(lineString(north[...]))).points, north)
        assertEqual(try describe("<kml>" + lineString(north[...]) + "</kml>").points, north)
        XCTAssertEqual(try describe(kml(lineString(north[...]))).legEnds, [4])
    }

    func testBlanksAroundCommasAreTolerated() throws {
        for separator in [", ", " ,", " ,\n ", ",\t"] {
            assertEqual(try describe(kml(lineString(north[...], separator: separator))).points, north)
        }
    }

    func testPositionsWithoutAltitudeAndWithExponentsAreRead() throws {
        let text = kml("<LineString><coordinates>1.15e1,48.1 11.6,48.2\t-1.0,-2.5</coordinates></LineString>")
        assertEqual(try describe(text).points, Fixture.line([(48.1, 11.5), (48.2, 11.6), (-2.5, -1)]))
    }

    func testTextThatComesInPiecesIsReadWhole() throws {
        let text = kml("<LineString><coordinates>11.5,48<!-- x -->.1 11<![CDATA[.6,4]]>8.2&#32;11.7,48.3</coordinates></LineString>")
        assertEqual(try describe(text).points, Fixture.line([(48.1, 11.5), (48.2, 11.6), (48.3, 11.7)]))
    }

    func testALongLineIsReadOverTheEndsOfThePiecesThatTheParserIsGiven() throws {
        let points = (0..<60_000).map { Coordinate(latitude: 48 + Double($0) * 1e-5, longitude: 11.123456) }
        assertEqual(try describe(kml(lineString(points[...]))).points, points)
    }

    func testTheLinesOfAMultiGeometryAreJoinedWhereTheyMeet() throws {
        let text = kml("<MultiGeometry>" + lineString(north[...2]) + lineString(north[2...]) + "</MultiGeometry>")
        assertEqual(try describe(text).points, north)
        let apart = kml("<MultiGeometry>" + lineString(north[2...]) + lineString(north[...2]) + "</MultiGeometry>")
        assertContains(refusal(apart), "LineString 2 starts")
    }

    func testOtherCoordinatesAreLeftOut() throws {
        let point = "<Point><coordinates>1,1</coordinates></Point><LinearRing><coordinates>1,1 2,2</coordinates></LinearRing>"
        assertEqual(try describe(kml(point + lineString(north[...]))).points, north)
        assertContains(refusal(kml(point)), "neither a LineString nor a gx:Track")
    }

    func testATracksTimesAreItsSchedule() throws {
        for prefix in ["gx:", ""] {
            let description = try describe(kml(track(north[...], seconds: [0, 10, 30, 31, 59], prefix: prefix)))
            assertEqual(description.points, north)
            XCTAssertEqual(description.segmentDurations, [10, 20, 1, 28])
        }
        XCTAssertNil(try describe(kml(track(north[...], seconds: [0, 10]))).segmentDurations)
        XCTAssertNil(try describe(kml(track(north[...]))).segmentDurations)
    }

    func testTheTracksOfAMultiTrackAreJoinedOverAPause() throws {
        let text = kml("<gx:MultiTrack>" + track(north[...1]) + track(north[2...]) + "</gx:MultiTrack>")
        assertEqual(try describe(text).points, north)
        assertContains(refusal(kml(track(north[...1]) + track(north[2...]))), "Track 2 starts")
    }

    func testBadPositionsAreRefusedByLine() {
        for (coordinates, reason) in [
            ("11.5,48.1 x,48", "\"x\" is no number"), ("11.5,48.1 11.6", "a position without a latitude"),
            ("11.5,,48.1", "a comma without a number"), (",48", "a comma without a number"), ("11.5,91", "is not on earth"),
            (String(repeating: "1", count: 10_000), "is no number"),
        ] {
            assertContains(refusal(kml("<LineString>\n<coordinates>\(coordinates)</coordinates></LineString>")), "line 2: ");
            assertContains(refusal(kml("<LineString><coordinates>\(coordinates)</coordinates></LineString>")), reason)
        }
    }
}
