import XCTest

/// A host that is killed at any moment, again and again, while the server's answers get lost.
final class SurvivalTests: XCTestCase {
    private static let kills = 500

    /// One update as the emulator got it.
    private struct Update {
        /// Seconds of the fixes in it.
        var newest: Int?
        var past: [Int] = []
        var state: String?
        /// The answer reached the vehicle, unless that was killed before.
        var wasAnswered: Bool
        /// The last before a kill.
        var isLast = false

        /// Which of the vehicle's runs has sent it.
        var run: Int? { newest.map { ($0 - 1_790_000_000) / 1000 } }
        var fixes: [Int] { past + [newest].compactMap { $0 } }
        /// The vehicle cannot know that it was taken, …
        var isUncertain: Bool { !wasAnswered || isLast }

        init(_ entry: [String: Any]) throws {
            let body = try XCTUnwrap(entry["body"] as? [String: Any])
            newest = try (body["lastLocation"] as? [String: Any]).map(Self.second)
            past = try (body["pastLocations"] as? [[String: Any]] ?? []).map(Self.second)
            state = body["vehicleState"] as? String
            wasAnswered = entry["status"] as? Int == 200 && !((entry["fault"] as? String)?.contains("drop") ?? false)
        }

        static func second(_ location: [String: Any]) throws -> Int {
            try SurvivalTests.second(try XCTUnwrap(location["supplementalLocationTime"] as? String))
        }
    }

    private static func second(_ text: String) throws -> Int {
        let format = ISO8601DateFormatter()
        format.formatOptions = text.contains(".") ? [.withInternetDateTime, .withFractionalSeconds] : .withInternetDateTime
        return Int(try XCTUnwrap(format.date(from: text), text).timeIntervalSince1970.rounded())
    }

    private func get(_ emulator: Emulator, _ target: String) throws -> [[String: Any]] {
        let fetch = "import sys, urllib.request; sys.stdout.buffer.write(urllib.request.urlopen(sys.argv[1]).read())"
        let outcome = try Toolbox.run("/usr/bin/python3", ["-c", fetch, emulator.url + target])
        return try XCTUnwrap(JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [[String: Any]])
    }

    func testNothingKeptIsLostAndNothingConfirmedIsSentAgainHoweverOftenItIsKilled() throws {
        let folder = try TemporaryFolder()
        let program = folder.url.appendingPathComponent("kills")
        try Toolbox.compile([Toolbox.hosts.appendingPathComponent("Programs/kills.c")], into: program, flags: ["-lsqlite3"])
        let emulator = try Emulator(["--vehicle", "van-1"])
        defer { emulator.stop() }
        // In memory: a disk's syncing would take the time that the kills need.
        let state =
            FileManager.default.fileExists(atPath: "/dev/shm") ? "/dev/shm/milepost-\(UUID().uuidString)" : folder.url.path + "/state"
        defer { try? FileManager.default.removeItem(atPath: state) }
        let outcome = try Toolbox.run(program.path, [emulator.url, state, "\(Self.kills)", "7"])
        XCTAssertEqual(outcome.status, 0, outcome.errors)
        XCTAssertEqual(outcome.errors, "")

        let updates = try updates(of: emulator)
        checkWhatWasSentAgain(updates)
        checkBatches(updates)
        XCTAssertEqual(updates.last?.state, "OFFLINE")
        XCTAssertEqual(updates.last?.newest, nil)
        XCTAssertEqual(updates.last?.wasAnswered, true)

        let log = try XCTUnwrap(get(emulator, "/control/locations").first { ($0["name"] as? String)?.hasSuffix("/van-1") == true })
        let fixes = try XCTUnwrap(log["fixes"] as? [[String: Any]])
        let arrived = Set(try fixes.map { try Self.second(try XCTUnwrap($0["time"] as? String)) })
        let kept = Set(outcome.output.split(separator: "\n").compactMap { Int($0.dropFirst("kept ".count)) })
        XCTAssertTrue(kept.isSubset(of: arrived), "lost: \(kept.subtracting(arrived).sorted())")
        XCTAssertGreaterThan(kept.count, Self.kills / 10)
        print(
            "\(Self.kills) kills, \(updates.count) updates, \(arrived.count) fixes, \(kept.count) of them once on disk, \(log["duplicates"] ?? 0) again"
        )
    }

    private func updates(of emulator: Emulator) throws -> [Update] {
        var updates = try get(emulator, "/control/history?under=/v1/").map(Update.init)
        for index in updates.indices.dropLast() where updates[index].run != updates[index + 1].run { updates[index].isLast = true }
        return updates
    }

    /// Only what the vehicle cannot know to have arrived comes again.
    private func checkWhatWasSentAgain(_ updates: [Update]) {
        var confirmed: Set<Int> = []
        for (index, update) in updates.enumerated() {
            XCTAssertEqual(Set(update.fixes).count, update.fixes.count, "update \(index) has a fix twice")
            XCTAssertTrue(confirmed.isDisjoint(with: update.fixes), "update \(index): \(confirmed.intersection(update.fixes)) again")
            if !update.isUncertain { confirmed.formUnion(update.fixes) }
        }
    }

    /// A batch comes again as it was until its answer has been heard.
    private func checkBatches(_ updates: [Update]) {
        let batches = updates.filter { !$0.past.isEmpty }
        XCTAssertGreaterThan(batches.count, Self.kills / 10)
        for (one, next) in zip(batches, batches.dropFirst()) {
            let isSame = one.past == next.past
            let mayBeNew = one.wasAnswered && Set(one.past).isDisjoint(with: next.past)
            let mustBeNew = one.wasAnswered && !one.isLast
            XCTAssertTrue(mustBeNew ? mayBeNew : isSame || mayBeNew, "\(one.past) and then \(next.past)")
        }
    }
}
