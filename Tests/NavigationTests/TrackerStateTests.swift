import XCTest

@testable import Navigation

/// Acquiring, leaving, rejoining, passing waypoints and arriving.
final class TrackerStateTests: XCTestCase {
    private let plane = Plane()

    private func tracker(_ route: Route, driven along: Double, _ receiver: inout Receiver) -> Tracker {
        var tracker = Tracker(route: route)
        for (_, fix) in receiver.drive(route, to: along) { tracker.update(fix) }
        return tracker
    }

    // MARK: Before the route is found

    func testBeforeTheFirstFixTheWholeRouteIsLeft() throws {
        let points = plane.points([(0, 0), (600, 0), (600, 400)])
        let route = try Route(RouteDescription(points: points, legEnds: [30, 50], legDurations: [70, 50]))
        let tracker = Tracker(route: route)
        XCTAssertEqual(tracker.progress.state, .acquiring)
        XCTAssertEqual(tracker.progress.leg, 0)
        XCTAssertEqual(tracker.progress.remainingDistance, route.length)
        XCTAssertEqual(tracker.progress.remainingDuration, 120)
        XCTAssertTrue(tracker.progress.snapped.latitude.isNaN)
        XCTAssertTrue(tracker.progress.along.isNaN)
        XCTAssertEqual(tracker.remainingDistance(toWaypoint: 0), route.legEndAlong(0))
        XCTAssertEqual(tracker.remainingDuration(toWaypoint: 0), 70)
        XCTAssertEqual(tracker.remainingDuration(toWaypoint: 1), 120)
    }

    func testFarFromTheRouteTheTrackerKeepsAcquiring() throws {
        let route = try plane.route([(0, 0), (2000, 0)])
        var receiver = Receiver()
        var tracker = Tracker(route: route)
        for east in stride(from: 0.0, to: 300, by: 10) {
            XCTAssertEqual(tracker.update(receiver.fix(at: (east, 400), speed: 10, heading: 90)).state, .acquiring)
        }
        XCTAssertEqual(tracker.update(receiver.fix(at: (300, 20), speed: 10, heading: 90)).state, .onRoute)
    }

    // MARK: Off the route and back

    func testOneStrayFixChangesNothing() throws {
        let route = try plane.route([(0, 0), (4000, 0)])
        var receiver = Receiver()
        var tracker = tracker(route, driven: 1000, &receiver)
        let before = tracker.progress
        let stray = tracker.update(receiver.fix(at: (1010, 3000), speed: 10, heading: 90))
        XCTAssertEqual(stray.state, .onRoute)
        XCTAssertEqual(stray.along, before.along)
        XCTAssertEqual(stray.remainingDistance, before.remainingDistance)
        XCTAssertEqual(tracker.update(receiver.fix(at: (1020, 0), speed: 10, heading: 90)).along, 1020, accuracy: 3)
    }

    func testLeavingTakesFiveFixesAndTenSeconds() throws {
        let route = try plane.route([(0, 0), (4000, 0)])
        for (gap, expected) in [(1.0, 11), (0.25, 41), (10, 5)] {
            var receiver = Receiver()
            var tracker = tracker(route, driven: 1000, &receiver)
            var fixes = 0
            while !tracker.progress.state.isOffRoute && fixes < 100 {
                fixes += 1
                tracker.update(receiver.fix(at: (1000, -120), speed: 5, after: gap))
            }
            XCTAssertEqual(fixes, expected, "at \(gap) s a fix")
        }
    }

    func testAFarDeviationTakesTwoFixes() throws {
        let route = try plane.route([(0, 0), (4000, 0)])
        var receiver = Receiver()
        var tracker = tracker(route, driven: 1000, &receiver)
        XCTAssertEqual(tracker.update(receiver.fix(at: (1000, -250))).state, .onRoute)
        XCTAssertEqual(tracker.update(receiver.fix(at: (1000, -260))).state, .offRoute)
    }

    func testAPoorReceiverWidensTheCorridor() throws {
        let route = try plane.route([(0, 0), (4000, 0)])
        for (accuracy, state) in [(5.0, Navigation.Progress.State.offRoute), (60, .uncertain), (1000, .uncertain), (.nan, .offRoute)] {
            var receiver = Receiver(accuracy: 5)
            var tracker = tracker(route, driven: 1000, &receiver)
            receiver.accuracy = accuracy
            for second in 0..<20 { tracker.update(receiver.fix(at: (1000 + 10 * Double(second), 100), speed: 10, heading: 90)) }
            XCTAssertEqual(tracker.progress.state, state, "accuracy \(accuracy)")
        }
        var receiver = Receiver(accuracy: 1000)
        var tracker = tracker(route, driven: 1000, &receiver)
        for _ in 0..<20 { tracker.update(receiver.fix(at: (1000, 150))) }
        XCTAssertEqual(tracker.progress.state, .offRoute, "but not without bound")
    }

