import Foundation
import Navigation
import XCTest

@testable import FleetEngine

final class RouteSegmentTests: XCTestCase {
    /// North along a meridian, a vertex every 0.01 degrees (1,112 m), a waypoint at the second and the last.
    private func route() throws -> Route {
        let points = (0...4).map { Coordinate(latitude: 48 + Double($0) / 100, longitude: 11) }
        return try Route(RouteDescription(points: points, legEnds: [2, 4]))
    }

    private func line(_ segment: RouteSegment?) throws -> [Double] {
        try S2Decoder.decode(XCTUnwrap(segment).encoded).map { ($0.latitude * 1e4).rounded() / 1e4 }
    }

    func testStartsAtTheVehicleAndEndsWhereTheLegDoes() throws {
        let route = try route()
        let step = route.along[1]
        let first = RouteSegment(of: route, from: step / 2, leg: 0)
        XCTAssertEqual(try line(first), [48.005, 48.01, 48.02])
        XCTAssertEqual(first?.end, Coordinate(latitude: 48.02, longitude: 11))
        XCTAssertEqual(try line(RouteSegment(of: route, from: step * 2.5, leg: 1)), [48.025, 48.03, 48.04])
        XCTAssertEqual(try line(RouteSegment(of: route, from: 0, leg: 0)), [48, 48.01, 48.02])
    }

    func testAtAndBeyondTheEndItIsAsShortAsALineCanBe() throws {
        let route = try route()
        for along in [route.along[2], route.length, 1e9] {
            XCTAssertEqual(try line(RouteSegment(of: route, from: along, leg: 0)), [48.02, 48.02])
        }
        XCTAssertEqual(try line(RouteSegment(of: route, from: -5, leg: 0)).count, 3)
        XCTAssertNil(RouteSegment(of: route, from: 0, leg: 2))
        XCTAssertNil(RouteSegment(of: route, from: 0, leg: -1))
        XCTAssertNil(RouteSegment(of: route, from: .nan, leg: 0))
    }

    func testALongWindingLegIsThinnedToTheLimitAndStaysNearTheRoad() throws {
        let points = (0..<20_000).map { index in
            let turn = Double(index) / 300
            return Coordinate(
                latitude: 48 + Double(index) * 1e-5 + sin(turn) * 0.01, longitude: 179.9 + Double(index) * 1e-5 + cos(turn) * 0.01)
        }.map { Coordinate(latitude: $0.latitude, longitude: $0.longitude > 180 ? $0.longitude - 360 : $0.longitude) }
        let thinned = LineThinning.thin(points, to: RouteSegment.vertexLimit)
        XCTAssertLessThanOrEqual(thinned.count, RouteSegment.vertexLimit)
        XCTAssertGreaterThan(thinned.count, RouteSegment.vertexLimit / 4)
        XCTAssertEqual(thinned.first, points.first)
        XCTAssertEqual(thinned.last, points.last)
        let length = { (line: [Coordinate]) in zip(line, line.dropFirst()).reduce(0) { $0 + metres($1.0, $1.1) } }
        XCTAssertEqual(length(thinned), length(points), accuracy: length(points) * 0.01)
        let worst = stride(from: 0, to: points.count, by: 13).map { points[$0] }.map { point in
            zip(thinned, thinned.dropFirst()).map { distance(from: point, to: $0) }.min() ?? .infinity
        }.max()
        XCTAssertLessThan(try XCTUnwrap(worst), 40)
    }

    func testThinningKeepsTurningBackAndCopesWithNonsense() {
        let there = (0...1000).map { Coordinate(latitude: 48 + Double($0) / 1e4, longitude: 11) }
        let turning = LineThinning.thin(there + there.reversed(), to: 10)
        XCTAssertLessThanOrEqual(turning.count, 10)
        XCTAssertTrue(turning.contains { abs($0.latitude - 48.1) < 1e-4 })
        let same = Array(repeating: Coordinate(latitude: 1, longitude: 1), count: 1000)
        XCTAssertEqual(LineThinning.thin(same, to: 10).count, 2)
        let leaps = (0..<1000).map { Coordinate(latitude: $0 % 2 == 0 ? 90 : -90, longitude: Double($0 % 360) - 180) }
        XCTAssertLessThanOrEqual(LineThinning.thin(leaps, to: 10).count, 10)
    }

    private func distance(from point: Coordinate, to ends: (Coordinate, Coordinate)) -> Double {
        let scale = cos(point.latitude * .pi / 180)
        let plane = { (other: Coordinate) -> (Double, Double) in
            let degrees = (other.longitude - point.longitude + 540).truncatingRemainder(dividingBy: 360) - 180
            return (degrees * scale * 111_195, (other.latitude - point.latitude) * 111_195)
        }
        let (a, b) = (plane(ends.0), plane(ends.1))
        let d = (b.0 - a.0, b.1 - a.1)
        let squared = d.0 * d.0 + d.1 * d.1
        let share = squared == 0 ? 0 : min(1, max(0, -(a.0 * d.0 + a.1 * d.1) / squared))
        return hypot(a.0 + d.0 * share, a.1 + d.1 * share)
    }
}
