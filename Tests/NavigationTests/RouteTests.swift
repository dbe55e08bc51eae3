import XCTest

@testable import Navigation

final class RouteTests: XCTestCase {
    private let plane = Plane()

    private func reason(_ description: RouteDescription, file: StaticString = #filePath, line: UInt = #line) -> String {
        do {
            _ = try Route(description)
            XCTFail("accepted", file: file, line: line)
            return ""
        } catch { return error.reason }
    }

    private func refuses(
        _ words: String..., file: StaticString = #filePath, line: UInt = #line, change: (inout RouteDescription) -> Void
    ) {
        var description = RouteDescription(points: plane.points([(0, 0), (100, 0)]), legEnds: [2, 5])
        change(&description)
        let reason = reason(description, file: file, line: line)
        for word in words { XCTAssertTrue(reason.contains(word), "\"\(word)\" is missing in: \(reason)", file: file, line: line) }
    }

    // MARK: What is refused

    func testRefusesPointsThatMakeNoLine() {
        refuses("at least 2 points", "1") {
            $0.points = [$0.points[0]]; $0.legEnds = [0]
        }
        refuses("point 3", "latitude 91.5") { $0.points[3].latitude = 91.5 }
        refuses("point 1", "latitude nan") { $0.points[1].latitude = .nan }
        refuses("point 2", "longitude inf") { $0.points[2].longitude = .infinity }
        refuses("point 4", "longitude -360.5") { $0.points[4].longitude = -360.5 }
        refuses("points 4 and 5", "km apart") { $0.points[5].latitude = -47 }
        refuses("4000001 points", "4000000") {
            $0.points = Array(repeating: $0.points[0], count: Route.maxPoints + 1)
            $0.legEnds = [Route.maxPoints]
        }
    }

    func testRefusesLegsThatDoNotCoverTheLine() {
        refuses("no legs") { $0.legEnds = [] }
        refuses("leg 0 ends at point 6", "0 to 5") { $0.legEnds = [6, 5] }
        refuses("leg 0 ends at point -1") { $0.legEnds = [-1, 5] }
        refuses("leg 1 ends at point 2", "leg 0", "3") { $0.legEnds = [3, 2, 5] }
        refuses("last leg ends at point 4", "5") { $0.legEnds = [2, 4] }
        refuses("10001 legs", "10000") { $0.legEnds = Array(repeating: 5, count: Route.maxLegs + 1) }
    }

    func testRefusesDeclaredValuesThatCannotBe() {
        refuses("1 leg durations for 2 legs") { $0.legDurations = [1] }
        refuses("leg 1 has the duration -3.0") { $0.legDurations = [1, -3] }
        refuses("leg 0 has the length nan") { $0.legLengths = [.nan, 3] }
        refuses("4 segment durations for 5 segments") { $0.segmentDurations = [1, 1, 1, 1] }
        refuses("segment 2 has the duration inf") { $0.segmentDurations = [1, 1, .infinity, 1, 1] }
    }

    // MARK: Metres

    func testLengthIsTheEllipsoids() throws {
        let points = [
            Coordinate(latitude: 47.37, longitude: 8.54), Coordinate(latitude: 47.3705, longitude: 8.5411),
            Coordinate(latitude: 47.3705, longitude: 8.5411),
        ]
        let route = try Route(RouteDescription(points: points, legEnds: [2]))
        XCTAssertEqual(route.length, 99.9637062, accuracy: 1e-6)
        XCTAssertEqual(route.along, [0, route.length, route.length])
    }

    func testLongitudesBeyondTheAntimeridianAreWrapped() throws {
        let route = try Route(
            RouteDescription(
                points: [Coordinate(latitude: 0, longitude: 179.99), Coordinate(latitude: 0, longitude: 180.01)], legEnds: [1]))
        XCTAssertEqual(route.longitudes[1], -179.99, accuracy: 1e-9)
        XCTAssertEqual(route.length, 2226.3898159, accuracy: 1e-4)
        XCTAssertEqual(abs(route.coordinate(along: route.length / 2).longitude), 180, accuracy: 1e-7)
    }

    func testLegsAreNormalisedToDeclaredLengthsThatAgreeWithinAFifth() throws {
        let points = plane.points([(0, 0), (1000, 0), (1000, 500)], spacing: 100)
        let route = try Route(RouteDescription(points: points, legEnds: [10, 15], legLengths: [1100, 700]))
        XCTAssertEqual(route.legEndAlong(0), 1100)
        XCTAssertEqual(route.along[5], 550, accuracy: 0.01)
        XCTAssertEqual(route.length, 1600, accuracy: 0.01, "700 m is another road than 500 m")
    }

    func testSnappedPlaceOnALongSegmentIsOnTheGeodesic() throws {
        let a = Coordinate(latitude: 60.17, longitude: 24.94)
        let b = Coordinate(latitude: 60.17, longitude: 25.12)
        let route = try Route(RouteDescription(points: [a, b], legEnds: [1]))
        let middle = route.coordinate(along: route.length / 2)
        XCTAssertEqual(distance(from: a, to: middle), route.length / 2, accuracy: 0.005)
        XCTAssertEqual(distance(from: middle, to: b), route.length / 2, accuracy: 0.005)
        XCTAssertGreaterThan(middle.latitude, 60.17003, "3.4 m north of the parallel")
    }

    func testPlacesOnASegmentAcrossACountryAreWhereTheirMetresSay() throws {
        let a = Coordinate(latitude: 40, longitude: 10)
        let route = try Route(RouteDescription(points: [a, Coordinate(latitude: 44, longitude: 14)], legEnds: [1]))
        for part in [0.1, 0.25, 0.5, 0.75] {
            XCTAssertEqual(distance(from: a, to: route.coordinate(along: part * route.length)), part * route.length, accuracy: 5)
        }
    }

