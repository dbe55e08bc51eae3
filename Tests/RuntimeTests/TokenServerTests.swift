import Reporting
import XCTest

@testable import Runtime

final class TokenServerTests: XCTestCase {
    private func server(
        _ url: String = "https://tokens.example.org/t", key: String = "token", expiryKey: String? = nil,
        expiry: TokenServer.Expiry = .secondsFromNow
    ) throws -> TokenServer {
        TokenServer(url: try Endpoint(checking: url), tokenKey: key, expiryKey: expiryKey, expiry: expiry)
    }

    private func context(vehicle: String = "van-1", task: String? = nil, trip: String? = nil) -> TokenContext {
        TokenContext(provider: "my-project", vehicle: vehicle, task: task, trip: trip)
    }

    // MARK: the address

    func testPlaceholdersAreReplacedWhereverTheyStand() throws {
        let server = try server("https://x.org/{provider}/{vehicle}?task={task}&trip={trip}&again={vehicle}")
        XCTAssertEqual(
            server.address(for: context(task: "task-2", trip: "trip-3")),
            "https://x.org/my-project/van-1?task=task-2&trip=trip-3&again=van-1")
    }

    func testAMissingTaskOrTripIsEmpty() throws {
        XCTAssertEqual(try server("https://x.org/{task}/{trip}/end").address(for: context()), "https://x.org///end")
    }

    func testIDsArePercentEncodedByteByByte() throws {
        XCTAssertEqual(
            try server("https://x.org/{vehicle}/").address(for: context(vehicle: "a b&c=d%é{trip}")),
            "https://x.org/a%20b%26c%3Dd%25%C3%A9%7Btrip%7D/")
    }

    func testWhatIsNoPlaceholderStaysAsItIs() throws {
        let url = "https://x.org/{Vehicle}/{}/{vehicle/"
        XCTAssertEqual(try server(url).address(for: context()), url)
    }

    // MARK: the answer

    private func token(_ server: TokenServer, _ body: String, status: Int = 200, unixNow: Int64 = 0) throws -> FetchedToken {
        try server.token(from: .answer(status: status, body: Array(body.utf8), retryAfter: nil), unixNow: unixNow).get()
    }

    private func failure(_ server: TokenServer, _ result: TransportResult) -> String {
        switch server.token(from: result, unixNow: 0) {
        case .success(let token): "a token: \(token)"
        case .failure(let failure): failure.message
        }
    }

    private func failure(_ server: TokenServer, _ body: String, status: Int = 200) -> String {
        failure(server, .answer(status: status, body: Array(body.utf8), retryAfter: nil))
    }

    func testTheTokenIsTheMemberOfThatName() throws {
        let token = try token(server(key: "jwt"), #"{"token":"other","jwt":"mine","expires":5}"#)
        XCTAssertEqual(token.token, "mine")
        XCTAssertNil(token.goodFor)
    }

    func testTheExpiryMeansWhatTheHostSays() throws {
        let now: Int64 = 1_790_000_000 * 1_000_000_000
        let kinds: [(TokenServer.Expiry, String)] = [
            (.secondsFromNow, "3600"), (.unixSeconds, "1790003600"), (.unixMilliseconds, "1790003600000"),
        ]
        for (kind, number) in kinds {
            let server = try server(expiryKey: "e", expiry: kind)
            XCTAssertEqual(try token(server, #"{"token":"t","e":\#(number)}"#, unixNow: now).goodFor, 3600, "\(kind)")
        }
    }

    func testAnExpiryInThePastLeavesNoTimeAndAFarOneIsBounded() throws {
        let server = try server(expiryKey: "e")
        XCTAssertEqual(try token(server, #"{"token":"t","e":-5}"#).goodFor, 0)
        XCTAssertEqual(try token(server, #"{"token":"t","e":1e300}"#).goodFor, 3_200_000_000)
        XCTAssertEqual(try token(server, #"{"token":"t","e":59.9}"#).goodFor, 59)
    }

    func testWhatIsMissingIsNamed() throws {
        let server = try server(key: "jwt", expiryKey: "expires")
        XCTAssertTrue(failure(server, #"{"token":"t"}"#).contains("\"jwt\""))
        XCTAssertTrue(failure(server, #"{"jwt":7,"expires":1}"#).contains("\"jwt\""))
        XCTAssertTrue(failure(server, #"{"jwt":"t"}"#).contains("\"expires\""))
        XCTAssertTrue(failure(server, #"{"jwt":"t","expires":"soon"}"#).contains("\"expires\""))
        XCTAssertTrue(failure(server, #"["jwt"]"#).contains("\"jwt\""))
    }

    func testWhatIsNoAnswerIsSaid() throws {
        let server = try server()
        XCTAssertTrue(failure(server, "<html>").contains("not JSON"))
        XCTAssertTrue(failure(server, "").contains("not JSON"))
        XCTAssertTrue(failure(server, #"{"token":"t"}"#, status: 503).contains("503"))
        XCTAssertTrue(failure(server, .failed(timedOut: true, message: "no route to host")).contains("no route to host"))
    }
}
