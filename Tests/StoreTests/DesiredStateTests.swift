import FleetEngine
import Navigation
import XCTest

@testable import Store

final class DesiredStateTests: StoreTestCase {
    private var full: DesiredState {
        var state = DesiredState()
        state.vehicle = "van 17 ü"
        state.isTracking = true
        state.vehicleState = .online
        state.interval = 25
        state.isOfflineDue = true
        state.areStopsDue = true
        state.owner = "delivery my-project van 17 ü"
        state.stops = [
            .init(coordinate: Coordinate(latitude: 52.5, longitude: -13.4), state: .arrived, tasks: ["a", "b c"]),
            .init(coordinate: Coordinate(latitude: -89, longitude: 180), state: .new, tasks: []),
            .init(coordinate: Coordinate(latitude: 0, longitude: 0), state: .enroute, tasks: ["z"]),
        ]
        return state
    }

    func testAFreshStoreWantsNothing() throws {
        let store = try open()
        XCTAssertEqual(try store.desired.load(), DesiredState())
        XCTAssertNil(try store.desired.loadRoute())
        XCTAssertNil(try store.desired.loadTracker())
    }

    func testEveryValueSurvives() throws {
        try open().desired.save(full)
        XCTAssertEqual(try open().desired.load(), full)
        try open().desired.save(DesiredState())
        XCTAssertEqual(try open().desired.load(), DesiredState())
    }

    func testItIsOnDiskWhenSavingReturns() throws {
        let store = try open()
        try store.desired.save(full)
        let copy = folder.appendingPathComponent("copy").path
        try FileManager.default.copyItem(atPath: directory, toPath: copy)
        XCTAssertEqual(try Store.open(in: copy).desired.load(), full)
    }

    func testTheRouteAndTheTrackerSurvive() throws {
        let store = try open()
        try store.desired.save(route: [])
        XCTAssertEqual(try store.desired.loadRoute(), [])
        let route = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 * $0) }
        try store.desired.save(route: route)
        try store.desired.save(tracker: [1, 2, 3])
        XCTAssertEqual(try store.desired.loadRoute(), route)
        XCTAssertEqual(try store.desired.loadTracker(), [1, 2, 3])
        try store.desired.save(tracker: nil)
        XCTAssertNil(try store.desired.loadTracker())
    }

    func testAnotherRouteForgetsTheTracker() throws {
        let store = try open()
        try store.desired.save(route: [1])
        try store.desired.save(tracker: [2])
        try store.desired.save(route: [3])
        XCTAssertNil(try store.desired.loadTracker())
        try store.desired.save(route: nil)
        XCTAssertNil(try store.desired.loadRoute())
    }

    func testARouteThatIsTooLongIsRefusedAndTheFormerStays() throws {
        let store = try open()
        try store.desired.save(route: [1])
        try store.desired.save(tracker: [2])
        let long = [UInt8](repeating: 0, count: DesiredStateTable.sizeLimit + 1)
        XCTAssertEqual(error { try store.desired.save(route: long) }, .tooLarge)
        XCTAssertEqual(try store.desired.loadRoute(), [1])
        XCTAssertEqual(try store.desired.loadTracker(), [2])
    }

    func testAFullBacklogAndTheLongestRouteFitTogether() throws {
        let store = try open(BacklogLimits(commitCount: 256))
        let long = [UInt8](repeating: 7, count: DesiredStateTable.sizeLimit)
        try store.desired.save(route: long)
        try store.desired.save(tracker: long)
        try store.desired.save(route: long)
        append(1...25_000, to: store)
        XCTAssertNil(store.backlog.failure)
    }

    func testASaveThatFailsChangesNothing() throws {
        let store = try open()
        try store.desired.save(full)
        try store.backlog.database.limit(pages: 1)
        var larger = full
        larger.vehicle = "other"
        larger.stops = Array(repeating: full.stops[0], count: 5000)
        XCTAssertEqual(error { try store.desired.save(larger) }, .full)
        XCTAssertEqual(try store.desired.load(), full)
    }

    func testWhatCannotHaveBeenSavedCountsAsNeverSet() throws {
        let values = ["NULL", "'x'", "x'00ff'", "-1", "9223372036854775807", "1e300", "'a/b'", "''", "2.5", "CAST(x'ff' AS TEXT)"]
        for value in values {
            try open().desired.save(full)
            try meddle("UPDATE state SET value = \(value)")
            let state = try open().desired.load()
            XCTAssertTrue(state.vehicle == nil || state.vehicle == "x", value)
            XCTAssertNil(state.interval, value)
            XCTAssertFalse(state.isTracking || state.isOfflineDue || state.areStopsDue, value)
            XCTAssertEqual(state.vehicleState, .offline, value)
            XCTAssertEqual(state.stops, full.stops, value)
        }
    }

    func testAListWithAStopThatCannotBeIsNoList() throws {
        for change in [
            "latitude = 91", "longitude = NULL", "state = 0", "state = 4", "state = 4294967297", "tasks = 'a/b'", "tasks = NULL",
            "tasks = x'61'",
        ] {
            try open().desired.save(full)
            try meddle("UPDATE stop SET \(change) WHERE place = 2")
            let state = try open().desired.load()
            XCTAssertEqual(state.stops, [], change)
            XCTAssertFalse(state.areStopsDue, "an empty list would finish them all: \(change)")
        }
    }
}