    // MARK: Seconds

    func testElapsedWithoutDurationsIsEmptyAndSecondsAreUnknown() throws {
        let route = try Route(RouteDescription(points: plane.points([(0, 0), (100, 0)]), legEnds: [5]))
        XCTAssertEqual(route.elapsed, [])
        XCTAssertNil(route.duration)
        XCTAssertTrue(route.seconds(along: 10).isNaN)
    }

    func testSegmentDurationsShapeEachLegAndItsDeclaredTotalHolds() throws {
        let points = plane.points([(0, 0), (100, 0)])
        let shaped = try Route(
            RouteDescription(points: points, legEnds: [2, 5], legDurations: [10, 66], segmentDurations: [1, 3, 0, 0, 33]))
        XCTAssertEqual(shaped.elapsed, [0, 2.5, 10, 10, 10, 76])
        let unscaled = try Route(RouteDescription(points: points, legEnds: [2, 5], segmentDurations: [1, 3, 0, 0, 33]))
        XCTAssertEqual(unscaled.elapsed, [0, 1, 4, 4, 4, 37])
    }

    func testALegWithoutLengthHasItsTimeAtItsEnd() throws {
        let line = plane.points([(0, 0), (100, 0)], spacing: 50)
        let repeated = try Route(
            RouteDescription(points: [line[0], line[1], line[1], line[2]], legEnds: [1, 2, 3], legDurations: [5, 30, 5]))
        let own = try Route(RouteDescription(points: line, legEnds: [1, 1, 2], legDurations: [5, 30, 5]))
        for route in [repeated, own] {
            XCTAssertEqual(route.legEnds, [1, 2, 3])
            XCTAssertEqual(route.elapsed, [0, 5, 35, 40])
            XCTAssertEqual(route.seconds(along: 25), 2.5, accuracy: 1e-3)
            XCTAssertEqual(route.seconds(along: 75), 37.5, accuracy: 1e-3)
        }
        let first = try Route(RouteDescription(points: line, legEnds: [0, 2], legDurations: [9, 10], segmentDurations: [3, 1]))
        XCTAssertEqual(first.elapsed, [0, 9, 16.5, 19])
    }

    func testARouteOfOnePlaceHasNoLengthAndNoNaN() throws {
        let route = try Route(RouteDescription(points: Array(repeating: plane.origin, count: 3), legEnds: [2], legDurations: [60]))
        XCTAssertEqual(route.length, 0)
        XCTAssertEqual(route.elapsed.last, 60)
        XCTAssertEqual(route.coordinate(along: 5), plane.origin)
        XCTAssertFalse(route.elapsed.contains(where: \.isNaN))
    }

    // MARK: Lookup

    func testLookupsAreClampedOntoTheRoute() throws {
        let points = [0.0, 10, 10, 40].map { plane.coordinate(($0, 0)) }
        let route = try Route(RouteDescription(points: points, legEnds: [1, 3]))
        XCTAssertEqual(route.vertex(after: -1), 0)
        XCTAssertEqual(route.vertex(after: 0), 1)
        XCTAssertEqual(route.vertex(after: route.along[1]), 3, "strictly further")
        XCTAssertEqual(route.vertex(after: 1000), 3)
        XCTAssertEqual(route.vertex(after: .nan), 1)
        XCTAssertEqual(route.coordinate(along: -5), points[0])
        XCTAssertEqual(route.coordinate(along: .nan), points[0])
        XCTAssertEqual(route.coordinate(along: .infinity), points[3])
        XCTAssertEqual(distance(from: points[2], to: route.coordinate(along: 25)), 15, accuracy: 0.01)
        XCTAssertEqual(route.leg(along: 0), 0)
        XCTAssertEqual(route.leg(along: route.along[1]), 1)
        XCTAssertEqual(route.leg(along: 1000), 1)
    }

    func testSegmentIsFoundFromAnyHint() throws {
        var random = SeededGenerator(state: 3)
        let route = try plane.route([(0, 0), (2000, 0)], spacing: 7)
        for _ in 0..<2000 {
            let along = Double.random(in: -10...2010, using: &random)
            let hint = Int.random(in: -5...route.count + 5, using: &random)
            XCTAssertEqual(route.segment(at: along, near: hint), route.segment(at: along))
        }
    }

    func testIndexFindsEveryLeafThatComesNear() throws {
        var random = SeededGenerator(state: 4)
        var corners: [Corner] = [(0, 0)]
        for _ in 0..<400 {
            corners.append(
                (
                    corners.last!.east + .random(in: -900...1000, using: &random),
                    corners.last!.north + .random(in: -900...900, using: &random)
                ))
        }
        let route = try plane.route(corners, spacing: 30)
        for _ in 0..<200 {
            let corner = corners.randomElement(using: &random)!
            let place = EarthPosition.onEllipsoid(plane.coordinate((corner.east + 200, corner.north))).position
            var found: [Int] = []
            var leaf = 0
            while let near = route.index.leaf(from: leaf, within: 250, of: place) {
                found.append(near)
                leaf = near + 1
            }
            let needed = Set(
                (0..<route.count).filter { vertex in
                    let other = route.positions[vertex].earthPosition
                    return pow(other.x - place.x, 2) + pow(other.y - place.y, 2) + pow(other.z - place.z, 2) < 249 * 249
                }.map { min($0, route.count - 2) / RouteIndex.leafSize })
            XCTAssertTrue(needed.isSubset(of: found))
            XCTAssertLessThan(found.count, route.count / RouteIndex.leafSize / 2, "it rules most of them out")
            XCTAssertEqual(found, found.sorted())
        }
    }
}
