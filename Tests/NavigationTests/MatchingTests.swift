import XCTest

@testable import Navigation

/// Which place on the route a fix is given.
final class MatchingTests: XCTestCase {
    private let plane = Plane()

    /// Drives a route with noise and compares the progress of every fix with the truth.
    private func assertFollows(
        _ route: Route, _ receiver: Receiver = Receiver(noise: 4), from start: Double = 0, speed: Double = 10, every gap: Double = 1,
        within allowed: Double = 25, file: StaticString = #filePath, line: UInt = #line
    ) {
        var receiver = receiver
        var tracker = Tracker(route: route)
        var last = 0.0
        for (along, fix) in receiver.drive(route, from: start, speed: speed, every: gap) {
            let progress = tracker.update(fix)
            XCTAssertNotEqual(progress.state, .offRoute, "at \(along)", file: file, line: line)
            XCTAssertEqual(progress.along, along, accuracy: allowed, file: file, line: line)
            XCTAssertGreaterThanOrEqual(progress.along, last, file: file, line: line)
            if progress.state == .arrived { XCTAssertGreaterThan(along, 0.89 * route.length, file: file, line: line) }
            last = progress.along
        }
        XCTAssertEqual(tracker.progress.state, .arrived, file: file, line: line)
    }

    /// Counter-clockwise from the east.
    private func circle(radius: Double, steps: Int) -> [Corner] {
        (0...steps).map { step in
            let angle = 2 * Double.pi * Double(step) / Double(steps)
            return (radius * cos(angle), radius * sin(angle))
        }
    }

    func testFollowsAStraightRoad() throws {
        assertFollows(try plane.route([(0, 0), (3000, 1000)]))
        assertFollows(try plane.route([(0, 0), (3000, 1000)], spacing: 4000))
        assertFollows(try plane.route([(0, 0), (3000, 1000)], spacing: 0.7), speed: 25)
    }

    func testFollowsWithoutHeadingAndWithSparseFixes() throws {
        let route = try plane.route([(0, 0), (2000, 0), (2000, 1500), (-500, 1500), (-500, -800)])
        assertFollows(route, Receiver(noise: 4, hasHeading: false))
        assertFollows(route, every: 10)
        assertFollows(route, Receiver(noise: 4, hasHeading: false), every: 10)
    }

    func testOutAndBackIsFollowedInTheRightPass() throws {
        let route = try plane.route([(0, 0), (1500, 0), (0, 0)])
        assertFollows(route)
        assertFollows(route, every: 5)
    }

    func testOutAndBackWithoutHeadingIsFollowedByTheDistanceDriven() throws {
        assertFollows(try plane.route([(0, 0), (1500, 0), (0, 0)]), Receiver(noise: 2, hasHeading: false), within: 40)
    }

    func testAQuarterOfOutAndBackIsAQuarter() throws {
        let route = try plane.route([(0, 0), (2000, 0), (0, 0)])
        var tracker = Tracker(route: route)
        var receiver = Receiver(noise: 3)
        for (along, fix) in receiver.drive(route, to: 1000) {
            let progress = tracker.update(fix)
            XCTAssertLessThan(progress.along, route.length / 2)
            XCTAssertEqual(progress.along, along, accuracy: 15)
        }
        XCTAssertEqual(tracker.progress.along / route.length, 0.25, accuracy: 0.01)
    }

    func testFigureEightIsFollowedThroughItsCrossing() throws {
        let eight: [Corner] = [(0, 0), (150, 150), (300, 0), (150, -150), (0, 0), (-150, 150), (-300, 0), (-150, -150), (0, 0)]
        assertFollows(try plane.route(eight, spacing: 8))
        assertFollows(try plane.route(eight, spacing: 8), every: 4)
    }

    func testManyLapsAreCountedOneByOne() throws {
        let lap: [Corner] = [(0, 0), (400, 0), (400, 300), (0, 300)]
        assertFollows(try plane.route((0..<6).flatMap { _ in lap } + [(0, 0)]), speed: 15)
    }

    func testLollipopIsFollowedAtTenSecondsAFix() throws {
        let stick: [Corner] = [(0, 0), (2000, 0)]
        let loop = circle(radius: 300, steps: 24).map { Corner(2300 - $0.east, $0.north) }
        assertFollows(try plane.route(stick + loop + stick.reversed()), Receiver(noise: 5), every: 10, within: 30)
    }

