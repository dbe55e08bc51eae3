import XCTest

@testable import Navigation

/// Wild routes and wild fixes: whatever comes in, what goes out keeps its promises.
final class TrackerFuzzTests: XCTestCase {
    private var random = SeededGenerator(state: 99)

    private func route(around plane: Plane) throws -> Route {
        var corners: [Corner] = [(0, 0)]
        for _ in 0..<Int.random(in: 1...40, using: &random) {
            let last = corners[corners.count - 1]
            switch Int.random(in: 0..<6, using: &random) {
            case 0: corners.append(last)
            case 1: corners.append(corners.randomElement(using: &random) ?? last)
            default:
                corners.append((last.east + .random(in: -800...800, using: &random), last.north + .random(in: -800...800, using: &random)))
            }
        }
        let points = plane.points(corners, spacing: [3, 25, 400].randomElement(using: &random) ?? 25)
        let ends =
            (0..<Int.random(in: 0...5, using: &random)).map { _ in Int.random(in: 0..<points.count, using: &random) }.sorted() + [
                points.count - 1
            ]
        let hasDurations = Bool.random(using: &random)
        return try Route(
            RouteDescription(points: points, legEnds: ends, legDurations: hasDurations ? ends.map { Double($0) } : nil))
    }

    private func wild(_ usual: Double) -> Double {
        [usual, usual, usual, .nan, 0, 359.9].randomElement(using: &random) ?? usual
    }

    func testInvariantsHoldOnWildDrives() throws {
        for latitude in [0.0, 47, -60, 89.95] {
            let plane = Plane(origin: Coordinate(latitude: latitude, longitude: 179.995))
            for _ in 0..<40 {
                let route = try route(around: plane)
                var tracker = Tracker(route: route)
                check(tracker, after: nil)
                var place = Double.random(in: 0...1, using: &random) * route.length
                var time = 0.0
                for _ in 0..<150 {
                    time += wild(1)
                    place += .random(in: -20...60, using: &random)
                    if Int.random(in: 0..<40, using: &random) == 0 { place = .random(in: 0...max(route.length, 1), using: &random) }
                    let near = Plane(origin: route.coordinate(along: place))
                    let stray = Int.random(in: 0..<8, using: &random) == 0 ? 300.0 : 10
                    var fix = Fix(coordinate: near.coordinate((stray * random.normal(), stray * random.normal())))
                    fix.time = time
                    fix.speed = wild(12)
                    fix.heading = wild(.random(in: 0..<360, using: &random))
                    fix.accuracy = wild(6)
                    try disturb(&tracker, at: time)
                    let before = tracker
                    let progress = tracker.update(fix, now: wild(time))
                    XCTAssertEqual(progress.remainingDistance.bitPattern, tracker.progress.remainingDistance.bitPattern)
                    check(tracker, after: before)
                }
            }
        }
    }

    /// What a host may do between two fixes.
    private func disturb(_ tracker: inout Tracker, at time: Double) throws {
        let before = tracker
        switch Int.random(in: 0..<30, using: &random) {
        case 0:
            tracker.skipWaypoint(Int.random(in: -1...tracker.route.legCount, using: &random))
            XCTAssertGreaterThanOrEqual(tracker.progress.leg, before.progress.leg)
        case 1:
            var bytes: [UInt8] = []
            tracker.save(into: &bytes)
            tracker = Tracker(route: tracker.route)
            try tracker.restore(bytes)
            XCTAssertEqual(tracker.progress.leg, before.progress.leg)
            XCTAssertEqual(tracker.progress.state.isOffRoute, before.progress.state.isOffRoute)
        case 2:
            guard let estimate = tracker.reckon(at: time + .random(in: 0...100, using: &random)) else { return }
            XCTAssertEqual(estimate.leg, before.progress.leg)
            if !before.progress.state.isOffRoute { XCTAssertTrue((0...tracker.route.length).contains(estimate.remainingDistance)) }
            // Back to what the next fix begins with.
            tracker = before
        case 3:
            tracker.setDwell(
                seconds: .random(in: -10...1000, using: &random), forWaypoint: Int.random(in: -1...tracker.route.legCount, using: &random))
            tracker.setArrivalRadius(
                .random(in: 0...600, using: &random), forWaypoint: Int.random(in: -1...tracker.route.legCount, using: &random))
        default: return
        }
    }

    private func check(_ tracker: Tracker, after before: Tracker?) {
        let route = tracker.route
        let progress = tracker.progress
        let last = route.legCount - 1
        XCTAssertTrue((0...last).contains(progress.leg))
        XCTAssertEqual(tracker.remainingDistance(toWaypoint: last).bitPattern, progress.remainingDistance.bitPattern)
        XCTAssertEqual(tracker.remainingDuration(toWaypoint: last).bitPattern, progress.remainingDuration.bitPattern)
        if let before {
            XCTAssertEqual(progress.legRemainingDuration.bitPattern, tracker.remainingDuration(toWaypoint: progress.leg).bitPattern)
            XCTAssertGreaterThanOrEqual(progress.leg, before.progress.leg)
            if before.progress.state == .arrived { XCTAssertEqual(progress.state, .arrived) }
            if before.progress.state != .acquiring { XCTAssertNotEqual(progress.state, .acquiring) }
            if progress.along < before.progress.along { XCTFail("ran back from \(before.progress.along) to \(progress.along)") }
            if progress.state.isOffRoute && !before.progress.state.isOffRoute { XCTAssertEqual(progress.leg, before.progress.leg) }
            XCTAssertEqual(progress.state != before.progress.state, changesState(tracker.events))
        }
        XCTAssertTrue((0...route.length).contains(progress.backtracked))
        guard !progress.state.isOffRoute else {
            XCTAssertTrue(progress.remainingDistance.isNaN && progress.remainingDuration.isNaN && progress.along.isNaN)
            return
        }
        XCTAssertTrue((0...route.length).contains(progress.remainingDistance))
        XCTAssertEqual(progress.remainingDuration.isNaN, route.duration == nil)
        if let duration = route.duration { XCTAssertTrue((0...1.8 * duration + 1000 * Double(last)).contains(progress.remainingDuration)) }
        for waypoint in 0...last {
            let metres = tracker.remainingDistance(toWaypoint: waypoint)
            XCTAssertTrue((0...route.length).contains(metres))
            if waypoint > 0 { XCTAssertGreaterThanOrEqual(metres, tracker.remainingDistance(toWaypoint: waypoint - 1)) }
        }
        guard progress.state != .acquiring else { return }
        XCTAssertTrue((0...route.length).contains(progress.along))
        XCTAssertTrue(progress.snapped.isValid)
        XCTAssertTrue((0..<360).contains(progress.course))
        XCTAssertLessThan(abs(progress.crossTrack), 121)
        XCTAssertEqual(
            distance(from: progress.snapped, to: route.coordinate(along: progress.along - progress.backtracked)), 0, accuracy: 0.01)
    }

    private func changesState(_ events: TrackerEvents) -> Bool {
        (0..<events.count).contains { events[$0].waypoint < 0 || events[$0].kind == .arrived }
    }
}
