import FleetEngine
import Foundation
import XCTest

final class TokenClaimsTests: XCTestCase {
    private func claims(_ text: String, _ service: Service = .onDemand) throws -> TokenClaims {
        let payload = Data(text.utf8).base64EncodedString().replacingOccurrences(of: "+", with: "-").replacingOccurrences(
            of: "/", with: "_")
        return TokenClaims(of: "e30.\(payload).x", for: try VehicleName(service: service, provider: "p", vehicle: "van-1"))
    }

    private let aud = #""aud":"https://fleetengine.googleapis.com/""#

    func testATokenIsForTheVehicleItNamesOrForAll() throws {
        for (key, service) in [("vehicleid", Service.onDemand), ("deliveryvehicleid", .delivery)] {
            XCTAssertEqual(try claims(#"{\#(aud),"authorization":{"\#(key)":"van-1"}}"#, service), .good)
            XCTAssertEqual(try claims(#"{\#(aud),"authorization":{"\#(key)":"*"}}"#, service), .good)
            XCTAssertEqual(
                try claims(#"{\#(aud),"authorization":{"\#(key)":"van-2"}}"#, service), .wrong("its \(key) is \"van-2\", not \"van-1\""))
            XCTAssertEqual(
                try claims(#"{\#(aud),"authorization":{"tripid":"van-1"}}"#, service), .wrong("its authorization names no \(key)"))
        }
    }

    func testATokenForAnotherServiceIsWrong() throws {
        XCTAssertEqual(try claims(#"{\#(aud)}"#), .wrong("it has no authorization claim"))
        XCTAssertEqual(try claims("{}"), .wrong(#"its aud is "", not "https://fleetengine.googleapis.com/""#))
        guard case .wrong(let reason) = try claims(#"{"aud":"https://fleetengine.googleapis.com","authorization":{"vehicleid":"van-1"}}"#)
        else { return XCTFail("the last slash is required") }
        XCTAssertTrue(reason.hasPrefix("its aud is"))
    }

    func testWhatIsNoJWTSaysNothing() throws {
        let name = try VehicleName(service: .onDemand, provider: "p", vehicle: "van-1")
        for token in ["opaque", "ya29.a0.x.y", "a.b", "..", "a.!.c", "a.e30=.c.d", "e30.MQ.x"] {
            XCTAssertEqual(TokenClaims(of: token, for: name), .opaque, token)
        }
    }
}
