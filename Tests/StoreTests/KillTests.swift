import Foundation
import Navigation
import XCTest

@testable import Store

/// A writer is killed while it writes, 500 times in a row. What it said was durable is there afterwards.
final class KillTests: StoreTestCase {
    override var parent: URL { memory }

    /// What the writer has said.
    private struct Told {
        /// Fixes that are on disk, by their numbers.
        var durable = -1
        var sent: (id: Int64, attempt: Int, numbers: [Int])?
        var isSentConfirmed = false
        var state = -1
        var route = -1

        mutating func take(_ line: String) {
            let words = line.split(separator: " ")
            let number = words.count > 1 ? Int(words[1]) ?? -1 : -1
            switch words.first {
            case "durable": durable = number
            case "sent":
                sent = (Int64(number), Int(words[2]) ?? -1, words[3].split(separator: ",").map { Int($0) ?? -1 })
                isSentConfirmed = false
            case "confirmed": isSentConfirmed = true
            case "state": state = number
            case "route": route = number
            default: break
            }
        }
    }

    /// Runs a writer and kills it at once after so many lines; gives all that it said.
    private func run(from first: Int, lines: Int) throws -> Told {
        let writer = try Writer("write", directory, first)
        var told = Told()
        for _ in 0..<lines { if let line = writer.line() { told.take(line) } }
        writer.kill()
        while let line = writer.line() { told.take(line) }
        return told
    }

    private struct Found {
        var ids: [Int64] = []
        var numbers: [Int] = []
    }

    /// What is on disk.
    private func look(into store: Store) throws -> Found {
        var found = Found()
        try store.backlog.database.prepare("SELECT id, time FROM fix ORDER BY id").forEachRow { row throws(StoreError) in
            found.ids.append(row.integer(0) ?? -1)
            found.numbers.append(Int(row.real(1)))
            return true
        }
        return found
    }

    func testNothingDurableIsLostAndNothingIsCorruptAfter500KillsInARow() throws {
        var before = Found()
        var highest: Int64 = 0
        var state = -1
        var interrupted = 0
        for round in 1...500 {
            if round % 25 == 0 {
                // A new one: kills hit its making, too.
                try FileManager.default.removeItem(atPath: directory)
                before = Found()
                highest = 0
                state = -1
            }
            let told = try run(from: round * 100_000, lines: Int.random(in: 1...25, using: &random))
            let store = try open(BacklogLimits(age: .infinity))
            if told.durable >= 0 || told.sent != nil || told.state >= 0 { XCTAssertEqual(store.opening, .existing, "\(round)") }
            if case .damagedSetAside = store.opening { XCTFail("damaged in round \(round)") }
            let found = try look(into: store)
            check(found, told, before, highest, round)
            highest = max(highest, found.ids.last ?? 0, told.sent?.id ?? 0)
            state = max(state, told.state)
            if found.numbers.last ?? 0 > told.durable { interrupted += 1 }
            try checkDesired(store.desired, told, state)
            try checkBatch(store.backlog, found, told)
            before = found
        }
        XCTAssertGreaterThan(interrupted, 50)
    }

    private func check(_ found: Found, _ told: Told, _ before: Found, _ highest: Int64, _ round: Int) {
        XCTAssertTrue(zip(found.ids, found.ids.dropFirst()).allSatisfy { $0 < $1 })
        XCTAssertTrue(zip(found.numbers, found.numbers.dropFirst()).allSatisfy { $0 < $1 })
        // No id of an earlier round names a fix of this one.
        for (id, number) in zip(found.ids, found.numbers) where number > round * 100_000 { XCTAssertGreaterThan(id, highest) }
        let durable = before.numbers + (told.durable > round * 100_000 ? Array(round * 100_000 + 1...told.durable) : [])
        var left = durable.filter { $0 >= found.numbers.first ?? .max }
        // Between what was said and what is on disk lies one transaction at most: where it was a confirmation, the batch that was sent is gone.
        let taken = durable.prefix(durable.count - left.count)
        if let sent = told.sent, let last = sent.numbers.last {
            XCTAssertTrue(taken.allSatisfy { $0 <= last }, "round \(round) lost \(taken) beyond \(last)")
            let there = sent.numbers.filter(Set(found.numbers).contains)
            XCTAssertTrue(there.isEmpty || there == sent.numbers, "round \(round)")
            if told.isSentConfirmed { XCTAssertEqual(there, [], "round \(round)") }
        } else {
            XCTAssertEqual(Array(taken), [], "round \(round)")
        }
        left.removeAll(where: Set(found.numbers).contains)
        XCTAssertEqual(left, [], "round \(round)")
    }

    private func checkDesired(_ desired: DesiredStateTable, _ told: Told, _ state: Int) throws {
        let saved = try desired.load()
        guard let number = saved.vehicle.flatMap({ Int($0.dropFirst()) }) else { return XCTAssertEqual(state, -1) }
        XCTAssertGreaterThanOrEqual(number, state)
        XCTAssertEqual(saved.interval, 5 + number % 56)
        XCTAssertEqual(saved.isTracking, number % 2 == 0)
        XCTAssertEqual(saved.isOfflineDue, number % 2 == 1)
        XCTAssertEqual(saved.stops.map { $0.tasks }, Array(repeating: ["t\(number)"], count: number % 4))
        guard let route = try desired.loadRoute() else { return XCTAssertEqual(told.route, -1) }
        XCTAssertTrue(route.allSatisfy { $0 == route.first })
        if let tracker = try desired.loadTracker() { XCTAssertEqual(tracker, route) }
        XCTAssertGreaterThan(route.count, 0)
    }

    /// A batch under way goes out as it did, or has been confirmed.
    private func checkBatch(_ backlog: Backlog, _ found: Found, _ told: Told) throws {
        XCTAssertEqual(backlog.count, found.numbers.count)
        guard let batch = backlog.batch(atMost: 20, at: 0) else { return XCTAssertEqual(found.numbers, []) }
        XCTAssertEqual(batch.times, Array(found.numbers.prefix(batch.fixes.count)))
        guard let sent = told.sent, !told.isSentConfirmed, found.numbers.first == sent.numbers.first else { return }
        XCTAssertEqual(batch.times, sent.numbers)
        XCTAssertGreaterThan(batch.attempt, sent.attempt)
    }
}
