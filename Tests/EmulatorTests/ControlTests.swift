import XCTest

@testable import Emulator

final class ControlTests: EmulatorTestCase {
    private static let online = #"{"vehicleState":"ONLINE"}"#

    /// Sends an update on a connection of its own and leaves the answer to be read.
    private func beginUpdate() throws -> HTTPConnection {
        let other = HTTPConnection(port: emulator.port)
        let headers = ["Authorization": "Bearer " + (try token("driver/van-17")), "Content-Type": "application/json"]
        other.send("PUT", Self.van + "?updateMask=vehicleState", headers: headers, body: Self.online)
        return other
    }

    func testHistoryListsEveryRequestInOrder() throws {
        let driver = try token("driver/van-17")
        _ = try send("PUT", Self.van + "?updateMask=vehicle_state,lastLocation.speed&header.traceId=7", token: driver, body: Self.online)
        _ = try send("PATCH", Self.van, token: driver, body: "not JSON")
        _ = try send("GET", Self.depot, token: driver)
        let entries = try history()
        XCTAssertEqual(entries.map { $0["index"] as? Int }, [0, 1, 2, 3])
        XCTAssertEqual(entries.map { $0["method"] as? String }, ["GET", "PUT", "PATCH", "GET"])
        XCTAssertEqual(entries.map { $0["path"] as? String }, ["/token/driver/van-17", Self.van, Self.van, Self.depot])
        XCTAssertEqual(entries.map { $0["status"] as? Int }, [200, 200, 404, 403])
        XCTAssertEqual(entries[1]["mask"] as? [String], ["vehicle_state", "lastLocation.speed"])
        XCTAssertEqual(entries[1]["body"] as? [String: String], ["vehicleState": "ONLINE"])
        XCTAssertEqual(entries[2]["body"] as? String, "not JSON")
        XCTAssertEqual((entries[1]["query"] as? [String: String])?["header.traceId"], "7")
        XCTAssertTrue(entries[0]["error"] is NSNull && entries[1]["error"] is NSNull && entries[0]["tokenHash"] is NSNull)
        XCTAssertEqual(entries[2]["error"] as? String, "Method not found.")
        let hash = try XCTUnwrap(entries[1]["tokenHash"] as? String)
        XCTAssertEqual(entries[3]["tokenHash"] as? String, hash)
        XCTAssertFalse(driver.contains(hash))
        let times = entries.compactMap { $0["monotonicMs"] as? Int }
        XCTAssertEqual(times, times.sorted())
        XCTAssertTrue(entries.allSatisfy { ($0["receivedAt"] as? String).flatMap(Timestamp.init) != nil })
        XCTAssertFalse(try XCTUnwrap(connection.request("GET", "/control/history")).text.contains(driver))
    }

    func testHistoryIsSelectedBySinceAndUnderAndCleared() throws {
        for _ in 0..<3 { try update("vehicleState", Self.online) }
        XCTAssertEqual(try history("?since=2").map { $0["index"] as? Int }, [2, 3, 4, 5])
        XCTAssertEqual(try history("?under=/v1/&since=2").map { $0["index"] as? Int }, [3, 5])
        XCTAssertEqual(try history("?since=99").count, 0)
        for query in ["since=-1", "since=x", "atLeast=99999999999", "timeoutMs="] {
            assertRefused(try XCTUnwrap(connection.request("GET", "/control/history?" + query)), 400, "INVALID_ARGUMENT", "not a number")
        }
        XCTAssertEqual(connection.request("DELETE", "/control/history")?.status, 200)
        try update("vehicleState", Self.online)
        XCTAssertEqual(try history().map { $0["index"] as? Int }, [0, 1])
    }

    func testLongPollAnswersOnceThereAreEnoughEntriesOrTimeIsUp() throws {
        let poll = HTTPConnection(port: emulator.port)
        poll.send("GET", "/control/history?under=/v1/&atLeast=2&timeoutMs=25000")
        try update("vehicleState", Self.online)
        try update("vehicleState", Self.online)
        XCTAssertEqual((poll.answer()?.json as? [Any])?.count, 2)
        XCTAssertEqual(try history("?under=/v1/&atLeast=9&timeoutMs=1").count, 2)
    }

