import XCTest

@testable import Emulator

/// Faults beyond a status: which requests they meet, and what is left of the answer.
final class FaultTests: EmulatorTestCase {
    private static let online = #"{"vehicleState":"ONLINE"}"#

    private func state() throws -> String? {
        try send("GET", Self.van, token: token("driver/van-17")).object["vehicleState"] as? String
    }

    private func updateOnItsOwnConnection() throws -> HTTPConnection.Answer? {
        let headers = ["Authorization": "Bearer " + (try token("driver/van-17")), "Content-Type": "application/json"]
        return HTTPConnection(port: emulator.port).request(
            "PUT", Self.van + "?updateMask=vehicleState", headers: headers, body: Self.online)
    }

    func testAFaultMeetsTheNextRequestsOfItsMethodAndPath() throws {
        try faults(#"[{"method":"GET","path":"\#(Self.van)","times":2,"status":503},{"path":"/token/","status":500}]"#)
        XCTAssertEqual(connection.request("GET", "/token/admin")?.status, 500)
        let driver = try token("driver/*")
        XCTAssertEqual(try update("vehicleState", Self.online).status, 200)
        XCTAssertEqual(try send("GET", Self.depot, token: token("delivery-driver/*")).status, 200)
        XCTAssertEqual(try (0..<3).map { _ in try send("GET", Self.van, token: driver).status }, [503, 503, 200])
    }

    func testARefusalCarriesTheCodeTheMessageAndTheDetailsAskedFor() throws {
        try faults(
            #"[{"code":"FAILED_PRECONDITION","message":"no","reason":"STALE"},{"status":429,"retryInfo":12},{"status":429,"retryAfter":3,"retryInfo":12}]"#
        )
        let first = try update("vehicleState", Self.online)
        assertRefused(first, 400, "FAILED_PRECONDITION", "no")
        XCTAssertEqual((first.error["details"] as? [[String: String]])?.first?["reason"], "STALE")
        for header in [nil, "3"] {
            let answer = try update("vehicleState", Self.online)
            assertRefused(answer, 429, "RESOURCE_EXHAUSTED", "Injected")
            XCTAssertEqual(answer.headers["retry-after"], header)
            XCTAssertEqual((answer.error["details"] as? [[String: String]])?.first?["retryDelay"], "12s")
        }
    }

    func testAConnectionIsDroppedBeforeOrAfterTheUpdate() throws {
        try faults(#"[{"drop":"before"}]"#)
        XCTAssertNil(try updateOnItsOwnConnection())
        XCTAssertEqual(try state(), "OFFLINE")
        try faults(#"[{"drop":"after"}]"#)
        XCTAssertNil(try updateOnItsOwnConnection())
        XCTAssertEqual(try state(), "ONLINE")
        XCTAssertEqual(try history("?under=/v1/").compactMap { $0["fault"] as? String }, ["drop before", "drop"])
    }

    func testAnAnswerIsCutOffAfterSoManyBytes() throws {
        try faults(#"[{"truncate":10}]"#)
        let client = HTTPConnection(port: emulator.port)
        let headers = ["Authorization": "Bearer " + (try token("driver/van-17")), "Content-Type": "application/json"]
        client.send("PUT", Self.van + "?updateMask=vehicleState", headers: headers, body: Self.online)
        XCTAssertNil(client.answer(), "the body is shorter than its length")
        XCTAssertEqual(client.bytesLeft, Array(#"{"name":"p"#.utf8))
        XCTAssertEqual(try state(), "ONLINE")
    }

    func testADelayGoesWithAnotherFault() throws {
        try faults(#"[{"status":503,"delayMs":60}]"#)
        let begin = ContinuousClock.now
        XCTAssertEqual(try update("vehicleState", Self.online).status, 503)
        XCTAssertGreaterThanOrEqual(ContinuousClock.now - begin, .milliseconds(55))
        XCTAssertEqual(try history("?under=/v1/").last?["fault"] as? String, "status 503, delay 60 ms")
    }

    func testThePositionIsDiscardedOrMovedByTheServer() throws {
        let body = { (latitude: Int) in
            #"{"vehicleState":"ONLINE","lastLocation":{"location":{"latitude":\#(latitude),"longitude":9},"locationSensor":"GPS"}}"#
        }
        let shown = { (answer: HTTPConnection.Answer) in (answer.object["lastLocation"] as? [String: Any]) ?? [:] }
        try update("lastLocation", body(48))
        try faults(#"[{"location":"discard"},{"location":{"latitude":50.5,"longitude":8}}]"#)
        let discarded = try update("vehicleState,lastLocation", body(10))
        XCTAssertEqual((shown(discarded)["location"] as? [String: Double])?["latitude"], 48)
        XCTAssertEqual(discarded.object["vehicleState"] as? String, "ONLINE")
        let moved = try update("lastLocation", body(49))
        XCTAssertEqual(shown(moved)["location"] as? [String: Double], ["latitude": 50.5, "longitude": 8])
        XCTAssertEqual(shown(moved)["locationSensor"] as? String, "FLEET_ENGINE_LOCATION")
        XCTAssertEqual((shown(try update("lastLocation", body(49)))["location"] as? [String: Double])?["latitude"], 49)
    }

    func testFaultsThatContradictThemselvesAreRefused() throws {
        for list in [
            #"[{"times":2}]"#, #"[{"path":"/v1/"}]"#, #"[{"drop":true,"status":500}]"#, #"[{"drop":true,"truncate":1}]"#,
            #"[{"code":"NOPE"}]"#, #"[{"times":0,"drop":true}]"#, #"[{"truncate":-1}]"#, #"[{"location":"home"}]"#,
            #"[{"location":{"latitude":91}}]"#, #"[{"drop":"later"}]"#, #"[{"retryInfo":3}]"#,
        ] {
            assertRefused(try XCTUnwrap(connection.request("POST", "/control/faults", body: list)), 400, "INVALID_ARGUMENT", "faults", list)
        }
    }
}
