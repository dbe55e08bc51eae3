import XCTest

@testable import Store

final class LimitsTests: StoreTestCase {
    override var parent: URL { memory }

    private func pages(_ database: Database) throws -> Int64 {
        try XCTUnwrap(database.integer("PRAGMA page_count")) - XCTUnwrap(database.integer("PRAGMA freelist_count"))
    }

    func testTheOlderHalfIsThinnedFirst() throws {
        let store = try open(BacklogLimits(count: 16, commitCount: 1))
        append(1...17, to: store)
        XCTAssertEqual(try rows(store.backlog.database), [1, 3, 5, 7, 8] + Array(9...17))
        XCTAssertEqual(store.backlog.dropped, 3)
        XCTAssertEqual(store.backlog.count, 14)
    }

    func testTheOldestGoWhereThinningWouldLeaveTooGreatAGap() throws {
        let store = try open(BacklogLimits(count: 32, sparsest: 15, commitCount: 1))
        append((1...33).map { 10 * $0 }, to: store)
        XCTAssertEqual(try rows(store.backlog.database), (4...33).map { 10 * $0 })
        XCTAssertEqual(store.backlog.dropped, 3)
    }

    func testTheFirstFixStaysAsLongAsThereIsAnythingToThin() throws {
        let store = try open(BacklogLimits(count: 100, age: .infinity, sparsest: .infinity, commitCount: 5))
        append(1...5000, to: store)
        let kept = try rows(store.backlog.database)
        XCTAssertEqual(kept.first, 1)
        XCTAssertEqual(kept.last, 5000)
        XCTAssertLessThanOrEqual(kept.count, 100)
        // The later, the denser.
        XCTAssertEqual(Array(kept.suffix(20)), Array(4981...5000))
    }

    func testWhatIsOverAgeGoesFirst() throws {
        let store = try open(BacklogLimits(count: 100, age: 50, commitCount: 1))
        append([1, 20, 60, 70, 71], to: store)
        XCTAssertEqual(try rows(store.backlog.database), [20, 60, 70, 71])
        append([200, 201], to: store)
        XCTAssertEqual(try rows(store.backlog.database), [200, 201])
    }

    func testAgeCountsAcrossARestart() throws {
        let limits = BacklogLimits(count: 100, age: 50, commitCount: 1)
        append([1, 2, 3], to: try open(limits))
        let store = try open(limits)
        append([100], to: store)
        XCTAssertEqual(try rows(store.backlog.database), [1, 2, 3, 100])
        append([101], to: store)
        XCTAssertEqual(try rows(store.backlog.database), [100, 101])
    }

    func testOneWildTimeDoesNotMakeAllOthersOld() throws {
        let store = try open(BacklogLimits(count: 100, age: 50, commitCount: 1))
        append([1, 2, 3, 600_000_000, 4, 5], to: store)
        XCTAssertEqual(try rows(store.backlog.database), [1, 2, 3, 600_000_000, 4, 5])
    }

    func testABatchUnderWayStaysWholeWhateverIsDropped() throws {
        let store = try open(BacklogLimits(count: 40, age: 500, commitCount: 3))
        append(1...30, to: store)
        let batch = try XCTUnwrap(store.backlog.batch(atMost: 10, at: 0))
        append(31...3000, to: store)
        XCTAssertEqual(store.backlog.batch(atMost: 10, at: 0)?.times, batch.times)
        XCTAssertEqual(batch.times, Array(1...10))
        XCTAssertLessThanOrEqual(store.backlog.count, 40 + 3)
        XCTAssertEqual(try rows(store.backlog.database).suffix(5), [2996, 2997, 2998, 2999, 3000])
    }

    func testTheFileIsNoLargerThanTheBytesThatWereSet() throws {
        for sparsest in [0, 7, 1e9] {
            let limits = BacklogLimits(count: 1_000_000, bytes: 320_000, age: .infinity, sparsest: sparsest, commitCount: 16)
            let store = try Store(inMemory: limits)
            let empty = try pages(store.backlog.database)
            var most: Int64 = 0
            for first in stride(from: 1, to: 20_000, by: 250) {
                for time in first..<first + 250 {
                    var whole = fix(Double(time) + 0.125)
                    whole.accuracy = 0.1
                    whole.speed = 0.1
                    whole.heading = 0.1
                    whole.altitude = 0.1
                    whole.speedAccuracy = 0.1
                    whole.headingAccuracy = 0.1
                    whole.altitudeAccuracy = 0.1
                    store.backlog.append(whole, at: 0)
                }
                most = max(most, try pages(store.backlog.database) - empty)
                XCTAssertLessThanOrEqual(store.backlog.count, 1000 + 16)
            }
            XCTAssertLessThanOrEqual(most * 4096, 320_000, "\(sparsest)")
        }
    }

