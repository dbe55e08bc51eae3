import XCTest

@testable import Navigation

/// What other route followers were blamed for, turned round: distances, times and geometry. The numbers are those of the README's table.
final class ValueStatementTests: XCTestCase {
    private let plane = Plane()

    func testStatement37WhatRemainsIsNeverMoreThanTheDeclaredWhole() throws {
        let points = plane.points([(0, 0), (800, 0), (800, 800)])
        let route = try Route(RouteDescription(points: points, legEnds: [40, 80], legLengths: [823.4, 790.1]))
        var tracker = Tracker(route: route)
        XCTAssertEqual(tracker.progress.remainingDistance, 823.4 + 790.1, accuracy: 1e-9)
        var receiver = Receiver(noise: 6)
        tracker.take(receiver.drive(route).map(\.fix)) {
            XCTAssertTrue((0...route.length).contains($0.remainingDistance))
        }
        XCTAssertEqual(tracker.progress.remainingDistance, 0, accuracy: 15)
    }

    func testStatement38ALegWithoutLengthGivesNumbers() throws {
        let route = try Route(
            RouteDescription(
                points: [plane.origin, plane.origin, plane.origin], legEnds: [1, 2], legDurations: [10, 0], legLengths: [0, 0]))
        var receiver = Receiver()
        var tracker = Tracker(route: route)
        let progress = tracker.update(receiver.fix(at: (3, 0), speed: 0))
        XCTAssertEqual(progress.state, .arrived)
        XCTAssertEqual(progress.remainingDistance, 0)
        XCTAssertTrue(progress.remainingDuration.isFinite)
        for waypoint in 0..<2 { XCTAssertTrue(tracker.remainingDuration(toWaypoint: waypoint).isFinite) }
    }

    func testStatement39BeforeAnyFixTheWholeRouteRemains() throws {
        let route = try plane.route([(0, 0), (2000, 0)])
        let tracker = Tracker(route: route)
        XCTAssertEqual(tracker.progress.remainingDistance, route.length)
        XCTAssertEqual(tracker.progress.remainingDuration, try XCTUnwrap(route.duration), accuracy: 1)
    }

    func testStatement40TheRoutesTimeIsTheLastWaypointsToTheBit() throws {
        let points = plane.points([(0, 0), (600, 0), (600, 600)])
        let route = try Route(RouteDescription(points: points, legEnds: [17, 60], legDurations: [31.7, 77.3]))
        var receiver = Receiver(noise: 3)
        var tracker = Tracker(route: route)
        for (_, fix) in receiver.drive(route) {
            let progress = tracker.update(fix)
            XCTAssertEqual(tracker.remainingDuration(toWaypoint: 1).bitPattern, progress.remainingDuration.bitPattern)
            XCTAssertEqual(tracker.remainingDistance(toWaypoint: 1).bitPattern, progress.remainingDistance.bitPattern)
        }
    }

    func testStatement44EveryProgressOnTheRouteIsComplete() throws {
        let route = try plane.route([(0, 0), (1500, 0), (1500, 900)])
        var receiver = Receiver(noise: 4)
        var tracker = Tracker(route: route)
        tracker.take(receiver.drive(route).map(\.fix)) {
            XCTAssertTrue([$0.along, $0.remainingDistance, $0.remainingDuration, $0.course, $0.crossTrack].allSatisfy(\.isFinite))
            XCTAssertTrue($0.snapped.isValid)
        }
    }

    func testStatement46RepeatedPointsChangeNothing() throws {
        let points = plane.points([(0, 0), (800, 0), (800, 800)])
        let once = try Route(RouteDescription(points: points, legEnds: [points.count - 1], legDurations: [100]))
        let often = try Route(
            RouteDescription(
                points: points.flatMap { Array(repeating: $0, count: 7) }, legEnds: [7 * points.count - 1], legDurations: [100]))
        var tracker = Tracker(route: once)
        var other = Tracker(route: often)
        var receiver = Receiver(noise: 4)
        for (_, fix) in receiver.drive(once) {
            let a = tracker.update(fix)
            let b = other.update(fix)
            XCTAssertEqual(a.along.bitPattern, b.along.bitPattern)
            XCTAssertEqual(a.remainingDuration, b.remainingDuration, accuracy: 1e-9)
            XCTAssertEqual(a.state, b.state)
        }
    }

    func testStatement47LengthsHoldUpToNearThePole() throws {
        // Against GeographicLib's GeodSolve: 0.1 degree of longitude.
        for (latitude, metres) in [(0.0, 11_131.949), (60.0, 5580.0), (89.9, 19.494)] {
            let measured = distance(
                from: Coordinate(latitude: latitude, longitude: 10), to: Coordinate(latitude: latitude, longitude: 10.1))
            XCTAssertEqual(measured, metres, accuracy: 0.5)
        }
    }

    func testStatement48TheAntimeridianIsALineLikeAnyOther() throws {
        let east = Coordinate(latitude: 0, longitude: 179.99)
        let west = Coordinate(latitude: 0, longitude: -179.99)
        XCTAssertEqual(distance(from: east, to: west), 2226.4, accuracy: 0.5)
        let route = try Route(RouteDescription(points: [east, Coordinate(latitude: 0, longitude: 180.01)], legEnds: [1]))
        XCTAssertEqual(route.length, 2226.4, accuracy: 0.5)
        XCTAssertEqual(route.longitudes[1], -179.99, accuracy: 1e-9)
        var receiver = Receiver()
        var tracker = Tracker(route: route)
        tracker.take(receiver.drive(route).map(\.fix)) { XCTAssertNotEqual($0.state, .acquiring) }
        XCTAssertEqual(tracker.progress.state, .arrived)
    }

    func testStatement49AbsentValuesOfAFixChangeNothing() throws {
        let route = try plane.route([(0, 0), (2000, 0)])
        var receiver = Receiver(noise: 2, accuracy: .nan, hasHeading: false)
        var tracker = Tracker(route: route)
        for (along, fix) in receiver.drive(route, to: 1900) {
            var fix = fix
            fix.speed = .nan
            let progress = tracker.update(fix)
            XCTAssertEqual(progress.state, .onRoute)
            XCTAssertEqual(progress.along, along, accuracy: 20)
        }
        let before = tracker.progress
        XCTAssertEqual(tracker.update(Fix(coordinate: .unknown)).along, before.along)
    }

    func testStatement50AMillionPointsAreFollowedFromAnywhere() throws {
        // Forty laps of a circuit, each point a little off the one before.
        let count = 1_000_000
        let points = (0..<count).map { step in
            let angle = 2 * Double.pi * 40 * Double(step) / Double(count)
            return Coordinate(latitude: 47 + 0.02 * sin(angle), longitude: 9 + 0.03 * cos(angle))
        }
        let route = try Route(RouteDescription(points: points, legEnds: [count - 1]))
        XCTAssertEqual(
            MemoryLayout<GridPosition>.stride + 3 * MemoryLayout<Double>.stride, 36, "bytes a point, without the index and times")
        var receiver = Receiver(noise: 3)
        var tracker = Tracker(route: route)
        for (along, fix) in receiver.drive(route, from: 5000, to: 25_000, speed: 20) {
            XCTAssertEqual(tracker.update(fix).along, along, accuracy: 20)
        }
    }
}
