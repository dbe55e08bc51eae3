import XCTest

@testable import Navigation

/// Saving a tracker and taking it up again, and carrying it on through a gap.
final class TrackerMemoryTests: XCTestCase {
    private let plane = Plane()

    private func route() throws -> Route {
        let points = plane.points([(0, 0), (1000, 0), (2000, 0), (6000, 0)])
        return try Route(RouteDescription(points: points, legEnds: [50, 100, 300], legDurations: [100, 100, 400]))
    }

    private func tracker(driven along: Double, _ receiver: inout Receiver) throws -> Tracker {
        let route = try route()
        var tracker = Tracker(route: route)
        for (along, fix) in receiver.drive(route, to: along) { _ = tracker.update(fix, now: along / 10) }
        return tracker
    }

    private func saved(_ tracker: Tracker) -> [UInt8] {
        var bytes: [UInt8] = [1, 2, 3]
        tracker.save(into: &bytes)
        return bytes
    }

    private func restored(_ bytes: [UInt8], on other: Route? = nil) throws -> Tracker {
        var tracker = Tracker(route: try other ?? route())
        try tracker.restore(bytes)
        return tracker
    }

    // MARK: Save and restore

    func testATrackerGoesOnAsItWasSaved() throws {
        var receiver = Receiver(noise: 2)
        var tracker = try tracker(driven: 1500, &receiver)
        tracker.skipWaypoint(1)
        var restored = try self.restored(saved(tracker))
        XCTAssertEqual(restored.progress.state, .onRoute)
        XCTAssertEqual(restored.progress.leg, 2)
        XCTAssertEqual(restored.progress.along, tracker.progress.along)
        XCTAssertEqual(restored.progress.remainingDistance, tracker.progress.remainingDistance)
        XCTAssertEqual(restored.progress.remainingDuration, tracker.progress.remainingDuration, accuracy: 1e-6)
        XCTAssertEqual(distance(from: restored.progress.snapped, to: tracker.progress.snapped), 0, accuracy: 0.01)
        for (_, fix) in receiver.drive(tracker.route, from: 1600, to: 2500) {
            XCTAssertEqual(restored.update(fix).along, tracker.update(fix).along)
            XCTAssertEqual(restored.events.all.map(\.kind), tracker.events.all.map(\.kind))
        }
    }

    func testWhatWasLearnedAndTheStopsAreRestoredAtOnce() throws {
        var receiver = Receiver()
        let route = try route()
        var tracker = Tracker(route: route)
        tracker.setDwell(seconds: 60, forWaypoint: 0)
        tracker.setDwell(seconds: 200, forWaypoint: 1)
        // Slower than the route declares, and forty seconds at the first stop.
        tracker.take(receiver.drive(route, to: 1005, speed: 7).map(\.fix))
        tracker.take((0..<40).map { _ in receiver.fix(at: (1005, 0), speed: 0) })
        var restored = try restored(saved(tracker))
        XCTAssertNotEqual(Tracker(route: route).progress.legRemainingDuration, restored.progress.legRemainingDuration)
        for waypoint in 0...2 {
            XCTAssertEqual(
                restored.remainingDuration(toWaypoint: waypoint), tracker.remainingDuration(toWaypoint: waypoint), accuracy: 1e-6)
            XCTAssertEqual(
                restored.remainingBand(toWaypoint: waypoint).high, tracker.remainingBand(toWaypoint: waypoint).high, accuracy: 1e-6)
        }
        XCTAssertEqual(restored.progress.legRemainingDuration, tracker.progress.legRemainingDuration, accuracy: 1e-6)
        XCTAssertEqual(restored.progress.remainingDuration, tracker.progress.remainingDuration, accuracy: 1e-6)
        for fix in (0..<10).map({ _ in receiver.fix(at: (1005, 0), speed: 0) }) + receiver.drive(route, from: 1010, to: 1500).map(\.fix) {
            let progress = restored.update(fix)
            XCTAssertEqual(progress.remainingDuration, tracker.update(fix).remainingDuration, accuracy: 1e-6)
        }
    }

    func testAPaceAgainstAnotherSpeedIsNotTakenUp() throws {
        let route = try Route(RouteDescription(points: plane.points([(0, 0), (4000, 0)]), legEnds: [200]))
        var receiver = Receiver()
        var tracker = Tracker(route: route, speed: 20)
        tracker.take(receiver.drive(route, to: 2000).map(\.fix))
        XCTAssertGreaterThan(tracker.progress.remainingDuration, 110)
        var same = Tracker(route: route, speed: 20)
        try same.restore(saved(tracker))
        XCTAssertEqual(same.progress.remainingDuration, tracker.progress.remainingDuration, accuracy: 1e-6)
        var other = Tracker(route: route, speed: 10)
        try other.restore(saved(tracker))
        XCTAssertEqual(other.progress.remainingDuration, 200, accuracy: 1)
        other.setSpeed(10)
        other.setSpeed(20)
        XCTAssertEqual(other.progress.remainingDuration, 100, accuracy: 1)
        XCTAssertEqual(other.progress.legRemainingDuration, 100, accuracy: 1)
    }