    func testStatusFaultsRefuseOneUpdateEach() throws {
        try faults(#"[{"status":503,"retryAfter":7},{"status":429},{"status":500,"body":"<html>"},{"status":403,"body":{"a":1}}]"#)
        let driver = try token("driver/van-17")
        XCTAssertEqual(try send("GET", Self.van, token: driver).status, 200)
        let unavailable = try update("vehicleState", Self.online)
        assertRefused(unavailable, 503, "UNAVAILABLE", "Injected")
        XCTAssertEqual(unavailable.headers["retry-after"], "7")
        let details = try XCTUnwrap(unavailable.error["details"] as? [[String: String]])
        XCTAssertEqual(details.first?["retryDelay"], "7s")
        assertRefused(try update("vehicleState", Self.online), 429, "RESOURCE_EXHAUSTED", "Injected")
        let html = try updateDelivery("navigationStatus", #"{"navigationStatus":1}"#)
        XCTAssertEqual(html.status, 500)
        XCTAssertEqual(html.text, "<html>")
        XCTAssertEqual(try update("vehicleState", Self.online).text, #"{"a":1}"#)
        XCTAssertEqual(try send("GET", Self.van, token: driver).object["vehicleState"] as? String, "OFFLINE")
        XCTAssertEqual(try update("vehicleState", Self.online).object["vehicleState"] as? String, "ONLINE")
    }

    func testGarbageFaultSpoilsTheAnswerOnly() throws {
        try faults(#"[{"garbage":true}]"#)
        let answer = try update("vehicleState", Self.online)
        XCTAssertEqual(answer.status, 200)
        XCTAssertNil(answer.json)
        XCTAssertEqual(try send("GET", Self.van, token: token("driver/van-17")).object["vehicleState"] as? String, "ONLINE")
    }

    func testDropFaultClosesTheConnectionAfterObeying() throws {
        try faults(#"[{"drop":true}]"#)
        XCTAssertNil(try beginUpdate().answer())
        let entry = try XCTUnwrap(history("?under=/v1/").first)
        XCTAssertEqual(entry["status"] as? Int, 0)
        XCTAssertEqual(entry["fault"] as? String, "drop")
        XCTAssertEqual(try send("GET", Self.van, token: token("driver/van-17")).object["vehicleState"] as? String, "ONLINE")
    }

    func testHangingAnswerComesWhenReleased() throws {
        try faults(#"[{"hang":true}]"#)
        let hanging = try beginUpdate()
        XCTAssertEqual(try history("?under=/v1/&atLeast=1").first?["fault"] as? String, "hang")
        XCTAssertEqual(try update("vehicleState", Self.online).status, 200, "others are served meanwhile")
        XCTAssertEqual(connection.request("POST", "/control/release")?.status, 200)
        XCTAssertEqual(hanging.answer()?.status, 200)
    }

    func testWaitingAtAGateEndsWhenTheClientLeaves() throws {
        var ends: [Int32] = [-1, -1]
        XCTAssertEqual(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends), 0)
        defer { close(ends[0]) }
        let gate = try XCTUnwrap(Gate())
        XCTAssertTrue(gate.wait(milliseconds: 1, client: ends[0]), "the time is over")
        close(ends[1])
        XCTAssertFalse(gate.wait(milliseconds: nil, client: ends[0]))
    }

    func testStoppingLetsHangingRequestsAndLongPollsGo() throws {
        try faults(#"[{"hang":true}]"#)
        let hanging = try beginUpdate()
        XCTAssertEqual(try history("?under=/v1/&atLeast=1").count, 1)
        let poll = HTTPConnection(port: emulator.port)
        poll.send("GET", "/control/history?atLeast=99&timeoutMs=120000")
        emulator.stop()
        _ = hanging.answer()
        _ = poll.answer()
    }

    func testDelayedAnswerComesLate() throws {
        try faults(#"[{"delayMs":60}]"#)
        let begin = ContinuousClock.now
        XCTAssertEqual(try update("vehicleState", Self.online).status, 200)
        XCTAssertGreaterThanOrEqual(ContinuousClock.now - begin, .milliseconds(55))
    }

    func testFaultsThatMakeNoSenseAreRefusedAndOthersCanBeTakenBack() throws {
        for list in [
            "", "{}", "[1]", "[{}]", #"[{"status":99}]"#, #"[{"drop":false}]"#, #"[{"body":"x"}]"#, #"[{"delayMs":-1}]"#, #"[{"what":1}]"#,
        ] {
            assertRefused(try XCTUnwrap(connection.request("POST", "/control/faults", body: list)), 400, "INVALID_ARGUMENT", "faults", list)
        }
        try faults(#"[{"drop":true},{"status":500}]"#)
        XCTAssertEqual(connection.request("DELETE", "/control/faults")?.status, 200)
        XCTAssertEqual(try update("vehicleState", Self.online).status, 200)
    }

    func testPageListsEndpointsAndNewestValues() throws {
        try update("lastLocation", #"{"lastLocation":{"location":{"latitude":48.5,"longitude":9.25},"locationSensor":"GPS"}}"#)
        let page = try XCTUnwrap(connection.request("GET", "/"))
        XCTAssertEqual(page.headers["content-type"], "text/plain; charset=UTF-8")
        let row = page.text.split(separator: "\n").first { $0.hasPrefix("vehicles/van-17") }
        XCTAssertEqual(row?.split(separator: " ").prefix(5), ["vehicles/van-17", "OFFLINE", "-", "48.5", "9.25"])
        for path in ["/token/driver/", "/control/faults", "/v1/providers/"] { XCTAssertTrue(page.text.contains(path), path) }
    }

    func testConcurrentUpdatesAllArrive() throws {
        let (clients, rounds) = (8, 25)
        let port = emulator.port
        let headers = ["Authorization": "Bearer " + (try token("driver/van-17")), "Content-Type": "application/json"]
        let refused = Monitor(0)
        DispatchQueue.concurrentPerform(iterations: clients) { _ in
            let client = HTTPConnection(port: port)
            for _ in 0..<rounds {
                let answer = client.request("PUT", Self.van + "?updateMask=vehicleState", headers: headers, body: Self.online)
                if answer?.status != 200 { refused.withLock { $0 += 1 } }
            }
        }
        XCTAssertEqual(refused.withLock { $0 }, 0)
        let entries = try history("?under=/v1/")
        XCTAssertEqual(entries.count, clients * rounds)
        XCTAssertEqual(entries.compactMap { $0["index"] as? Int }, Array(1...clients * rounds))
    }
}
