import Foundation
import Navigation
import XCTest

@testable import RouteFiles

/// Legs of an overview that neither steps nor annotations cut: by the waypoints.
final class LegSplitTests: XCTestCase {
    func testLegsEndAtThePointsWhereTheirWaypointsLie() throws {
        let description = try describe(Answer(legEnds: [1, 3, 4]))
        assertEqual(description.points, Fixture.north)
        XCTAssertEqual(description.legEnds, [1, 3, 4])
    }

    func testAWaypointBetweenTwoPointsAddsOne() throws {
        let ends = [Fixture.north[0], Fixture.north[2]]
        let middle = Coordinate(latitude: 48.1005, longitude: 11.5010)
        let split = try LegSplit(ends, stops: stops([middle]), legLengths: nil, at: "line")
        XCTAssertEqual(split.points.count, 3)
        XCTAssertEqual(split.legEnds, [1, 2])
        XCTAssertLessThan(Ground.distance(split.points[1], middle), 0.1)
        assertEqual([split.points[0], split.points[2]], ends)
    }

    func testAWaypointBesideTheLineEndsItsLegAtTheFoot() throws {
        let line = Fixture.line([(48, 11), (48, 11.01)])
        let split = try LegSplit(line, stops: stops(Fixture.line([(48.0002, 11.004)])), legLengths: nil, at: "line")
        assertEqual(split.points, Fixture.line([(48, 11), (48, 11.004), (48, 11.01)]), accuracy: 1e-6)
    }

    func testAPointWithinAMetreIsTakenForTheCutTheNearerFirst() throws {
        let line = Fixture.line([(48, 11), (48, 11.01), (48, 11.010008), (48, 11.02)])
        for (longitude, end) in [(11.010003, 1), (11.010006, 2), (11.009995, 1), (11.010012, 2)] {
            let split = try LegSplit(line, stops: stops(Fixture.line([(48, longitude)])), legLengths: nil, at: "line")
            XCTAssertEqual(split.legEnds, [end, 3])
            assertEqual(split.points, line)
        }
    }

    func testSeveralWaypointsOnOneSegmentStayInOrder() throws {
        let line = Fixture.line([(48, 11), (48, 11.01)])
        let stops = Fixture.line([(48, 11.002), (48, 11.002), (48, 11.007), (48, 11.004)])
        let split = try LegSplit(line, stops: self.stops(stops), legLengths: nil, at: "line")
        XCTAssertEqual(split.legEnds, [1, 2, 3, 4, 5])
        XCTAssertEqual(split.points.map { ($0.longitude * 1000).rounded() }, [11000, 11002, 11002, 11007, 11007, 11010])
    }

    func testARoadDrivenTwiceIsCutOnThePassThatTheLegLengthsTell() throws {
        // Out and back over the same points; the waypoint lies where both passes go.
        let out = Fixture.line([(48, 11), (48, 11.01), (48, 11.02)])
        let line = out + out.dropLast().reversed()
        let stop = [line[1]]
        let lengths = [Ground.length(line[0...1]), Ground.length(line[1...4])]
        XCTAssertEqual(try LegSplit(line, stops: stops(stop), legLengths: lengths, at: "line").legEnds, [1, 4])
        XCTAssertEqual(try LegSplit(line, stops: stops(stop), legLengths: lengths.reversed(), at: "line").legEnds, [3, 4])
        XCTAssertEqual(try LegSplit(line, stops: stops(stop), legLengths: nil, at: "line").legEnds, [1, 4])
    }

    func testALoopThatEndsWhereItStartsIsCutInOrder() throws {
        let loop = Fixture.line([(48, 11), (48, 11.01), (48.01, 11.01), (48.01, 11), (48, 11)])
        let description = try describe(Answer(points: loop, legEnds: [2, 4]))
        XCTAssertEqual(description.legEnds, [2, 4])
    }

    func testSilentWaypointsDoNotEndLegs() throws {
        var object = Answer(legEnds: [2, 4]).object()
        object["waypoints"] = [0, 1, 2, 4].map { Fixture.location(Fixture.north[$0]) }
        try edit(&object) { legs in legs[0]["via_waypoints"] = [["waypoint_index": 1, "geometry_index": 1]] }
        XCTAssertEqual(try describe(Fixture.json(object)).legEnds, [2, 4])
    }

    func testWaypointsInsideTheRouteAreRead() throws {
        var object = Answer(legEnds: [2, 4]).object()
        let waypoints = object.removeValue(forKey: "waypoints")
        try editRoute(&object) { $0["waypoints"] = waypoints }
        XCTAssertEqual(try describe(Fixture.json(object)).legEnds, [2, 4])
    }

    func testLegsThatNothingCutsAreRefused() throws {
        let reason = try refusal(Answer(legEnds: [2, 4], hasWaypoints: false).object())
        assertContains(reason, "routes[0].legs has 2 legs, and nothing says where they end")
        var object = Answer(legEnds: [2, 4]).object()
        object["waypoints"] = [0, 1, 2, 4].map { Fixture.location(Fixture.north[$0]) }
        assertContains(try refusal(object), "nothing says where they end")
    }

    func testAWaypointFarFromTheLineIsRefused() throws {
        var object = Answer(legEnds: [2, 4]).object()
        object["waypoints"] = [Fixture.north[0], Fixture.guinea[0], Fixture.north[4]].map(Fixture.location)
        assertContains(try refusal(object), "routes[0].geometry passes waypoints[1] at")
    }

    func testMoreWorkThanASecondIsRefused() {
        let line = [Coordinate](repeating: Fixture.north[0], count: 100_000)
        let stops = [Coordinate](repeating: Fixture.north[0], count: 1_000)
        XCTAssertThrowsError(try LegSplit(line, stops: self.stops(stops), legLengths: nil, at: "line")) {
            assertContains(($0 as? RouteFileError)?.reason ?? "", "line has too many points and waypoints")
        }
    }

    private func stops(_ positions: [Coordinate]) -> [LegSplit.Stop] {
        positions.enumerated().map { LegSplit.Stop(position: $1, name: "waypoints[\($0 + 1)]") }
    }
}
