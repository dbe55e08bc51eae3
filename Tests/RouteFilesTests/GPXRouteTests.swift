import Foundation
import Navigation
import XCTest

@testable import RouteFiles

final class GPXRouteTests: XCTestCase {
    private let north = Fixture.north

    private func point(_ name: String, _ point: Coordinate, _ content: String = "") -> String {
        "<\(name) lat=\"\(point.latitude)\" lon=\"\(point.longitude)\">\(content)</\(name)>\n"
    }

    private func time(_ second: Int) -> String { "<ele>500</ele><time>2026-05-01T08:00:\(second < 10 ? "0" : "")\(second)Z</time>" }

    private func segment(_ points: ArraySlice<Coordinate>) -> String {
        "<trkseg>" + points.map { point("trkpt", $0) }.joined() + "</trkseg>"
    }

    private func gpx(_ content: String, version: String = "1/1") -> String {
        "<?xml version=\"1.0\"?>\n<gpx xmlns=\"http://www.topografix.com/GPX/\(version)\" version=\"1.1\">" + content + "</gpx>"
    }

    func testATrackOfEitherVersionOrNoNamespaceIsRead() throws {
        let track = "<trk><name>a</name>" + segment(north[...]) + "</trk>"
        for text in [gpx(track), gpx(track, version: "1/0"), "<gpx>" + track + "</gpx>"] {
            let description = try describe(text)
            assertEqual(description.points, north)
            XCTAssertEqual(description.legEnds, [4])
            XCTAssertNil(description.segmentDurations)
        }
        let prefixed = track.replacingOccurrences(of: "<", with: "<g:").replacingOccurrences(of: "<g:/", with: "</g:")
        assertEqual(try describe("<g:gpx xmlns:g=\"http://www.topografix.com/GPX/1/1\">" + prefixed + "</g:gpx>").points, north)
    }

    func testTheTrackIsTakenRatherThanTheRouteAndPlacesAreLeftOut() throws {
        let route = "<rte>" + point("rtept", north[0]) + point("rtept", north[4]) + "</rte>"
        let text = gpx(point("wpt", Coordinate(latitude: 1, longitude: 1)) + route + "<trk>" + segment(north[...]) + "</trk>")
        assertEqual(try describe(text).points, north)
    }

    func testARouteIsReadWithTheShapePointsOfItsExtensions() throws {
        let shape =
            "<extensions><gpxx:RoutePointExtension>" + point("gpxx:rpt", north[1]) + point("gpxx:rpt", north[2])
            + "</gpxx:RoutePointExtension></extensions>"
        let text = gpx("<rte>" + point("rtept", north[0], shape) + point("rtept", north[3]) + point("rtept", north[4]) + "</rte>")
        assertEqual(try describe(text).points, north)
    }

    func testSegmentsOfATrackAreJoinedOverAPause() throws {
        let text = gpx("<trk>" + segment(north[...1]) + "<trkseg></trkseg>" + segment(north[2...]) + "</trk>")
        assertEqual(try describe(text).points, north)
        let far = Coordinate(latitude: 48.3, longitude: 11.5)
        assertContains(refusal(gpx("<trk>" + segment(north[...1]) + segment([far, far][...]) + "</trk>")), "trkseg 2 of trk 1 starts")
    }

    func testTracksThatDoNotContinueOneAnotherAreRefused() throws {
        let text = gpx("<trk>" + segment(north[...2]) + "</trk>\n<trk>" + segment(north[2...]) + "</trk>")
        assertEqual(try describe(text).points, north)
        let apart = gpx("<trk>" + segment(north[2...]) + "</trk>\n<trk>" + segment(north[...2]) + "</trk>")
        assertContains(refusal(apart), "trkseg 1 of trk 2 starts")
        assertContains(refusal(apart), "from the end of trkseg 1 of trk 1")
    }

    func testPlausibleTimesAreASchedule() throws {
        let seconds = [0, 10, 30, 31, 59]
        let points = zip(north, seconds).map { point("trkpt", $0, time($1)) }.joined()
        XCTAssertEqual(try describe(gpx("<trk><trkseg>" + points + "</trkseg></trk>")).segmentDurations, [10, 20, 1, 28].map { $0 })
    }

    func testTimesThatAreEqualMissingOrInExtensionsAreNoSchedule() throws {
        for contents in [
            [time(5), time(5), time(5), time(5), time(5)], [time(0), time(9), "", time(20), time(30)],
            [0, 9, 15, 20, 30].map { "<extensions>" + time($0) + "</extensions>" },
            (0..<5).map { "<time>1970-01-01T00:00:\($0)0Z</time>" },
        ] {
            let points = zip(north, contents).map { point("trkpt", $0, $1) }.joined()
            XCTAssertNil(try describe(gpx("<trk><trkseg>" + points + "</trkseg></trk>")).segmentDurations)
        }
    }

    private func graphHopperRoute() -> String {
        let times = [10_000, 20_000, 5_000, 25_000, 0]
        let points = zip(north, times).map {
            point("rtept", $0, "<desc>x</desc><extensions><gh:distance>120.5</gh:distance><gh:time>\($1)</gh:time></extensions>")
        }
        return "<rte>" + points.joined() + "</rte>"
    }

    func testGraphHoppersTimesOfARouteCount() throws {
        let description = try describe(gpx(graphHopperRoute()))
        XCTAssertEqual(description.legDurations, [60])
        XCTAssertEqual(description.segmentDurations, [10, 20, 5, 25])
        XCTAssertEqual(try XCTUnwrap(description.legLengths)[0], 602.5, accuracy: 1e-9)
    }

    func testGraphHoppersTimesOfTheRouteCountForATrackWithoutTimes() throws {
        let description = try describe(gpx(graphHopperRoute() + "<trk>" + segment(north[...]) + "</trk>"))
        XCTAssertEqual(description.legDurations, [60])
        XCTAssertNil(description.segmentDurations)
    }

    func testNumbersMayHaveExponentsAndAreRefusedByLineOtherwise() throws {
        let text = #"<gpx><trk><trkseg><trkpt lat="4.81E1" lon="1.15e+1"/><trkpt lat=" 48.2" lon="11.5"/></trkseg></trk></gpx>"#
        assertContains(refusal(text), "a point without the numbers lat and lon")
        XCTAssertEqual(try describe(text.replacingOccurrences(of: "\" 48.2", with: "\"48.2")).points[0].latitude, 48.1, accuracy: 1e-12)
        assertContains(refusal("<gpx><trk><trkseg>\n<trkpt lat=\"91\" lon=\"1\"/></trkseg></trk></gpx>"), "line 2: lat 91")
        assertContains(refusal("<gpx><trk><trkseg>\n<trkpt lat=\"48,1\" lon=\"1\"/></trkseg></trk></gpx>"), "line 2: a point without")
    }

    func testThe180thMeridianIsCrossed() throws {
        let text = gpx("<trk>" + segment(Fixture.line([(0, 179.99), (0, -179.99)])[...]) + "</trk>")
        XCTAssertEqual(try Route(describe(text)).length, 2226, accuracy: 1)
    }

    func testAFileWithoutALineIsRefused() {
        assertContains(refusal("<gpx></gpx>"), "neither trkpt nor rtept")
        assertContains(refusal(gpx(point("wpt", north[0]))), "neither trkpt nor rtept")
        assertContains(refusal("<gpx><trk><trkseg/></trk></gpx>"), "neither trkpt nor rtept")
    }
}