    func testBesideASimplifiedLineIsOnTheRoute() throws {
        let points = plane.points([(0, 0), (4000, 0)], spacing: 500)
        for (declared, state) in [(4060.0, Navigation.Progress.State.onRoute), (4010, .offRoute)] {
            let route = try Route(RouteDescription(points: points, legEnds: [points.count - 1], legLengths: [declared]))
            var receiver = Receiver()
            var tracker = Tracker(route: route)
            tracker.take(receiver.drive(straight: [(0, 0), (500, 0), (600, 30), (1500, 30)]))
            XCTAssertEqual(tracker.progress.state, state)
        }
    }

    func testWhileOffTheRouteNothingRemainsKnown() throws {
        let points = plane.points([(0, 0), (500, 0), (4000, 0)])
        let route = try Route(RouteDescription(points: points, legEnds: [25, points.count - 1], legDurations: [50, 350]))
        var receiver = Receiver()
        var tracker = tracker(route, driven: 1000, &receiver)
        for step in 1...40 { tracker.update(receiver.fix(at: (1000, -20 * Double(step)), speed: 20, heading: 180)) }
        let progress = tracker.progress
        XCTAssertEqual(progress.state, .offRoute)
        XCTAssertEqual(progress.leg, 1, "never lowered")
        for value in [
            progress.remainingDistance, progress.remainingDuration, progress.along, progress.crossTrack, progress.snapped.latitude,
        ] {
            XCTAssertTrue(value.isNaN)
        }
        XCTAssertEqual(tracker.remainingDistance(toWaypoint: 0), 0, "already passed")
        XCTAssertTrue(tracker.remainingDistance(toWaypoint: 1).isNaN)
        XCTAssertTrue(tracker.remainingDuration(toWaypoint: 1).isNaN)
    }

    func testRejoinsFurtherOnWithinThreeFixes() throws {
        let route = try plane.route([(0, 0), (0, 5000), (10_000, 5000)])
        var receiver = Receiver()
        var tracker = tracker(route, driven: 2000, &receiver)
        for step in 1...60 { tracker.update(receiver.fix(at: (Double(step) * 30, 2000 + 40 * Double(step)), speed: 50, heading: 37)) }
        XCTAssertEqual(tracker.progress.state, .offRoute)
        for step in 1...3 {
            XCTAssertEqual(tracker.progress.state, .offRoute, "at fix \(step)")
            tracker.update(receiver.fix(at: (3000 + 20 * Double(step), 5000), speed: 20, heading: 90))
        }
        XCTAssertEqual(tracker.progress.state, .onRoute)
        XCTAssertEqual(tracker.progress.along, 8060, accuracy: 3)
        XCTAssertEqual(tracker.progress.remainingDistance, route.length - 8060, accuracy: 3)
    }

    func testCrossingTheRouteDoesNotRejoinIt() throws {
        let route = try plane.route([(0, 0), (0, 5000), (10_000, 5000)])
        var receiver = Receiver()
        var tracker = tracker(route, driven: 2000, &receiver)
        for north in stride(from: 2000.0, to: 8000, by: 10) {
            tracker.update(receiver.fix(at: (2000, north), speed: 10, heading: 0))
            if north > 2100 { XCTAssertEqual(tracker.progress.state, .offRoute) }
        }
    }

    func testDrivingTheRouteBackwardsIsTheWrongWay() throws {
        let route = try plane.route([(0, 0), (4000, 0)])
        var receiver = Receiver()
        var tracker = tracker(route, driven: 2000, &receiver)
        for east in stride(from: 1990.0, to: 1500, by: -10) { tracker.update(receiver.fix(at: (east, 0), speed: 10, heading: 270)) }
        XCTAssertEqual(tracker.progress.state, .wrongWay)
        XCTAssertTrue(tracker.progress.remainingDistance.isNaN)
    }