    func testLimitsOutOfRangeAreTakenToTheNearest() {
        XCTAssertEqual(BacklogLimits(count: -1).count, 16)
        XCTAssertEqual(BacklogLimits(count: .max, bytes: .max).count, 1_000_000)
        XCTAssertEqual(BacklogLimits(bytes: 320_000).count, 1000)
        XCTAssertEqual(BacklogLimits(age: .nan).age, .infinity)
        XCTAssertEqual(BacklogLimits(sparsest: .nan).sparsest, 0)
        XCTAssertEqual(BacklogLimits(commitCount: 0, commitSeconds: -1).commitCount, 1)
        XCTAssertEqual(BacklogLimits(commitCount: .max, commitSeconds: .max).commitCount, 256)
        XCTAssertEqual(BacklogLimits(commitSeconds: .min).commitSeconds, 0)
    }

    /// Whatever comes, in whatever order: what is kept are fixes that came, in their order, with the newest, and within the limits.
    func testInvariantsHoldOnWildUse() throws {
        for _ in 0..<15 {
            try? FileManager.default.removeItem(atPath: directory)
            let limits = BacklogLimits(
                count: .random(in: 16...90, using: &random), age: .random(in: 20...3000, using: &random),
                sparsest: .random(in: 0...40, using: &random), commitCount: .random(in: 1...20, using: &random))
            var store = try open(limits)
            var time = 1000
            var came: [Int] = []
            var confirmed = Set<Int>()
            var underWay: Batch?
            for _ in 0..<250 {
                switch Int.random(in: 0..<12, using: &random) {
                case 0:
                    let batch = store.backlog.batch(atMost: .random(in: 1...60, using: &random), at: 0)
                    if let underWay { XCTAssertEqual(batch?.times, underWay.times) }
                    underWay = batch
                case 1:
                    guard let batch = underWay else { break }
                    store.backlog.confirm(batch, at: 0)
                    confirmed.formUnion(batch.times)
                    underWay = nil
                case 2:
                    if let batch = underWay { store.backlog.refuse(batch, at: 0) }
                    underWay = nil
                case 3:
                    store.backlog.flush(at: 0)
                    store = try reopened(&store, limits)
                default:
                    time += Int.random(in: 1...9, using: &random)
                    came.append(time)
                    append([time], to: store)
                }
                let kept = try rows(store.backlog.database)
                XCTAssertTrue(kept.allSatisfy { !confirmed.contains($0) })
                XCTAssertEqual(kept, came.filter(Set(kept).contains))
                XCTAssertLessThanOrEqual(kept.count, limits.count)
                XCTAssertNil(store.backlog.failure)
            }
            store.backlog.flush(at: 0)
            if let newest = came.last, !confirmed.contains(newest), underWay == nil {
                XCTAssertEqual(try rows(store.backlog.database).last ?? newest, newest)
            }
        }
    }

    /// One store after the other: two at once would be refused.
    private func reopened(_ store: inout Store, _ limits: BacklogLimits) throws -> Store {
        store = try Store(inMemory: limits)
        return try open(limits)
    }
}

final class DropPolicyTests: XCTestCase {
    private var random = SeededGenerator(state: 8)

    func testEverySecondGoesButTheFirstAndTheLast() {
        XCTAssertEqual(DropPolicy.thin([1, 2, 3, 4, 5], sparsest: 60), [1, 3])
        XCTAssertEqual(DropPolicy.thin([1, 2, 3, 4, 5, 6], sparsest: 60), [1, 3])
        for few in [[], [1], [1, 2]] as [[Double]] { XCTAssertEqual(DropPolicy.thin(few, sparsest: 60), []) }
    }

    func testNoneGoesThatWouldLeaveTooGreatAGap() {
        XCTAssertEqual(DropPolicy.thin([0, 30, 60, 91, 120, 121], sparsest: 60), [1, 3])
        XCTAssertEqual(DropPolicy.thin([0, 31, 62, 93, 94, 95], sparsest: 60), [3])
        XCTAssertEqual(DropPolicy.thin([0, 1, .nan, 2, 3], sparsest: 60), [2])
    }

    func testInvariantsHoldOnWildTimes() {
        for _ in 0..<2000 {
            var time = 0.0
            let times = (0..<Int.random(in: 0...60, using: &random)).map { _ in
                time += .random(in: -5...40, using: &random)
                return time
            }
            let sparsest = Double.random(in: 0...60, using: &random)
            let dropped = DropPolicy.thin(times, sparsest: sparsest)
            XCTAssertEqual(dropped, Array(Set(dropped)).sorted())
            XCTAssertTrue(dropped.allSatisfy { $0 > 0 && $0 < times.count - 1 })
            XCTAssertTrue(zip(dropped, dropped.dropFirst()).allSatisfy { $1 - $0 >= 2 })
            for index in dropped { XCTAssertLessThanOrEqual(abs(times[index + 1] - times[index - 1]), sparsest) }
        }
    }
}
