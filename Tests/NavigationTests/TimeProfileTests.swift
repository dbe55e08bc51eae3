import XCTest

@testable import Navigation

/// The seconds of a leg that declares nothing but their total.
final class TimeProfileTests: XCTestCase {
    private let plane = Plane()

    private func route(_ corners: [Corner], spacing: Double = 10, total: Double) throws -> Route {
        let points = plane.points(corners, spacing: spacing)
        return try Route(RouteDescription(points: points, legEnds: [points.count - 1], legDurations: [total]))
    }

    /// What a corner costs: the time around it beyond that of as much of a straight road.
    private func delay(_ corners: [Corner], at corner: Double, spacing: Double = 10) throws -> Double {
        let route = try route(corners, spacing: spacing, total: 300)
        let around = route.seconds(along: corner + 100) - route.seconds(along: corner - 100)
        return around - (route.seconds(along: corner - 200) - route.seconds(along: corner - 400))
    }

    // MARK: From rest to rest

    func testItIsDrivenFromRestToRest() throws {
        let route = try route([(0, 0), (2000, 0)], total: 200)
        // As a vehicle does that gains speed by 1.5 m/s² up to v: 200 s = 2000 m / v + v / 1.5.
        let cruising: Double = (200 - (40_000.0 - 8000 / 1.5).squareRoot()) * 0.75
        XCTAssertEqual(2000 / cruising + cruising / 1.5, 200, accuracy: 1e-9)
        for metres in [10.0, 30, 500, 1000, 1700] {
            let ramp = cruising * cruising / 3
            let onRamp: Double = (2 * metres / 1.5).squareRoot()
            let seconds: Double = metres < ramp ? onRamp : cruising / 1.5 + (metres - ramp) / cruising
            XCTAssertEqual(route.seconds(along: metres), seconds, accuracy: 0.2, "\(metres) m")
            XCTAssertEqual(route.seconds(along: route.length - metres), 200 - seconds, accuracy: 0.2, "\(metres) m before the end")
        }
    }

    func testALegThatIsTooFastForThatIsDrivenFasterAndSlowerByHalves() throws {
        let route = try route([(0, 0), (1000, 0)], total: 40)
        for (metres, seconds) in [(125.0, 10.0), (500, 20), (875, 30)] {
            XCTAssertEqual(route.seconds(along: metres), seconds, accuracy: 0.1)
        }
        XCTAssertEqual(route.duration, 40)
    }

    func testEveryLegHasItsOwnTotal() throws {
        let points = plane.points([(0, 0), (3000, 0)], spacing: 10)
        let route = try Route(RouteDescription(points: points, legEnds: [100, 300], legDurations: [100, 400]))
        XCTAssertEqual(route.elapsed[100], 100)
        XCTAssertEqual(route.elapsed[50], 50, accuracy: 0.1)
        XCTAssertEqual(route.elapsed[200], 300, accuracy: 0.1)
        XCTAssertEqual(route.duration, 500)
    }

    func testWhereAllSegmentsTakeNothingTheTotalIsSpreadAsWell() throws {
        let points = plane.points([(0, 0), (100, 0)])
        let none = [Double](repeating: 0, count: 5)
        let route = try Route(RouteDescription(points: points, legEnds: [5], legDurations: [50], segmentDurations: none))
        XCTAssertEqual(route.seconds(along: 50), 25, accuracy: 0.01)
        XCTAssertGreaterThan(route.elapsed[1], 10)
    }

    // MARK: Turns

    func testARightAngleCostsHalfOfWhatAUTurnDoes() throws {
        for spacing in [3.0, 10, 50] {
            XCTAssertEqual(try delay([(0, 0), (1000, 0), (1000, 1000)], at: 1000, spacing: spacing), 3.75, accuracy: 0.3, "\(spacing) m")
            XCTAssertEqual(try delay([(0, 0), (1000, 0), (0, 1)], at: 1000, spacing: spacing), 7.5, accuracy: 0.3, "\(spacing) m")
        }
    }

    func testACornerWithARadiusOfTenMetresCostsHalfOfASharpOne() throws {
        let arc = (0...8).map { step -> Corner in
            let angle = Double(step) * .pi / 16
            return (east: 990 + 10 * sin(angle), north: 10 - 10 * cos(angle))
        }
        XCTAssertEqual(try delay([(0, 0)] + arc + [(1000, 1000)], at: 995), 1.9, accuracy: 0.5)
    }

    func testABendOfTheRoadCostsNothing() throws {
        let arc = (0...90).map { step -> Corner in
            let angle = Double(step) * .pi / 180
            return (east: 1000 + 150 * sin(angle), north: 150 - 150 * cos(angle))
        }
        XCTAssertEqual(try delay([(0, 0)] + arc + [(1150, 1000)], at: 1100), 0, accuracy: 0.1)
    }

    func testTwoCornersOfABlockCostTwice() throws {
        XCTAssertEqual(try delay([(0, 0), (1000, 0), (1000, 50), (2000, 50)], at: 1025), 7.5, accuracy: 0.5)
    }

    func testTurnsTakeHalfOfTheTotalAtMost() throws {
        // A hundred right angles in a minute.
        let zigzag = (0...100).map { corner -> Corner in
            (east: Double((corner + 1) / 2) * 30, north: Double(corner / 2) * 30)
        }
        let route = try route([(-1500, 0)] + zigzag, total: 60)
        XCTAssertEqual(route.duration, 60)
        // Half a minute for the rest, which is too fast for a cruising speed.
        XCTAssertEqual(route.seconds(along: 1500), 30 * (1500.0 / 9000).squareRoot(), accuracy: 1)
    }

    // MARK: Whatever the line

    func testTheSecondsNeverDescendAndEndAtTheTotal() throws {
        var random = SeededGenerator(state: 4)
        for _ in 0..<200 {
            var place: Corner = (0, 0)
            let points = (0..<Int.random(in: 2...60, using: &random)).map { _ -> Coordinate in
                let step: Double = [0, 0.001, 5, 40, 400].randomElement(using: &random) ?? 0
                place.east += .random(in: -step...step, using: &random)
                place.north += .random(in: -step...step, using: &random)
                return plane.coordinate(place)
            }
            let total: Double = [0, 1e-9, 1, 100, 1e9].randomElement(using: &random) ?? 0
            let legEnd = Int.random(in: 0..<points.count, using: &random)
            let route = try Route(RouteDescription(points: points, legEnds: [legEnd, points.count - 1], legDurations: [total, total]))
            XCTAssertEqual(route.elapsed.count, route.count)
            XCTAssertEqual(route.elapsed.first, 0)
            XCTAssertEqual(route.elapsed[route.legEnds[0]], total)
            XCTAssertEqual(route.duration, 2 * total)
            XCTAssertTrue(zip(route.elapsed, route.elapsed.dropFirst()).allSatisfy { $0 <= $1 })
        }
    }
}