    func testClosedLoopBeginsAtItsStart() throws {
        let route = try plane.route(circle(radius: 500, steps: 48))
        XCTAssertTrue(route.isLoop)
        assertFollows(route)
        for start in [-30.0, -10, 0, 10, 30] {
            var receiver = Receiver()
            var tracker = Tracker(route: route)
            let place = route.coordinate(along: start < 0 ? route.length + start : start)
            let progress = tracker.update(receiver.fix(at: place, speed: 0))
            XCTAssertEqual(progress.along, max(start, 0), accuracy: 1)
            XCTAssertEqual(progress.state, .onRoute)
        }
    }

    func testLastPartOfALoopIsNotWhereADriveBegins() throws {
        let route = try plane.route([(0, 0), (500, 0), (500, 500), (0, 500), (0, 0)])
        var receiver = Receiver()
        var tracker = Tracker(route: route)
        for north in stride(from: 150.0, through: 60, by: -10) {
            XCTAssertEqual(tracker.update(receiver.fix(at: (0, north), speed: 10, heading: 180)).state, .acquiring)
        }
        XCTAssertEqual(tracker.progress.remainingDistance, route.length)
    }

    func testFirstFixInTheMiddleIsFoundAtOnceInThePassThatItsHeadingSays() throws {
        let route = try plane.route([(0, 0), (30_000, 0), (0, 0)])
        var receiver = Receiver()
        var tracker = Tracker(route: route)
        XCTAssertEqual(tracker.update(receiver.fix(at: (20_000, 5), speed: 10, heading: 270)).along, 40_000, accuracy: 5)
        tracker = Tracker(route: route)
        XCTAssertEqual(tracker.update(receiver.fix(at: (20_000, 5), speed: 10, heading: 90)).along, 20_000, accuracy: 5)
        tracker = Tracker(route: route)
        XCTAssertEqual(tracker.update(receiver.fix(at: (20_000, 5))).along, 20_000, accuracy: 5, "the earliest, with nothing to tell")
    }

    func testBothArmsOfAHairpinAreCandidatesHoweverFewPointsTheyHave() throws {
        let points = [(0.0, 0.0), (400, 0), (0, 12)].map(plane.coordinate)
        let route = try Route(RouteDescription(points: points, legEnds: [2]))
        for (heading, along) in [(90.0, 200.0), (270, 600)] {
            var receiver = Receiver()
            var tracker = Tracker(route: route)
            // Nearer to the way back.
            XCTAssertEqual(tracker.update(receiver.fix(at: (200, 4), speed: 10, heading: heading)).along, along, accuracy: 1)
        }
    }

    func testAHeadingAtWalkingSpeedMeansNothing() throws {
        let route = try plane.route([(0, 0), (30_000, 0), (0, 0)])
        var receiver = Receiver()
        var tracker = Tracker(route: route)
        XCTAssertEqual(tracker.update(receiver.fix(at: (20_000, 5), speed: 1.4, heading: 270)).along, 20_000, accuracy: 5)
    }

    func testAbsentHeadingIsNotNorth() throws {
        let route = try plane.route([(0, 0), (0, 3000), (0, 0)])
        var receiver = Receiver(noise: 3)
        var ignored = Receiver(noise: 3, hasHeading: false)
        var tracker = Tracker(route: route)
        var other = Tracker(route: route)
        for (one, two) in zip(receiver.drive(route, to: 2500), ignored.drive(route, to: 2500)) {
            var absent = one.fix
            absent.heading = .nan
            XCTAssertEqual(tracker.update(absent).along, other.update(two.fix).along)
        }
    }

    func testAGapOfAMinuteIsMatchedByTheFirstFixAfterIt() throws {
        let route = try plane.route([(0, 0), (2000, 0), (2000, 1000), (4000, 1000), (4000, 4000)])
        var receiver = Receiver()
        var tracker = Tracker(route: route)
        for (_, fix) in receiver.drive(route, to: 1500, speed: 25) { tracker.update(fix) }
        let progress = tracker.update(receiver.fix(at: route.coordinate(along: 3000), speed: 25, heading: 90, after: 60))
        XCTAssertEqual(progress.state, .onRoute)
        XCTAssertEqual(progress.along, 3000, accuracy: 5)
    }

