import XCTest

@testable import Emulator

/// Quotas and sizes, at a clock that only the control endpoint moves.
final class LimitTests: EmulatorTestCase {
    override var frozenTime: Int64? { 1_769_860_800_250 }

    private static let online = #"{"vehicleState":"ONLINE"}"#

    private func limit(_ body: String) throws {
        let answer = try XCTUnwrap(connection.request("POST", "/control/limits", body: body))
        XCTAssertEqual(answer.status, 200, answer.text)
    }

    private func wait(_ milliseconds: Int) throws {
        XCTAssertEqual(connection.request("POST", "/control/clock", body: #"{"advanceMs":\#(milliseconds)}"#)?.status, 200)
    }

    func testAResourceHasItsQuotaOfRequestsAMinute() throws {
        try limit(#"{"resourceRequestsPerMinute":2}"#)
        XCTAssertEqual(try update("vehicleState", Self.online).status, 200)
        try wait(20_500)
        XCTAssertEqual(try update("nowhere", Self.online).status, 400, "what is refused for other reasons counts, too")
        let refused = try update("vehicleState", Self.online)
        assertRefused(refused, 429, "RESOURCE_EXHAUSTED", "2 requests per minute and resource")
        let details = try XCTUnwrap(refused.error["details"] as? [[String: String]])
        XCTAssertEqual(details.compactMap { $0["reason"] }, ["RATE_LIMIT_EXCEEDED"])
        XCTAssertEqual(details.compactMap { $0["retryDelay"] }, ["40s"])
        XCTAssertEqual(try send("GET", Self.depot, token: token("delivery-driver/depot-3")).status, 200, "others have their own")
        try wait(39_499)
        XCTAssertEqual(try update("vehicleState", Self.online).status, 429)
        try wait(1)
        XCTAssertEqual(try update("vehicleState", Self.online).status, 200)
        try limit(#"{"resourceRequestsPerMinute":null}"#)
        for _ in 0..<3 { XCTAssertEqual(try update("vehicleState", Self.online).status, 200) }
    }

    func testTheProjectHasItsQuotaOverAllResources() throws {
        try limit(#"{"requestsPerMinute":2}"#)
        XCTAssertEqual(try update("vehicleState", Self.online).status, 200)
        XCTAssertEqual(try send("GET", Self.depot, token: token("delivery-driver/depot-3")).status, 200)
        assertRefused(try update("vehicleState", Self.online), 429, "RESOURCE_EXHAUSTED", "2 requests per minute")
        try wait(60_000)
        XCTAssertEqual(try update("vehicleState", Self.online).status, 200)
    }

    func testPastLocationsAndBodiesMayBeLimited() throws {
        let fix = #"{"location":{"latitude":1},"locationSensor":"GPS","updateTime":"2026-01-31T12:00:00Z"}"#
        let past = { (count: Int) in #"{"pastLocations":[\#(Array(repeating: fix, count: count).joined(separator: ","))]}"# }
        try limit(#"{"pastLocations":2}"#)
        XCTAssertEqual(try update("pastLocations", past(2)).status, 200)
        assertRefused(try update("pastLocations", past(3)), 400, "INVALID_ARGUMENT", "vehicle.pastLocations")
        try limit(#"{"pastLocations":null,"bodyBytes":\#(past(3).utf8.count)}"#)
        XCTAssertEqual(try update("pastLocations", past(3)).status, 200)
        let large = try update("pastLocations", past(4))
        XCTAssertEqual(large.status, 413)
        XCTAssertNil(large.json, "a front end answers HTML")
    }

    func testLimitsThatMakeNoSenseAreRefused() throws {
        for body in ["", "[]", #"{"pastLocations":-1}"#, #"{"pastLocations":"2"}"#, #"{"speed":5}"#] {
            let answer = try XCTUnwrap(connection.request("POST", "/control/limits", body: body))
            assertRefused(answer, 400, "INVALID_ARGUMENT", "limits", body)
        }
    }

    func testTheHistoryKeepsTheNewestOfEachPathAndCountsAll() throws {
        var history = History(perPath: 2)
        for index in 0..<120_000 { history.append(path: index % 3 == 0 ? "/a" : "/b", [:]) }
        XCTAssertEqual(history.entries(History.Selection()).map { $0.index }, [119_994, 119_997, 119_998, 119_999])
        XCTAssertEqual(history.entries(History.Selection(since: 119_998, under: "/")).map { $0.path }, ["/b", "/b"])
        var none = History(perPath: 0)
        none.append(path: "/a", [:])
        XCTAssertTrue(none.entries(History.Selection()).isEmpty)
    }
}
