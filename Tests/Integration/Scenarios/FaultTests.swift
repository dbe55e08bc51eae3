import XCTest

/// What a unit does when the server refuses, fails or says nothing. Each fault has a unit and an emulator of its own; all run at once.
final class FaultTests: XCTestCase {
    private struct Row {
        var name: String
        /// Taken one a request.
        var faults: String
        var count = 1
        /// How the last failure is told.
        var failure: String
        /// Least time from the last failed request to the next, milliseconds.
        var pause = 4_500
    }

    /// The emulator's words for a status that it was told to answer.
    private static let injected = "Injected by POST /control/faults."

    /// Units whose first request tells of a position. Their tokens are in a file, so that this request opens the connection.
    private func start(_ emulators: [Emulator], _ folder: TemporaryFolder, _ more: [String] = []) throws -> [Telematics] {
        let feed = try Drive(seed: 5, length: 600).feed(speed: 1)
        return try emulators.map { emulator in
            let file = try folder.write(emulator.token("driver/van-1"), "token-\(emulator.port)")
            return try Telematics(emulator, gpsd: feed, online: false, tokens: ["--token-file", file], more)
        }
    }

    func testAfterAFailureTheNewestFixGoesOutAndNotTooSoon() throws {
        let rows = [
            Row(name: "500", faults: #"[{"status":500}]"#, failure: "code 13, HTTP 500: \(Self.injected)"),
            Row(name: "503", faults: #"[{"status":503}]"#, failure: "code 14, HTTP 503: \(Self.injected)"),
            Row(
                name: "503 in HTML", faults: #"[{"status":503,"body":"<html>Busy</html>"}]"#,
                failure: "code 14, HTTP 503: the server answered HTTP 503 without saying why"),
            Row(name: "429", faults: #"[{"status":429,"retryAfter":7}]"#, failure: "code 8, HTTP 429: \(Self.injected)", pause: 6_500),
            Row(name: "hang", faults: #"[{"hang":true}]"#, failure: "code 4, HTTP 0: Operation timed out after 10"),
            Row(name: "drop", faults: #"[{"drop":true}]"#, failure: "code 14, HTTP 0: Empty reply from server"),
            Row(
                name: "500 twice", faults: #"[{"status":500},{"status":500}]"#, count: 2,
                failure: "code 13, HTTP 500: \(Self.injected)", pause: 9_500),
        ]
        let folder = try temporaryFolder()
        let emulators = try rows.map { row in
            let emulator = try Emulator()
            try emulator.addFaults(row.faults)
            return emulator
        }
        let units = try start(emulators, folder, ["--request-timeout", "1000", "--expect-updates", "2"])
        for (row, unit) in zip(rows, units) {
            let updates = try unit.updates(atLeast: row.count + 1)
            try unit.child.line(containing: "HTTP 200")
            let (refused, taken) = (updates[row.count - 1], updates[row.count])
            XCTAssertEqual(taken.status, 200, row.name)
            assertNewer(taken, than: refused, row.name)
            XCTAssertGreaterThanOrEqual(taken.monotonicMs - refused.monotonicMs, row.pause, row.name)
            let failures = unit.failures()
            XCTAssertEqual(failures.count, row.count, "\(row.name): \(failures)")
            XCTAssertEqual(failures.last?.hasPrefix(row.failure), true, "\(row.name): \(failures)")
            XCTAssertTrue(failures.allSatisfy { $0.hasSuffix(" (will be tried again)") }, "\(row.name): \(failures)")
            try assertEndsWell(unit, row.name)
            let summary = " updates taken, \(row.count) failed; not arrived; last update confirmed"
            XCTAssertTrue(unit.summary.hasSuffix(summary), "\(row.name): \(unit.summary)")
        }
    }

    /// A fix as much newer as the time that has passed between, but for the second that a fix takes to come.
    private func assertNewer(_ update: Emulator.Entry, than former: Emulator.Entry, _ name: String) {
        let times = [former, update].compactMap { $0.body?.lastLocation?.supplementalLocationTime.flatMap(Self.seconds) }
        guard times.count == 2 else { return XCTFail("\(name): no positions") }
        XCTAssertEqual(times[1] - times[0], Double(update.monotonicMs - former.monotonicMs) / 1000, accuracy: 2, name)
    }

    private static func seconds(_ time: String) -> Double? {
        let formatter = ISO8601DateFormatter()
        formatter.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
        return formatter.date(from: time)?.timeIntervalSince1970
    }

    /// Its OFFLINE is confirmed.
    private func assertEndsWell(_ unit: Telematics, _ name: String) throws {
        unit.child.send(SIGTERM)
        XCTAssertEqual(try unit.child.exitStatus(), 0, "\(name)\n\(unit.child.transcript)")
        XCTAssertTrue(unit.summary.hasSuffix("last update confirmed"), name)
        XCTAssertEqual(try unit.updates().last?.mask, ["vehicleState"], name)
    }

    func testAnUpdateThatWasTakenIsNotAFailureWhateverItsAnswerSays() throws {
        let emulator = try Emulator()
        try emulator.addFaults(#"[{"garbage":true}]"#)
        let unit = try start([emulator], temporaryFolder())[0]
        let updates = try unit.updates(atLeast: 2)
        assertNewer(updates[1], than: updates[0], "garbage")
        try assertEndsWell(unit, "garbage")
        XCTAssertEqual(unit.failures(), [])
    }

    func testAConnectionThatDiedUnusedIsOpenedAgainOnce() throws {
        let emulator = try Emulator()
        // The first answer leaves the connection open.
        try emulator.addFaults(#"[{"delayMs":0},{"drop":true}]"#)
        let unit = try start([emulator], temporaryFolder())[0]
        let updates = try unit.updates(atLeast: 3)
        XCTAssertEqual(updates.map(\.status), [200, 0, 200])
        XCTAssertEqual(updates[2].body?.lastLocation?.supplementalLocationTime, updates[1].body?.lastLocation?.supplementalLocationTime)
        try assertEndsWell(unit, "dead connection")
        XCTAssertEqual(unit.failures(), [])
        XCTAssertEqual(try unit.updates().count, 4)
    }

    func testWhileARequestIsUnderWayNoOtherIsSent() throws {
        let emulator = try Emulator()
        try emulator.addFaults(#"[{"delayMs":3000}]"#)
        let drive = try Drive(seed: 5, length: 600)
        // Two legs are driven during the wait.
        let unit = try Telematics(emulator, gpsd: drive.feed(speed: 40), route: drive.route, ["--exit-on-arrival"])
        XCTAssertEqual(try unit.child.exitStatus(), 0, unit.child.transcript)
        let updates = try unit.updates()
        XCTAssertGreaterThanOrEqual(updates[1].monotonicMs - updates[0].monotonicMs, 2_990)
        XCTAssertEqual(updates.first?.fault, "delay 3000 ms")
        XCTAssertEqual(updates[1].body?.currentRouteSegmentEndPoint?.position.map { $0.distance(to: drive.legEnds[0].position) > 50 }, true)
        XCTAssertEqual(unit.failures(), [])
    }

    func testAfterTheKeysWereRotatedOneFreshTokenIsEnough() throws {
        let emulator = try Emulator()
        let drive = try Drive(seed: 5, length: 600)
        let unit = try Telematics(emulator, gpsd: drive.feed(speed: 1), online: false)
        _ = try unit.updates(atLeast: 1)
        try emulator.rotateKeys()
        let updates = try unit.updates(atLeast: 4)
        XCTAssertEqual(updates.map(\.status), [200, 401, 200, 200])
        XCTAssertEqual(updates[0].tokenHash, updates[1].tokenHash)
        XCTAssertNotEqual(updates[1].tokenHash, updates[2].tokenHash)
        XCTAssertEqual(updates[2].tokenHash, updates[3].tokenHash)
        XCTAssertLessThan(updates[2].monotonicMs - updates[1].monotonicMs, 3_000, "the repetition does not wait for a slot")
        XCTAssertEqual(try emulator.tokensAsked("van-1").count, 2)
        XCTAssertEqual(unit.failures().count, 1)
        XCTAssertEqual(unit.failures().first?.hasPrefix("code 16, HTTP 401: "), true, "\(unit.failures())")
        try assertEndsWell(unit, "401")
    }

    func testATokenThatStaysRefusedIsNotTriedWithoutEnd() throws {
        let emulator = try Emulator()
        let drive = try Drive(seed: 5, length: 600)
        let token = try emulator.token("driver/van-1")
        let unit = try Telematics(emulator, gpsd: drive.feed(speed: 1), online: false, tokens: ["--token", token])
        _ = try unit.updates(atLeast: 1)
        try emulator.rotateKeys()
        let updates = try unit.updates(atLeast: 4)
        XCTAssertEqual(updates.map(\.status), [200, 401, 401, 401])
        XCTAssertGreaterThanOrEqual(updates[3].monotonicMs - updates[2].monotonicMs, 4_500)
        unit.child.send(SIGTERM)
        XCTAssertEqual(try unit.child.exitStatus(), 4, unit.child.transcript)
        XCTAssertEqual(unit.failures().last?.hasSuffix(" (will not be tried again)"), true)
    }

    func testAVehicleThatIsRefusedIsNotHammered() throws {
        let drive = try Drive(seed: 5, length: 600)
        // The drive takes three intervals.
        let feed = try drive.feed(speed: 15)
        let gone = try Telematics(Emulator(), gpsd: feed, online: false)
        let forbidden = try Telematics(Emulator(), gpsd: feed, online: false)
        try forbidden.emulator.addFaults(#"[{"delayMs":0},{"status":403}]"#)
        for unit in [gone, forbidden] { _ = try unit.updates(atLeast: 1) }
        try gone.emulator.delete("van-1")
        _ = try feed.child.line(after: "fed")
        for (unit, failure) in [(gone, "code 5, HTTP 404: "), (forbidden, "code 7, HTTP 403: ")] {
            XCTAssertEqual(unit.failures().count, 1, failure)
            XCTAssertEqual(unit.failures().first?.hasPrefix(failure), true, "\(unit.failures())")
            XCTAssertEqual(unit.failures().first?.hasSuffix(" (will be tried again)"), true)
            XCTAssertEqual(try unit.updates().filter { $0.method == "PUT" }.map(\.status), [200, failure.contains("404") ? 404 : 403])
        }
        try assertEndsWell(forbidden, "403")
        gone.child.send(SIGTERM)
        XCTAssertEqual(try gone.child.exitStatus(), 4, gone.child.transcript)
        XCTAssertTrue(gone.summary.hasSuffix("last update not confirmed"), gone.summary)
    }
}
