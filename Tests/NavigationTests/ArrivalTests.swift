import XCTest

@testable import Navigation

final class ArrivalTests: XCTestCase {
    private let plane = Plane()

    /// 12 km straight on at 10 m/s, shaped, in legs that end at these kilometres.
    private func route(legEnds kilometres: [Int] = [12]) throws -> Route {
        let points = plane.points([(0, 0), (12_000, 0)], spacing: 50)
        let seconds = zip(points, points.dropFirst()).map { distance(from: $0, to: $1) / 10 }
        return try Route(
            RouteDescription(points: points, legEnds: kilometres.map { $0 * 20 }, segmentDurations: seconds))
    }

    /// What a tracker says after standing at one place.
    private func stand(_ tracker: inout Tracker, _ receiver: inout Receiver, at along: Double, for seconds: Int) {
        for _ in 0..<seconds { tracker.update(receiver.fix(at: (along, 0), speed: 0)) }
    }

    private func drive(
        _ tracker: inout Tracker, _ receiver: inout Receiver, from start: Double, to end: Double, speed: Double = 10
    ) {
        for (_, fix) in receiver.drive(tracker.route, from: start, to: end, speed: speed) { tracker.update(fix) }
    }

    // MARK: The route's own profile

    func testStatement42AtTheStartTheRemainingSecondsAreTheDeclaredOnes() throws {
        let points = plane.points([(0, 0), (600, 0), (600, 400)])
        let route = try Route(
            RouteDescription(
                points: points, legEnds: [30, 50], legDurations: [70, 50], segmentDurations: Array(repeating: 1, count: 50)))
        var tracker = Tracker(route: route)
        XCTAssertEqual(tracker.progress.remainingDuration, 120)
        var receiver = Receiver(noise: 2)
        for _ in 0..<30 { tracker.update(receiver.fix(at: (0, 0), speed: 0)) }
        XCTAssertEqual(tracker.progress.remainingDuration, 120, accuracy: 1)
        XCTAssertEqual(tracker.remainingDuration(toWaypoint: 0), 70, accuracy: 1)
    }

    func testStatement41EachLegTakesItsDeclaredSecondsWhateverItsAnnotationsSum() throws {
        let points = plane.points([(0, 0), (1000, 0)], spacing: 100)
        let annotations = Array(repeating: 30.0, count: 5) + [4, 8, 16, 2, 2]
        let route = try Route(
            RouteDescription(points: points, legEnds: [5, 10], legDurations: [155, 31], segmentDurations: annotations))
        let tracker = Tracker(route: route)
        XCTAssertEqual(tracker.remainingDuration(toWaypoint: 0), 155)
        XCTAssertEqual(tracker.remainingDuration(toWaypoint: 1), 186)
        XCTAssertEqual(route.seconds(along: 0.7 * route.length), 155 + 31 * 12 / 32, accuracy: 0.01)
    }

    func testTheRoutesSecondsAndBandAreTheLastWaypointsToTheBit() throws {
        var tracker = Tracker(route: try route(legEnds: [3, 7, 12]))
        tracker.setDwell(seconds: 77.7, forWaypoint: 1)
        var receiver = Receiver(noise: 3)
        for (_, fix) in receiver.drive(tracker.route, to: 11_000, speed: 7.3) {
            let progress = tracker.update(fix)
            XCTAssertEqual(tracker.remainingDuration(toWaypoint: 2).bitPattern, progress.remainingDuration.bitPattern)
            XCTAssertEqual(tracker.remainingBand(toWaypoint: 2).low.bitPattern, tracker.remainingBand.low.bitPattern)
            XCTAssertEqual(tracker.remainingBand(toWaypoint: 2).high.bitPattern, tracker.remainingBand.high.bitPattern)
        }
        XCTAssertEqual(tracker.progress.leg, 2)
    }

    // MARK: Standing

