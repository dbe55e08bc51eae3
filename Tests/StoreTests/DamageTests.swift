import Foundation
import XCTest

@testable import Store

/// Files as a worn flash, a power cut or a vandal leaves them: the store opens, and works.
final class DamageTests: StoreTestCase {
    override var parent: URL { memory }

    /// Files of a store as a kill left them, with fixes 1 to 200 on disk: the database and its log.
    private func killed() throws -> (database: Data, log: Data) {
        let store = try open()
        append(1...200, to: store)
        try store.desired.save(route: [UInt8](repeating: 3, count: 20_000))
        store.backlog.flush(at: 0)
        return (try Data(contentsOf: file("milepost.db")), try Data(contentsOf: file("milepost.db-wal")))
    }

    /// Opens what was written there, and uses all of it.
    private func useAll(_ context: String) throws -> (store: Store, times: [Int]) {
        let store = try open()
        _ = try? store.desired.load()
        _ = try? store.desired.loadRoute()
        append(1000...1020, to: store)
        var times: [Int] = []
        for _ in 0..<50 {
            guard let batch = store.backlog.batch(atMost: 100, at: 0) else { break }
            times += batch.fixes.map { Int(exactly: $0.time) ?? -1 }
            store.backlog.confirm(batch, at: 0)
        }
        if let failure = store.backlog.failure { XCTAssertEqual(failure.kind, .damaged, context) }
        return (store, times)
    }

    private func put(_ database: Data, _ log: Data) throws {
        try? FileManager.default.removeItem(at: file("milepost.db.damaged"))
        try database.write(to: file("milepost.db"))
        try log.write(to: file("milepost.db-wal"))
    }

    func testALogThatWasCutShortLosesTheLastTransactionsAndNoMore() throws {
        let (database, log) = try killed()
        var seen = Set<Int>()
        for _ in 0..<40 {
            let length = Int.random(in: 0...log.count, using: &random)
            try put(database, log.prefix(length))
            let (store, times) = try useAll("\(length)")
            let kept = times.prefix { $0 < 1000 }
            if store.opening == .existing {
                XCTAssertEqual(Array(kept), Array((1...200).prefix(kept.count)))
                XCTAssertTrue(kept.count % 16 == 0 || kept.count == 200)
            } else {
                XCTAssertEqual(store.opening, .fresh)
            }
            seen.insert(kept.count)
        }
        XCTAssertGreaterThan(seen.count, 5)
        try put(database, log)
        XCTAssertEqual(try useAll("whole").times, Array(1...200) + Array(1000...1020))
    }

    func testAnAlteredLogLosesTheLastTransactionsAndNoMore() throws {
        let (database, log) = try killed()
        for _ in 0..<40 {
            var altered = log
            let place = Int.random(in: 0..<log.count, using: &random)
            altered[place] ^= UInt8.random(in: 1...255, using: &random)
            try put(database, altered)
            let (_, times) = try useAll("\(place)")
            let kept = times.prefix { $0 < 1000 }
            XCTAssertEqual(Array(kept), Array((1...200).prefix(kept.count)))
        }
    }

    func testADatabaseWithAlteredBytesIsReadOrSetAside() throws {
        _ = try killed()
        _ = try open()
        let database = try Data(contentsOf: file("milepost.db"))
        var setAside = 0
        for round in 0..<150 {
            var altered = database
            // The first page holds what all else hangs on: half of the rounds.
            let end = round % 2 == 0 ? 200 : altered.count
            for _ in 0..<Int.random(in: 1...20, using: &random) {
                altered[Int.random(in: 0..<end, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            try put(altered, Data())
            do {
                if case .damagedSetAside = try useAll("\(round)").store.opening { setAside += 1 }
            } catch let error as StoreError {
                // The version's own bytes were hit.
                XCTAssertEqual(error.kind, .newerVersion)
            }
        }
        XCTAssertGreaterThan(setAside, 50)
    }

    func testADatabaseThatWasCutShortIsReadOrSetAside() throws {
        _ = try killed()
        _ = try open()
        let database = try Data(contentsOf: file("milepost.db"))
        for _ in 0..<40 {
            try put(database.prefix(.random(in: 0..<database.count, using: &random)), Data())
            let (store, times) = try useAll("")
            // What was cut off may have been room to spare.
            XCTAssertEqual(times, (store.opening == .existing ? Array(1...200) : []) + Array(1000...1020))
        }
    }

    func testAnyPageOfNoiseIsFoundWhenItIsOpened() throws {
        _ = try killed()
        _ = try open()
        let database = try Data(contentsOf: file("milepost.db"))
        let pages = database.count / 4096
        XCTAssertGreaterThan(pages, 10)
        for page in 0..<pages {
            var altered = database
            altered.replaceSubrange(
                page * 4096..<(page + 1) * 4096, with: (0..<4096).map { _ in UInt8.random(in: 1...255, using: &random) })
            try put(altered, Data())
            let store = try open()
            guard store.opening == .existing else { continue }
            // It was room to spare.
            XCTAssertEqual(try rows(store.backlog.database), Array(1...200), "\(page)")
            XCTAssertEqual(try store.desired.loadRoute()?.count, 20_000, "\(page)")
        }
    }

    func testAFormerLogIsNotTakenForTheFreshDatabases() throws {
        let log = try killed().log
        for database in [Data(repeating: 7, count: 9000), Data()] {
            _ = try? open()
            try put(database, database.isEmpty ? log : Data(repeating: 8, count: 9000))
            let store = try open()
            XCTAssertNotEqual(store.opening, .existing)
            XCTAssertEqual(try rows(store.backlog.database), [])
        }
    }

    func testNoiseInPlaceOfTheFilesIsSetAside() throws {
        _ = try open()
        for _ in 0..<40 {
            var noise = (0..<Int.random(in: 1...20_000, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
            if Bool.random(using: &random) { noise.replaceSubrange(0..<min(16, noise.count), with: Array("SQLite format 3\0".utf8)) }
            try put(Data(noise), Data(noise.shuffled(using: &random)))
            guard case .damagedSetAside = try useAll("").store.opening else { return XCTFail("taken") }
        }
    }
}