    func testTheRadiiStayAndWhatIsLeftOutIsAsSaved() throws {
        var receiver = Receiver()
        let saved = saved(try tracker(driven: 500, &receiver))
        var tracker = Tracker(route: try route())
        tracker.setArrivalRadius(5)
        tracker.setArrivalRadius(100, forWaypoint: 1)
        tracker.skipWaypoint(0)
        try tracker.restore(saved)
        XCTAssertEqual(tracker.progress.leg, 0)
        let events = tracker.take(receiver.drive(straight: [(510, -15), (2500, -15)])).filter { $0.waypoint >= 0 }
        XCTAssertEqual(events.map(\.kind), [.waypointPassed, .waypointArrived])
    }

    func testTheRouteAloneDecidesTheSize() throws {
        var receiver = Receiver()
        var tracker = Tracker(route: try route())
        XCTAssertEqual(saved(tracker).count, tracker.savedSize)
        tracker.setDwell(seconds: 60, forWaypoint: 0)
        tracker.take(receiver.drive(tracker.route, to: 500).map(\.fix))
        tracker.skipWaypoint(1)
        XCTAssertEqual(saved(tracker).count, tracker.savedSize)
        XCTAssertEqual(tracker.savedSize, 176)
    }

    func testAnotherVersionsBytesAreRefusedAndChangeNothing() throws {
        var receiver = Receiver()
        var tracker = try tracker(driven: 1500, &receiver)
        for version: UInt8 in [1, 3] {
            var bytes = saved(tracker)
            bytes[4] = version
            let hash = bytes.dropLast(8).reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
            for byte in 0..<8 { bytes[bytes.count - 8 + byte] = UInt8(truncatingIfNeeded: hash >> (8 * byte)) }
            let before = tracker.progress
            XCTAssertThrowsError(try tracker.restore(bytes)) { XCTAssertEqual($0 as? RestoreError, .otherVersion) }
            XCTAssertEqual(tracker.progress.along, before.along)
        }
    }

    /// With the right hash, as only a bad program could write them.
    func testNoForgedValueIsTrusted() throws {
        var receiver = Receiver(), random = SeededGenerator(state: 7)
        let driven = try tracker(driven: 1500, &receiver)
        let bytes = saved(driven)
        for word in 2..<(bytes.count / 8 - 1) {
            for value in [
                0, UInt64.max, Double.nan.bitPattern, Double.infinity.bitPattern, (-1e300).bitPattern, 1e300.bitPattern, random.next(),
            ] {
                var forged = bytes
                for byte in 0..<8 { forged[8 * word + byte] = UInt8(truncatingIfNeeded: value >> (8 * byte)) }
                let hash = forged.dropLast(8).reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
                for byte in 0..<8 { forged[forged.count - 8 + byte] = UInt8(truncatingIfNeeded: hash >> (8 * byte)) }
                guard var tracker = try? restored(forged) else { continue }
                for (_, fix) in receiver.drive(tracker.route, from: 1600, to: 1700) { _ = tracker.update(fix) }
                let left = tracker.progress.remainingDistance
                XCTAssertTrue(left.isNaN || left >= 0 && left <= tracker.route.length, "word \(word)")
                XCTAssertFalse(tracker.progress.remainingDuration < 0 || tracker.progress.remainingDuration.isInfinite, "word \(word)")
            }
        }
    }

    func testEveryStateIsRestored() throws {
        var receiver = Receiver()
        let acquiring = Tracker(route: try route())
        var off = try tracker(driven: 1500, &receiver)
        off.take(receiver.drive(straight: [(1500, 0), (1500, -500)]))
        var wrong = try tracker(driven: 1500, &receiver)
        wrong.take(receiver.drive(straight: [(1500, 0), (1300, 0)]))
        let arrived = try tracker(driven: 6000, &receiver)
        for (tracker, state) in [
            (acquiring, Navigation.Progress.State.acquiring), (off, .offRoute), (wrong, .wrongWay), (arrived, .arrived),
        ] {
            let restored = try self.restored(saved(tracker)).progress
            XCTAssertEqual(restored.state, state)
            XCTAssertEqual(restored.leg, tracker.progress.leg)
            XCTAssertEqual(restored.along.isNaN, tracker.progress.along.isNaN)
            XCTAssertEqual(restored.backtracked, tracker.progress.backtracked)
            XCTAssertEqual(restored.remainingDistance.isNaN, tracker.progress.remainingDistance.isNaN)
        }
    }

