import XCTest

@testable import Navigation

/// What other route followers were blamed for, turned round: loops, overlaps, headings and parallel roads. The numbers are those of the README's table.
final class MatchingStatementTests: XCTestCase {
    private let plane = Plane()

    private func tracker(_ route: Route, driven along: Double, _ receiver: inout Receiver) -> Tracker {
        var tracker = Tracker(route: route)
        tracker.take(receiver.drive(route, to: along).map(\.fix))
        return tracker
    }

    func testStatement01AWrongTurnOntoALaterPassIsNoLeapAndIsReportedWithinThreeFixes() throws {
        // A to B, out to C, back to B and on to D: the driver turns towards D at once.
        let route = try plane.route([(0, 0), (1000, 0), (1000, 2000), (1000, 0), (1000, -2000)])
        var receiver = Receiver()
        var tracker = tracker(route, driven: 1000, &receiver)
        var left: Int?
        var before = tracker.progress.along
        for (number, fix) in receiver.drive(straight: [(1000, 0), (1000, -400)]).enumerated() {
            let progress = tracker.update(fix)
            if left == nil, progress.along.isFinite {
                XCTAssertLessThan(progress.along - before, 45 * 1.2 + 200)
                before = progress.along
            }
            if let event = tracker.events.first(.leftRoute) {
                left = number + 1
                XCTAssertEqual(event.reason, .wrongOrder)
            }
        }
        XCTAssertLessThanOrEqual(try XCTUnwrap(left), 3)
        XCTAssertEqual(tracker.progress.along, 5400, accuracy: 5)
    }

    func testStatement02TheFirstFixAfterAGapOfAMinuteIsMatchedAtOnce() throws {
        let route = try plane.route([(0, 0), (2000, 0), (2000, 1000), (4000, 1000), (4000, 4000)], spacing: 15)
        for seed in 1...10 {
            var receiver = Receiver(noise: 3, random: SeededGenerator(state: UInt64(seed)))
            var tracker = Tracker(route: route)
            tracker.take(receiver.drive(route, to: 1500, speed: 25).map(\.fix))
            let progress = tracker.update(receiver.fix(at: route.coordinate(along: 3500), speed: 25, heading: 90, after: 60))
            XCTAssertEqual(progress.state, .onRoute)
            XCTAssertEqual(progress.along, 3500, accuracy: receiver.accuracy + 5)
        }
    }

    func testStatement03AQuarterOfOutAndBackIsAQuarter() throws {
        let route = try plane.route([(0, 0), (2000, 0), (0, 0)])
        var receiver = Receiver(noise: 3)
        var tracker = Tracker(route: route)
        tracker.take(receiver.drive(route, to: 1000).map(\.fix)) { XCTAssertLessThan($0.along, route.length / 2) }
        XCTAssertEqual(tracker.progress.along / route.length, 0.25, accuracy: 0.01)
    }

    func testStatement04NoFixIsMatchedPastTheTurnBeforeIt() throws {
        let route = try plane.route([(0, 0), (1500, 0), (1500, 8), (0, 8)])
        for seed in 1...5 {
            var receiver = Receiver(noise: 4, random: SeededGenerator(state: UInt64(seed)))
            var tracker = Tracker(route: route)
            for (along, fix) in receiver.drive(route, to: 1470) {
                var fix = fix
                fix.heading = 90 + .random(in: -44...44, using: &receiver.random)
                XCTAssertLessThanOrEqual(tracker.update(fix).along, 1504, "at \(along)")
            }
        }
    }

    func testStatement05AClosedLoopIsWholeAtItsStartAndCannotEndBeforeNineTenths() throws {
        let route = try plane.route([(0, 0), (1500, 0), (1500, 1000), (0, 1000), (0, 0)])
        for start: Corner in [(0, 0), (15, 0), (0, 15)] {
            var receiver = Receiver(noise: 2)
            var tracker = Tracker(route: route)
            XCTAssertEqual(tracker.progress.remainingDistance, route.length)
            for _ in 0..<60 {
                let progress = tracker.update(receiver.fix(at: start, speed: 0))
                XCTAssertEqual(progress.remainingDistance, route.length, accuracy: 25)
                XCTAssertEqual(progress.state, .onRoute, "nor by standing there")
            }
            for (along, fix) in receiver.drive(route, from: 10) where tracker.update(fix).state == .arrived {
                XCTAssertGreaterThan(along, 0.9 * route.length)
            }
            XCTAssertEqual(tracker.progress.state, .arrived)
        }
    }

