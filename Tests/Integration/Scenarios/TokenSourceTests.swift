import XCTest

/// Where tokens come from, and what happens when none does.
final class TokenSourceTests: XCTestCase {
    private func tokenServer(_ body: String, status: Int = 200) throws -> (child: Child, url: String) {
        let child = try Places.python("Integration/Scenarios/token_server.py", ["\(status)", body])
        return (child, "http://127.0.0.1:\(try child.line(after: "port"))")
    }

    func testEverySourceOfTokensServes() throws {
        let emulator = try Emulator()
        let token = try emulator.token("driver/van-1")
        let folder = try temporaryFolder()
        let file = try folder.write("\(token)\n", "token")
        let sources = [
            ["--token", token], ["--token-file", file], ["--token-callback", file],
            Telematics.tokenServer("\(emulator.url)/token/driver/van-1"),
        ]
        for source in sources {
            for loop in [[], ["--own-loop"]] {
                let unit = try Telematics(emulator, gpsd: nil, tokens: source, loop)
                try unit.child.line(containing: ", ONLINE")
                unit.child.send(SIGTERM)
                XCTAssertEqual(try unit.child.exitStatus(), 0, "\(source[0])\n\(unit.child.transcript)")
                XCTAssertEqual(unit.failures(), [], source[0])
            }
        }
    }

    func testATokenServerIsToldWhomTheTokenIsFor() throws {
        let emulator = try Emulator(vehicles: ["van ü"])
        let server = try tokenServer("{\"jwt\":\"\(emulator.token("driver/van%20%C3%BC"))\"}")
        let url = server.url + "/{provider}/{vehicle}?task={task}&trip={trip}"
        let unit = try Telematics(
            emulator, vehicle: "van ü", gpsd: nil, tokens: ["--token-url", url, "--token-key", "jwt"],
            ["--trip", "trip 7", "--task", "a&b"])
        XCTAssertEqual(try server.child.line(after: "asked"), "/demo/van%20%C3%BC?task=a%26b&trip=trip%207")
        try unit.child.line(containing: ", ONLINE")
        unit.child.send(SIGTERM)
        XCTAssertEqual(try unit.child.exitStatus(), 0, unit.child.transcript)
    }

    /// Tokens that are good for a little less than an interval: each update needs a new one, asked for beforehand.
    func testAShortLivedTokenIsRenewedInTimeWhateverItsExpiryMeans() throws {
        let feed = try Drive(seed: 5, length: 600).feed(speed: 1)
        let brief = try Emulator(["--token-life", "4"])
        let lasting = try Emulator(vehicles: ["van-1", "van-2", "van-3"])
        let kinds = ["seconds", "unix-s", "unix-ms"]
        let servers = try kinds.enumerated().map { index, kind in
            try tokenServer("{\"jwt\":\"\(lasting.token("driver/van-\(index + 1)"))\",\"until\":<\(kind)+4>}")
        }
        let own = try Telematics(brief, gpsd: feed, online: false)
        let units = try zip(kinds, servers).enumerated().map { index, source in
            try Telematics(
                lasting, vehicle: "van-\(index + 1)", gpsd: feed, online: false,
                tokens: ["--token-url", source.1.url, "--token-key", "jwt", "--expiry-key", "until", "--expiry-kind", source.0])
        }
        XCTAssertEqual(try own.updates(atLeast: 3).map(\.status), [200, 200, 200])
        XCTAssertEqual(Set(try own.updates().prefix(3).map(\.tokenHash)).count, 3)
        let asked = try brief.tokensAsked("van-1")
        for update in try own.updates().dropFirst() {
            let newest = try XCTUnwrap(asked.last { $0.index < update.index })
            XCTAssertTrue((500..<4_000).contains(update.monotonicMs - newest.monotonicMs), "asked a little before the update is due")
        }
        XCTAssertEqual(own.failures(), [])
        for (unit, server) in zip(units, servers) {
            XCTAssertEqual(try unit.updates(atLeast: 3).map(\.status), [200, 200, 200])
            XCTAssertGreaterThanOrEqual(server.child.output.lines.count { $0.hasPrefix("asked") }, 3, unit.vehicle)
            XCTAssertEqual(unit.failures(), [])
        }
    }