    func testTenMinutesAtAStandstillMoveTheArrivalByTenMinutesOnly() throws {
        var tracker = Tracker(route: try route())
        var receiver = Receiver(noise: 5)
        drive(&tracker, &receiver, from: 0, to: 4000)
        tracker.update(receiver.fix(at: (4000, 0), speed: 0.1))
        let before = tracker.progress
        for second in 0..<600 {
            let progress = tracker.update(receiver.fix(at: (4000, 0), speed: second % 2 == 0 ? 0.1 : 0.3))
            XCTAssertEqual(progress.state, .onRoute)
            XCTAssertEqual(progress.along, before.along, accuracy: 5)
            XCTAssertEqual(progress.remainingDuration, before.remainingDuration, accuracy: 0.5)
        }
    }

    func testARedLightLeavesTheRemainingSecondsAndWeighsLittleAfterwards() throws {
        var tracker = Tracker(route: try route())
        var receiver = Receiver()
        drive(&tracker, &receiver, from: 0, to: 4000)
        let before = tracker.progress.remainingDuration
        stand(&tracker, &receiver, at: 4000, for: 60)
        XCTAssertEqual(tracker.progress.remainingDuration, before)
        var last = before
        for (_, fix) in receiver.drive(tracker.route, from: 4010, to: 5000) {
            let seconds = tracker.update(fix).remainingDuration
            XCTAssertEqual(seconds, last, accuracy: 5, "no jump when it goes on")
            last = seconds
        }
        XCTAssertEqual(last, before - 100, accuracy: 0.08 * before)
        XCTAssertGreaterThan(last, before - 100, "but it counts")
    }

    func testALongStopOnTheWayIsNotTakenForTraffic() throws {
        var tracker = Tracker(route: try route())
        var receiver = Receiver()
        drive(&tracker, &receiver, from: 0, to: 4000)
        stand(&tracker, &receiver, at: 4000, for: 1800)
        drive(&tracker, &receiver, from: 4010, to: 5000)
        XCTAssertEqual(tracker.progress.remainingDuration, 700, accuracy: 100)
    }

    // MARK: The pace

    func testStatement43ThePaceCorrectionIsBounded() throws {
        for (speed, bounds) in [(1.0, 1.3...1.8), (45, 0.6...0.8)] {
            var tracker = Tracker(route: try route())
            var receiver = Receiver()
            for (_, fix) in receiver.drive(tracker.route, to: 9000, speed: speed) {
                let ratio = tracker.update(fix).remainingDuration / ((tracker.route.length - tracker.progress.along) / 10)
                XCTAssertTrue((0.6...1.8).contains(ratio))
            }
            XCTAssertTrue(bounds.contains(tracker.progress.remainingDuration / 300), "\(tracker.progress.remainingDuration)")
        }
    }

    func testThePaceHoldsForTheNearPartAndFadesFurtherAhead() throws {
        let points = plane.points([(0, 0), (100_000, 0)], spacing: 100)
        let route = try Route(
            RouteDescription(points: points, legEnds: [100, 1000], segmentDurations: Array(repeating: 10, count: 1000)))
        var tracker = Tracker(route: route)
        var receiver = Receiver()
        drive(&tracker, &receiver, from: 0, to: 5000, speed: 5)
        let near = tracker.remainingDuration(toWaypoint: 0) / 500
        let far = tracker.remainingDuration(toWaypoint: 1) / 9500
        XCTAssertGreaterThan(near, 1.3)
        XCTAssertGreaterThan(far, 1.05)
        XCTAssertLessThan(far, (1 + near) / 2)
    }

    func testTheFirstRoadsOfALegWithoutShapeSayNothingOfTheRest() throws {
        let route = try plane.route([(0, 0), (12_000, 0)])
        var tracker = Tracker(route: route)
        var receiver = Receiver()
        drive(&tracker, &receiver, from: 0, to: 6000, speed: 5)
        XCTAssertEqual(tracker.progress.remainingDuration, 600, accuracy: 1)
    }