    func testStatement06APartOfARoundTripIsSkippedWithinThreeFixes() throws {
        let route = try plane.route([(0, 0), (25_000, 0), (25_000, 25_000), (0, 25_000), (0, 0)], spacing: 100)
        var receiver = Receiver()
        var tracker = Tracker(route: route)
        tracker.take(receiver.drive(route, to: 20_000, speed: 25).map(\.fix))
        // Across the fields, to kilometre 25.
        tracker.take(receiver.drive(straight: [(20_000, 0), (20_000, 3000), (24_800, 3000), (24_800, 300)], speed: 25))
        XCTAssertEqual(tracker.progress.state, .offRoute)
        let fixes = receiver.drive(straight: [(25_000, 0), (25_000, 75)], speed: 25)
        let event = tracker.take(fixes).first { $0.kind == .rejoined }
        XCTAssertEqual(fixes.count, 3)
        XCTAssertEqual(tracker.progress.remainingDistance, 75_000 - 75, accuracy: 50)
        XCTAssertEqual(try XCTUnwrap(event).distance, 5075, accuracy: 50)
    }

    func testStatement07JoiningARoadUsedBothWaysIsAmbiguousUntilItMoves() throws {
        let route = try plane.route([(0, 0), (5000, 0), (0, 0)])
        for hasHeading in [true, false] {
            var receiver = Receiver(hasHeading: hasHeading)
            var tracker = Tracker(route: route)
            for _ in 0..<5 {
                let progress = tracker.update(receiver.fix(at: (3000, 3), speed: 0))
                XCTAssertEqual(progress.state, .ambiguous)
                XCTAssertEqual(progress.along, 3000, accuracy: 5)
            }
            let fixes = Array(receiver.drive(straight: [(3000, 3), (2950, 3)]).prefix(5))
            let events = tracker.take(fixes)
            XCTAssertEqual(events.map(\.kind), [.acquired])
            XCTAssertEqual(tracker.progress.state, .onRoute)
            XCTAssertEqual(tracker.progress.along, 7050, accuracy: 5)
        }
        var receiver = Receiver()
        var tracker = Tracker(route: route)
        tracker.update(receiver.fix(at: (3000, 3), speed: 5, heading: 270))
        XCTAssertEqual(tracker.progress.state, .onRoute, "by the heading at once")
        XCTAssertEqual(tracker.progress.along, 7000, accuracy: 5)
    }

    func testStatement08ALollipopIsFollowedToThirtyMetres() throws {
        let stick: [Corner] = [(0, 0), (2000, 0)]
        let loop: [Corner] = (0...24).map { step in
            let angle = 2 * Double.pi * Double(step) / 24
            return (2300 - 300 * cos(angle), 300 * sin(angle))
        }
        let route = try plane.route(stick + loop + stick.reversed())
        for seed in 1...10 {
            var receiver = Receiver(noise: 5, random: SeededGenerator(state: UInt64(seed)))
            var tracker = Tracker(route: route)
            for (along, fix) in receiver.drive(route, every: 10) {
                XCTAssertEqual(tracker.update(fix).along, along, accuracy: 30)
            }
        }
    }

    func testStatement09TheDistanceDrivenOnLoopsIsTheTruth() throws {
        let lap: [Corner] = [(0, 0), (300, 0), (300, 200), (0, 200)]
        let route = try plane.route((0..<8).flatMap { _ in lap } + [(0, 0)])
        var receiver = Receiver(noise: 4)
        var tracker = Tracker(route: route)
        tracker.take(receiver.drive(route, to: 7500, speed: 12, every: 5).map(\.fix))
        XCTAssertEqual(tracker.progress.along, 7500, accuracy: 0.02 * 7500)
    }

    func testStatement10EachWaypointOfAFigureEightArrivesOnceAndInOrder() throws {
        // The crossing is a waypoint each time.
        let eight: [Corner] = [(0, 0), (400, 400), (800, 0), (400, -400), (0, 0), (-400, 400), (-800, 0), (-400, -400), (0, 0), (900, 900)]
        let points = plane.points(eight, spacing: 10)
        let crossings = points.indices.filter { $0 > 0 && distance(from: points[$0], to: plane.origin) < 1 }
        XCTAssertEqual(crossings.count, 2)
        let route = try Route(RouteDescription(points: points, legEnds: crossings + [points.count - 1]))
        var receiver = Receiver(noise: 3)
        var tracker = Tracker(route: route)
        let events = tracker.take(receiver.drive(route).map(\.fix)).filter { $0.waypoint >= 0 }
        XCTAssertEqual(events.map(\.kind), [.waypointArrived, .waypointArrived, .arrived])
        XCTAssertEqual(events.map(\.waypoint), [0, 1, 2])
    }

    func testStatement11AUTurnInMidRoadAddsNothing() throws {
        let route = try plane.route([(0, 0), (5000, 0)], spacing: 5000)
        var receiver = Receiver()
        var tracker = tracker(route, driven: 1000, &receiver)
        tracker.take(receiver.drive(straight: [(1000, 0), (800, 0), (1000, 0), (1500, 0)]))
        XCTAssertEqual(tracker.progress.state, .onRoute)
        XCTAssertEqual(tracker.progress.along, 1500, accuracy: 5)
    }

