import XCTest

@testable import Emulator

/// What the emulator's time decides.
final class ClockTests: EmulatorTestCase {
    private static let day = 86_400_000

    private func moveClock(_ body: String) throws {
        let answer = try XCTUnwrap(connection.request("POST", "/control/clock", body: body))
        XCTAssertEqual(answer.status, 200, answer.text)
    }

    private func status(_ target: String, _ account: String, method: String = "GET", body: String? = nil) throws -> Int {
        try send(method, target, token: token(account), body: body).status
    }

    func testVehiclesExpireSevenDaysAfterTheirLastUpdate() throws {
        try moveClock(#"{"advanceMs":\#(6 * Self.day)}"#)
        XCTAssertEqual(try update("vehicleState", #"{"vehicleState":"ONLINE"}"#).status, 200)
        try moveClock(#"{"advanceMs":\#(2 * Self.day)}"#)
        XCTAssertEqual(try status(Self.van, "driver/van-17"), 200, "its update was 2 days ago")
        XCTAssertEqual(try status(Self.depot, "delivery-driver/depot-3"), 404)
        assertRefused(
            try updateDelivery("navigationStatus", #"{"navigationStatus":"NO_GUIDANCE"}"#), 404, "NOT_FOUND", "deliveryVehicles/depot-3")
        XCTAssertEqual((connection.request("GET", "/control/vehicles")?.json as? [Any])?.count, 1)
        XCTAssertEqual(
            try status(Self.root + "/deliveryVehicles?deliveryVehicleId=depot-3", "admin", method: "POST", body: "{}"), 200, "created anew")
        try moveClock(#"{"advanceMs":\#(5 * Self.day + 1_000)}"#)
        XCTAssertEqual(try status(Self.van, "driver/van-17"), 404)
        XCTAssertEqual(try status(Self.depot, "delivery-driver/depot-3"), 200)
    }

    func testTokensExpireByTheMovedClock() throws {
        let old = try token("driver/van-17")
        try moveClock(#"{"advanceMs":3601000}"#)
        assertRefused(try send("GET", Self.van, token: old), 401, "UNAUTHENTICATED", "expired")
        XCTAssertEqual(try status(Self.van, "driver/van-17"), 200)
    }

    func testTokenChecksCanBeSkewed() throws {
        let rows: [(skew: Int, status: Int)] = [(0, 200), (3_601_000, 401), (-660_000, 401), (-540_000, 200), (0, 200)]
        for row in rows {
            try moveClock(#"{"tokenSkewMs":\#(row.skew)}"#)
            XCTAssertEqual(try status(Self.van, "driver/van-17"), row.status, "\(row.skew) ms")
        }
    }

    func testAClockThatMakesNoSenseIsRefused() throws {
        for body in ["", "[]", #"{"advanceMs":"1"}"#, #"{"advanceMs":9999999999999999}"#, #"{"back":1}"#] {
            assertRefused(try XCTUnwrap(connection.request("POST", "/control/clock", body: body)), 400, "INVALID_ARGUMENT", "clock", body)
        }
    }
}
