import XCTest

@testable import Navigation

/// What other route followers were blamed for, turned round: leaving, rejoining, waypoints and arrival. The numbers are those of the README's table.
final class StateStatementTests: XCTestCase {
    private let plane = Plane()

    private func tracker(_ route: Route, driven along: Double, _ receiver: inout Receiver) -> Tracker {
        var tracker = Tracker(route: route)
        tracker.take(receiver.drive(route, to: along).map(\.fix))
        return tracker
    }

    // MARK: Off the route

    func testStatement18OffTheRouteHoldsOnEveryFixUntilThreeFit() throws {
        let route = try plane.route([(0, 0), (4000, 0)])
        var receiver = Receiver()
        var tracker = tracker(route, driven: 1000, &receiver)
        tracker.take((0..<2).map { _ in receiver.fix(at: (1000, -300)) })
        for stretch in 0..<5 {
            let fixes = [(0.0, -300.0), (0, 0), (10, 0), (20, -300)].map { east, north in
                receiver.fix(at: (1100 + 100 * Double(stretch) + east, north), speed: 10, heading: 90)
            }
            XCTAssertEqual(tracker.take(fixes) { XCTAssertEqual($0.state, .offRoute) }.count, 0)
        }
        tracker.take(receiver.drive(straight: [(2000, 0), (2030, 0)]))
        XCTAssertEqual(tracker.progress.state, .onRoute)
    }

    func testStatement19WhileOffTheRouteNothingIsClaimedToRemain() throws {
        let route = try plane.route([(0, 0), (4000, 0)])
        var receiver = Receiver()
        var tracker = tracker(route, driven: 1000, &receiver)
        tracker.take(receiver.drive(straight: [(1000, 0), (1000, -700)]))
        XCTAssertEqual(tracker.progress.state, .offRoute)
        XCTAssertTrue(tracker.progress.remainingDistance.isNaN)
        XCTAssertTrue(tracker.progress.remainingDuration.isNaN)
        XCTAssertTrue(tracker.remainingDistance(toWaypoint: 0).isNaN)
        XCTAssertTrue(tracker.remainingDuration(toWaypoint: 0).isNaN)
    }

    func testStatement20NoFixBothPassesAWaypointAndLeavesTheRoute() throws {
        let points = plane.points([(0, 0), (3000, 0)], spacing: 20)
        // A waypoint every 20 m, and a road that runs away from the route.
        let route = try Route(RouteDescription(points: points, legEnds: Array(1..<points.count)))
        for slope in [0.05, 0.3, 1, 3] {
            var receiver = Receiver(noise: 2)
            var tracker = tracker(route, driven: 500, &receiver)
            for fix in receiver.drive(straight: [(500, 0), (1500, -1000 * slope)], speed: 15) {
                tracker.update(fix)
                let kinds = tracker.events.all.map(\.kind)
                if kinds.contains(.leftRoute) { XCTAssertEqual(kinds, [.leftRoute]) }
            }
            XCTAssertEqual(tracker.progress.state, .offRoute)
        }
    }

    func testStatement21FixesBeyondTheCorridorNeverMoveTheProgress() throws {
        let route = try plane.route([(0, 0), (20_000, 0)])
        var receiver = Receiver()
        var tracker = tracker(route, driven: 1000, &receiver)
        for east in stride(from: 1010.0, to: 5000, by: 10) {
            let progress = tracker.update(receiver.fix(at: (east, 1200), speed: 10, heading: 90))
            if !progress.state.isOffRoute { XCTAssertEqual(progress.along, 1000, accuracy: 1) }
        }
        XCTAssertEqual(tracker.progress.state, .offRoute)
    }