    func testAGapOfAnHourIsSearchedThroughTheIndex() throws {
        let route = try plane.route([(0, 0), (60_000, 0), (60_000, 60_000)], spacing: 10)
        var receiver = Receiver()
        var tracker = Tracker(route: route)
        for (_, fix) in receiver.drive(route, to: 100, speed: 20) { tracker.update(fix) }
        let progress = tracker.update(receiver.fix(at: (60_000, 12_000), speed: 20, heading: 0, after: 3600))
        XCTAssertEqual(progress.along, 72_000, accuracy: 5)
    }

    func testOneFixCannotMoveFurtherThanTheVehicle() throws {
        let route = try plane.route([(0, 0), (2000, 0), (2000, 40), (0, 40)])
        var receiver = Receiver(hasHeading: false)
        var tracker = Tracker(route: route)
        for (_, fix) in receiver.drive(route, to: 300) { tracker.update(fix) }
        let progress = tracker.update(receiver.fix(at: (300, 40)))
        XCTAssertLessThan(progress.along, 300 + 45 * 1.2 + 200)
    }

    func testStandingStillWithNoiseHoldsTheProgress() throws {
        let route = try plane.route([(0, 0), (3000, 0)])
        var receiver = Receiver()
        var tracker = Tracker(route: route)
        for (_, fix) in receiver.drive(route, to: 1000) { tracker.update(fix) }
        let before = tracker.progress
        receiver.noise = 5
        for _ in 0..<600 {
            let progress = tracker.update(receiver.fix(at: (1000, 0), speed: 0.2, heading: 123))
            XCTAssertEqual(progress.state, .onRoute)
            XCTAssertEqual(progress.along, before.along, accuracy: 5)
            XCTAssertEqual(progress.remainingDuration, before.remainingDuration, accuracy: 0.5)
        }
    }

    func testComingToAStandIsStillProgress() throws {
        let route = try plane.route([(0, 0), (3000, 0)])
        var receiver = Receiver()
        var tracker = Tracker(route: route)
        for (_, fix) in receiver.drive(route, to: 1000, every: 10) { tracker.update(fix) }
        XCTAssertEqual(tracker.update(receiver.fix(at: (1020, 0), speed: 0, after: 10)).along, 1020, accuracy: 0.1)
        XCTAssertEqual(tracker.update(receiver.fix(at: (1060, 0), speed: 0.4, after: 100)).along, 1060, accuracy: 0.1, "creeping")
    }

    func testStandingWithoutASpeedNeverRunsBackwards() throws {
        let route = try plane.route([(0, 0), (3000, 0)])
        var receiver = Receiver(noise: 5)
        var tracker = Tracker(route: route)
        var last = 0.0
        for _ in 0..<300 {
            let progress = tracker.update(receiver.fix(at: (1000, 0)))
            XCTAssertGreaterThanOrEqual(progress.along, last)
            XCTAssertEqual(progress.along, 1000, accuracy: 30)
            last = progress.along
        }
    }

    func testCrossTrackIsNegativeLeftOfTheRoute() throws {
        let route = try plane.route([(0, 0), (3000, 0)])
        var receiver = Receiver()
        var tracker = Tracker(route: route)
        let left = tracker.update(receiver.fix(at: (500, 12)))
        XCTAssertEqual(left.crossTrack, -12, accuracy: 0.02)
        XCTAssertEqual(left.course, 90, accuracy: 0.02)
        XCTAssertEqual(distance(from: left.snapped, to: plane.coordinate((500, 0))), 0, accuracy: 0.02)
        XCTAssertEqual(tracker.update(receiver.fix(at: (510, -7))).crossTrack, 7, accuracy: 0.02)
    }

    func testRepeatedPointsChangeNothing() throws {
        let points = plane.points([(0, 0), (800, 0), (800, 800)])
        let once = try Route(RouteDescription(points: points, legEnds: [points.count - 1]))
        let thrice = try Route(
            RouteDescription(points: points.flatMap { [$0, $0, $0] }, legEnds: [3 * points.count - 1]))
        var tracker = Tracker(route: once)
        var other = Tracker(route: thrice)
        var receiver = Receiver(noise: 4)
        for (_, fix) in receiver.drive(once) {
            let a = tracker.update(fix)
            let b = other.update(fix)
            XCTAssertEqual(a.along, b.along)
            XCTAssertEqual(a.snapped, b.snapped)
            XCTAssertEqual(a.crossTrack, b.crossTrack)
            XCTAssertEqual(a.course, b.course)
            XCTAssertEqual(a.state, b.state)
        }
    }

