import XCTest

@testable import Emulator

/// What an update must not say. Each row names the words, a field's path above all, that the error has to hold.
final class RefusalTests: EmulatorTestCase {
    private static let time = #""2026-01-31T12:00:00Z""#

    private func assertInvalid(_ rows: [(words: String, mask: String, body: String)], delivery: Bool = false) throws {
        for row in rows {
            let answer = delivery ? try updateDelivery(row.mask, row.body) : try update(row.mask, row.body)
            assertRefused(answer, 400, "INVALID_ARGUMENT", row.words, row.mask + " " + row.body.prefix(200))
        }
    }

    func testMaskMustNameFieldsThatMayBeSet() throws {
        let body = #"{"vehicleState":"ONLINE"}"#
        try assertInvalid([
            ("updateMask", "", body),
            ("\"*\"", "*", body),
            ("\"\"", "vehicleState,", body),
            ("\"speed\"", "speed", body),
            ("\"availableCapacity\"", "availableCapacity", body),
            ("\"lastLocation.nowhere\"", "lastLocation.nowhere", body),
            ("\"vehicleState.x\"", "vehicleState.x", body),
            ("\"waypoints.eta\"", "waypoints.eta", body),
            ("output only", "name", body),
            ("output only", "currentTrips", body),
            ("output only", "current_route_segment_version", body),
            ("output only", "waypointsVersion", body),
            ("output only", "lastLocation.serverTime", body),
            ("deprecated", "route", body),
            ("deprecated", "lastLocation.speedKmph", body),
        ])
        try assertInvalid([("\"vehicleState\"", "vehicleState", "{}"), ("output only", "name", "{}")], delivery: true)
        assertRefused(try send("PUT", Self.van, token: token("driver/van-17"), body: body), 400, "INVALID_ARGUMENT", "updateMask")
    }

