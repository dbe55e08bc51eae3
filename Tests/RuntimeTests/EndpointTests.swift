import XCTest

@testable import Runtime

/// A bearer token must not travel in the clear: https everywhere, http on the loopback only.
final class EndpointTests: XCTestCase {
    func testHTTPSIsTakenWhateverTheHost() throws {
        for url in [
            "https://fleetengine.googleapis.com", "https://127.evil.com:8443/base", "HTTPS://example.org/", "https://[2001:db8::1]",
        ] {
            let endpoint = try Endpoint(checking: url)
            XCTAssertTrue(endpoint.isSecure, url)
            XCTAssertEqual(endpoint.url, url)
        }
    }

    func testHTTPIsTakenOnTheLoopback() throws {
        for url in ["http://127.0.0.1", "http://127.0.0.1:8080/", "http://127.255.3.4", "http://localhost:1", "http://[::1]:8080/base"] {
            XCTAssertFalse(try Endpoint(checking: url).isSecure, url)
        }
    }

    func testHTTPIsTakenAnywhereWhenTheHostSaysSo() throws {
        XCTAssertFalse(try Endpoint(checking: "http://192.168.0.1:8080", allowsHTTP: true).isSecure)
        XCTAssertTrue(try Endpoint(checking: "https://192.168.0.1", allowsHTTP: true).isSecure)
        XCTAssertThrowsError(try Endpoint(checking: "ftp://192.168.0.1", allowsHTTP: true))
    }

    func testHTTPIsRefusedAnywhereElse() {
        let urls = [
            "http://127.evil.com", "http://127.0.0.1.evil.com", "http://127.0.0.evil", "http://localhost.evil.com",
            "http://evil.com/127.0.0.1",
            "http://127.0.0.1@evil.com", "http://evil.com#127.0.0.1", "http://evil.com?localhost", "http://192.168.0.1", "http://0.0.0.0",
            "http://[::2]", "http://128.0.0.1",
        ]
        for url in urls { assertRefused(url, saying: "in the clear") }
    }

    func testWhatIsNoURLOrOfAnotherSchemeIsRefusedByName() {
        for url in ["", "fleet", "://", "https://", "127.0.0.1:80 80", "https://" + String(repeating: "x", count: 2100)] {
            assertRefused(url, saying: "\"\(url)\"")
        }
        for url in ["ftp://127.0.0.1", "file:///etc/passwd"] { assertRefused(url, saying: "\"\(url)\"") }
    }

    func testATargetFollowsWithExactlyOneSlash() throws {
        XCTAssertEqual(try Endpoint(checking: "https://x.org").address(of: "/v1/a"), "https://x.org/v1/a")
        XCTAssertEqual(try Endpoint(checking: "https://x.org/").address(of: "/v1/a"), "https://x.org/v1/a")
        XCTAssertEqual(try Endpoint(checking: "https://x.org/base/").address(of: "/v1/a"), "https://x.org/base/v1/a")
    }

    private func assertRefused(_ url: String, saying words: String, line: UInt = #line) {
        do throws(HostError) {
            _ = try Endpoint(checking: url)
            XCTFail("\(url) was taken", line: line)
        } catch {
            XCTAssertEqual(error.kind, .argument, line: line)
            XCTAssertTrue(error.message.contains(words), error.message, line: line)
        }
    }
}