    func testFollowsAcrossTheAntimeridian() throws {
        let plane = Plane(origin: Coordinate(latitude: -16.8, longitude: 179.99))
        let route = try plane.route([(0, 0), (3000, 0), (3000, 2000), (0, 2000)])
        XCTAssertLessThan(route.longitudes[150], 0)
        assertFollows(route, Receiver(plane: plane, noise: 4))
    }

    func testFollowsCloseToThePole() throws {
        let plane = Plane(origin: Coordinate(latitude: 89.9, longitude: 30))
        assertFollows(try plane.route([(0, 0), (3000, 0), (3000, 2000), (0, 2000)], spacing: 1000), Receiver(plane: plane, noise: 4))
        assertFollows(try plane.route([(0, 0), (0, 23_000)], spacing: 500), Receiver(plane: plane, noise: 4), speed: 30)
    }

    func testAPositionBesideALongSegmentIsFoundToHalfAMetre() throws {
        for latitude in [0.0, 47, 70, 89.8] {
            let a = Coordinate(latitude: latitude, longitude: 20)
            let b = Plane(origin: a).coordinate((7000, 7000))
            let route = try Route(RouteDescription(points: [a, b], legEnds: [1]))
            for along in stride(from: 100.0, to: route.length - 100, by: 500) {
                var receiver = Receiver()
                var tracker = Tracker(route: route)
                let place = route.coordinate(along: along)
                let across = bearing(from: place, to: b) + 90
                let beside = Plane(origin: place).coordinate((40 * sin(across * .pi / 180), 40 * cos(across * .pi / 180)))
                let progress = tracker.update(receiver.fix(at: beside))
                XCTAssertEqual(progress.along, along, accuracy: 0.5)
                XCTAssertEqual(progress.crossTrack, 40, accuracy: 0.5)
            }
        }
    }

    func testAFixOnTheFarSideOfTheEarthIsNotOnTheRoute() throws {
        let plane = Plane(origin: Coordinate(latitude: 0, longitude: 20))
        let route = try plane.route([(-1000, 0), (1000, 0)])
        var receiver = Receiver()
        var tracker = Tracker(route: route)
        XCTAssertEqual(tracker.update(receiver.fix(at: Coordinate(latitude: 0, longitude: -160))).state, .acquiring)
    }

    func testTheDistanceDrivenTellsTheLanesOfADualCarriagewayApart() throws {
        let route = try plane.route([(0, 0), (1500, 0), (1500, 8), (0, 8)])
        for seed in 1...6 {
            assertFollows(route, Receiver(noise: 4, hasHeading: false, random: SeededGenerator(state: UInt64(seed))), within: 45)
        }
    }

    func testTheHeadingTellsThePassesApartWhereTheDistanceMisleads() throws {
        // Out to a dead end and back, the vehicle unseen around the end and slow when seen again.
        let route = try plane.route([(0, 0), (1500, 0), (0, 0)])
        for (heading, along) in [(90.0, 1450.0), (270, 1550)] {
            var receiver = Receiver()
            var tracker = Tracker(route: route)
            for (_, fix) in receiver.drive(route, to: 1400) { tracker.update(fix) }
            let progress = tracker.update(receiver.fix(at: (1450, 1), speed: 2, heading: heading, after: 20))
            XCTAssertEqual(progress.along, along, accuracy: 1)
        }
    }

    func testADriveBeginsAtTheStartEvenWhereALaterPassIsNearer() throws {
        let route = try plane.route([(0, 0), (2000, 0), (2000, -30), (-2000, -30), (-2000, 3000)])
        var receiver = Receiver()
        var tracker = Tracker(route: route)
        XCTAssertEqual(tracker.update(receiver.fix(at: (5, -28), speed: 0)).along, 5, accuracy: 1)
    }

    func testALegDeclaredShorterThanItsGeometryIsSearchedWithoutGaps() throws {
        let points = plane.points([(0, 0), (4000, 0)])
        let route = try Route(RouteDescription(points: points, legEnds: [points.count - 1], legLengths: [3300]))
        for ahead in stride(from: 300.0, through: 1500, by: 100) {
            var receiver = Receiver()
            var tracker = Tracker(route: route)
            tracker.update(receiver.fix(at: (0, 0)))
            let progress = tracker.update(receiver.fix(at: (ahead, 0), after: 60))
            XCTAssertEqual(progress.along, ahead * 3300 / 4000, accuracy: 0.1)
            XCTAssertEqual(progress.crossTrack, 0, accuracy: 0.1)
        }
    }
}