    func testMaskTakesCamelCaseSnakeCaseAndNestedPaths() throws {
        for mask in ["vehicleState", "vehicle_state", "vehicleState%2CnavigationStatus", "vehicle_state,lastLocation.heading"] {
            let answer = try update(mask, #"{"vehicle_state":"ONLINE","last_location":{"heading":1}}"#)
            XCTAssertEqual(answer.status, 200, answer.text)
        }
    }

    func testUnknownOutputOnlyAndDeprecatedFieldsAreRefused() throws {
        try assertInvalid([
            ("vehicle.currentTask", "vehicleState", #"{"vehicleState":"ONLINE","currentTask":1}"#),
            ("vehicle.vehiclestate", "vehicleState", #"{"vehiclestate":"ONLINE"}"#),
            ("vehicle.name", "vehicleState", #"{"vehicleState":"ONLINE","name":"providers/demo-provider/vehicles/van-17"}"#),
            ("vehicle.currentTrips", "vehicleState", #"{"vehicleState":"ONLINE","currentTrips":[]}"#),
            ("vehicle.waypointsVersion", "vehicleState", #"{"vehicleState":"ONLINE","waypointsVersion":null}"#),
            ("vehicle.route", "vehicleState", #"{"vehicleState":"ONLINE","route":[]}"#),
            ("vehicle.vehicleState", "vehicleState", #"{"vehicleState":"ONLINE","vehicle_state":"ONLINE"}"#),
        ])
        for field in ["nowhere", "speedKmph", "horizontalAccuracy", "verticalAccuracy", "bearingAccuracy", "numStaleUpdates", "serverTime"]
        {
            try assertInvalid([("lastLocation.\(field)", "lastLocation", #"{"lastLocation":{"\#(field)":1}}"#)])
        }
        try assertInvalid([("lastLocation.roadSnapped", "lastLocation", #"{"lastLocation":{"roadSnapped":true}}"#)])
        try assertInvalid([("deliveryVehicle.vehicleState", "lastLocation", #"{"vehicleState":"ONLINE"}"#)], delivery: true)
    }

    func testWrongTypesAreRefused() throws {
        try assertInvalid([
            ("vehicle.vehicleState", "vehicleState", #"{"vehicleState":"online"}"#),
            ("vehicle.vehicleState", "vehicleState", #"{"vehicleState":7}"#),
            ("vehicle.vehicleState", "vehicleState", #"{"vehicleState":true}"#),
            ("vehicle.backToBackEnabled", "backToBackEnabled", #"{"backToBackEnabled":"true"}"#),
            ("vehicle.backToBackEnabled", "backToBackEnabled", #"{"backToBackEnabled":1}"#),
            ("vehicle.attributes", "attributes", #"{"attributes":{}}"#),
            ("vehicle.attributes[1]", "attributes", #"{"attributes":[{"key":"a","stringValue":"b"},"c"]}"#),
            ("vehicle.lastLocation", "lastLocation", #"{"lastLocation":[1,2]}"#),
            ("vehicle.currentRouteSegment", "currentRouteSegment", #"{"currentRouteSegment":5}"#),
        ])
        for value in [
            "1.5", "\"1.5\"", "\"one\"", "\"\"", "2147483648", "-2147483649", "\"NaN\"", "\"Infinity\"", "true", "[1]", "{\"value\":1}",
        ] {
            let rows = [
                ("vehicle.remainingTimeSeconds", "remainingTimeSeconds", #"{"remainingTimeSeconds":\#(value)}"#),
                ("lastLocation.heading", "lastLocation", #"{"lastLocation":{"heading":\#(value)}}"#),
            ]
            try assertInvalid(rows)
        }
        for value in ["\"NaN\"", "\"-Infinity\"", "\"1e999\"", "\"fast\"", "\"0x10\"", "\"\"", "true", "{}"] {
            try assertInvalid([("lastLocation.speed", "lastLocation", #"{"lastLocation":{"speed":\#(value)}}"#)])
        }
    }

    func testTimesAndDurationsMustBeWellFormed() throws {
        let times = [
            "2026-01-31", "2026-01-31T12:00:00", "2026-01-31 12:00:00Z", "2026-02-29T12:00:00Z", "2026-13-01T00:00:00Z",
            "2026-01-31T24:00:00Z",
            "2026-01-31T12:00:60Z", "2026-01-31T12:00:00.Z", "2026-01-31T12:00:00.1234567890Z", "2026-01-31T12:00:00+0100",
            "26-01-31T12:00:00Z",
            "0000-01-01T00:00:00Z", "1767182400", "",
        ]
        for time in times {
            try assertInvalid([("vehicle.etaToFirstWaypoint", "etaToFirstWaypoint", #"{"etaToFirstWaypoint":"\#(time)"}"#)])
        }
        try assertInvalid([("vehicle.etaToFirstWaypoint", "etaToFirstWaypoint", #"{"etaToFirstWaypoint":1767182400}"#)])
        for duration in [
            #""34""#, #""34 s""#, #""1.5.2s""#, #"".5s""#, #""34.s""#, #""315576000001s""#, #""-1s""#, #""-0.5s""#, "34", #""PT34S""#,
        ] {
            let body = #"{"remainingDuration":\#(duration)}"#
            try assertInvalid([("deliveryVehicle.remainingDuration", "remainingDuration", body)], delivery: true)
        }
    }

    func testPositionsMustBeOnTheEarthAndHeadingsOnTheCircle() throws {
        for point in [#""latitude":90.1"#, #""latitude":-91"#, #""longitude":180.5"#, #""longitude":"-181""#, #""lat":1"#] {
            let body = #"{"lastLocation":{"location":{\#(point)},"locationSensor":"GPS"}}"#
            try assertInvalid([("vehicle.lastLocation.location.l", "lastLocation", body)])
        }
        for heading in ["-1", "360", "\"360\""] {
            try assertInvalid([("vehicle.lastLocation.heading", "lastLocation", #"{"lastLocation":{"heading":\#(heading)}}"#)])
        }
    }

    func testFieldsOfAPositionComeTogether() throws {
        let point = #"{"latitude":1,"longitude":2}"#
        let rows: [(words: String, location: String)] = [
            ("lastLocation.locationSensor", #""location":\#(point)"#),
            ("lastLocation.locationSensor", #""location":\#(point),"updateTime":\#(Self.time)"#),
            ("lastLocation.locationSensor", #""locationSensor":"GPS""#),
            ("lastLocation.updateTime", #""updateTime":\#(Self.time)"#),
            ("lastLocation.latlngAccuracy", #""latlngAccuracy":3"#),
            ("lastLocation.rawLocationTime", #""rawLocation":\#(point)"#),
            ("lastLocation.rawLocationTime", #""rawLocationTime":\#(Self.time)"#),
            ("lastLocation.rawLocationSensor", #""rawLocationSensor":"GPS""#),
            ("lastLocation.rawLocationAccuracy", #""rawLocationAccuracy":3"#),
            ("lastLocation.supplementalLocationTime", #""supplementalLocation":\#(point)"#),
            ("lastLocation.supplementalLocationTime", #""supplementalLocationTime":\#(Self.time)"#),
            ("lastLocation.supplementalLocationSensor", #""supplementalLocationSensor":5"#),
            ("lastLocation.supplementalLocationAccuracy", #""supplementalLocationAccuracy":4.5"#),
            ("FLEET_ENGINE_LOCATION", #""location":\#(point),"locationSensor":"FLEET_ENGINE_LOCATION""#),
            ("FLEET_ENGINE_LOCATION", #""location":\#(point),"locationSensor":6"#),
            ("lastLocation.locationSensor", #""location":\#(point),"locationSensor":"SONAR""#),
            ("lastLocation", ""),
        ]
        for row in rows {
            let body = #"{"lastLocation":{\#(row.location)}}"#
            try assertInvalid([("vehicle." + (row.words.hasPrefix("last") ? row.words : "lastLocation"), "lastLocation", body)])
            try assertInvalid([(row.words, "lastLocation", body)])
            // With the rest of the mask as a delivery reporter has it: an empty location is only then looked at by itself.
            try assertInvalid([(row.words, "lastLocation", body)], delivery: true)
        }
        let past = #"{"vehicleState":"ONLINE","pastLocations":[{"location":\#(point)}]}"#
        try assertInvalid([("vehicle.pastLocations[0].locationSensor", "vehicleState,pastLocations", past)])
    }

    func testMaskedFieldsThatCarryNothingAreRefused() throws {
        try assertInvalid([
            ("vehicle.lastLocation", "vehicleState,lastLocation", #"{"vehicleState":"ONLINE"}"#),
            ("vehicle.vehicleState", "vehicleState", "{}"),
            ("vehicle.vehicleState", "vehicleState", #"{"vehicleState":"UNKNOWN_VEHICLE_STATE"}"#),
            ("vehicle.vehicleState", "vehicleState", #"{"vehicleState":0}"#),
        ])
    }

    func testValuesOutOfRangeAreRefused() throws {
        let many = (0...100).map { #"{"key":"k\#($0)","stringValue":"v"}"# }.joined(separator: ",")
        try assertInvalid([
            ("vehicle.remainingDistanceMeters", "remainingDistanceMeters", #"{"remainingDistanceMeters":-1}"#),
            ("vehicle.remainingTimeSeconds", "remainingTimeSeconds", #"{"remainingTimeSeconds":-1}"#),
            ("vehicle.maximumCapacity", "maximumCapacity", #"{"maximumCapacity":0}"#),
            ("vehicle.attributes", "attributes", #"{"attributes":[\#(many)]}"#),
            ("vehicle.attributes", "attributes", #"{"attributes":[{"key":"a","value":"1"},{"key":"a","value":"2"}]}"#),
            ("vehicle.attributes[0].key", "attributes", #"{"attributes":[{"key":"a:b","value":"1"}]}"#),
            ("vehicle.attributes[0].stringValue", "attributes", #"{"attributes":[{"key":"a","value":"1","stringValue":"2"}]}"#),
            ("vehicle.attributes[0]", "attributes", #"{"attributes":[{"key":"a","boolValue":true,"numberValue":2}]}"#),
            (
                "vehicle.attributes[0]", "attributes",
                #"{"attributes":[{"key":"a","value":"\#(String(repeating: "x", count: 255))"}]}"#
            ),
            ("vehicle.waypoints", "waypoints", #"{"waypoints":[{"tripId":"t"}]}"#),
            (
                "roadStretch[0].style", "currentRouteSegmentTraffic",
                #"{"currentRouteSegmentTraffic":{"trafficRendering":{"roadStretch":[{"offsetMeters":1,"lengthMeters":2}]}}}"#
            ),
        ])
        try assertInvalid(
            [
                (
                    "remainingVehicleJourneySegments[0].stop", "remainingVehicleJourneySegments",
                    #"{"remainingVehicleJourneySegments":[{}]}"#
                ),
                (
                    "stop.plannedLocation.point", "remainingVehicleJourneySegments",
                    #"{"remainingVehicleJourneySegments":[{"stop":{"state":"NEW"}}]}"#
                ),
            ], delivery: true)
    }

    func testRouteSegmentMustDecode() throws {
        let bad = [
            "not base64!", "AhYFIoF/XZ6GAPV1plu2AYQNAA==", "AhYFIoF_XZ6GAPV1plu2AYQNAA", "_p~iF~ps|U_ulLnnqC_mqNvxq`@",
            "AhYFIoF_XZ6GAPV1plu2AYQN",
            "AxYFIoF_XZ6GAPV1plu2AYQNAA==",
        ]
        for segment in bad {
            let body = #"{"currentRouteSegment":"\#(segment)"}"#
            try assertInvalid([("vehicle.currentRouteSegment", "currentRouteSegment", body)])
        }
        for segment in ["not base64!", "AhYFIoF/XZ6GAPV1plu2AYQN", "AAAA"] {
            let body = #"{"currentRouteSegment":"\#(segment)"}"#
            try assertInvalid([("deliveryVehicle.currentRouteSegment", "currentRouteSegment", body)], delivery: true)
        }
        for segment in [Self.segment, "AhYFIoF/XZ6GAPV1plu2AYQNAA==", "AhYFIoF_XZ6GAPV1plu2AYQNAA"] {
            let answer = try updateDelivery("currentRouteSegment", #"{"currentRouteSegment":"\#(segment)"}"#)
            XCTAssertEqual(answer.object["currentRouteSegment"] as? String, "AhYFIoF/XZ6GAPV1plu2AYQNAA==", answer.text)
        }
    }

    func testBodyMustBeOneJSONObject() throws {
        let deep = String(repeating: #"{"a":"#, count: 5_000) + "1" + String(repeating: "}", count: 5_000)
        let bodies = [
            "", "{", "[]", "1", "null", #"{"vehicleState":NaN}"#, #"{"vehicleState":"ONLINE","vehicleState":"ONLINE"}"#, "{} {}",
            #"{"lastLocation":{"speed":1e999}}"#, #"{"remainingTimeSeconds":99999999999999999999}"#, "\u{0}", deep,
        ]
        for body in bodies {
            XCTAssertEqual(try update("vehicleState", body).canonicalCode, "INVALID_ARGUMENT", String(body.prefix(60)))
        }
        let nested = String(repeating: #"{"a":"#, count: 150) + "1" + String(repeating: "}", count: 150)
        assertRefused(try update("vehicleState", nested), 400, "INVALID_ARGUMENT", "nested")
    }

    func testContentTypeMustBeJSON() throws {
        let driver = try token("driver/van-17")
        for type in ["text/plain", "application/x-www-form-urlencoded", "application/jsonp", ""] {
            let answer = try send(
                "PUT", Self.van + "?updateMask=vehicleState", token: driver, body: #"{"vehicleState":"ONLINE"}"#, contentType: type)
            assertRefused(answer, 400, "INVALID_ARGUMENT", "Content-Type", type)
        }
        let answer = try send(
            "PUT", Self.van + "?updateMask=vehicleState", token: driver, body: #"{"vehicleState":"ONLINE"}"#,
            contentType: "Application/JSON; charset=utf-8")
        XCTAssertEqual(answer.status, 200, answer.text)
        let zipped = connection.request(
            "PUT", Self.van + "?updateMask=vehicleState",
            headers: ["Authorization": "Bearer " + driver, "Content-Type": "application/json", "Content-Encoding": "br"], body: "x")
        assertRefused(try XCTUnwrap(zipped), 400, "INVALID_ARGUMENT", "Content-Encoding")
    }

    func testBodyOverOneMebibyteIsRefusedAndTheConnectionLivesOn() throws {
        let padding = String(repeating: " ", count: (1 << 20) - 25)
        XCTAssertEqual(try update("vehicleState", #"{"vehicleState":"ONLINE"}"# + padding).status, 200)
        assertRefused(try update("vehicleState", #"{"vehicleState":"ONLINE"}"# + padding + " "), 400, "INVALID_ARGUMENT", "1048576 bytes")
        XCTAssertEqual(try update("vehicleState", #"{"vehicleState":"ONLINE"}"#).status, 200)
    }

    func testUnknownQueryParameterIsRefused() throws {
        let driver = try token("driver/van-17")
        assertRefused(try send("GET", Self.van + "?view=FULL", token: driver), 400, "INVALID_ARGUMENT", "view")
        assertRefused(try send("GET", Self.van + "?waypointsVersion=then", token: driver), 400, "INVALID_ARGUMENT", "waypointsVersion")
        let answer = try send(
            "PUT", Self.van + "?updateMask=vehicleState&header.regionCode=DE&header.trace_id=7", token: driver,
            body: #"{"vehicleState":"ONLINE"}"#)
        XCTAssertEqual(answer.status, 200, answer.text)
    }

    func testMethodsAndPathsThatTheServiceLacksAreNotFound() throws {
        let rows = [
            ("PATCH", Self.van), ("PUT", Self.depot), ("POST", Self.van), ("GET", Self.root + "/vehicles"),
            ("GET", Self.root + "/billableTrips/1"),
            ("GET", "/v2/x"), ("GET", "/v1"), ("POST", Self.van + ":updateVehicle"), ("PUT", Self.van + "/x"), ("GET", "/nowhere"),
            ("PATCH", Self.root + "/vehicles"), ("POST", "/"), ("POST", "/control/history"),
        ]
        let admin = try token("admin")
        for (method, path) in rows {
            let answer = try send(method, path + "?updateMask=vehicleState", token: admin, body: "{}")
            assertRefused(answer, 404, "NOT_FOUND", "Method not found", "\(method) \(path)")
        }
    }

    func testMissingVehicleIsNotFoundAndABadIdInvalid() throws {
        let other = Self.root + "/vehicles/van-18"
        assertRefused(
            try send("PUT", other + "?updateMask=vehicleState", token: token("driver/van-18"), body: #"{"vehicleState":"ONLINE"}"#), 404,
            "NOT_FOUND", "providers/demo-provider/vehicles/van-18")
        let admin = try token("admin")
        for id in ["a%2Fb", "a%3Ab", "%23", String(repeating: "x", count: 65)] {
            assertRefused(try send("GET", Self.root + "/vehicles/" + id, token: admin), 400, "INVALID_ARGUMENT", "vehicleId", id)
        }
        for id in ["%", "%zz", "%ff"] {
            assertRefused(try send("GET", Self.root + "/vehicles/" + id, token: admin), 400, "INVALID_ARGUMENT", "percent-encoded", id)
        }
    }
}
