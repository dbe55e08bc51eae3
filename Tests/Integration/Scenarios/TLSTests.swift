import XCTest

/// Real TLS, under an authority made for the test.
final class TLSTests: XCTestCase {
    /// An authority and two certificates of it: one for loopback, one for another host.
    private struct Authority {
        let folder: TemporaryFolder
        var file: String { folder.path("ca.pem") }

        init(_ folder: TemporaryFolder) throws {
            self.folder = folder
            try folder.write("[req]\ndistinguished_name=name\n[name]\n", "openssl.cnf")
            try make("ca", "Milepost test authority", ["basicConstraints=critical,CA:TRUE", "keyUsage=critical,keyCertSign"])
            for (name, hosts) in [("loopback", "DNS:localhost,IP:127.0.0.1"), ("other", "DNS:fleet.example")] {
                try make(
                    name, name, ["basicConstraints=critical,CA:FALSE", "subjectAltName=\(hosts)"],
                    ["-CA", file, "-CAkey", folder.path("ca.key")])
            }
        }

        private func make(_ name: String, _ subject: String, _ extensions: [String], _ signer: [String] = []) throws {
            var arguments = [
                "req", "-x509", "-config", folder.path("openssl.cnf"), "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
            ]
            arguments += [
                "-days", "2", "-subj", "/CN=\(subject)", "-keyout", folder.path(name + ".key"), "-out", folder.path(name + ".pem"),
            ]
            let openssl = try Child(URL(fileURLWithPath: "/usr/bin/openssl"), arguments + extensions.flatMap { ["-addext", $0] } + signer)
            guard try openssl.exitStatus() == 0 else { throw Failure(openssl.transcript) }
        }

        /// A TLS front to a server, and its port.
        func front(_ certificate: String, to emulator: Emulator) throws -> (child: Child, port: String) {
            let files = [folder.path(certificate + ".pem"), folder.path(certificate + ".key")]
            let child = try Places.python("Integration/Scenarios/tls_proxy.py", files + ["\(emulator.port)"])
            return (child, try child.line(after: "port"))
        }
    }

    func testUpdatesAndTokensTravelUnderACertificateOfTheGivenAuthority() throws {
        let authority = try Authority(temporaryFolder())
        let emulator = try Emulator()
        let front = try authority.front("loopback", to: emulator)
        for host in ["localhost", "127.0.0.1"] {
            let url = "https://\(host):\(front.port)"
            let unit = try Telematics(
                emulator, gpsd: nil, endpoint: url + "/", tokens: Telematics.tokenServer(url + "/token/driver/{vehicle}"),
                ["--ca-file", authority.file])
            try unit.child.line(containing: ", ONLINE")
            unit.child.send(SIGTERM)
            XCTAssertEqual(try unit.child.exitStatus(), 0, unit.child.transcript)
            XCTAssertEqual(unit.failures(), [])
        }
        XCTAssertEqual(try emulator.updates("van-1").compactMap(\.body?.vehicleState), ["ONLINE", "OFFLINE", "ONLINE", "OFFLINE"])
        XCTAssertEqual(try emulator.tokensAsked("van-1").count, 2)
    }

    func testAnUnknownAuthorityAndAnotherHostsCertificateAreRefused() throws {
        let authority = try Authority(temporaryFolder())
        let emulator = try Emulator()
        let token = try emulator.token("driver/van-1")
        let rows: [(certificate: String, options: [String], words: String)] = [
            ("loopback", [], "SSL certificate problem: unable to get local issuer certificate"),
            ("other", ["--ca-file", authority.file], "no alternative certificate subject name matches target host name 'localhost'"),
        ]
        for row in rows {
            let front = try authority.front(row.certificate, to: emulator)
            let url = "https://localhost:\(front.port)"
            let unit = try Telematics(emulator, gpsd: nil, endpoint: url, tokens: ["--token", token], row.options)
            let failure = unit.failures(atLeast: 1).first ?? ""
            XCTAssertTrue(failure.hasPrefix("code 14, HTTP 0: ") && failure.contains(row.words), failure)
            unit.child.send(SIGTERM)
            XCTAssertEqual(try unit.child.exitStatus(), 4, unit.child.transcript)
            // Nor is a token fetched so.
            let asker = try Telematics(emulator, gpsd: nil, tokens: ["--token-url", url + "/token/driver/van-1"], row.options)
            let reason = asker.failures(atLeast: 1).first ?? ""
            XCTAssertTrue(reason.hasPrefix("code 16, HTTP 0: token server: ") && reason.contains(row.words), reason)
        }
        XCTAssertEqual(try emulator.updates("van-1").count, 0)
        XCTAssertEqual(try emulator.tokensAsked("van-1").count, 1, "the test's own")
    }

    func testPlainHTTPIsForLoopbackOnly() throws {
        let emulator = try Emulator()
        for url in [
            "http://192.0.2.1:8080", "http://fleet.example", "http://127.0.0.1.fleet.example", "http://localhost.example",
            "ftp://127.0.0.1",
        ] {
            for (option, unit) in [
                ("--endpoint", try Telematics(emulator, gpsd: nil, endpoint: url)),
                ("--token-url", try Telematics(emulator, gpsd: nil, tokens: ["--token-url", url])),
            ] {
                XCTAssertEqual(try unit.child.exitStatus(), 1, url)
                XCTAssertTrue(
                    unit.child.errors.text.hasPrefix("telematics: \(option): \"\(url)\" would send tokens in the clear"),
                    unit.child.transcript)
            }
        }
    }

    func testAnAuthorityFileThatIsNotThereIsNamed() throws {
        let path = try temporaryFolder().path("ca.pem")
        let unit = try Telematics(Emulator(), gpsd: nil, ["--ca-file", path])
        XCTAssertEqual(try unit.child.exitStatus(), 1)
        XCTAssertEqual(unit.child.errors.text, "telematics: --ca-file: \(path): No such file or directory")
    }
}