    func testAnEstimateIsNotSaved() throws {
        var receiver = Receiver()
        var tracker = try tracker(driven: 1500, &receiver)
        XCTAssertNotNil(tracker.reckon(at: 170))
        let restored = try self.restored(saved(tracker))
        XCTAssertEqual(restored.progress.along, 1500, accuracy: 1)
        XCTAssertEqual(restored.progress.state, .onRoute)
    }

    func testDamagedBytesAreRefused() throws {
        var receiver = Receiver()
        var tracker = try tracker(driven: 1500, &receiver)
        tracker.skipWaypoint(1)
        let bytes = saved(tracker)
        for length in 0..<bytes.count {
            XCTAssertThrowsError(try restored(Array(bytes[..<length]))) {
                XCTAssertEqual($0 as? RestoreError, .damaged)
            }
        }
        for position in bytes.indices {
            var damaged = bytes
            damaged[position] ^= 0x10
            XCTAssertThrowsError(try restored(damaged)) { XCTAssertEqual($0 as? RestoreError, .damaged) }
        }
        XCTAssertThrowsError(try restored(bytes + bytes))
    }

    func testAnotherRoutesBytesAreRefused() throws {
        var receiver = Receiver()
        let bytes = saved(try tracker(driven: 1500, &receiver))
        let points = plane.points([(0, 0), (1000, 0), (2000, 0), (6000, 1)])
        let other = try Route(RouteDescription(points: points, legEnds: [50, 100, points.count - 1]))
        XCTAssertThrowsError(try restored(bytes, on: other)) { XCTAssertEqual($0 as? RestoreError, .otherRoute) }
    }

    // MARK: Dead reckoning

    func testTheTrackerIsCarriedOnAtItsLastPaceAndMarked() throws {
        var receiver = Receiver()
        var tracker = try tracker(driven: 3000, &receiver)
        XCTAssertNil(tracker.reckon(at: 301), "a fix is not late yet")
        let progress = try XCTUnwrap(tracker.reckon(at: 305))
        XCTAssertTrue(progress.isEstimated)
        XCTAssertEqual(progress.state, .onRoute)
        XCTAssertEqual(progress.along, 3050, accuracy: 3)
        XCTAssertEqual(progress.remainingDistance, tracker.route.length - 3050, accuracy: 3)
        XCTAssertEqual(tracker.remainingDistance(toWaypoint: 2), progress.remainingDistance)
        XCTAssertEqual(try XCTUnwrap(tracker.reckon(at: 309)).along, 3090, accuracy: 5)
        XCTAssertEqual(tracker.events.count, 0)
    }

    func testWithoutAFixForTenSecondsItIsStale() throws {
        var receiver = Receiver()
        var tracker = try tracker(driven: 3000, &receiver)
        XCTAssertEqual(tracker.reckon(at: 310)?.state, .stale)
        XCTAssertEqual(tracker.events.all.map(\.kind), [.stale])
        XCTAssertEqual(tracker.reckon(at: 311)?.state, .stale)
        XCTAssertEqual(tracker.events.count, 0, "told once")
        XCTAssertEqual(tracker.update(receiver.fix(at: (3120, 0), speed: 10, heading: 90, after: 12), now: 312).state, .onRoute)
        XCTAssertEqual(tracker.events.all.map(\.kind), [.resumed])
        tracker.take(receiver.drive(straight: [(3120, 0), (3120, -500)]))
        XCTAssertEqual(tracker.progress.state, .offRoute)
        _ = tracker.update(receiver.fix(at: (3120, -510)), now: 400)
        XCTAssertEqual(tracker.reckon(at: 420)?.state, .stale)
        XCTAssertTrue(tracker.progress.remainingDistance.isNaN)
        XCTAssertEqual(tracker.update(receiver.fix(at: (3120, -520)), now: 421).state, .offRoute)
    }

    func testReckoningEndsAfterAMinuteTwoKilometresOrAtTheNextWaypoint() throws {
        var receiver = Receiver()
        var tracker = try tracker(driven: 3000, &receiver)
        XCTAssertEqual(try XCTUnwrap(tracker.reckon(at: 3000)).along, 3600, accuracy: 30)
        tracker = try self.tracker(driven: 1500, &receiver)
        let progress = try XCTUnwrap(tracker.reckon(at: 215))
        XCTAssertEqual(progress.along, 2000, accuracy: 0.01)
        XCTAssertEqual(progress.leg, 1, "not passed by guessing")
        let fast = try plane.route([(0, 0), (9000, 0)])
        var racing = Tracker(route: fast)
        for (along, fix) in receiver.drive(fast, to: 3000, speed: 40) { _ = racing.update(fix, now: along / 40) }
        XCTAssertEqual(try XCTUnwrap(racing.reckon(at: 200)).along, 5000, accuracy: 1)
    }