    func testStatement22RejoiningFurtherOnTakesThreeFixesAndSaysWhatWasLeftOut() throws {
        let route = try plane.route([(0, 0), (0, 10_000)])
        var receiver = Receiver(noise: 2)
        var tracker = tracker(route, driven: 2000, &receiver)
        tracker.take(receiver.drive(straight: [(0, 2000), (600, 2000), (600, 5000), (60, 5000)], speed: 20))
        let fixes = Array(receiver.drive(straight: [(0, 5000), (0, 5060)], speed: 20).prefix(3))
        let events = tracker.take(fixes)
        XCTAssertEqual(tracker.progress.state, .onRoute)
        XCTAssertEqual(tracker.progress.remainingDistance, 10_000 - 5060, accuracy: 30)
        XCTAssertEqual(try XCTUnwrap(events.first { $0.kind == .rejoined }).distance, 3060, accuracy: 50)
    }

    func testStatement23AnOutageOnTheRouteIsNoDeviation() throws {
        let route = try plane.route([(0, 0), (9000, 0)])
        var receiver = Receiver()
        var tracker = tracker(route, driven: 1000, &receiver)
        let fix = receiver.fix(at: (2800, 8), speed: 20, heading: 90, after: 90)
        let events = tracker.take([fix] + receiver.drive(straight: [(2800, 8), (3500, 8)], speed: 20))
        XCTAssertEqual(events.count, 0)
        XCTAssertEqual(tracker.progress.along, 3500, accuracy: 5)
    }

    func testStatement24TheWrongWayIsNoticedWithinFiftyMetresOrFiveSeconds() throws {
        let route = try plane.route([(0, 0), (2000, 0), (2000, 2000)])
        for (speed, hasHeading) in [(4.0, true), (10, true), (25, true), (10, false)] {
            var receiver = Receiver(noise: 1, hasHeading: hasHeading)
            var tracker = tracker(route, driven: 1500, &receiver)
            let fixes = receiver.drive(straight: [(1500, 0), (1000, 0)], speed: speed)
            let number = try XCTUnwrap(fixes.firstIndex { tracker.update($0).state == .wrongWay }, "at \(speed) m/s") + 1
            XCTAssertTrue(Double(number) * speed <= 52 || number <= 5, "after \(number) fixes")
            XCTAssertEqual(tracker.events.first(.wrongWay)?.reason, .drivingBack)
            tracker.take(Array(fixes.dropFirst(number))) { XCTAssertEqual($0.state, .wrongWay) }
        }
    }

    func testStatement25BacktrackingIsMeasuredFromTheFurthestPlace() throws {
        let route = try plane.route([(0, 0), (4000, 0)])
        var receiver = Receiver()
        var tracker = tracker(route, driven: 1000, &receiver)
        tracker.take(receiver.drive(straight: [(1000, 0), (900, 0)], speed: 5))
        XCTAssertEqual(tracker.progress.backtracked, 100, accuracy: 0.1)
        // 51, 52 and 53 m before the furthest place are 2 m more than 51.
        tracker = self.tracker(route, driven: 1000, &receiver)
        tracker.take([10.0, 30, 51].map { receiver.fix(at: (1000 - $0, 0), speed: 4, heading: 270, after: 5) })
        XCTAssertEqual(tracker.progress.backtracked, 51, accuracy: 0.1)
        tracker.take([52.0, 53].map { receiver.fix(at: (1000 - $0, 0), speed: 4, heading: 270) })
        XCTAssertEqual(tracker.progress.backtracked, 53, accuracy: 0.1)
    }

    func testAnEarlierPartOfTheLegIsRejoinedWithoutProgressRunningBack() throws {
        let route = try plane.route([(0, 0), (6000, 0)])
        var receiver = Receiver()
        var tracker = tracker(route, driven: 2000, &receiver)
        tracker.take(receiver.drive(straight: [(2000, 0), (2000, -600), (1000, -600), (1000, 0)], speed: 20))
        XCTAssertEqual(tracker.progress.state, .offRoute)
        let events = tracker.take(receiver.drive(straight: [(1000, 0), (1500, 0)], speed: 20))
        XCTAssertEqual(tracker.progress.state, .onRoute)
        XCTAssertEqual(tracker.progress.along, 2000, accuracy: 1)
        XCTAssertEqual(tracker.progress.backtracked, 500, accuracy: 2)
        XCTAssertEqual(distance(from: tracker.progress.snapped, to: plane.coordinate((1500, 0))), 0, accuracy: 1)
        XCTAssertEqual(try XCTUnwrap(events.first { $0.kind == .rejoined }).distance, -940, accuracy: 25)
        tracker.take(receiver.drive(straight: [(1500, 0), (2500, 0)], speed: 20)) { XCTAssertEqual($0.state, .onRoute) }
        XCTAssertEqual(tracker.progress.along, 2500, accuracy: 1)
        XCTAssertEqual(tracker.progress.backtracked, 0)
    }

