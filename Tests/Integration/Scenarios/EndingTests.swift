import XCTest

/// How the program ends in the middle of a drive.
final class EndingTests: XCTestCase {
    /// A unit that has reported a position.
    private func unit(_ emulator: Emulator, _ feed: Feed, _ drive: Drive, _ more: [String] = []) throws -> Telematics {
        let unit = try Telematics(emulator, gpsd: feed, route: drive.route, more)
        try unit.child.line("with a position") { $0.contains("HTTP 200") && $0.contains(" m ") }
        return unit
    }

    func testASignalEndsItWithTheVehicleOffline() throws {
        let drive = try Drive(seed: 5, length: 600)
        let feed = try drive.feed(speed: 1)
        for (signal, loop) in [(SIGTERM, []), (SIGTERM, ["--own-loop"]), (SIGINT, []), (SIGINT, ["--own-loop"])] {
            let emulator = try Emulator()
            let unit = try unit(emulator, feed, drive, loop)
            unit.child.send(signal)
            XCTAssertEqual(try unit.child.exitStatus(), 0, unit.child.transcript)
            let last = try XCTUnwrap(unit.updates().last)
            XCTAssertEqual(last.mask, ["vehicleState"])
            XCTAssertEqual(last.body?.vehicleState, "OFFLINE")
            XCTAssertEqual(last.status, 200)
            XCTAssertTrue(unit.summary.hasSuffix(" m along the route, not arrived; last update confirmed"), unit.summary)
        }
    }

    func testWhatWasExpectedAndIsMissingIsAFailure() throws {
        let drive = try Drive(seed: 5, length: 600)
        let feed = try drive.feed(speed: 1)
        for more in [["--exit-on-arrival"], ["--expect-updates", "1000"]] {
            let unit = try unit(Emulator(), feed, drive, more)
            unit.child.send(SIGTERM)
            XCTAssertEqual(try unit.child.exitStatus(), 3, unit.child.transcript)
        }
    }

    func testAServerThatIsGoneLeavesTheEndUnconfirmed() throws {
        let drive = try Drive(seed: 5, length: 600)
        let feed = try drive.feed(speed: 1)
        for loop in [[], ["--own-loop"]] {
            let emulator = try Emulator()
            let unit = try unit(emulator, feed, drive, loop)
            emulator.child.send(SIGKILL)
            _ = emulator.child.output.waitForEnd()
            unit.child.send(SIGTERM)
            XCTAssertEqual(try unit.child.exitStatus(), 4, unit.child.transcript)
            XCTAssertEqual(unit.failures().last?.hasPrefix("code 14, HTTP 0: Failed to connect to 127.0.0.1 port \(emulator.port)"), true)
            XCTAssertEqual(unit.failures().last?.hasSuffix("(will not be tried again)"), true)
            XCTAssertTrue(unit.summary.hasSuffix("last update not confirmed"), unit.summary)
        }
    }

    func testAServerThatIsSilentIsNotWaitedForLongerThanTheLimit() throws {
        let drive = try Drive(seed: 5, length: 600)
        let feed = try drive.feed(speed: 1)
        let units = try [[], ["--own-loop"]].map { loop in
            let unit = try unit(Emulator(), feed, drive, loop)
            try unit.emulator.addFaults(#"[{"hang":true}]"#)
            return unit
        }
        let begin = ContinuousClock.now
        for unit in units { unit.child.send(SIGTERM) }
        for unit in units {
            XCTAssertEqual(try unit.child.exitStatus(), 4, unit.child.transcript)
            XCTAssertEqual(try unit.updates().last?.fault, "hang")
            XCTAssertTrue(unit.summary.hasSuffix("last update not confirmed"), unit.summary)
        }
        // The program gives it 5 s; its requests could take 15 s.
        XCTAssertLessThan(ContinuousClock.now - begin, .seconds(10))
    }
}