    func testStatement12AParallelRoadIsLeftWithinAHundredMetresUnlessTheReceiverIsPoor() throws {
        let route = try plane.route([(0, 0), (6000, 0)])
        var receiver = Receiver(noise: 1)
        var tracker = tracker(route, driven: 1000, &receiver)
        let fixes = receiver.drive(straight: [(1000, -25), (1100, -25)])
        XCTAssertEqual(tracker.take(fixes).last?.reason, .besideRoute)
        XCTAssertEqual(tracker.progress.state, .offRoute)
        tracker.take(receiver.drive(straight: [(1100, -25), (2000, -25)])) { XCTAssertEqual($0.state, .offRoute, "nor is it rejoined") }

        receiver = Receiver(noise: 1)
        tracker = self.tracker(route, driven: 1000, &receiver)
        receiver.accuracy = 30
        let events = tracker.take(receiver.drive(straight: [(1000, -25), (2000, -25)]))
        XCTAssertEqual(tracker.progress.state, .uncertain)
        XCTAssertEqual(events.map(\.reason), [.poorAccuracy])
        XCTAssertEqual(tracker.progress.along, 2000, accuracy: 15)
    }

    func testStatement13AnotherDirectionInsideTheCorridorIsADeviationALaneChangeIsNot() throws {
        let route = try plane.route([(0, 0), (4000, 0)])
        var receiver = Receiver()
        var tracker = tracker(route, driven: 1000, &receiver)
        let events = tracker.take(Array(receiver.drive(straight: [(1000, 0), (1005, -25)], speed: 5).prefix(3)))
        XCTAssertEqual(events.last?.kind, .leftRoute)
        XCTAssertEqual(events.last?.reason, .headingDisagrees)

        receiver = Receiver()
        tracker = self.tracker(route, driven: 1000, &receiver)
        for _ in 0..<5 {
            let last = tracker.progress.along
            tracker.take(receiver.drive(straight: [(last, 0), (last + 30, -6), (last + 90, -6), (last + 120, 0)])) {
                XCTAssertEqual($0.state, .onRoute)
            }
        }
    }

    func testStatement14DriftTakesFiveFixesAndTenSecondsButALeapTwoFixes() throws {
        let route = try plane.route([(0, 0), (4000, 0)])
        for (gap, fixes) in [(1.0, 10), (5, 4), (0.1, 90)] {
            var receiver = Receiver()
            var tracker = tracker(route, driven: 1000, &receiver)
            for _ in 0..<fixes {
                XCTAssertFalse(tracker.update(receiver.fix(at: (1010, 90), speed: 1, heading: 0, after: gap)).state.isOffRoute)
            }
            XCTAssertEqual(tracker.update(receiver.fix(at: (1010, 0), speed: 1)).state, .onRoute)
        }
        var receiver = Receiver()
        var tracker = tracker(route, driven: 1000, &receiver)
        tracker.update(receiver.fix(at: (1000, 190)))
        tracker.update(receiver.fix(at: (1000, 190)))
        XCTAssertEqual(tracker.progress.state, .offRoute)
        XCTAssertEqual(tracker.events.first(.leftRoute)?.reason, .farAway)
    }

    func testStatement15AnAbsentCourseIsNotNorth() throws {
        let route = try plane.route([(0, 0), (3000, 0), (3000, -3000)])
        var receiver = Receiver(noise: 3, hasHeading: false)
        var tracker = Tracker(route: route)
        for (along, fix) in receiver.drive(route, to: 5000) {
            let progress = tracker.update(fix)
            XCTAssertEqual(progress.state, .onRoute)
            XCTAssertEqual(progress.along, along, accuracy: 15)
        }
    }

    func testStatement16ASideOffsetPassesAWaypointWhereItIs() throws {
        let points = plane.points([(0, 0), (1000, 0), (2000, 0)])
        let route = try Route(RouteDescription(points: points, legEnds: [50, 100]))
        var receiver = Receiver()
        var tracker = Tracker(route: route)
        for east in stride(from: 0.0, through: 1900, by: 2) {
            let leg = tracker.update(receiver.fix(at: (east, -8), speed: 2, heading: 90)).leg
            if abs(east - 1000) > 10 { XCTAssertEqual(leg, east < 1000 ? 0 : 1) }
        }
    }

    func testStatement17TenMinutesOfStandingChangeNothing() throws {
        let route = try plane.route([(0, 0), (3000, 0)])
        var receiver = Receiver()
        var tracker = tracker(route, driven: 1000, &receiver)
        let before = tracker.progress.along
        receiver.noise = 5
        let events = tracker.take((0..<600).map { _ in receiver.fix(at: (1000, 0), speed: 0.2, heading: 77) }) {
            XCTAssertEqual($0.along, before, accuracy: 5)
        }
        XCTAssertEqual(events.count, 0)
    }
}
