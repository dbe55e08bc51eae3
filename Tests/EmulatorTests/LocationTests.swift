import XCTest

@testable import Emulator

/// Every fix is counted once, whichever way and however often it came.
final class LocationTests: EmulatorTestCase {
    private func location(_ second: Int) -> String {
        """
        {"supplementalLocation":{"latitude":48.5,"longitude":9},"supplementalLocationTime":"2026-01-31T12:00:\(10 + second)Z",
        "supplementalLocationSensor":"CUSTOMER_SUPPLIED_LOCATION"}
        """
    }

    private func body(last: Int, past: [Int]) -> String {
        #"{"lastLocation":\#(location(last)),"pastLocations":[\#(past.map { location($0) }.joined(separator: ","))]}"#
    }

    private func counted(_ vehicle: String) throws -> [String: Any] {
        let answer = try XCTUnwrap(connection.request("GET", "/control/locations?vehicle=" + vehicle))
        return try XCTUnwrap((answer.json as? [[String: Any]])?.first, answer.text)
    }

    func testPastLocationsAreCountedAndARepeatedFixIsADuplicate() throws {
        try update("lastLocation,pastLocations", body(last: 5, past: [1, 2, 3]))
        try update("lastLocation,pastLocations", body(last: 6, past: [3, 4]))
        let log = try counted("van-17")
        let fixes = try XCTUnwrap(log["fixes"] as? [[String: Any]])
        let expected = [1, 2, 3, 5, 4, 6].map { "2026-01-31T12:00:\(10 + $0)Z" }
        XCTAssertEqual(fixes.compactMap { $0["time"] as? String }, expected)
        XCTAssertEqual(fixes.compactMap { $0["count"] as? Int }, [1, 1, 2, 1, 1, 1])
        XCTAssertEqual(fixes.compactMap { $0["past"] as? Bool }, [true, true, true, false, true, false])
        XCTAssertEqual(["distinct", "duplicates", "past", "untimed"].map { log[$0] as? Int }, [6, 1, 5, 0])
    }

    func testOnlyWhatTheMaskNamesAndTheServerTookIsCounted() throws {
        try update("lastLocation", body(last: 1, past: [0]))
        try faults(#"[{"status":503},{"drop":"before"},{"location":"discard"}]"#)
        try update("lastLocation", body(last: 2, past: []))
        let headers = ["Authorization": "Bearer " + (try token("driver/van-17")), "Content-Type": "application/json"]
        let dropped = HTTPConnection(port: emulator.port).request(
            "PUT", Self.van + "?updateMask=lastLocation", headers: headers, body: body(last: 3, past: []))
        XCTAssertNil(dropped)
        try update("lastLocation", body(last: 4, past: []))
        try update("lastLocation.speed", #"{"lastLocation":{"speed":3}}"#)
        XCTAssertEqual(try update("lastLocation", #"{"lastLocation":{"speed":3,"heading":400}}"#).status, 400)
        try updateDelivery("lastLocation", #"{"lastLocation":{"location":{"latitude":1},"locationSensor":"GPS"}}"#)
        let log = try counted("van-17")
        XCTAssertEqual((log["fixes"] as? [[String: Any]])?.compactMap { $0["time"] as? String }, ["2026-01-31T12:00:11Z"])
        XCTAssertEqual(try counted("depot-3")["untimed"] as? Int, 1)
    }

    func testARetryWhoseAnswerWasLostShowsAsADuplicate() throws {
        try faults(#"[{"garbage":true}]"#)
        for _ in 0..<2 { try update("lastLocation,pastLocations", body(last: 2, past: [1])) }
        XCTAssertEqual(try counted("van-17")["duplicates"] as? Int, 2)
        XCTAssertEqual(try counted("van-17")["distinct"] as? Int, 2)
    }

    func testTheLogKeepsTheNewestFixesAndCountsAll() {
        var log = FixLog()
        for index in 0..<21_000 {
            let time = Timestamp(unixMilliseconds: Int64(index) * 1_000).text
            log.note(["location": .object([:]), "updateTime": .string(time)], isPast: false)
        }
        XCTAssertEqual(log.distinct, 21_000)
        XCTAssertLessThanOrEqual(log.fixes.count, 20_000)
        let last = log.fixes[log.fixes.count - 1].time
        log.note(["location": .object([:]), "updateTime": .string(last)], isPast: true)
        XCTAssertEqual(log.duplicates, 1)
        XCTAssertEqual(log.fixes.last?.count, 2)
    }

    func testStatisticsCountRequestsBytesAndPositionsOfEachResource() throws {
        let driver = try token("driver/van-17")
        let text = body(last: 1, past: [])
        let answer = try update("lastLocation", text)
        _ = try send("GET", Self.van, token: driver)
        XCTAssertEqual(try update("nowhere", text).status, 400)
        _ = try send("GET", Self.depot, token: token("delivery-driver/depot-3"))
        let statistics = try XCTUnwrap(connection.request("GET", "/control/statistics?under=providers/demo-provider/vehicles/"))
        let rows = try XCTUnwrap(statistics.json as? [[String: Any]])
        XCTAssertEqual(rows.compactMap { $0["name"] as? String }, ["providers/demo-provider/vehicles/van-17"])
        XCTAssertEqual(["requests", "updates", "refused", "unanswered"].map { rows[0][$0] as? Int }, [3, 1, 1, 0])
        XCTAssertEqual((rows[0]["locations"] as? [String: Int])?["distinct"], 1)
        let bytes = try XCTUnwrap(rows[0]["requestBytes"] as? Int)
        XCTAssertGreaterThan(bytes, 2 * text.utf8.count + 3 * driver.utf8.count)
        XCTAssertLessThan(bytes, 2 * text.utf8.count + 3 * (driver.utf8.count + 300))
        XCTAssertGreaterThan(try XCTUnwrap(rows[0]["answerBytes"] as? Int), 2 * answer.body.count)
    }

    func testAFleetIsFollowedByCountersAlone() throws {
        var options = EmulatorOptions()
        options.autoCreate = true
        options.historyPerPath = 0
        let fleet = try Emulator(options, clock: Clock(), key: key) { _ in }
        defer { fleet.stop() }
        let headers = ["Authorization": "Bearer " + (try token("driver/*")), "Content-Type": "application/json"]
        let (clients, vehicles, rounds) = (4, 50, 3)
        let bodies = (0..<rounds).map { body(last: $0, past: []) }
        DispatchQueue.concurrentPerform(iterations: clients) { client in
            let connection = HTTPConnection(port: fleet.port)
            for body in bodies {
                for vehicle in 0..<vehicles {
                    let target = "\(Self.root)/vehicles/v\(client)-\(vehicle)?updateMask=lastLocation"
                    _ = connection.request("PUT", target, headers: headers, body: body)
                }
            }
        }
        let answer = try XCTUnwrap(HTTPConnection(port: fleet.port).request("GET", "/control/statistics"))
        let rows = try XCTUnwrap(answer.json as? [[String: Any]])
        XCTAssertEqual(rows.count, clients * vehicles)
        XCTAssertTrue(rows.allSatisfy { $0["updates"] as? Int == rounds && ($0["locations"] as? [String: Int])?["distinct"] == rounds })
        XCTAssertEqual(HTTPConnection(port: fleet.port).request("GET", "/control/history")?.json as? [String], [])
    }
}
