import CEmulator
import XCTest

@testable import Emulator

final class AuthorizationTests: EmulatorTestCase {
    private func get(_ token: String) throws -> HTTPConnection.Answer { try send("GET", Self.van, token: token) }

    func testTokenCarriesTheDocumentedHeaderAndClaims() throws {
        let rows: [(path: String, authorization: [String: String])] = [
            ("driver/van-17", ["vehicleid": "van-17"]),
            ("driver/*", ["vehicleid": "*"]),
            ("delivery-driver/depot-3", ["deliveryvehicleid": "depot-3"]),
            ("delivery-driver/depot-3?taskId=parcel", ["deliveryvehicleid": "depot-3", "taskid": "parcel"]),
            ("consumer/trip-1", ["tripid": "trip-1"]),
            ("driver/van-17?tripId=trip-1", ["vehicleid": "van-17", "tripid": "trip-1"]),
            ("delivery-consumer/parcel", ["trackingid": "parcel"]),
            ("admin", ["vehicleid": "*", "deliveryvehicleid": "*", "tripid": "*", "taskid": "*", "trackingid": "*"]),
        ]
        for row in rows {
            let before = Int(Date().timeIntervalSince1970)
            let answer = try XCTUnwrap(connection.request("GET", "/token/" + row.path)).object
            let parts = try XCTUnwrap(answer["token"] as? String).components(separatedBy: ".")
            XCTAssertEqual(parts.count, 3)
            let header = try Self.json(base64URL: parts[0])
            XCTAssertEqual(header["alg"] as? String, "RS256")
            XCTAssertEqual(header["typ"] as? String, "JWT")
            XCTAssertEqual(header["kid"] as? String, key.id)
            let claims = try Self.json(base64URL: parts[1])
            XCTAssertEqual(claims["aud"] as? String, "https://fleetengine.googleapis.com/")
            XCTAssertEqual(claims["iss"] as? String, claims["sub"] as? String)
            XCTAssertTrue(try XCTUnwrap(claims["sub"] as? String).hasSuffix("@demo-provider.iam.gserviceaccount.com"))
            XCTAssertEqual(claims["authorization"] as? [String: String], row.authorization)
            let issued = try XCTUnwrap(claims["iat"] as? Int)
            XCTAssertGreaterThanOrEqual(issued, before)
            XCTAssertEqual(claims["exp"] as? Int, issued + 3_600)
            XCTAssertEqual(answer["expirationTimestamp"] as? Int, issued + 3_600)
            XCTAssertEqual(answer["expiresInSeconds"] as? Int, 3_600)
        }
    }

    func testTokenEndpointRefusesWhatItDoesNotMint() throws {
        for path in ["driver", "driver/a/b", "pilot/x", "admin/x"] {
            assertRefused(try XCTUnwrap(connection.request("GET", "/token/" + path)), 404, "NOT_FOUND", "Method not found", path)
        }
        assertRefused(try XCTUnwrap(connection.request("GET", "/token/driver/a%2Fb")), 400, "INVALID_ARGUMENT", "id")
    }

    func testRequestWithoutTokenIsUnauthenticated() throws {
        assertRefused(try XCTUnwrap(connection.request("GET", Self.van)), 401, "UNAUTHENTICATED", "Authorization header is missing")
        for header in ["Basic dTpw", "Bearer", ""] {
            let answer = try XCTUnwrap(connection.request("GET", Self.van, headers: ["Authorization": header]))
            XCTAssertEqual(answer.status, 401, header)
            XCTAssertEqual(answer.canonicalCode, "UNAUTHENTICATED", header)
        }
    }

    func testClaimsThatGoogleRefusesAreUnauthenticated() throws {
        let now = emulator.clock.unix() / 1_000
        let rows: [(words: String, change: (inout JSONObject) -> Void)] = [
            ("aud", { $0["aud"] = .string("https://fleetengine.googleapis.com") }),
            ("aud", { $0["aud"] = nil }),
            ("iss", { $0["iss"] = .string("someone@else") }),
            ("iss", { $0["sub"] = nil }),
            ("iat or exp", { $0["exp"] = nil }),
            ("iat or exp", { $0["iat"] = .string("now") }),
            ("no time", { $0["exp"] = .integer(.max) }),
            ("no time", { $0["iat"] = .integer(.min) }),
            ("10 min ahead", { $0["iat"] = .integer(now + 700) }),
            ("1 h after", { $0["exp"] = .integer(now + 3_700) }),
            (
                "expired",
                {
                    $0["iat"] = .integer(now - 3_600)
                    $0["exp"] = .integer(now - 1)
                }
            ),
        ]
        for row in rows {
            assertRefused(try get(token(changing: row.change)), 401, "UNAUTHENTICATED", row.words)
        }
    }