    func testStatement26AStopLeftOutOnADetourIsMissed() throws {
        let points = plane.points([(0, 0), (2000, 0), (5000, 0)])
        let route = try Route(RouteDescription(points: points, legEnds: [100, 250]))
        var receiver = Receiver()
        var tracker = tracker(route, driven: 1000, &receiver)
        tracker.take(receiver.drive(straight: [(1000, 0), (1000, -300)], speed: 15))
        tracker.take(receiver.drive(straight: [(1000, -300), (3000, -300), (3000, -40)], speed: 15)) { XCTAssertEqual($0.state, .offRoute) }
        XCTAssertEqual(tracker.progress.leg, 0)
        let events = tracker.take(receiver.drive(straight: [(3000, 0), (3200, 0)], speed: 15))
        XCTAssertEqual(events.map(\.kind), [.rejoined, .waypointMissed])
        XCTAssertEqual(events.last?.waypoint, 0)
        XCTAssertEqual(try XCTUnwrap(events.last).distance, 300, accuracy: 2)
        XCTAssertEqual(tracker.progress.leg, 1)
    }

    func testStatement27ALeapToTheEdgeOfTheMapMovesNothing() throws {
        let route = try plane.route([(0, 0), (4000, 0)])
        var receiver = Receiver()
        var tracker = tracker(route, driven: 1000, &receiver)
        let progress = tracker.update(receiver.fix(at: Coordinate(latitude: 85.05, longitude: 180), speed: 10, heading: 90))
        XCTAssertEqual(progress.state, .onRoute)
        XCTAssertEqual(progress.along, 1000, accuracy: 1)
        XCTAssertEqual(tracker.update(receiver.fix(at: (1020, 0), speed: 10, heading: 90)).along, 1020, accuracy: 1)
    }

    // MARK: Waypoints and arrival

    func testStatement28StandingAtTheEndIsArrivalEvenWhereAPartWasLeftOut() throws {
        let points = plane.points([(0, 0), (3000, 0), (3000, 3000), (0, 3000)])
        let route = try Route(RouteDescription(points: points, legEnds: [150, points.count - 1]))
        for radius in [5.0, 40, 500] {
            var receiver = Receiver()
            var tracker = Tracker(route: route, arrivalRadius: radius)
            tracker.take(receiver.drive(route, to: 1000).map(\.fix))
            // A shortcut to the destination, to just within its radius.
            tracker.take(receiver.drive(straight: [(1000, 0), (1000, 2000), (-0.8 * radius, 2000), (-0.8 * radius, 3000)], speed: 20))
            XCTAssertEqual(tracker.progress.state, .offRoute)
            let events = tracker.take((0..<35).map { _ in receiver.fix(at: (-0.8 * radius, 3000), speed: 0) })
            XCTAssertEqual(events.map(\.kind).filter { $0 != .rejoined }, [.waypointMissed, .arrived])
            XCTAssertEqual(events.last?.reason, radius > 10 ? .stood : .reached)
            XCTAssertEqual(tracker.progress.state, .arrived)
            XCTAssertEqual(tracker.progress.remainingDistance, 0)
        }
    }

