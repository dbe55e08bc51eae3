import Foundation
import XCTest

@testable import Emulator

/// An emulator with the vehicles van-17 and depot-3, and requests to it.
class EmulatorTestCase: XCTestCase {
    static let root = "/v1/providers/demo-provider"
    static let van = root + "/vehicles/van-17"
    static let depot = root + "/deliveryVehicles/depot-3"
    /// The vector that Google's own log gave: five vertices in the Bay Area.
    static let segment = "AhYFIoF_XZ6GAPV1plu2AYQNAA=="

    /// Making one takes most of a test's time.
    private static let sharedKey = SigningKey()

    /// Unix milliseconds; nil for the real clock.
    var frozenTime: Int64? { nil }
    private(set) var emulator: Emulator!
    private(set) var connection: HTTPConnection!

    override func setUpWithError() throws {
        var options = EmulatorOptions()
        options.vehicles = ["van-17"]
        options.deliveryVehicles = ["depot-3"]
        var clock = Clock()
        if let frozenTime { clock.unix = { frozenTime } }
        emulator = try Emulator(options, clock: clock, key: XCTUnwrap(Self.sharedKey)) { _ in }
        connection = HTTPConnection(port: emulator.port)
    }

    override func tearDown() {
        emulator.stop()
        emulator = nil
        connection = nil
    }

    func token(_ path: String) throws -> String {
        let answer = try XCTUnwrap(connection.request("GET", "/token/" + path))
        return try XCTUnwrap(answer.object["token"] as? String, answer.text)
    }

    /// A token over claims that are like a driver's of van-17, but for the changes.
    func token(changing change: (inout JSONObject) -> Void) throws -> String {
        var claims = driverClaims
        change(&claims)
        return try XCTUnwrap(key.sign(claims))
    }

    var key: SigningKey { emulator.state.withLock { $0.key } }

    var driverClaims: JSONObject {
        Tokens.claims(
            account: .driver, authorization: ["vehicleid": .string("van-17")], provider: "demo-provider", life: 3_600,
            now: emulator.clock.unix())
    }

    func send(
        _ method: String, _ target: String, token: String, body: String? = nil, contentType: String = "application/json"
    ) throws -> HTTPConnection.Answer {
        var headers = ["Authorization": "Bearer " + token]
        if body != nil { headers["Content-Type"] = contentType }
        return try XCTUnwrap(connection.request(method, target, headers: headers, body: body), "no answer to \(method) \(target)")
    }

    /// Updates van-17 as its driver.
    @discardableResult
    func update(_ mask: String, _ body: String) throws -> HTTPConnection.Answer {
        try send("PUT", Self.van + "?updateMask=" + mask, token: token("driver/van-17"), body: body)
    }

    /// Updates depot-3 as its driver.
    @discardableResult
    func updateDelivery(_ mask: String, _ body: String) throws -> HTTPConnection.Answer {
        try send("PATCH", Self.depot + "?updateMask=" + mask, token: token("delivery-driver/depot-3"), body: body)
    }

    func history(_ query: String = "") throws -> [[String: Any]] {
        let answer = try XCTUnwrap(HTTPConnection(port: emulator.port).request("GET", "/control/history" + query))
        return try XCTUnwrap(answer.json as? [[String: Any]], answer.text)
    }

    func faults(_ list: String) throws {
        let answer = try XCTUnwrap(connection.request("POST", "/control/faults", body: list))
        XCTAssertEqual(answer.status, 200, answer.text)
    }

    /// Asserts an error in Google's form whose message holds some words.
    func assertRefused(
        _ answer: HTTPConnection.Answer, _ status: Int, _ code: String, _ words: String, _ context: String = "",
        file: StaticString = #filePath, line: UInt = #line
    ) {
        XCTAssertEqual(answer.status, status, "\(context) \(answer.text)", file: file, line: line)
        XCTAssertEqual(answer.error["code"] as? Int, status, context, file: file, line: line)
        XCTAssertEqual(answer.canonicalCode, code, context, file: file, line: line)
        XCTAssertTrue(answer.message.contains(words), "\(context): \(answer.message) lacks \(words)", file: file, line: line)
    }
}
