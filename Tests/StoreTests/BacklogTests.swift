import Foundation
import Navigation
import XCTest

@testable import Store

final class BacklogTests: StoreTestCase {
    func testBatchesAreTheOldestFixesInTheOrderTheyCame() throws {
        let store = try open()
        append([5, 3, 9, 1], to: store)
        let first = try XCTUnwrap(store.backlog.batch(atMost: 2, at: 0))
        XCTAssertEqual(first.times, [5, 3])
        store.backlog.confirm(first, at: 0)
        let second = try XCTUnwrap(store.backlog.batch(atMost: 100, at: 0))
        XCTAssertEqual(second.times, [9, 1])
        XCTAssertGreaterThan(second.id, first.id)
        store.backlog.confirm(second, at: 0)
        XCTAssertNil(store.backlog.batch(atMost: 1, at: 0))
        XCTAssertEqual(store.backlog.count, 0)
    }

    func testNothingIsRemovedBeforeItIsConfirmed() throws {
        let store = try open()
        append(1...3, to: store)
        for attempt in 1...3 {
            let batch = try XCTUnwrap(store.backlog.batch(atMost: 2, at: 0))
            XCTAssertEqual(batch.times, [1, 2])
            XCTAssertEqual(batch.attempt, attempt)
            XCTAssertEqual(store.backlog.count, 3)
        }
        XCTAssertEqual(try rowsAfterKill(), [1, 2, 3])
    }

    func testABatchUnderWayIsTheSameAfterARestartAndWhateverElseIsAskedFor() throws {
        var store: Store? = try open()
        append(1...5, to: try XCTUnwrap(store))
        XCTAssertEqual(store?.backlog.batch(atMost: 3, at: 0)?.times, [1, 2, 3])
        store = nil
        let reopened = try open()
        append(6...9, to: reopened)
        let batch = try XCTUnwrap(reopened.backlog.batch(atMost: 100, at: 0))
        XCTAssertEqual(batch.times, [1, 2, 3])
        XCTAssertEqual(batch.attempt, 2)
        reopened.backlog.confirm(batch, at: 0)
        XCTAssertEqual(reopened.backlog.batch(atMost: 100, at: 0)?.times, [4, 5, 6, 7, 8, 9])
    }

    func testTheMarkOfABatchIsOnDiskBeforeTheBatchIsHandedOut() throws {
        let store = try open()
        append(1...5, to: store)
        _ = store.backlog.batch(atMost: 3, at: 0)
        let copy = folder.appendingPathComponent("copy").path
        try FileManager.default.copyItem(atPath: directory, toPath: copy)
        let batch = try XCTUnwrap(Store.open(in: copy).backlog.batch(atMost: 1, at: 0))
        XCTAssertEqual(batch.times, [1, 2, 3])
        XCTAssertEqual(batch.attempt, 2)
    }

    func testAConfirmationIsOnDiskWhenItReturns() throws {
        let store = try open()
        append(1...5, to: store)
        store.backlog.confirm(try XCTUnwrap(store.backlog.batch(atMost: 3, at: 0)), at: 0)
        XCTAssertEqual(try rowsAfterKill(), [4, 5])
    }

    func testAConfirmationOfAnEarlierBatchRemovesNothing() throws {
        let store = try open()
        append(1...5, to: store)
        let first = try XCTUnwrap(store.backlog.batch(atMost: 3, at: 0))
        store.backlog.confirm(first, at: 0)
        store.backlog.confirm(first, at: 0)
        XCTAssertEqual(store.backlog.count, 2)
        let second = try XCTUnwrap(store.backlog.batch(atMost: 1, at: 0))
        store.backlog.confirm(first, at: 0)
        store.backlog.refuse(first, at: 0)
        XCTAssertEqual(store.backlog.batch(atMost: 1, at: 0)?.times, second.times)
    }

