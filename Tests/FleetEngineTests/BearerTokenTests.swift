import FleetEngine
import Foundation
import XCTest

final class BearerTokenTests: XCTestCase {
    private func jwt(_ payload: String) -> String {
        let encoded = Data(payload.utf8).base64EncodedString().replacingOccurrences(of: "+", with: "-").replacingOccurrences(
            of: "/", with: "_")
        return "e30.\(encoded.replacingOccurrences(of: "=", with: "")).c2ln"
    }

    func testALifetimeIsExpiryLessIssue() throws {
        XCTAssertEqual(try BearerToken(jwt(#"{"iat":1700000000,"exp":1700003600,"aud":"ü?>"}"#)).lifetime, 3600)
        XCTAssertEqual(try BearerToken(jwt(#"{"exp":1700003600.9,"iat":1700000000}"#)).lifetime, 3600)
    }

    func testWithoutBothClaimsThereIsNoLifetime() throws {
        for token in [
            "ya29.opaque", "a.b.c", "..", jwt("[]"), jwt(#"{"exp":1700003600}"#), jwt(#"{"exp":"1700003600","iat":"1700000000"}"#),
            jwt(#"{"exp":1,"iat":2}"#), jwt(#"{"exp":1e300,"iat":0}"#), jwt("{\"exp\":"), "e30.?.x", "a.b.c.d",
        ] { XCTAssertNil(try BearerToken(token).lifetime, token) }
    }

    func testRefusesWhatAHeaderCannotCarry() {
        for (text, reason) in [
            ("", "the token is empty"), (String(repeating: "a", count: 16 * 1024 + 1), "the token is longer than 16 KiB"),
            ("a\r\nX: y", "the token holds a character that is not visible ASCII, such as a space or a line break"),
            ("a b", "the token holds a character that is not visible ASCII, such as a space or a line break"),
            ("é", "the token holds a character that is not visible ASCII, such as a space or a line break"),
        ] { XCTAssertThrowsError(try BearerToken(text)) { XCTAssertEqual(($0 as? BearerTokenError)?.reason, reason) } }
        XCTAssertNoThrow(try BearerToken(String(repeating: "a", count: 16 * 1024)))
    }
}
