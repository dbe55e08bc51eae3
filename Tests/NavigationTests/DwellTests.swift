import XCTest

@testable import Navigation

final class DwellTests: XCTestCase {
    private let plane = Plane()
    private var receiver = Receiver()

    /// 3 km straight on at 10 m/s, with stops at each kilometre, or twice at the first.
    private func tracker(legEnds: [Int] = [20, 40, 60]) throws -> Tracker {
        let points = plane.points([(0, 0), (3000, 0)], spacing: 50)
        return Tracker(
            route: try Route(RouteDescription(points: points, legEnds: legEnds, segmentDurations: Array(repeating: 5, count: 60))))
    }

    private func drive(_ tracker: inout Tracker, from start: Double, to end: Double) {
        for (_, fix) in receiver.drive(tracker.route, from: start, to: end) { tracker.update(fix) }
    }

    private func stand(_ tracker: inout Tracker, at along: Double, for seconds: Int) {
        for _ in 0..<seconds { tracker.update(receiver.fix(at: (along, 0), speed: 0)) }
    }

    private func seconds(_ tracker: Tracker) -> [Double] { (0...2).map { tracker.remainingDuration(toWaypoint: $0) } }

    private func assert(
        _ tracker: Tracker, _ expected: [Double], accuracy: Double = 3, _ message: String = "", line: UInt = #line
    ) {
        for (value, expected) in zip(seconds(tracker), expected) {
            XCTAssertEqual(value, expected, accuracy: accuracy, message, line: line)
        }
        XCTAssertEqual(tracker.progress.remainingDuration, tracker.remainingDuration(toWaypoint: 2), line: line)
    }

    func testTheTimeAtAStopDelaysTheWaypointsAfterItOnly() throws {
        var tracker = try tracker()
        tracker.setDwell(seconds: 60, forWaypoint: 0)
        tracker.setDwell(seconds: 300, forWaypoint: 1)
        tracker.setDwell(seconds: 1000, forWaypoint: 2)
        assert(tracker, [100, 260, 660])
        tracker.setDwell(seconds: 30, forWaypoint: 0)
        assert(tracker, [100, 230, 630], "replaced, not added")
        XCTAssertGreaterThan(tracker.remainingBand.high, 630 + 90, "how long a stop takes is not sure either")
    }

    func testTheTimeRunsDownWhileTheVehicleIsThere() throws {
        var tracker = try tracker()
        tracker.setDwell(seconds: 60, forWaypoint: 0)
        drive(&tracker, from: 0, to: 1010)
        assert(tracker, [0, 159, 259])
        stand(&tracker, at: 1010, for: 40)
        assert(tracker, [0, 119, 219])
        stand(&tracker, at: 1010, for: 600)
        assert(tracker, [0, 99, 199], "late: it may go on at any moment")
        drive(&tracker, from: 1020, to: 1500)
        assert(tracker, [0, 50, 150], "and the stop was not traffic")
    }

    func testAVehicleMayStopALittleBeforeTheWaypoint() throws {
        var tracker = try tracker()
        tracker.setDwell(seconds: 60, forWaypoint: 0)
        drive(&tracker, from: 0, to: 980)
        stand(&tracker, at: 980, for: 40)
        assert(tracker, [2, 122, 222])
        drive(&tracker, from: 990, to: 1010)
        assert(tracker, [0, 119, 219])
        drive(&tracker, from: 1020, to: 1200)
        assert(tracker, [0, 80, 180])
    }

    func testAStopDrivenPastTakesNoTime() throws {
        var tracker = try tracker()
        tracker.setDwell(seconds: 60, forWaypoint: 0)
        drive(&tracker, from: 0, to: 1100)
        assert(tracker, [0, 90, 190])
    }

    func testStopsAtOnePlaceAddUp() throws {
        var tracker = try tracker(legEnds: [20, 20, 60])
        tracker.setDwell(seconds: 60, forWaypoint: 0)
        tracker.setDwell(seconds: 30, forWaypoint: 1)
        assert(tracker, [100, 160, 390])
        drive(&tracker, from: 0, to: 1010)
        stand(&tracker, at: 1010, for: 50)
        assert(tracker, [0, 0, 239])
    }

    func testTheTimeToTheNextWaypointIsRightAtOnce() throws {
        var tracker = try tracker()
        XCTAssertEqual(tracker.progress.legRemainingDuration, 100, accuracy: 0.1, "before the first fix")
        tracker.setDwell(seconds: 60, forWaypoint: 0)
        drive(&tracker, from: 0, to: 500)
        XCTAssertTrue(tracker.skipWaypoint(0))
        XCTAssertEqual(tracker.progress.legRemainingDuration, 150, accuracy: 1, "and no time is spent where nobody stops")
        XCTAssertEqual(tracker.progress.remainingDuration, 250, accuracy: 1)
    }

    func testAWaypointAlreadyPassedTakesNoMoreTime() throws {
        var tracker = try tracker()
        drive(&tracker, from: 0, to: 1500)
        tracker.setDwell(seconds: 60, forWaypoint: 0)
        assert(tracker, [0, 50, 150])
        tracker.setDwell(seconds: 60, forWaypoint: 1)
        assert(tracker, [0, 50, 210])
    }

    func testNonsenseIsNoTime() throws {
        var tracker = try tracker()
        for seconds in [-1, Double.nan, -Double.infinity] { tracker.setDwell(seconds: seconds, forWaypoint: 0) }
        for waypoint in [-1, 3, Int.min, Int.max] { tracker.setDwell(seconds: 60, forWaypoint: waypoint) }
        assert(tracker, [100, 200, 300])
        tracker.setDwell(seconds: .infinity, forWaypoint: 0)
        assert(tracker, [100, 200 + 86_400, 300 + 86_400])
    }
}