    func testARefusedBatchIsHalvedAndASingleRefusedFixGivenUp() throws {
        let store = try open()
        append(1...5, to: store)
        var batch = try XCTUnwrap(store.backlog.batch(atMost: 5, at: 0))
        store.backlog.refuse(batch, at: 0)
        batch = try XCTUnwrap(store.backlog.batch(atMost: 5, at: 0))
        XCTAssertEqual(batch.times, [1, 2])
        XCTAssertEqual(batch.attempt, 1)
        store.backlog.refuse(batch, at: 0)
        batch = try XCTUnwrap(store.backlog.batch(atMost: 5, at: 0))
        XCTAssertEqual(batch.times, [1])
        store.backlog.refuse(batch, at: 0)
        XCTAssertEqual(store.backlog.dropped, 1)
        XCTAssertEqual(store.backlog.batch(atMost: 5, at: 0)?.times, [2, 3, 4, 5])
    }

    func testAHalvedBatchIsHalfAfterARestart() throws {
        var store: Store? = try open()
        append(1...4, to: try XCTUnwrap(store))
        if let backlog = store?.backlog { backlog.refuse(try XCTUnwrap(backlog.batch(atMost: 4, at: 0)), at: 0) }
        store = nil
        XCTAssertEqual(try open().backlog.batch(atMost: 4, at: 0)?.times, [1, 2])
    }

    func testSoManyFixesAreWrittenTogether() throws {
        let store = try open(BacklogLimits(commitCount: 4, commitSeconds: 10))
        append(1...3, to: store)
        XCTAssertEqual(try rowsAfterKill(), [])
        append([4], to: store)
        XCTAssertEqual(try rowsAfterKill(), [1, 2, 3, 4])
        XCTAssertEqual(store.backlog.deadline, .max)
    }

    func testAFixIsWrittenAfterSoManySeconds() throws {
        let store = try open(BacklogLimits(commitCount: 100, commitSeconds: 10))
        append([1], to: store, at: 5 * second)
        append([2], to: store, at: 14 * second)
        XCTAssertEqual(store.backlog.deadline, 15 * second)
        XCTAssertEqual(try rowsAfterKill(), [])
        append([3], to: store, at: 15 * second)
        XCTAssertEqual(try rowsAfterKill(), [1, 2, 3])
        append([4], to: store, at: 16 * second)
        XCTAssertEqual(store.backlog.deadline, 26 * second)
        store.backlog.flush(at: 26 * second)
        XCTAssertEqual(try rowsAfterKill(), [1, 2, 3, 4])
    }

    func testAnOrderlyEndLosesNothing() throws {
        var store: Store? = try open(BacklogLimits(commitCount: 100))
        append(1...3, to: try XCTUnwrap(store))
        store = nil
        XCTAssertEqual(try open().backlog.batch(atMost: 9, at: 0)?.times, [1, 2, 3])
    }

    func testNoIdIsUsedTwice() throws {
        var last: Int64 = 0
        for round in 1...3 {
            let store = try open()
            append([round], to: store)
            let batch = try XCTUnwrap(store.backlog.batch(atMost: 9, at: 0))
            XCTAssertGreaterThan(batch.id, last)
            last = batch.id
            store.backlog.confirm(batch, at: 0)
        }
    }

    func testEveryValueOfAFixSurvives() throws {
        var whole = fix(1_700_000_000.125)
        whole.accuracy = 3.5
        whole.speed = 0
        whole.heading = 359.9
        whole.altitude = -12.25
        whole.speedAccuracy = 0.5
        whole.headingAccuracy = 2
        whole.altitudeAccuracy = 7
        whole.isEstimated = true
        whole.isSimulated = true
        var store: Store? = try open()
        store?.backlog.append(whole, at: 0)
        store?.backlog.append(fix(1_700_000_001), at: 0)
        store?.backlog.flush(at: 0)
        store = nil
        let batch = try XCTUnwrap(open().backlog.batch(atMost: 2, at: 0))
        XCTAssertEqual(values(batch.fixes[0]), values(whole))
        XCTAssertTrue(batch.fixes[0].isEstimated && batch.fixes[0].isSimulated)
        let bare = batch.fixes[1]
        XCTAssertTrue(values(bare).dropFirst(3).allSatisfy { $0.isNaN })
        XCTAssertFalse(bare.isEstimated || bare.isSimulated)
    }

    private func values(_ fix: Fix) -> [Double] {
        [
            fix.time, fix.coordinate.latitude, fix.coordinate.longitude, fix.accuracy, fix.speed, fix.heading, fix.altitude,
            fix.speedAccuracy,
            fix.headingAccuracy, fix.altitudeAccuracy,
        ]
    }

