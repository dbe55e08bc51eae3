import XCTest

@testable import Emulator

final class StartTests: XCTestCase {
    func testAutoCreateMakesVehiclesWhenTheyAreAskedFor() throws {
        var options = EmulatorOptions()
        options.autoCreate = true
        options.provider = "acme"
        options.tokenLife = 60
        let emulator = try Emulator(options)
        defer { emulator.stop() }
        let connection = HTTPConnection(port: emulator.port)
        let minted = try XCTUnwrap(connection.request("GET", "/token/delivery-driver/x")).object
        XCTAssertEqual(minted["expiresInSeconds"] as? Int, 60)
        let headers = ["Authorization": "Bearer \(minted["token"] as? String ?? "")"]
        let answer = try XCTUnwrap(connection.request("GET", "/v1/providers/acme/deliveryVehicles/x", headers: headers))
        XCTAssertEqual(answer.object as? [String: String], ["name": "providers/acme/deliveryVehicles/x", "type": "AUTO"])
    }

    func testStartFailsReadablyOnATakenPortAndOnABadVehicle() throws {
        let first = try Emulator(EmulatorOptions())
        defer { first.stop() }
        var options = EmulatorOptions()
        options.port = first.port
        XCTAssertThrowsError(try Emulator(options)) { error in
            XCTAssertTrue(
                (error as? Emulator.StartFailure)?.reason.contains("cannot listen on 127.0.0.1:\(first.port)") == true, "\(error)")
        }
        for ids in [["a/b"], ["twice", "twice"]] {
            var options = EmulatorOptions()
            options.vehicles = ids
            XCTAssertThrowsError(try Emulator(options))
        }
    }

    func testCommandLineIsRead() throws {
        let arguments = try Arguments([
            "--port", "8080", "--provider", "p", "--vehicle", "a", "--vehicle", "b", "--delivery-vehicle", "c", "--auto-create",
            "--token-life",
            "90", "--requests-per-minute", "1000", "--resource-requests-per-minute", "20", "--history", "5", "--quiet", "--stdin",
            "--port-file", "f",
        ])
        XCTAssertEqual(arguments.options.port, 8_080)
        XCTAssertEqual(arguments.options.provider, "p")
        XCTAssertEqual(arguments.options.vehicles, ["a", "b"])
        XCTAssertEqual(arguments.options.deliveryVehicles, ["c"])
        XCTAssertTrue(arguments.options.autoCreate && arguments.isQuiet && arguments.watchesInput)
        XCTAssertEqual(arguments.options.tokenLife, 90)
        XCTAssertEqual(arguments.portFile, "f")
        XCTAssertEqual(arguments.options.limits.requestsPerMinute, 1_000)
        XCTAssertEqual(arguments.options.limits.resourceRequestsPerMinute, 20)
        XCTAssertEqual(arguments.options.historyPerPath, 5)
        XCTAssertEqual(try Arguments(["--help"]).task, .help)
        XCTAssertEqual(try Arguments(["--version"]).task, .version)
    }

    func testWrongCommandLineIsRefused() {
        let rows = [
            ["--port"], ["--port", "65536"], ["--port", "x"], ["--token-life", "0"], ["--token-life", "3601"], ["--vehicle", "a/b"],
            ["--provider", ""], ["--history", "-1"], ["--requests-per-minute"], ["--speed"], ["van-17"],
        ]
        for row in rows { XCTAssertThrowsError(try Arguments(row), row.joined(separator: " ")) }
    }
}
