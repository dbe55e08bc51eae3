import XCTest

@testable import Store

final class FullDiskTests: StoreTestCase {
    override var parent: URL { memory }

    private var limits: BacklogLimits { BacklogLimits(commitCount: 4, commitSeconds: 10) }

    /// Fills the store as far as it goes; gives the time of the first fix that was not written.
    private func fill(_ store: Store) throws -> Int {
        try store.backlog.database.limit(pages: 12)
        var time = 0
        while store.backlog.failure == nil {
            time += 1
            append([time], to: store)
        }
        return time
    }

    func testAFullDiskIsTold() throws {
        let store = try open(limits)
        _ = try fill(store)
        XCTAssertEqual(store.backlog.failure?.kind, .full)
        XCTAssertEqual(error { try store.desired.save(route: [UInt8](repeating: 1, count: 100_000)) }, .full)
    }

    func testFixesAreKeptInMemoryUntilThereIsRoomAgain() throws {
        let store = try open(limits)
        let first = try fill(store)
        append(first + 1...first + 100, to: store, at: second)
        XCTAssertNotNil(store.backlog.failure)
        XCTAssertEqual(store.backlog.count, first + 100)
        try store.backlog.database.limit(pages: 1000)
        XCTAssertEqual(store.backlog.deadline, 10 * second)
        store.backlog.flush(at: 10 * second)
        XCTAssertNil(store.backlog.failure)
        XCTAssertEqual(store.backlog.deadline, .max)
        XCTAssertEqual(try rowsAfterKill(), Array(1...first + 100))
    }

    func testMemoryIsBoundedByTheSamePolicy() throws {
        let store = try open(limits)
        let first = try fill(store)
        let stored = store.backlog.count - 4
        for time in first + 1...first + 5000 {
            append([time], to: store)
            XCTAssertLessThanOrEqual(store.backlog.count, stored + Backlog.memoryLimit)
        }
        try store.backlog.database.limit(pages: 1000)
        store.backlog.flush(at: 0)
        let kept = try rows(store.backlog.database).dropFirst(stored)
        XCTAssertEqual(kept.first, first - 3)
        XCTAssertEqual(kept.last, first + 5000)
        XCTAssertEqual(store.backlog.dropped, first + 5000 - stored - kept.count)
    }

    func testTheDiskIsTriedAgainOnlyAfterAWhile() throws {
        let store = try open(limits)
        let first = try fill(store)
        try store.backlog.database.limit(pages: 1000)
        append(first + 1...first + 50, to: store, at: 9 * second)
        XCTAssertNotNil(store.backlog.failure)
        append([first + 51], to: store, at: 10 * second)
        XCTAssertNil(store.backlog.failure)
    }

    /// Deleting makes room: what the server takes is removed, and the rest written.
    func testSendingGoesOnWithAFullDisk() throws {
        let store = try open(limits)
        let first = try fill(store)
        append(first + 1...first + 100, to: store)
        var sent: [Int] = []
        while let batch = store.backlog.batch(atMost: 7, at: 0) {
            XCTAssertEqual(store.backlog.batch(atMost: 9, at: 0)?.times, batch.times)
            sent += batch.times
            store.backlog.confirm(batch, at: 0)
        }
        XCTAssertEqual(sent, Array(1...first + 100))
        XCTAssertNil(store.backlog.failure)
        XCTAssertEqual(store.backlog.count, 0)
        XCTAssertEqual(try rowsAfterKill(), [])
    }

    func testADatabaseThatTakesNothingStillSendsWhatItHoldsAndWhatIsInMemory() throws {
        let store = try open(limits)
        append(1...20, to: store)
        try store.backlog.database.execute("PRAGMA query_only=1")
        append(21...30, to: store)
        XCTAssertEqual(store.backlog.failure?.kind, .readOnly)
        var sent: [Int] = []
        while let batch = store.backlog.batch(atMost: 7, at: 0), sent.count < 100 {
            XCTAssertEqual(store.backlog.batch(atMost: 9, at: 0)?.times, batch.times)
            sent += batch.times
            store.backlog.confirm(batch, at: 0)
        }
        XCTAssertEqual(sent, Array(1...30))
        XCTAssertEqual(store.backlog.count, 0)
        try store.backlog.database.execute("PRAGMA query_only=0")
        append([31], to: store, at: 100 * second)
        XCTAssertEqual(try rowsAfterKill(), [31])
    }

    func testAFullDiskAtTheStartIsToldAndMemoryServes() throws {
        let writer = try Writer("begin", directory, 2000)
        let words = try XCTUnwrap(writer.line()).split(separator: " ")
        XCTAssertTrue(words[1] == "full" || words[1] == "inputOutput", "\(words)")
        XCTAssertEqual(writer.line(), "sent 1,2,3")
        XCTAssertEqual(writer.waitForExit(), 0)
        XCTAssertEqual(try open().opening, .fresh)
    }

    /// In a process of its own, for the limit is a process's.
    func testAFileSystemThatLetsNoFileGrowIsSurvived() throws {
        let writer = try Writer("fill", directory, 200_000)
        let words = try XCTUnwrap(writer.line()).split(separator: " ")
        XCTAssertEqual(words[0], "failed")
        XCTAssertTrue(["full", "inputOutput"].contains(words[1]), "\(words)")
        XCTAssertEqual(words[2], "false")
        XCTAssertGreaterThan(try XCTUnwrap(Int(words[3])), Backlog.memoryLimit / 2)
        XCTAssertEqual(writer.line(), "sent 200")
        XCTAssertEqual(try XCTUnwrap(writer.line()).split(separator: " ").prefix(2), ["recovered", "true"])
        XCTAssertEqual(writer.waitForExit(), 0)
        XCTAssertEqual(try open().opening, .existing)
    }
}