    func testARetryInTheSameProcessSendsWhatARetryAfterARestartWould() throws {
        var wild = fix(1)
        wild.speed = .infinity
        let store = try open()
        store.backlog.append(wild, at: 0)
        XCTAssertEqual(store.backlog.batch(atMost: 1, at: 0)?.fixes.first?.speed.isNaN, true)
        XCTAssertEqual(store.backlog.batch(atMost: 1, at: 0)?.fixes.first?.speed.isNaN, true)
    }

    func testAFixThatFleetEngineWouldRefuseIsNotKept() throws {
        let store = try open()
        var nowhere = fix(1)
        nowhere.coordinate.latitude = 91
        for useless in [nowhere, fix(.nan), fix(.infinity)] { store.backlog.append(useless, at: 0) }
        XCTAssertEqual(store.backlog.count, 0)
    }

    func testAnotherVehicleBeginsWithNothing() throws {
        var store: Store? = try open()
        append(1...40, to: try XCTUnwrap(store))
        _ = store?.backlog.batch(atMost: 3, at: 0)
        store?.backlog.removeAll(at: 0)
        XCTAssertEqual(store?.backlog.count, 0)
        store = nil
        let reopened = try open()
        XCTAssertNil(reopened.backlog.batch(atMost: 3, at: 0))
        append([50], to: reopened)
        XCTAssertEqual(reopened.backlog.batch(atMost: 3, at: 0)?.times, [50])
    }

    func testWhatIsNoFixIsPassedOver() throws {
        var store: Store? = try open()
        append(1...6, to: try XCTUnwrap(store))
        store?.backlog.flush(at: 0)
        store = nil
        try meddle(
            "UPDATE fix SET time = 'noon' WHERE id IN (1, 2); UPDATE fix SET latitude = 1e300 WHERE id = 4; UPDATE fix SET speed = x'00'")
        let reopened = try open()
        XCTAssertEqual(reopened.backlog.count, 6)
        let batch = try XCTUnwrap(reopened.backlog.batch(atMost: 2, at: 0))
        XCTAssertEqual(batch.times, [3])
        XCTAssertTrue(batch.fixes[0].speed.isNaN)
        reopened.backlog.confirm(batch, at: 0)
        XCTAssertEqual(reopened.backlog.count, 2)
        XCTAssertEqual(reopened.backlog.batch(atMost: 2, at: 0)?.times, [5, 6])
    }

    func testAMarkThatCannotBeTrueIsIgnored() throws {
        for mark in ["1,-5,99,1", "1,'a','b','c'", "1,9223372036854775,-1,1", "1,3,2,-7", "1,NULL,2,99999999999"] {
            try? FileManager.default.removeItem(atPath: directory)
            var store: Store? = try open()
            append(1...3, to: try XCTUnwrap(store))
            store?.backlog.flush(at: 0)
            store = nil
            try meddle("INSERT OR REPLACE INTO backlog VALUES(\(mark))")
            let batch = try XCTUnwrap(open().backlog.batch(atMost: 3, at: 0))
            XCTAssertEqual(batch.times, [1, 2, 3], mark)
            XCTAssertEqual(batch.attempt, 1, mark)
        }
    }

    func testABacklogWithoutIdsLeftIsDamaged() throws {
        _ = try open()
        try meddle("INSERT OR REPLACE INTO backlog VALUES(1, 9223372036854775807, NULL, NULL)")
        guard case .damagedSetAside = try open().opening else { return XCTFail("taken") }
    }

    func testInMemoryItBehavesTheSame() throws {
        let store = try Store(inMemory: BacklogLimits(count: 100))
        XCTAssertEqual(store.opening, .inMemory)
        append(1...1000, to: store)
        XCTAssertLessThanOrEqual(store.backlog.count, 100 + 16)
        let batch = try XCTUnwrap(store.backlog.batch(atMost: 10, at: 0))
        XCTAssertEqual(store.backlog.batch(atMost: 10, at: 0)?.times, batch.times)
        store.backlog.confirm(batch, at: 0)
        XCTAssertNotEqual(store.backlog.batch(atMost: 10, at: 0)?.times, batch.times)
        XCTAssertFalse(FileManager.default.fileExists(atPath: directory))
    }
}