    func testClockSkewOfUnderTenMinutesIsForgiven() throws {
        let answer = try get(
            token {
                $0["iat"] = .integer(emulator.clock.unix() / 1_000 + 540)
                $0["exp"] = .integer(emulator.clock.unix() / 1_000 + 4_000)
            })
        XCTAssertEqual(answer.status, 200, answer.text)
    }

    func testForgedTokensAreUnauthenticated() throws {
        let claims = JSON.object(driverClaims).text
        let genuine = try token("driver/van-17")
        let stranger = try XCTUnwrap(SigningKey())
        let sign: (String, String?, String) throws -> String = { try XCTUnwrap(taken(emu_jwt_sign(claims, $0, $1, $2))) }
        let rows: [(words: String, token: String)] = [
            ("not a JWT", "opaque"),
            ("not a JWT", "a.b.c"),
            ("not a JWT", String(repeating: "A", count: 4_000)),
            ("signature", String(genuine.dropLast(8)) + "AAAAAAAA"),
            ("signature", try sign("RS256", key.id, stranger.privatePEM)),
            ("alg", try sign("HS256", key.id, key.publicPEM)),
            ("alg", try sign("none", nil, "")),
            ("kid", try sign("RS256", nil, key.privatePEM)),
            ("kid", try sign("RS256", "another", key.privatePEM)),
        ]
        for row in rows { assertRefused(try get(row.token), 401, "UNAUTHENTICATED", row.words) }
        XCTAssertEqual(try get(genuine).status, 200)
    }

    func testRotatingTheKeyMakesOldTokensInvalid() throws {
        let old = try token("driver/van-17")
        XCTAssertEqual(connection.request("POST", "/control/keys/rotate")?.status, 200)
        assertRefused(try get(old), 401, "UNAUTHENTICATED", "signature")
        XCTAssertEqual(try get(token("driver/van-17")).status, 200)
    }

    func testTokenForAnotherResourceIsDenied() throws {
        let paths = ["driver/van-18", "delivery-driver/van-17", "consumer/van-17"]
        for path in paths { assertRefused(try get(token(path)), 403, "PERMISSION_DENIED", "does not cover", path) }
        assertRefused(try get(token { $0["authorization"] = nil }), 403, "PERMISSION_DENIED", "no scopes")
        let outsider = try token {
            $0["iss"] = .string("driver@elsewhere.iam.gserviceaccount.com")
            $0["sub"] = $0["iss"]
        }
        assertRefused(try get(outsider), 403, "PERMISSION_DENIED", "no role")
    }

    func testWildcardClaimCoversEveryVehicle() throws {
        XCTAssertEqual(try get(token("driver/*")).status, 200)
        XCTAssertEqual(try send("GET", Self.depot, token: token("delivery-driver/*")).status, 200)
    }

    func testUnknownProviderIsDenied() throws {
        let answer = try send("GET", "/v1/providers/other/vehicles/van-17", token: token("driver/van-17"))
        assertRefused(answer, 403, "PERMISSION_DENIED", "provider other")
    }

    func testDriverMayNeitherCreateNorDelete() throws {
        let body = #"{"vehicleState":"OFFLINE","supportedTripTypes":["SHARED"],"maximumCapacity":1,"vehicleType":{"category":"AUTO"}}"#
        let create = try send("POST", Self.root + "/vehicles?vehicleId=van-18", token: token("driver/van-18"), body: body)
        assertRefused(create, 403, "PERMISSION_DENIED", "create")
        assertRefused(try send("DELETE", Self.van, token: token("driver/*")), 403, "PERMISSION_DENIED", "delete")
        XCTAssertEqual(try get(token("driver/van-17")).status, 200)
    }

    private static func json(base64URL text: String) throws -> [String: Any] {
        var standard = text.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
        standard += String(repeating: "=", count: (4 - standard.count % 4) % 4)
        let data = try XCTUnwrap(Data(base64Encoded: standard))
        return try XCTUnwrap(JSONSerialization.jsonObject(with: data) as? [String: Any])
    }
}
