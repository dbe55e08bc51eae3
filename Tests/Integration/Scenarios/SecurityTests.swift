import Foundation
import XCTest

/// Whom the unit talks to over TLS, and whom not: the emulator's second port, with a CA of its own.
final class SecurityTests: XCTestCase {
    private struct Secured {
        let emulator: Emulator
        let folder: TemporaryFolder
        let url: String
        let token: String

        init(_ folder: TemporaryFolder, _ options: [String] = []) throws {
            self.folder = folder
            emulator = try Emulator(["--tls", folder.path("tls")] + options)
            url = try emulator.child.line(after: "tls")
            token = try emulator.token("driver/van-1")
        }

        func file(_ name: String) -> String { folder.path("tls/\(name)") }
        var trusting: [String] { ["--ca-file", file("ca.pem")] }

        /// A unit that reports there.
        func unit(_ options: [String]) throws -> Telematics {
            try Telematics(emulator, gpsd: nil, endpoint: url, tokens: ["--token", token], options)
        }
    }

    /// Its first update fails with any of these words, if there are some, before anything was sent.
    private func assertRefused(_ unit: Telematics, _ words: [String], line: UInt = #line) throws {
        let failure = unit.failures(atLeast: 1).first ?? ""
        XCTAssertTrue(failure.hasPrefix("code 14, HTTP 0: "), failure, line: line)
        XCTAssertTrue(words.isEmpty || words.contains { failure.contains($0) }, failure, line: line)
        unit.child.send(SIGTERM)
        XCTAssertEqual(try unit.child.exitStatus(), 4, unit.child.transcript, line: line)
        XCTAssertEqual(try unit.updates().count, 0, line: line)
    }

    private func assertTaken(_ unit: Telematics, line: UInt = #line) throws {
        try unit.child.line(containing: ", ONLINE")
        unit.child.send(SIGTERM)
        XCTAssertEqual(try unit.child.exitStatus(), 0, unit.child.transcript, line: line)
        XCTAssertEqual(unit.failures(), [], line: line)
    }

    private func openssl(_ arguments: [String]) throws -> Child { try Child(URL(fileURLWithPath: "/usr/bin/openssl"), arguments) }

    func testTheServersCertificateMustBeValidItsOwnAndOfTheAuthority() throws {
        let good = try Secured(temporaryFolder())
        try assertTaken(good.unit(good.trusting))
        let unknown = try Secured(temporaryFolder())
        try assertRefused(unknown.unit([]), ["unable to get local issuer certificate"])
        // That of another emulator is as good as none.
        try assertRefused(unknown.unit(good.trusting), ["unable to get local issuer certificate", "certificate signature failure"])
        let expired = try Secured(temporaryFolder(), ["--certificate-flaw", "expired"])
        try assertRefused(expired.unit(expired.trusting), ["certificate has expired"])
        let misnamed = try Secured(temporaryFolder(), ["--certificate-flaw", "wrong-name"])
        try assertRefused(misnamed.unit(misnamed.trusting), ["no alternative certificate subject name matches"])
    }

    func testMutualTLSNeedsTheClientsCertificateAndItsKey() throws {
        let strict = try Secured(temporaryFolder(), ["--require-client-certificate"])
        let certificate = strict.file("client.pem"), key = strict.file("client-key.pem")
        func shown(_ certificate: String, _ key: String? = nil) throws -> Telematics {
            try strict.unit(strict.trusting + ["--client-certificate", certificate] + (key.map { ["--client-key", $0] } ?? []))
        }
        // What it finds depends on whether the server's alert or its hanging up comes first.
        try assertRefused(strict.unit(strict.trusting), [])
        let stranger = try Secured(temporaryFolder())
        try assertRefused(shown(stranger.file("client.pem"), stranger.file("client-key.pem")), [])
        try assertRefused(shown(certificate, stranger.file("client-key.pem")), ["private key"])
        try assertTaken(shown(certificate, key))
        let both = try [certificate, key].map { try String(contentsOfFile: $0, encoding: .utf8) }.joined()
        try assertTaken(shown(strict.folder.write(both, "both.pem")))
    }

    /// Nobody is there to be asked for the password: the terminal is not.
    func testAnEncryptedKeyIsRefusedAndNotAskedFor() throws {
        let strict = try Secured(temporaryFolder(), ["--require-client-certificate"])
        let encrypted = strict.folder.path("encrypted.pem")
        let encrypting = try openssl([
            "pkcs8", "-topk8", "-in", strict.file("client-key.pem"), "-out", encrypted, "-v2", "aes128", "-passout", "pass:secret",
        ])
        XCTAssertEqual(try encrypting.exitStatus(), 0, encrypting.transcript)
        let options = ["--client-certificate", strict.file("client.pem"), "--client-key", encrypted]
        try assertRefused(strict.unit(strict.trusting + options), ["private key"])
    }

    func testTLSOlderThan12IsNotSpoken() throws {
        let secured = try Secured(temporaryFolder())
        let old = try openssl([
            "s_server", "-accept", "127.0.0.1:0", "-tls1_1", "-cipher", "ALL:@SECLEVEL=0", "-cert", secured.file("server.pem"), "-key",
            secured.file("server-key.pem"),
        ])
        let port = try XCTUnwrap(old.line(after: "ACCEPT").split(separator: ":").last)
        let unit = try Telematics(
            secured.emulator, gpsd: nil, endpoint: "https://127.0.0.1:\(port)", tokens: ["--token", secured.token], secured.trusting)
        try assertRefused(unit, ["protocol version", "unsupported protocol"])
    }

    func testNoTokenIsInTheLog() throws {
        let secured = try Secured(temporaryFolder())
        let file = try secured.folder.write(secured.token, "token")
        let unit = try Telematics(
            secured.emulator, gpsd: nil, endpoint: secured.url, tokens: ["--token-file", file], secured.trusting + ["--log-level", "debug"])
        try unit.child.line(containing: ", ONLINE")
        try secured.emulator.rotateKeys()
        unit.child.send(SIGTERM)
        XCTAssertEqual(try unit.child.exitStatus(), 4, "the token was refused: \(unit.child.transcript)")
        XCTAssertTrue(unit.child.errors.text.contains("milepost debug: "), unit.child.transcript)
        for part in secured.token.split(separator: ".") { XCTAssertFalse(unit.child.transcript.contains(part), "\(part)") }
    }
}
