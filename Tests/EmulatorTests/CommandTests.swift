import XCTest

/// The program itself, as a process.
final class CommandTests: XCTestCase {
    private static var program: URL {
        Bundle(for: CommandTests.self).bundleURL.appendingPathComponent("fleet-engine-emulator")
    }

    private struct Running {
        let process = Process()
        let input = Pipe()
        let output = Pipe()
        let errors = Pipe()

        init(_ arguments: [String]) throws {
            process.executableURL = CommandTests.program
            process.arguments = arguments
            process.standardInput = input
            process.standardOutput = output
            process.standardError = errors
            try process.run()
        }

        func readLine(_ pipe: Pipe) -> String {
            var line = ""
            while let byte = try? pipe.fileHandleForReading.read(upToCount: 1), !byte.isEmpty, byte != Data("\n".utf8) {
                line += String(decoding: byte, as: UTF8.self)
            }
            return line
        }
    }

    private func port(in line: String) throws -> UInt16 {
        XCTAssertTrue(line.hasPrefix("listening http://127.0.0.1:"), line)
        return try XCTUnwrap(UInt16(line.drop { $0 != ":" }.dropFirst().drop { $0 != ":" }.dropFirst()), line)
    }

    func testItSaysWhereItListensWritesThePortFileAndEndsOnSIGTERM() throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: file) }
        let running = try Running(["--port-file", file.path, "--vehicle", "van-17"])
        let port = try port(in: running.readLine(running.output))
        XCTAssertEqual(try String(contentsOf: file, encoding: .utf8), "\(port)\n")
        XCTAssertEqual(HTTPConnection(port: port).request("GET", "/token/driver/van-17")?.status, 200)
        XCTAssertTrue(running.readLine(running.errors).hasSuffix("GET /token/driver/van-17 200"))
        running.process.terminate()
        running.process.waitUntilExit()
        XCTAssertEqual(running.process.terminationReason, .exit)
        XCTAssertEqual(running.process.terminationStatus, 0)
    }

    func testItEndsWithItsStandardInputWhereAskedTo() throws {
        let running = try Running(["--stdin", "--quiet"])
        let port = try port(in: running.readLine(running.output))
        XCTAssertEqual(HTTPConnection(port: port).request("GET", "/token/admin")?.status, 200)
        try running.input.fileHandleForWriting.close()
        running.process.waitUntilExit()
        XCTAssertEqual(running.process.terminationStatus, 0)
        XCTAssertEqual(try running.errors.fileHandleForReading.readToEnd() ?? Data(), Data())
    }

    func testHelpNamesEveryOptionAndWrongUseExits2() throws {
        let help = try Running(["--help"])
        let text = String(decoding: try help.output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        help.process.waitUntilExit()
        XCTAssertEqual(help.process.terminationStatus, 0)
        let options = [
            "--port N", "--port-file", "--provider", "--vehicle", "--delivery-vehicle", "--auto-create", "--token-life", "--stdin",
            "--requests-per-minute N", "--resource-requests-per-minute N", "--history N", "--tls DIR", "--tls-port N",
            "--require-client-certificate",
            "--certificate-flaw F", "--quiet", "--version", "/token/driver/",
        ]
        for option in options { XCTAssertTrue(text.contains(option), option) }
        let wrong = try Running(["--speed"])
        XCTAssertTrue(wrong.readLine(wrong.errors).contains("unknown option --speed"))
        wrong.process.waitUntilExit()
        XCTAssertEqual(wrong.process.terminationStatus, 2)
    }
}