    func testATokenFileThatAnotherProcessRenewsIsReadAgain() throws {
        let emulator = try Emulator()
        let folder = try temporaryFolder()
        let file = try folder.write(emulator.token("driver/van-1"), "token")
        let feed = try Drive(seed: 5, length: 600).feed(speed: 1)
        let units = try ["--token-file", "--token-callback"].map { source in
            try Telematics(emulator, gpsd: feed, online: false, tokens: [source, file])
        }
        for unit in units { try unit.child.line(containing: "HTTP 200") }
        try emulator.rotateKeys()
        try folder.write(emulator.token("driver/van-1"), "token")
        for unit in units {
            XCTAssertEqual(unit.failures(atLeast: 1).first?.hasPrefix("code 16, HTTP 401: "), true, unit.child.transcript)
            XCTAssertEqual(unit.child.output.matching(2) { $0.contains("HTTP 200") }.count, 2)
            unit.child.send(SIGTERM)
            XCTAssertEqual(try unit.child.exitStatus(), 0, unit.child.transcript)
            XCTAssertEqual(unit.failures().count, 1)
        }
    }

    /// The command takes longer than a moment, and the loop goes on meanwhile.
    func testATokenCommandsOutputIsTheTokenAndItsFailureIsTold() throws {
        let emulator = try Emulator()
        let folder = try temporaryFolder()
        let file = try folder.write(emulator.token("driver/van-1") + "\n", "token")
        let rows: [(command: String, reason: String?)] = [
            ("sleep 1; cat \(file)", nil), ("cat \(file); exit 3", "the token command failed"),
            ("true", "the token command printed no token"), ("printf '\\001'", "the token command printed no token"),
        ]
        let units = try rows.map { try Telematics(emulator, gpsd: nil, tokens: ["--token-command", $0.command]) }
        for (row, unit) in zip(rows, units) {
            if let reason = row.reason {
                XCTAssertEqual(unit.failures(atLeast: 1).first?.hasPrefix("code 16, HTTP 0: \(reason)"), true, unit.child.transcript)
            } else {
                try unit.child.line(containing: ", ONLINE")
            }
            unit.child.send(SIGTERM)
            XCTAssertEqual(try unit.child.exitStatus(), row.reason == nil ? 0 : 4, unit.child.transcript)
        }
    }

    func testWithoutATokenTheReasonIsTold() throws {
        let emulator = try Emulator()
        let folder = try temporaryFolder()
        let empty = try folder.write("\n", "empty"), missing = folder.path("missing")
        func server(_ status: Int, _ body: String, _ more: [String] = []) throws -> (Child?, [String]) {
            let server = try tokenServer(body, status: status)
            return (server.child, ["--token-url", server.url] + more)
        }
        let rows: [(source: (server: Child?, options: [String]), reason: String)] = [
            (try server(500, "{}"), "token server answered 500"),
            (try server(200, "<html>"), "token server: the answer is not JSON: "),
            (try server(200, "{\"token\":7}"), "token server: the answer has no string \"token\""),
            (try server(200, "{\"token\":\"t\"}", ["--expiry-key", "life"]), "token server: the answer has no number \"life\""),
            (try server(200, "{\"token\":\"a b\"}"), "the token "),
            ((nil, ["--token-url", "http://127.0.0.1:\(ClosedPort.shared.port)/"]), "token server: Failed to connect to 127.0.0.1 port "),
            ((nil, ["--token-file", missing]), "token file \(missing): No such file or directory"),
            ((nil, ["--token-file", empty]), "the token is empty"),
            ((nil, ["--token-callback", missing]), "the token file cannot be read or is empty"),
        ]
        let units = try rows.map { try Telematics(emulator, gpsd: nil, tokens: $0.source.options) }
        for (row, unit) in zip(rows, units) {
            let failure = unit.failures(atLeast: 1).first ?? ""
            XCTAssertTrue(failure.hasPrefix("code 16, HTTP 0: " + row.reason), "\(row.source.options): \(failure)")
            XCTAssertTrue(failure.hasSuffix(" (will be tried again)"), failure)
            unit.child.send(SIGTERM)
            XCTAssertEqual(try unit.child.exitStatus(), 4, unit.child.transcript)
        }
        XCTAssertEqual(try emulator.updates("van-1").count, 0)
    }
}