    func testATurnOntoALaterPassIsNoProgressUntilItIsCertain() throws {
        // A to B, out to C and back to B, on to D; the driver leaves C out.
        let route = try plane.route([(0, 0), (1000, 0), (1000, 2000), (1000, 0), (3000, 0)])
        var receiver = Receiver()
        var tracker = tracker(route, driven: 900, &receiver)
        var states: [Navigation.Progress.State] = []
        for east in stride(from: 910.0, to: 1500, by: 10) {
            let before = tracker.progress.along
            let progress = tracker.update(receiver.fix(at: (east, 0), speed: 10, heading: 90))
            if progress.state == .onRoute && states.last == .onRoute { XCTAssertLessThan(progress.along - before, 254) }
            states.append(progress.state)
        }
        XCTAssertTrue(states.contains(.offRoute))
        XCTAssertEqual(tracker.progress.state, .onRoute)
        XCTAssertEqual(tracker.progress.along, 5490, accuracy: 5)
    }

    func testAGapOnTheRouteIsNoDeviation() throws {
        let route = try plane.route([(0, 0), (8000, 0)])
        var receiver = Receiver()
        var tracker = tracker(route, driven: 1000, &receiver)
        XCTAssertEqual(tracker.update(receiver.fix(at: (3000, 10), speed: 20, heading: 90, after: 90)).state, .onRoute)
    }

    // MARK: Waypoints and arrival

    func testWaypointsArePassedOnceAndInOrder() throws {
        let points = plane.points([(0, 0), (600, 0), (600, 600), (600, 0), (0, 0)])
        let route = try Route(RouteDescription(points: points, legEnds: [30, 60, 60, 90, 120], legDurations: [60, 60, 120, 60, 60]))
        var receiver = Receiver(noise: 3)
        var tracker = Tracker(route: route)
        var leg = 0
        for (along, fix) in receiver.drive(route) {
            let progress = tracker.update(fix)
            XCTAssertTrue((leg...leg + 2).contains(progress.leg))
            leg = progress.leg
            XCTAssertEqual(progress.leg, route.leg(along: progress.along))
            for waypoint in 0..<route.legCount {
                let metres = tracker.remainingDistance(toWaypoint: waypoint)
                let seconds = tracker.remainingDuration(toWaypoint: waypoint)
                if waypoint < leg {
                    XCTAssertEqual(metres, 0)
                    XCTAssertEqual(seconds, 0)
                } else {
                    XCTAssertEqual(metres, route.legEndAlong(waypoint) - along, accuracy: 20)
                    XCTAssertGreaterThanOrEqual(seconds, 0)
                }
            }
        }
        XCTAssertEqual(leg, 4)
        XCTAssertEqual(tracker.progress.state, .arrived)
    }

    func testTheLastWaypointsValuesAreTheRoutes() throws {
        let points = plane.points([(0, 0), (600, 0), (600, 600)])
        let route = try Route(
            RouteDescription(points: points, legEnds: [17, 60], legDurations: [31.7, 77.3], legLengths: [343.21, 857.3]))
        var receiver = Receiver(noise: 3)
        var tracker = Tracker(route: route)
        for (_, fix) in receiver.drive(route) {
            let progress = tracker.update(fix)
            XCTAssertEqual(tracker.remainingDistance(toWaypoint: 1).bitPattern, progress.remainingDistance.bitPattern)
            XCTAssertEqual(tracker.remainingDuration(toWaypoint: 1).bitPattern, progress.remainingDuration.bitPattern)
        }
    }

    func testWaypointsThatDoNotExistHaveNoValues() throws {
        let tracker = Tracker(route: try plane.route([(0, 0), (600, 0)]))
        for waypoint in [-1, 1, Int.max] {
            XCTAssertTrue(tracker.remainingDistance(toWaypoint: waypoint).isNaN)
            XCTAssertTrue(tracker.remainingDuration(toWaypoint: waypoint).isNaN)
        }
    }

    func testRemainingSecondsFollowTheRoutesOwnProfile() throws {
        let points = plane.points([(0, 0), (1000, 0), (2000, 0)], spacing: 100)
        let slowThenFast = Array(repeating: 30.0, count: 10) + Array(repeating: 5.0, count: 10)
        let route = try Route(
            RouteDescription(points: points, legEnds: [20], legDurations: [350], segmentDurations: slowThenFast))
        var receiver = Receiver()
        var tracker = Tracker(route: route)
        for (_, fix) in receiver.drive(route, to: 500, speed: 100.0 / 30) { tracker.update(fix) }
        XCTAssertEqual(tracker.progress.remainingDuration, 200, accuracy: 1)
        for (_, fix) in receiver.drive(route, from: 500, to: 1000, speed: 100.0 / 30) { tracker.update(fix) }
        for (_, fix) in receiver.drive(route, from: 1020, to: 1500, speed: 20) { tracker.update(fix) }
        XCTAssertEqual(tracker.progress.remainingDuration, 25, accuracy: 1)
    }