    func testTheFirstFixTakesTheEstimateBack() throws {
        var receiver = Receiver()
        var tracker = try tracker(driven: 3000, &receiver)
        XCTAssertEqual(try XCTUnwrap(tracker.reckon(at: 330)).along, 3300, accuracy: 15)
        let progress = tracker.update(receiver.fix(at: (3100, 0), speed: 3, heading: 90, after: 30), now: 330)
        XCTAssertEqual(progress.along, 3100, accuracy: 1)
        XCTAssertFalse(progress.isEstimated)
        XCTAssertEqual(progress.state, .onRoute)
    }

    func testAVehicleThatStoodIsNotCarriedOn() throws {
        var receiver = Receiver()
        var tracker = try tracker(driven: 3000, &receiver)
        _ = tracker.update(receiver.fix(at: (3005, 0), speed: 0), now: 301)
        let progress = try XCTUnwrap(tracker.reckon(at: 330))
        XCTAssertEqual(progress.along, 3005, accuracy: 1)
        XCTAssertFalse(progress.isEstimated)
    }

    func testAnEstimateIsAFixWithTheTimeTheErrorAndTheDirection() throws {
        var receiver = Receiver()
        var tracker = try tracker(driven: 3000, &receiver)
        var last = Fix(coordinate: tracker.progress.snapped)
        last.time = 1000
        last.accuracy = 5
        XCTAssertNil(tracker.estimatedFix(after: last, silence: 0))
        let progress = try XCTUnwrap(tracker.reckon(at: 320))
        let fix = try XCTUnwrap(tracker.estimatedFix(after: last, silence: tracker.silence(at: 320)))
        XCTAssertEqual(fix.coordinate, progress.snapped)
        XCTAssertEqual(fix.time, 1020)
        XCTAssertEqual(fix.accuracy, 5 + 0.2 * 200, accuracy: 2)
        XCTAssertEqual(fix.speed, 10, accuracy: 0.5)
        XCTAssertEqual(fix.heading, 90, accuracy: 0.1)
        XCTAssertTrue(fix.isEstimated)
    }

    func testAStaleStateCanBeToldWithoutAnEstimate() throws {
        var receiver = Receiver()
        var tracker = try tracker(driven: 3000, &receiver)
        let before = tracker.progress
        XCTAssertNil(tracker.reckon(at: 309, carriesOn: false))
        let progress = try XCTUnwrap(tracker.reckon(at: 311, carriesOn: false))
        XCTAssertEqual(progress.state, .stale)
        XCTAssertFalse(progress.isEstimated)
        XCTAssertEqual(progress.along, before.along)
        XCTAssertNil(tracker.estimatedFix(after: receiver.fix(at: (3000, 0)), silence: 11))
    }

    func testOffTheRouteAStaleStateKeepsItsValuesAbsent() throws {
        var receiver = Receiver()
        var tracker = try tracker(driven: 1500, &receiver)
        for (second, fix) in receiver.drive(straight: [(1500, 0), (1500, -500)]).enumerated() {
            _ = tracker.update(fix, now: 150 + Double(second))
        }
        XCTAssertEqual(tracker.progress.state, .offRoute)
        XCTAssertEqual(tracker.reckon(at: 1000)?.state, .stale)
        XCTAssertTrue(tracker.progress.isOffRoute)
        XCTAssertTrue(tracker.remainingDistance(toWaypoint: 2).isNaN)
        XCTAssertTrue(tracker.remainingDuration(toWaypoint: 2).isNaN)
    }

    func testWhatTheHostSetsDuringAnEstimateOutlivesIt() throws {
        var receiver = Receiver()
        var tracker = try tracker(driven: 500, &receiver)
        XCTAssertNotNil(tracker.reckon(at: 60))
        let before = tracker.progress.remainingDuration
        tracker.setDwell(seconds: 300, forWaypoint: 1)
        XCTAssertEqual(tracker.progress.remainingDuration, before + 300, accuracy: 1e-6)
        _ = tracker.update(receiver.fix(at: (600, 0), speed: 10, heading: 90, after: 10), now: 60)
        XCTAssertEqual(tracker.progress.remainingDuration, before + 300, accuracy: 3)
    }

    func testWithoutAClockOrARouteThereIsNothingToCarryOn() throws {
        var receiver = Receiver()
        var tracker = Tracker(route: try route())
        XCTAssertNil(tracker.reckon(at: 100))
        tracker.take(receiver.drive(tracker.route, to: 500).map(\.fix))
        XCTAssertNil(tracker.reckon(at: 100))
        XCTAssertNil(tracker.reckon(at: .nan))
    }
}
