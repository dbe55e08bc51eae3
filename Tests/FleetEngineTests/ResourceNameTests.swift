import FleetEngine
import XCTest

final class ResourceNameTests: XCTestCase {
    func testRefusesWhatFleetEngineWouldAndNamesTheRule() {
        let refused = [
            "": "must not be empty", "a/b": "must not hold any of / : ? , #", "a:b": "must not hold any of / : ? , #",
            "a,b": "must not hold any of / : ? , #", "a#": "must not hold any of / : ? , #", "?": "must not hold any of / : ? , #",
            "a\u{0}": "must not hold control characters", "a\n": "must not hold control characters",
            "\u{85}": "must not hold control characters",
            ".": "must not be . or ..", "..": "must not be . or ..", String(repeating: "é", count: 65): "must have at most 64 characters",
        ]
        for (id, rule) in refused {
            XCTAssertThrowsError(try ResourceName.check(id), id) { error in
                XCTAssertEqual((error as? ResourceNameError)?.rule, rule)
                XCTAssertEqual((error as? ResourceNameError)?.value, id)
            }
        }
        let long = String(repeating: "x", count: 1_000_000)
        XCTAssertThrowsError(try ResourceName.check(long)) { XCTAssertEqual(($0 as? ResourceNameError)?.value.count, 80) }
        for id in ["van-17", "Größe 5%", String(repeating: "é", count: 64), "...", "日本"] {
            XCTAssertNoThrow(try ResourceName.check(id), id)
        }
    }

    func testPathsHoldPercentEncodedUTF8() throws {
        let onDemand = try VehicleName(service: .onDemand, provider: "my-project", vehicle: "Größe 5%+~_.")
        XCTAssertEqual(onDemand.path, "/v1/providers/my-project/vehicles/Gr%C3%B6%C3%9Fe%205%25%2B~_.")
        let delivery = try VehicleName(service: .delivery, provider: "p", vehicle: "日")
        XCTAssertEqual(delivery.path, "/v1/providers/p/deliveryVehicles/%E6%97%A5")
        XCTAssertThrowsError(try VehicleName(service: .delivery, provider: "p/q", vehicle: "v"))
        XCTAssertThrowsError(try VehicleName(service: .delivery, provider: "p", vehicle: ""))
    }
}