    func testEachWaypointMayHaveItsOwnRadius() throws {
        let points = plane.points([(0, 0), (1000, 0), (2000, 0), (3000, 0)])
        let route = try Route(RouteDescription(points: points, legEnds: [50, 100, 150]))
        var receiver = Receiver()
        var tracker = Tracker(route: route)
        tracker.setArrivalRadius(10)
        tracker.setArrivalRadius(25, forWaypoint: 1)
        tracker.setArrivalRadius(120, forWaypoint: 2)
        for waypoint in [-1, 3, Int.max] { tracker.setArrivalRadius(500, forWaypoint: waypoint) }
        var arrival = Double.nan
        let events = tracker.take(receiver.drive(straight: [(0, -15), (3000, -15)])) {
            if $0.state == .arrived && arrival.isNaN { arrival = $0.remainingDistance }
        }
        XCTAssertEqual(events.map(\.kind), [.acquired, .waypointPassed, .waypointArrived, .arrived])
        XCTAssertEqual(arrival, 115, accuracy: 6)
        tracker.replaceRoute(with: route)
        let again = tracker.take(receiver.drive(straight: [(0, -15), (3000, -15)]))
        XCTAssertEqual(again.map(\.kind), [.acquired, .waypointPassed, .waypointPassed, .arrived], "of the old route's waypoints only")
    }

    func testStatement29AWaypointJustAfterATurnArrivesWhateverTheNoise() throws {
        let points = plane.points([(0, 0), (1000, 0), (1000, 10), (1000, 1000)], spacing: 10)
        let route = try Route(RouteDescription(points: points, legEnds: [101, points.count - 1]))
        for seed in 1...20 {
            var receiver = Receiver(noise: 4, random: SeededGenerator(state: UInt64(seed)))
            var tracker = Tracker(route: route)
            let events = tracker.take(receiver.drive(route).map(\.fix)).filter { $0.waypoint == 0 }
            XCTAssertEqual(events.map(\.kind), [.waypointArrived])
        }
    }

    func testStatement30NoArrivalWhileMoreThanTheRadiusIsLeftToDrive() throws {
        // The end lies behind a long way round, 30 m beside the road out.
        let route = try plane.route([(0, 0), (2000, 0), (2000, 30), (1000, 30)])
        var receiver = Receiver()
        var tracker = Tracker(route: route)
        for (along, fix) in receiver.drive(route, speed: 5) {
            let progress = tracker.update(fix)
            if route.length - along > 41 { XCTAssertEqual(progress.state, .onRoute, "at \(along)") }
        }
        XCTAssertEqual(tracker.progress.state, .arrived)
    }

    func testStatement31AWaypointDrivenByIsPassedAndSaysByHowMuchItWasMissed() throws {
        let points = plane.points([(0, 0), (1000, 0), (3000, 0)])
        let route = try Route(RouteDescription(points: points, legEnds: [50, 150]))
        var receiver = Receiver()
        var tracker = Tracker(route: route, arrivalRadius: 10)
        let events = tracker.take(receiver.drive(straight: [(0, 0), (800, -15), (1200, -15)]))
        XCTAssertEqual(events.map(\.kind), [.acquired, .waypointPassed])
        XCTAssertEqual(events.last?.reason, .reached)
        XCTAssertEqual(try XCTUnwrap(events.last).distance, 15, accuracy: 0.5)
        XCTAssertEqual(tracker.progress.leg, 1)
    }

    func testStatement32AWaypointPassedInAGapIsToldOfLateWithItsTime() throws {
        let points = plane.points([(0, 0), (1500, 0), (4000, 0)])
        let route = try Route(RouteDescription(points: points, legEnds: [75, 200]))
        var receiver = Receiver()
        var tracker = tracker(route, driven: 500, &receiver)
        let before = receiver.time
        tracker.update(receiver.fix(at: (2500, 0), speed: 20, heading: 90, after: 100))
        let event = try XCTUnwrap(tracker.events.first(.waypointPassed))
        XCTAssertEqual(event.reason, .duringGap)
        XCTAssertEqual(event.time, before + 50, accuracy: 1)
        XCTAssertTrue(event.distance.isNaN, "nobody saw")
    }

