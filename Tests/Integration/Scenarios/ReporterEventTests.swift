import XCTest

/// What a host is told to act on, and what the unit does meanwhile.
final class ReporterEventTests: XCTestCase {
    func testAVehicleThatIsMissingIsToldOnceAndGoneOnWithOnceItIsCreated() throws {
        let emulator = try Emulator()
        let drive = try Drive(seed: 5, length: 900)
        let unit = try Telematics(emulator, gpsd: drive.feed(speed: 10), route: drive.route, ["--exit-on-arrival"])
        _ = try unit.updates(atLeast: 1)
        try emulator.delete("van-1")
        try unit.child.line(containing: "event: ")
        try emulator.create("van-1")
        // The next leg is told at once, a minute or not.
        XCTAssertEqual(try unit.child.exitStatus(), 0, unit.child.transcript)
        XCTAssertEqual(
            unit.reporterEvents,
            [
                "Fleet Engine has no vehicle \"van-1\" of provider \"demo\": create it through your backend; "
                    + "updates go on by themselves once it is there",
                "Fleet Engine has vehicle \"van-1\" again: updates go on",
            ])
        XCTAssertEqual(try unit.updates().last?.status, 200)
    }

    func testAPositionThatTheServerDiscardsOrMovesIsToldOnce() throws {
        // Nor is that lost when no more of the answer is asked for than what is read.
        let rows = [
            (#"{"location":"discard","times":2}"#, []), (#"{"location":{"latitude":52.6,"longitude":13.4},"times":2}"#, []),
            (#"{"location":"discard","times":2}"#, ["--partial-responses"]),
        ]
        for (fault, options) in rows {
            let emulator = try Emulator()
            try emulator.addFaults(#"[{"delayMs":0},\#(fault)]"#)
            let drive = try Drive(seed: 5, length: 1500)
            // A hundred metres a second.
            let unit = try Telematics(emulator, gpsd: drive.feed(speed: 10), online: false, options)
            let updates = try unit.updates(atLeast: 3)
            XCTAssertEqual(updates.prefix(3).map(\.status), [200, 200, 200])
            try unit.child.line(containing: "event: ")
            unit.child.send(SIGTERM)
            XCTAssertEqual(try unit.child.exitStatus(), 0, unit.child.transcript)
            XCTAssertEqual(unit.reporterEvents.count, 1, unit.child.transcript)
            XCTAssertEqual(unit.reporterEvents.first?.hasPrefix("the server has not taken the position: it shows the vehicle "), true)
            XCTAssertEqual(unit.failures(), [])
        }
    }

    func testTooManyRequestsStretchTheInterval() throws {
        let emulator = try Emulator()
        try emulator.addFaults(#"[{"delayMs":0},{"status":429,"retryInfo":1,"reason":"RATE_LIMIT_EXCEEDED"}]"#)
        let unit = try Telematics(emulator, gpsd: Drive(seed: 5, length: 600).feed(speed: 1), online: false)
        let updates = try unit.updates(atLeast: 4)
        XCTAssertEqual(updates.map(\.status), [200, 429, 200, 200])
        for (earlier, later) in zip(updates.dropFirst(), updates.dropFirst(2)) {
            XCTAssertGreaterThanOrEqual(later.monotonicMs - earlier.monotonicMs, 9_500, "twice the interval")
        }
        XCTAssertEqual(
            unit.reporterEvents, ["the server says that updates are too many: they go out every 10 s until it takes them again"])
        unit.child.send(SIGTERM)
        XCTAssertEqual(try unit.child.exitStatus(), 0, unit.child.transcript)
    }

    func testTheFirstBrokenLinkIsNamedInWords() throws {
        let emulator = try Emulator(vehicles: ["van-1", "van-2"])
        let feed = try Drive(seed: 5, length: 600).feed(speed: 1)
        let folder = try temporaryFolder()
        let file = try folder.write(emulator.token("driver/van-2"), "token")
        let unit = try Telematics(emulator, gpsd: feed, online: false, tokens: ["--token-file", file])
        let deaf = try Telematics(emulator, vehicle: "van-2", gpsd: nil, online: false)
        _ = try unit.updates(atLeast: 1)
        try unit.child.line(containing: "update failed: code 7, HTTP 403: ")
        try deaf.child.line(containing: "refused")
        for (unit, words) in [
            (unit, "diagnosis: the token is not for this vehicle: its vehicleid is \"van-2\", not \"van-1\""),
            (deaf, "diagnosis: gpsd is not reached: "),
        ] {
            unit.child.send(SIGTERM)
            _ = try unit.child.exitStatus()
            XCTAssertTrue(unit.child.output.lines.contains { $0.hasPrefix(words) }, unit.child.transcript)
        }
    }
}
