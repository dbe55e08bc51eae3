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

    // MARK: Save and restore

    func testATrackerGoesOnAsItWasSaved() throws {
        var receiver = Receiver(noise: 2)
        var tracker = try tracker(driven: 1500, &receiver)
        tracker.skipWaypoint(1)
        var restored = try Tracker(route: try route(), restoring: saved(tracker))
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
            let restored = try Tracker(route: try route(), restoring: saved(tracker)).progress
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
        let restored = try Tracker(route: try route(), restoring: saved(tracker))
        XCTAssertEqual(restored.progress.along, 1500, accuracy: 1)
        XCTAssertEqual(restored.progress.state, .onRoute)
    }

    func testDamagedBytesAreRefused() throws {
        var receiver = Receiver()
        var tracker = try tracker(driven: 1500, &receiver)
        tracker.skipWaypoint(1)
        let bytes = saved(tracker)
        let route = try route()
        for length in 0..<bytes.count {
            XCTAssertThrowsError(try Tracker(route: route, restoring: Array(bytes[..<length]))) {
                XCTAssertEqual($0 as? RestoreError, .damaged)
            }
        }
        for position in bytes.indices {
            var damaged = bytes
            damaged[position] ^= 0x10
            XCTAssertThrowsError(try Tracker(route: route, restoring: damaged)) { XCTAssertEqual($0 as? RestoreError, .damaged) }
        }
        XCTAssertThrowsError(try Tracker(route: route, restoring: bytes + bytes))
    }

    func testAnotherRoutesBytesAreRefused() throws {
        var receiver = Receiver()
        let bytes = saved(try tracker(driven: 1500, &receiver))
        let points = plane.points([(0, 0), (1000, 0), (2000, 0), (6000, 1)])
        let other = try Route(RouteDescription(points: points, legEnds: [50, 100, points.count - 1]))
        XCTAssertThrowsError(try Tracker(route: other, restoring: bytes)) { XCTAssertEqual($0 as? RestoreError, .otherRoute) }
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

    func testWithoutAClockOrARouteThereIsNothingToCarryOn() throws {
        var receiver = Receiver()
        var tracker = Tracker(route: try route())
        XCTAssertNil(tracker.reckon(at: 100))
        tracker.take(receiver.drive(tracker.route, to: 500).map(\.fix))
        XCTAssertNil(tracker.reckon(at: 100))
        XCTAssertNil(tracker.reckon(at: .nan))
    }
}