    func testStatement33ASkippedWaypointIsLeftOutOfTheRest() throws {
        let points = plane.points([(0, 0), (1000, 0), (2000, 0), (3000, 0), (4000, 0)])
        let route = try Route(RouteDescription(points: points, legEnds: [50, 100, 150, 200], legDurations: [100, 100, 100, 100]))
        var receiver = Receiver()
        var tracker = tracker(route, driven: 500, &receiver)
        XCTAssertTrue(tracker.skipWaypoint(0))
        XCTAssertEqual(tracker.events.all.map(\.kind), [.waypointMissed])
        XCTAssertEqual(tracker.events.first(.waypointMissed)?.reason, .requested)
        XCTAssertEqual(tracker.progress.leg, 1)
        XCTAssertEqual(tracker.remainingDistance(toWaypoint: 0), 0)
        XCTAssertEqual(tracker.remainingDistance(toWaypoint: 1), 1500, accuracy: 1)
        XCTAssertTrue(tracker.skipWaypoint(2), "before it is next")
        XCTAssertFalse(tracker.skipWaypoint(2))
        XCTAssertFalse(tracker.skipWaypoint(0), "already behind")
        XCTAssertFalse(tracker.skipWaypoint(3), "the end")
        XCTAssertFalse(tracker.skipWaypoint(4))
        XCTAssertFalse(tracker.skipWaypoint(-1))
        let events = tracker.take(receiver.drive(route, from: 510).map(\.fix)) { XCTAssertEqual($0.state.isOffRoute, false) }
        XCTAssertEqual(events.map(\.kind), [.waypointArrived, .arrived])
        XCTAssertEqual(events.map(\.waypoint), [1, 3])
    }

    func testStatement34ANewRouteBeginsAnewAndTellsNothingOfTheOld() throws {
        let old = try plane.route([(0, 0), (1000, 0)])
        let new = try plane.route([(1000, 0), (3000, 0)])
        var receiver = Receiver()
        var tracker = tracker(old, driven: 1000, &receiver)
        XCTAssertEqual(tracker.progress.state, .arrived)
        tracker.replaceRoute(with: new)
        XCTAssertEqual(tracker.events.all.map(\.kind), [.routeReplaced])
        XCTAssertEqual(tracker.progress.state, .acquiring)
        XCTAssertEqual(tracker.progress.remainingDistance, new.length)
        let events = tracker.take(receiver.drive(new).map(\.fix))
        XCTAssertEqual(events.map(\.kind), [.acquired, .arrived])
    }

    func testStatement35TheLegIsNeverLowered() throws {
        let points = plane.points([(0, 0), (1000, 0), (2000, 0), (3000, 0)])
        let route = try Route(RouteDescription(points: points, legEnds: [50, 100, 150]))
        var receiver = Receiver()
        var tracker = tracker(route, driven: 1500, &receiver)
        // Off the route, back onto the first leg, and on.
        let corners: [Corner] = [(1500, 0), (1500, -500), (500, -500), (500, 0), (2500, 0)]
        tracker.take(receiver.drive(straight: corners, speed: 20)) { XCTAssertGreaterThanOrEqual($0.leg, 1) }
        XCTAssertEqual(tracker.progress.state, .onRoute)
        XCTAssertEqual(tracker.progress.leg, 2)
    }

    func testStatement36LegsWithoutLengthArePassedInTheSameFix() throws {
        let points = plane.points([(0, 0), (1000, 0)])
        let route = try Route(RouteDescription(points: points, legEnds: [25, 25, 25, 50]))
        var receiver = Receiver()
        var tracker = Tracker(route: route)
        var passed: [[Int]] = []
        for (_, fix) in receiver.drive(route, to: 900) {
            tracker.update(fix)
            let waypoints = tracker.events.all.filter { $0.kind == .waypointArrived }.map(\.waypoint)
            if !waypoints.isEmpty { passed.append(waypoints) }
        }
        XCTAssertEqual(passed, [[0, 1, 2]])
    }
}