    func testTheReceiversSpeedHasNoPartInTheEstimate() throws {
        var seconds: [Double] = []
        for reported in [Double.nan, 3, 30] {
            var tracker = Tracker(route: try route())
            var receiver = Receiver()
            for (_, var fix) in receiver.drive(tracker.route, to: 5000) {
                fix.speed = reported
                tracker.update(fix)
            }
            seconds.append(tracker.progress.remainingDuration)
        }
        XCTAssertEqual(seconds[0], 700, accuracy: 1)
        XCTAssertEqual(seconds[1], seconds[0])
        XCTAssertEqual(seconds[2], seconds[0])
    }

    // MARK: Without durations

    func testWithoutDurationsASpeedIsConfiguredAndThenLearned() throws {
        let points = plane.points([(0, 0), (12_000, 0)], spacing: 50)
        let route = try Route(RouteDescription(points: points, legEnds: [120, 240]))
        var tracker = Tracker(route: route, speed: 10)
        XCTAssertEqual(tracker.progress.remainingDuration, 1200, accuracy: 1)
        XCTAssertEqual(tracker.remainingDuration(toWaypoint: 0), 600, accuracy: 1)
        XCTAssertLessThan(tracker.remainingBand.low, 900)
        XCTAssertGreaterThan(tracker.remainingBand.high, 1600)
        var receiver = Receiver()
        drive(&tracker, &receiver, from: 0, to: 8000, speed: 20)
        XCTAssertEqual(tracker.progress.remainingDuration, 200, accuracy: 70, "not 400")
    }

    func testWithoutDurationsOrAUsefulSpeedTheSecondsAreUnknown() throws {
        let route = try Route(RouteDescription(points: plane.points([(0, 0), (600, 0)]), legEnds: [30]))
        for speed in [nil, 0, -1, .nan, .infinity, 1e-300] as [Double?] {
            var tracker = Tracker(route: route, speed: speed)
            var receiver = Receiver()
            tracker.setDwell(seconds: 60, forWaypoint: 0)
            for (_, fix) in receiver.drive(route, to: 300) { tracker.update(fix) }
            XCTAssertTrue(tracker.progress.remainingDuration.isNaN)
            XCTAssertTrue(tracker.remainingBand.low.isNaN && tracker.remainingBand.high.isNaN)
            XCTAssertEqual(tracker.progress.remainingDistance, 300, accuracy: 1)
        }
    }

    func testADeclaredDurationOutranksTheConfiguredSpeed() throws {
        XCTAssertEqual(Tracker(route: try route(), speed: 1).progress.remainingDuration, 1200, accuracy: 1)
    }

    // MARK: The band

    func testTheBandHoldsTheEstimateAndNarrowsTowardsTheWaypoint() throws {
        var tracker = Tracker(route: try route(legEnds: [3, 12]))
        var receiver = Receiver()
        var width = Double.infinity
        for (along, fix) in receiver.drive(tracker.route, to: 11_900) {
            tracker.update(fix)
            for waypoint in 0...1 {
                let band = tracker.remainingBand(toWaypoint: waypoint)
                let seconds = tracker.remainingDuration(toWaypoint: waypoint)
                XCTAssertTrue(0 <= band.low && band.low <= seconds && seconds <= band.high)
                XCTAssertEqual(band.low < band.high, seconds > 0)
            }
            guard Int(along) % 1000 == 0 else { continue }
            XCTAssertLessThan(tracker.remainingBand.high - tracker.remainingBand.low, width)
            width = tracker.remainingBand.high - tracker.remainingBand.low
        }
        XCTAssertLessThan(width, 120)
    }

    func testTheBandIsUnknownWhereTheSecondsAre() throws {
        let tracker = Tracker(route: try route())
        for waypoint in [-1, 1, Int.min, Int.max] { XCTAssertTrue(tracker.remainingBand(toWaypoint: waypoint).low.isNaN) }
    }
}
