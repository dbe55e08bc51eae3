import CEmulator
import XCTest

@testable import Emulator

/// Smaller requests and smaller answers.
final class EncodingTests: EmulatorTestCase {
    /// {"vehicleState":"ONLINE"}
    private static let gzip = Data(base64Encoded: "H4sIAAAAAAACA6tWKkvNyEzOSQ0uSSxJVbJS8vfz8fRzVaoFAPQNSrUZAAAA") ?? Data()

    private func update(gzip body: Data) throws -> HTTPConnection.Answer {
        let headers = [
            "Authorization": "Bearer " + (try token("driver/van-17")), "Content-Type": "application/json", "Content-Encoding": "gzip",
        ]
        connection.send("PUT", Self.van + "?updateMask=vehicleState", headers: headers, bytes: body)
        return try XCTUnwrap(connection.answer())
    }

    func testGzipBodiesAreTakenAndShownUnpacked() throws {
        let answer = try update(gzip: Self.gzip)
        XCTAssertEqual(answer.object["vehicleState"] as? String, "ONLINE", answer.text)
        XCTAssertEqual(try history("?under=/v1/").last?["body"] as? [String: String], ["vehicleState": "ONLINE"])
    }

    func testBodiesThatAreNotWholeGzipAreRefused() throws {
        var corrupt = Self.gzip
        corrupt[corrupt.count - 6] ^= 1
        for body in [Data("{}".utf8), Data(), Self.gzip.dropLast(), corrupt, Self.gzip + [0]] {
            assertRefused(try update(gzip: body), 400, "INVALID_ARGUMENT", "not gzip")
        }
    }

    func testUnpackingStopsAtItsLimit() {
        for (limit, expected) in [(25, EMU_GUNZIP_OK), (24, EMU_GUNZIP_TOO_LARGE), (0, EMU_GUNZIP_TOO_LARGE)] {
            var body: UnsafeMutablePointer<UInt8>?
            var length = 0
            let bytes = Array(Self.gzip)
            XCTAssertEqual(emu_gunzip(bytes, bytes.count, limit, &body, &length), expected, "\(limit)")
            free(body)
        }
    }

    func testFieldsNarrowTheAnswer() throws {
        let body = """
            {"vehicleState":"ONLINE","attributes":[{"key":"a","stringValue":"b"}],
            "lastLocation":{"location":{"latitude":48,"longitude":9},"locationSensor":"GPS","heading":7}}
            """
        let mask = "vehicleState,attributes,lastLocation"
        let rows: [(fields: String, answer: NSDictionary)] = [
            ("vehicleState", ["vehicleState": "ONLINE"]),
            ("vehicle_state,name", ["vehicleState": "ONLINE", "name": "providers/demo-provider/vehicles/van-17"]),
            ("lastLocation/location/latitude", ["lastLocation": ["location": ["latitude": 48]]]),
            ("lastLocation.heading,lastLocation.locationSensor", ["lastLocation": ["locationSensor": "GPS", "heading": 7]]),
            ("lastLocation(location(longitude),heading)", ["lastLocation": ["location": ["longitude": 9], "heading": 7]]),
            ("lastLocation/location,lastLocation/location/latitude", ["lastLocation": ["location": ["latitude": 48, "longitude": 9]]]),
            ("attributes/key", ["attributes": [["key": "a"]]]),
            ("attributes(*)", ["attributes": [["key": "a", "stringValue": "b"]]]),
            ("waypoints", [:]),
        ]
        for row in rows {
            XCTAssertEqual(try update(mask + "&fields=" + row.fields, body).object as NSDictionary, row.answer, row.fields)
        }
        let driver = try token("driver/van-17")
        let headers = ["Authorization": "Bearer " + driver, "X-Goog-FieldMask": "vehicleState"]
        let byHeader = try XCTUnwrap(connection.request("GET", Self.van, headers: headers))
        XCTAssertEqual(byHeader.object as NSDictionary, ["vehicleState": "ONLINE"])
        let list = try send("GET", Self.root + "/deliveryVehicles?$fields=deliveryVehicles/type", token: token("admin"))
        XCTAssertEqual(list.object as NSDictionary, ["deliveryVehicles": [["type": "AUTO"]]])
    }

    func testFieldsThatTheAnswerLacksAreRefused() throws {
        let deep = String(repeating: "lastLocation(", count: 30)
        for fields in ["", "speed", "vehicleState,", "lastLocation(heading", "lastLocation)", "vehicleState/x", "lastLocation()", deep] {
            let answer = try update("vehicleState&fields=" + fields, #"{"vehicleState":"ONLINE"}"#)
            assertRefused(answer, 400, "INVALID_ARGUMENT", "fields", fields)
        }
        XCTAssertEqual(
            try send("GET", Self.van, token: token("driver/van-17")).object["vehicleState"] as? String, "OFFLINE", "nothing is done")
    }
}