    func testArrivesWithinTheRadiusAlongTheRouteAndForGood() throws {
        let route = try plane.route([(0, 0), (2000, 0)])
        var receiver = Receiver()
        var tracker = Tracker(route: route, arrivalRadius: 25)
        for (along, fix) in receiver.drive(route) {
            let progress = tracker.update(fix)
            XCTAssertEqual(progress.state, along > 1975 ? .arrived : .onRoute, "at \(along)")
        }
        for east in stride(from: 2000.0, to: 4000, by: 50) {
            XCTAssertEqual(tracker.update(receiver.fix(at: (east, 0), speed: 50, heading: 90)).state, .arrived)
        }
        XCTAssertEqual(tracker.progress.remainingDistance, 0, accuracy: 0.01)
    }

    func testArrivalNeedsTheVehicleNearTheEndToo() throws {
        let route = try plane.route([(0, 0), (2000, 0)])
        var receiver = Receiver()
        var tracker = tracker(route, driven: 1900, &receiver)
        XCTAssertEqual(tracker.update(receiver.fix(at: (1965, 45))).state, .onRoute)
        XCTAssertEqual(tracker.update(receiver.fix(at: (1985, 45))).state, .arrived)
    }

    func testPassingTheDestinationOnTheWayIsNoArrival() throws {
        // The end lies beside the road out, 25 m away.
        let route = try plane.route([(0, 0), (2000, 0), (2000, 25), (1000, 25)])
        var receiver = Receiver()
        var tracker = Tracker(route: route)
        for (along, fix) in receiver.drive(route, to: 2900) {
            XCTAssertEqual(tracker.update(fix).state, .onRoute, "at \(along)")
        }
    }

    func testADestinationJustPastASharpBendIsNotReachedBeforeTheBend() throws {
        let route = try plane.route([(0, 0), (2000, 0), (2000, 5), (1880, 5)], spacing: 5)
        var receiver = Receiver()
        var tracker = Tracker(route: route)
        for (_, fix) in receiver.drive(route, to: 2000) { XCTAssertEqual(tracker.update(fix).state, .onRoute) }
        for (_, fix) in receiver.drive(route, from: 2010) { tracker.update(fix) }
        XCTAssertEqual(tracker.progress.state, .arrived)
    }

    func testARouteOfOnePlaceIsArrivedAt() throws {
        let route = try Route(RouteDescription(points: [plane.origin, plane.origin], legEnds: [1], legDurations: [0]))
        var receiver = Receiver()
        var tracker = Tracker(route: route)
        XCTAssertEqual(tracker.update(receiver.fix(at: (500, 0))).state, .acquiring)
        let progress = tracker.update(receiver.fix(at: (10, 0)))
        XCTAssertEqual(progress.state, .arrived)
        XCTAssertEqual(progress.remainingDistance, 0)
        XCTAssertEqual(progress.remainingDuration, 0)
        XCTAssertEqual(progress.snapped, plane.origin)
        XCTAssertEqual(progress.course, 0)
    }

    func testZeroLengthLegsArePassedWithTheOneBefore() throws {
        let points = plane.points([(0, 0), (1000, 0)])
        let route = try Route(RouteDescription(points: points, legEnds: [0, 25, 25, 25, 50]))
        var receiver = Receiver()
        var tracker = Tracker(route: route)
        for (along, fix) in receiver.drive(route, to: 900) {
            let leg = tracker.update(fix).leg
            XCTAssertTrue(along < 499 ? leg == 1 : along > 501 ? leg == 4 : leg == 1 || leg == 4, "leg \(leg) at \(along)")
        }
    }

    // MARK: Fixes that know little

    func testAFixMayKnowNothingButItsPosition() throws {
        let route = try plane.route([(0, 0), (1500, 0), (1500, 1500)])
        var tracker = Tracker(route: route)
        for along in stride(from: 0.0, through: route.length, by: 15) {
            let progress = tracker.update(Fix(coordinate: route.coordinate(along: along)))
            XCTAssertEqual(progress.along, along, accuracy: 2)
        }
        XCTAssertEqual(tracker.progress.state, .arrived)
    }

    func testAFixWithoutAPositionChangesNothing() throws {
        let route = try plane.route([(0, 0), (1500, 0)])
        var receiver = Receiver()
        var tracker = tracker(route, driven: 500, &receiver)
        let before = tracker.progress
        for place in [Coordinate.unknown, Coordinate(latitude: 91, longitude: 0), Coordinate(latitude: 0, longitude: .infinity)] {
            for _ in 0..<10 { XCTAssertEqual(tracker.update(Fix(coordinate: place)).along, before.along) }
        }
    }
}
