import Foundation
import Navigation
import XCTest

@testable import RouteFiles

/// Points, leg ends and times of OSRM and Mapbox answers.
final class OSRMRouteTests: XCTestCase {
    func testTheThreeGeometriesReadAlike() throws {
        for precision in [5, 6, nil] {
            let description = try describe(Answer(precision: precision))
            assertEqual(description.points, Fixture.north)
            XCTAssertEqual(description.legEnds, [4])
            XCTAssertEqual(description.legDurations, [100])
            XCTAssertEqual(try XCTUnwrap(description.legLengths?[0]), Fixture.length(Fixture.north), accuracy: 1e-6)
            XCTAssertNil(description.segmentDurations)
        }
    }

    func testABareRouteObjectIsRead() throws {
        let routes = try XCTUnwrap(Answer(legEnds: [2, 4], hasSteps: true).object()["routes"] as? [[String: Any]])
        let description = try describe(Fixture.json(routes[0]))
        assertEqual(description.points, Fixture.north)
        XCTAssertEqual(description.legEnds, [2, 4])
    }

    func testTheFirstOfSeveralRoutesIsTaken() throws {
        var object = Answer().object()
        let other = try XCTUnwrap(Answer(points: Array(Fixture.north.reversed())).object()["routes"] as? [Any])
        object["routes"] = try XCTUnwrap(object["routes"] as? [Any]) + other
        assertEqual(try describe(Fixture.json(object)).points, Fixture.north)
    }

    func testStepsArePreferredToASimplifiedOverview() throws {
        let answer = Answer(legEnds: [2, 4], overview: [Fixture.north[0], Fixture.north[4]], hasSteps: true)
        let description = try describe(answer)
        assertEqual(description.points, Fixture.north)
        XCTAssertEqual(description.legEnds, [2, 4])
    }

    func testTheOverviewIsTakenWhereALegHasNoSteps() throws {
        var object = Answer(legEnds: [2, 4], hasSteps: true).object()
        try edit(&object) { legs in legs[1]["steps"] = [Any]() }
        let description = try describe(Fixture.json(object))
        assertEqual(description.points, Fixture.north)
        XCTAssertEqual(description.legEnds, [2, 4])
    }

    func testAMissingOverviewIsMadeUpForBySteps() throws {
        var object = Answer(hasSteps: true).object()
        try editRoute(&object) { $0["geometry"] = nil }
        assertEqual(try describe(Fixture.json(object)).points, Fixture.north)
        try edit(&object) { legs in legs[0]["steps"] = [Any]() }
        assertContains(try refusal(object), "routes[0].geometry is missing and the steps have none")
    }

    func testAnnotationCountsCutAFullOverview() throws {
        let description = try describe(Answer(legEnds: [1, 4], annotated: true, hasWaypoints: false))
        XCTAssertEqual(description.legEnds, [1, 4])
        XCTAssertEqual(description.segmentDurations, [1, 1, 2, 3])
    }

    func testSegmentTimesComeFromTheAnnotationBeforeTheSteps() throws {
        let description = try describe(Answer(legEnds: [2, 4], hasSteps: true, annotated: true))
        XCTAssertEqual(description.segmentDurations, [1, 2, 1, 2])
    }

    func testSegmentTimesComeFromStepsWhereTheAnnotationDoesNotFit() throws {
        var object = Answer(hasSteps: true, annotated: true).object()
        try edit(&object) { legs in legs[0]["annotation"] = ["duration": [1, 2]] }
        let durations = try XCTUnwrap(try describe(Fixture.json(object)).segmentDurations)
        XCTAssertEqual(durations.count, 4)
        XCTAssertEqual(durations[0], 75, accuracy: 1e-9)
        XCTAssertEqual(durations[1] + durations[2] + durations[3], 25, accuracy: 1e-9)
        let lengths = (1...3).map { Fixture.length(Array(Fixture.north[$0...$0 + 1])) }
        XCTAssertEqual(durations[1] / lengths[0], durations[3] / lengths[2], accuracy: 1e-9)
    }

    func testAnAnnotationWithHolesIsNotATimeProfile() throws {
        var object = Answer(annotated: true).object()
        try edit(&object) { legs in legs[0]["annotation"] = ["duration": [1, NSNull(), 2, 3] as [Any]] }
        XCTAssertNil(try describe(Fixture.json(object)).segmentDurations)
    }

    func testAnArrivalOfOneOrTwoPointsAddsNone() throws {
        for arrival in [[Fixture.north[4]], [Fixture.north[4], Fixture.north[4]]] {
            var object = Answer(hasSteps: true).object()
            try edit(&object) { legs in
                var steps = legs[0]["steps"] as? [[String: Any]] ?? []
                steps[2]["geometry"] = Fixture.encoded(arrival, precision: 6)
                legs[0]["steps"] = steps
            }
            assertEqual(try describe(Fixture.json(object)).points, Fixture.north)
        }
    }

    func testRepeatedPointsKeepTheAnnotationInStep() throws {
        var line = Fixture.north
        line.insert(line[2], at: 2)
        let description = try describe(Answer(points: line, legEnds: [5], hasSteps: true, annotated: true))
        assertEqual(description.points, line)
        XCTAssertEqual(description.segmentDurations, [1, 2, 3, 4, 5])
    }

