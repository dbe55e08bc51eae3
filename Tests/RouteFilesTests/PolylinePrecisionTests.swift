import Foundation
import Navigation
import XCTest

@testable import RouteFiles

/// Precision 5 or 6: never silently the wrong one.
final class PolylinePrecisionTests: XCTestCase {
    func testStatement45TheDeclaredDistanceTellsThePrecisionWhereBothAreOnEarth() throws {
        for precision in [5, 6] {
            for hasSteps in [false, true] {
                let answer = Answer(points: Fixture.guinea, precision: precision, hasSteps: hasSteps, hasWaypoints: false)
                assertEqual(try describe(answer).points, Fixture.guinea)
            }
        }
    }

    func testTheWaypointsTellThePrecisionWhereNoDistanceIsDeclared() throws {
        for precision in [5, 6] {
            var object = Answer(points: Fixture.guinea, precision: precision).object()
            try forgetDistances(&object)
            assertEqual(try describe(Fixture.json(object)).points, Fixture.guinea)
        }
    }

    func testWithoutDistanceAndWaypointsThePrecisionIsNotGuessed() throws {
        var object = Answer(points: Fixture.guinea, hasWaypoints: false).object()
        try forgetDistances(&object)
        assertContains(try refusal(object), "nothing says whether its precision is 5 or 6")
    }

    func testADistanceThatFitsNeitherPrecisionIsRefusedWithBothLengths() throws {
        var object = Answer(points: Fixture.guinea, hasWaypoints: false).object()
        let length = Fixture.length(Fixture.guinea)
        try editRoute(&object) { $0["distance"] = length * 1000 }
        let reason = try refusal(object)
        assertContains(reason, "routes[0].geometry: with precision 5 it is")
        assertContains(reason, "and with precision 6 it is \(Int(length.rounded())) m long where \(Int((length * 1000).rounded())) m")
    }

    func testALineFarFromItsWaypointsIsRefused() throws {
        var object = Answer(precision: 5).object()
        object["waypoints"] = [Fixture.location(Fixture.guinea[0]), Fixture.location(Fixture.guinea[4])]
        let reason = try refusal(object)
        assertContains(reason, "with precision 5 it starts")
        assertContains(reason, "from the first waypoint")
        object["waypoints"] = [Fixture.location(Fixture.north[0]), Fixture.location(Fixture.guinea[4])]
        assertContains(try refusal(object), "with precision 5 it ends")
    }

    func testAHeavilySimplifiedOverviewStillTellsItsPrecision() throws {
        // A detour of which the overview keeps the ends: a quarter of the declared distance.
        let detour = Fixture.line([(5.10, 3.20), (5.16, 3.20), (5.16, 3.24), (5.10, 3.24)])
        for precision in [5, 6] {
            let answer = Answer(points: detour, legEnds: [3], precision: precision, overview: [detour[0], detour[3]], hasWaypoints: false)
            assertEqual(try describe(answer).points, [detour[0], detour[3]])
        }
    }

    func testShortLinesTakeTheNearerLength() throws {
        let short = Fixture.line([(5.10000, 3.20000), (5.10010, 3.20000)])
        for precision in [5, 6] {
            let answer = Answer(points: short, legEnds: [1], precision: precision, hasWaypoints: false)
            assertEqual(try describe(answer).points, short)
        }
    }

    private func forgetDistances(_ object: inout [String: Any]) throws {
        try editRoute(&object) { $0["distance"] = nil }
        try edit(&object) { legs in
            for index in legs.indices { legs[index]["distance"] = nil }
        }
    }
}
