import XCTest

@testable import Emulator

/// The second port, seen by the openssl program.
final class TLSTests: XCTestCase {
    private var folder: URL!

    override func setUpWithError() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    }

    override func tearDown() { try? FileManager.default.removeItem(at: folder) }

    private func start(_ change: (inout TLSOptions) -> Void = { _ in }) throws -> Emulator {
        var options = EmulatorOptions()
        var tls = TLSOptions(folder: folder.path)
        change(&tls)
        options.tls = tls
        return try Emulator(options)
    }

    private func path(_ file: String) -> String { folder.appendingPathComponent(file).path }

    private func openssl(_ arguments: [String], input: String = "") throws -> (status: Int32, output: String) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["openssl"] + arguments
        let (pipe, stdin) = (Pipe(), Pipe())
        process.standardInput = stdin
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        try stdin.fileHandleForWriting.write(contentsOf: Data(input.utf8))
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        try stdin.fileHandleForWriting.close()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: output, as: UTF8.self))
    }

    /// What comes back for a token, if a client that checks everything gets so far.
    private func ask(_ emulator: Emulator, host: String = "127.0.0.1", _ more: [String] = []) throws -> String {
        let arguments = [
            "s_client", "-connect", "127.0.0.1:\(emulator.tlsPort)", "-CAfile", path("ca.pem"), "-verify_return_error", "-verify_ip", host,
            "-quiet",
        ]
        let request = "GET /token/admin HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
        return try openssl(arguments + more, input: request).output
    }

    private static let success = "HTTP/1.1 200 OK"

    func testTheServerHasACertificateOfTheCAThatItMade() throws {
        let emulator = try start()
        defer { emulator.stop() }
        XCTAssertTrue(try ask(emulator).contains(Self.success))
        XCTAssertFalse(try ask(emulator, host: "127.0.0.2").contains(Self.success), "its name is checked")
        XCTAssertEqual(HTTPConnection(port: emulator.port).request("GET", "/token/admin")?.status, 200, "the other port stays plain")
        XCTAssertNotEqual(emulator.port, emulator.tlsPort)
        let check = try openssl(["verify", "-x509_strict", "-CAfile", path("ca.pem"), path("server.pem"), path("client.pem")])
        XCTAssertEqual(check.status, 0, check.output)
        for key in ["server-key.pem", "client-key.pem"] {
            let attributes = try FileManager.default.attributesOfItem(atPath: path(key))
            XCTAssertEqual((attributes[.posixPermissions] as? NSNumber)?.intValue, 0o600, key)
        }
    }

    func testOnlyTLS12AndNewerAreSpoken() throws {
        let emulator = try start()
        defer { emulator.stop() }
        for (version, isTaken) in [("-tls1_3", true), ("-tls1_2", true), ("-tls1_1", false)] {
            XCTAssertEqual(try ask(emulator, [version, "-cipher", "ALL:@SECLEVEL=0"]).contains(Self.success), isTaken, version)
        }
    }

    func testAClientNeedsItsCertificateWhereThatIsAskedFor() throws {
        let emulator = try start { $0.requiresClientCertificate = true }
        defer { emulator.stop() }
        let identity = { (name: String) in ["-cert", self.path("\(name).pem"), "-key", self.path("\(name)-key.pem")] }
        for version in ["-tls1_2", "-tls1_3"] {
            XCTAssertTrue(try ask(emulator, identity("client") + [version]).contains(Self.success), version)
            XCTAssertFalse(try ask(emulator, [version]).contains(Self.success), "none, \(version)")
            XCTAssertFalse(try ask(emulator, identity("server") + [version]).contains(Self.success), "a server's, \(version)")
        }
        let stranger = try XCTUnwrap(TestCertificates(flaw: nil))
        let other = folder.appendingPathComponent("other")
        try stranger.write(into: other.path)
        let foreign = ["-cert", other.path + "/client.pem", "-key", other.path + "/client-key.pem"]
        XCTAssertFalse(try ask(emulator, foreign).contains(Self.success), "of another CA")
    }

    func testTheServersCertificateMayBeFlawed() throws {
        for (flaw, words) in [(TLSOptions.Flaw.expired, "certificate has expired"), (.wrongName, "IP address mismatch")] {
            let emulator = try start { $0.flaw = flaw }
            defer { emulator.stop() }
            let answer = try ask(emulator)
            XCTAssertTrue(answer.contains(words), answer)
            XCTAssertFalse(answer.contains(Self.success))
        }
    }

    func testBothPortsAreOnTheLoopbackAddressOnly() throws {
        let emulator = try start()
        defer { emulator.stop() }
        for port in [emulator.port, emulator.tlsPort] {
            XCTAssertTrue(Self.canConnect("127.0.0.1", port))
            XCTAssertFalse(Self.canConnect("127.0.0.2", port), "this host, but not the address")
        }
    }

    private static func canConnect(_ host: String, _ port: UInt16) -> Bool {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(socket) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = inet_addr(host)
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0 }
        }
    }

    func testStartFailsReadablyWithoutItsFolder() throws {
        folder.appendPathComponent("missing/tls")
        XCTAssertThrowsError(try start()) { error in
            XCTAssertTrue((error as? Emulator.StartFailure)?.reason.hasPrefix("cannot write \(folder.path)") == true, "\(error)")
        }
    }

    func testTheCommandLineNamesTLS() throws {
        let arguments = try Arguments([
            "--tls-port", "8443", "--require-client-certificate", "--tls", "certificates", "--certificate-flaw", "wrong-name",
        ])
        XCTAssertEqual(arguments.options.tls?.folder, "certificates")
        XCTAssertEqual(arguments.options.tls?.port, 8_443)
        XCTAssertEqual(arguments.options.tls?.requiresClientCertificate, true)
        XCTAssertEqual(arguments.options.tls?.flaw, .wrongName)
        XCTAssertNil(try Arguments([]).options.tls)
        for row in [["--require-client-certificate"], ["--tls-port", "1"], ["--tls"], ["--tls", "d", "--certificate-flaw", "ugly"]] {
            XCTAssertThrowsError(try Arguments(row), row.joined(separator: " "))
        }
    }
}