    func testALegWithoutLengthIsLegal() throws {
        let description = try describe(Answer(legEnds: [2, 2, 4], hasSteps: true, legDurations: [60, 0, 40]))
        assertEqual(description.points, Fixture.north)
        XCTAssertEqual(description.legEnds, [2, 2, 4])
        XCTAssertEqual(description.legDurations, [60, 0, 40])
        XCTAssertEqual(description.segmentDurations?.count, 4)
    }

    func testARouteThatStaysWhereItIsHasTwoPoints() throws {
        let place = [Fixture.north[0]]
        let description = try describe(Answer(points: place, legEnds: [0], hasSteps: true))
        assertEqual(description.points, place + place)
        XCTAssertEqual(description.legEnds, [1])
    }

    func testALegsMissingTotalsAreTheRoutes() throws {
        var object = Answer().object()
        try editRoute(&object) { $0["legs"] = nil }
        let description = try describe(Fixture.json(object))
        XCTAssertEqual(description.legDurations, [100])
        XCTAssertEqual(description.legLengths?.count, 1)
    }

    func testALineOverThe180thMeridianIsRead() throws {
        let line = Fixture.line([(-17, 179.98), (-17, 179.99), (-17, -179.99), (-17, -179.98)])
        let unwrapped = Fixture.line([(-17, 179.98), (-17, 179.99), (-17, 180.01), (-17, 180.02)])
        var object = Answer(points: line, legEnds: [3]).object()
        assertEqual(try describe(Fixture.json(object)).points, line)
        try editRoute(&object) { $0["geometry"] = Fixture.encoded(unwrapped, precision: 5) }
        assertEqual(try describe(Fixture.json(object)).points, line)
    }

    // MARK: Refusals

    func testARoutersRefusalIsPassedOn() {
        assertContains(refusal(#"{"code":"NoRoute","message":"Impossible route"}"#), "the router answered NoRoute: Impossible route")
        assertContains(refusal(#"{"message":"Not Authorized"}"#), "the router answered no route: Not Authorized")
        assertContains(refusal(#"{"code":"Ok","routes":[]}"#), "routes holds no route")
    }

    func testAnswersWithoutARouteAreNamed() {
        assertContains(refusal(#"{"code":"Ok","matchings":[],"tracepoints":[]}"#), "map-matching")
        assertContains(refusal(#"{"hello":1}"#), "neither routes nor type")
        assertContains(refusal(#"[{"hello":1}]"#), "neither routes nor type")
    }

    func testBadTotalsAreNamedByPath() throws {
        for bad in [-3, "100s", [1], 1e10] as [Any] {
            var object = Answer(legEnds: [2, 4]).object()
            try edit(&object) { legs in legs[1]["duration"] = bad }
            assertContains(try refusal(object), "routes[0].legs[1].duration is not a number of seconds")
        }
        var object = Answer().object()
        try editRoute(&object) { $0["distance"] = "far" }
        assertContains(try refusal(object), "routes[0].distance is not a number of metres")
    }

    func testATotalThatOnlySomeLegsHaveIsRefused() throws {
        var object = Answer(legEnds: [2, 4]).object()
        try edit(&object) { legs in legs[1]["duration"] = nil }
        assertContains(try refusal(object), "routes[0].legs[1].duration is missing")
    }

    func testABadGeometryIsNamedByPathAndByte() throws {
        var object = Answer().object()
        try editRoute(&object) { $0["geometry"] = "_p~iF ~ps|U" }
        assertContains(try refusal(object), "routes[0].geometry: byte 5")
        try editRoute(&object) { $0["geometry"] = "" }
        assertContains(try refusal(object), "routes[0].geometry: byte 0: the polyline is empty")
        try editRoute(&object) { $0["geometry"] = 5 }
        assertContains(try refusal(object), "routes[0].geometry is of no type")
        object = Answer(hasSteps: true).object()
        try edit(&object) { legs in
            var steps = legs[0]["steps"] as? [[String: Any]] ?? []
            steps[1]["geometry"] = "_p~iF"
            legs[0]["steps"] = steps
        }
        assertContains(try refusal(object), "routes[0].legs[0].steps[1].geometry: byte 5")
    }

    func testAThingThatIsNoLegIsNamed() throws {
        var object = Answer().object()
        try editRoute(&object) { $0["legs"] = [5] }
        assertContains(try refusal(object), "routes[0].legs[0] is not an object")
    }

    func testMoreLegsThanTheLimitAreRefused() throws {
        var object = Answer().object()
        try editRoute(&object) { $0["legs"] = [[String: Any]](repeating: [:], count: Route.maxLegs + 1) }
        assertContains(try refusal(object), "more than \(Route.maxLegs) legs")
    }
}

extension XCTestCase {
    func editRoute(_ object: inout [String: Any], _ change: (inout [String: Any]) -> Void) throws {
        var routes = try XCTUnwrap(object["routes"] as? [[String: Any]])
        change(&routes[0])
        object["routes"] = routes
    }

    func edit(_ object: inout [String: Any], legs change: (inout [[String: Any]]) -> Void) throws {
        try editRoute(&object) { route in
            var legs = route["legs"] as? [[String: Any]] ?? []
            change(&legs)
            route["legs"] = legs
        }
    }
}
