import XCTest

@testable import Emulator

/// What the emulator makes of proper requests, at a clock that stands at 2026-01-31T12:00:00.250Z.
final class VehicleTests: EmulatorTestCase {
    override var frozenTime: Int64? { 1_769_860_800_250 }

    func testCreateAnswersTheVehicleAndGetFindsIt() throws {
        let admin = try token("admin")
        let body =
            #"{"name":"ignored","vehicleState":"ONLINE","supportedTripTypes":["SHARED",2],"maximumCapacity":"4","#
            + #""vehicleType":{"category":"TAXI"},"remainingDistanceMeters":5,"waypoints":[]}"#
        let created = try send("POST", Self.root + "/vehicles?vehicleId=taxi%20%C3%A9", token: admin, body: body)
        XCTAssertEqual(created.status, 200, created.text)
        let expected: NSDictionary = [
            "name": "providers/demo-provider/vehicles/taxi é", "vehicleState": "ONLINE", "supportedTripTypes": ["SHARED", "EXCLUSIVE"],
            "maximumCapacity": 4, "vehicleType": ["category": "TAXI"],
        ]
        XCTAssertEqual(created.object as NSDictionary, expected)
        let read = try send("GET", Self.root + "/vehicles/taxi%20%C3%A9", token: admin)
        XCTAssertEqual(read.object as NSDictionary, expected)
        assertRefused(
            try send("POST", Self.root + "/vehicles?vehicle_id=taxi%20%C3%A9", token: admin, body: body), 409, "ALREADY_EXISTS", "exists")
    }

    func testCreateNeedsItsRequiredFieldsAndAnId() throws {
        let admin = try token("admin")
        let whole = [
            ("vehicleState", #""OFFLINE""#), ("supportedTripTypes", "[1]"), ("maximumCapacity", "1"), ("vehicleType", #"{"category":1}"#),
        ]
        for (missing, _) in whole {
            let body = "{" + whole.filter { $0.0 != missing }.map { "\"\($0.0)\":\($0.1)" }.joined(separator: ",") + "}"
            let answer = try send("POST", Self.root + "/vehicles?vehicleId=new", token: admin, body: body)
            assertRefused(answer, 400, "INVALID_ARGUMENT", "vehicle.\(missing)")
        }
        assertRefused(try send("POST", Self.root + "/vehicles", token: admin, body: "{}"), 400, "INVALID_ARGUMENT", "vehicleId")
    }

    func testDeliveryVehicleIsCreatedWithTypeLocationAndAttributesOnly() throws {
        let admin = try token("admin")
        let path = Self.root + "/deliveryVehicles?deliveryVehicleId=new"
        assertRefused(
            try send("POST", path, token: admin, body: #"{"navigationStatus":"NO_GUIDANCE"}"#), 400, "INVALID_ARGUMENT",
            "deliveryVehicle.navigationStatus")
        let body = #"{"type":"BICYCLE","attributes":[{"key":"a","boolValue":false}]}"#
        let answer = try send("POST", path, token: admin, body: body)
        let expected: NSDictionary = [
            "name": "providers/demo-provider/deliveryVehicles/new", "type": "BICYCLE", "attributes": [["key": "a", "boolValue": false]],
        ]
        XCTAssertEqual(answer.object as NSDictionary, expected)
    }

    func testDeletedVehicleIsNotFound() throws {
        XCTAssertEqual(try send("DELETE", Self.van, token: token("admin")).object.count, 0)
        assertRefused(try update("vehicleState", #"{"vehicleState":"ONLINE"}"#), 404, "NOT_FOUND", "vehicles/van-17")
    }

    func testOnlyMaskedFieldsAreStored() throws {
        let answer = try update("vehicleState", #"{"vehicleState":"ONLINE","maximumCapacity":7,"backToBackEnabled":true}"#)
        XCTAssertEqual(answer.object["vehicleState"] as? String, "ONLINE")
        XCTAssertEqual(answer.object["maximumCapacity"] as? Int, 1)
        XCTAssertNil(answer.object["backToBackEnabled"])
        let remarks = try XCTUnwrap(history("?under=/v1").first?["remarks"] as? [String])
        XCTAssertEqual(remarks, ["maximumCapacity: not in updateMask, not stored", "backToBackEnabled: not in updateMask, not stored"])
    }

    func testMaskedFieldThatIsAbsentIsCleared() throws {
        try update("navigationStatus,backToBackEnabled", #"{"navigationStatus":"OFF_ROUTE","backToBackEnabled":true}"#)
        let answer = try update("navigationStatus", "{}")
        XCTAssertNil(answer.object["navigationStatus"])
        XCTAssertEqual(answer.object["backToBackEnabled"] as? Bool, true)
    }

    func testNestedMaskTouchesOneFieldOfALocation() throws {
        let point = #"{"latitude":1,"longitude":2}"#
        try update("lastLocation", #"{"lastLocation":{"location":\#(point),"locationSensor":"GPS","speed":3}}"#)
        let answer = try update("lastLocation.speed", #"{"lastLocation":{"speed":4.5}}"#)
        let location = try XCTUnwrap(answer.object["lastLocation"] as? [String: Any])
        XCTAssertEqual(location["speed"] as? Double, 4.5)
        XCTAssertEqual(location["location"] as? [String: Double], ["latitude": 1, "longitude": 2])
    }

    func testLocationIsFilledFromTheSupplementalOne() throws {
        let body = """
            {"lastLocation":{"supplementalLocation":{"latitude":48.5,"longitude":9},"supplementalLocationTime":"2026-01-31T13:00:00.123456+01:00",
            "supplementalLocationSensor":"CUSTOMER_SUPPLIED_LOCATION","supplementalLocationAccuracy":4.5,"timeSinceUpdate":0,
            "isGpsSensorEnabled":true,"speed":0,"heading":"90"}}
            """
        let answer = try update("lastLocation", body)
        let expected: NSDictionary = [
            "location": ["latitude": 48.5, "longitude": 9], "heading": 90, "updateTime": "2026-01-31T12:00:00.123456Z", "speed": 0,
            "locationSensor": "CUSTOMER_SUPPLIED_LOCATION", "serverTime": "2026-01-31T12:00:00.250Z",
            "supplementalLocation": ["latitude": 48.5, "longitude": 9], "supplementalLocationTime": "2026-01-31T12:00:00.123456Z",
            "supplementalLocationSensor": "CUSTOMER_SUPPLIED_LOCATION", "supplementalLocationAccuracy": 4.5,
        ]
        XCTAssertEqual(answer.object["lastLocation"] as? NSDictionary, expected)
    }

    func testOwnLocationStaysAndDefaultScalarsAreLeftOut() throws {
        let body = """
            {"lastLocation":{"location":{"latitude":0,"longitude":9},"locationSensor":"ROAD_SNAPPED_LOCATION_PROVIDER","isRoadSnapped":false,
            "supplementalLocation":{"latitude":1,"longitude":1},"supplementalLocationTime":"2026-01-31T12:00:00Z"}}
            """
        let location = try XCTUnwrap(update("lastLocation", body).object["lastLocation"] as? [String: Any])
        XCTAssertEqual(location["location"] as? [String: Double], ["longitude": 9])
        XCTAssertEqual(location["locationSensor"] as? String, "ROAD_SNAPPED_LOCATION_PROVIDER")
        XCTAssertEqual(location["isRoadSnapped"] as? Bool, false)
    }

    func testArrivalIsReceiveTimePlusRemainingSeconds() throws {
        let segment = #""currentRouteSegment":"\#(Self.segment)""#
        let mask = "currentRouteSegment,remainingTimeSeconds,remainingDistanceMeters,etaToFirstWaypoint"
        let answer = try update(
            mask, #"{\#(segment),"remainingTimeSeconds":3700,"remainingDistanceMeters":0,"etaToFirstWaypoint":"2026-01-31T15:00:00Z"}"#)
        XCTAssertEqual(answer.object["etaToFirstWaypoint"] as? String, "2026-01-31T13:01:40.250Z")
        XCTAssertEqual(answer.object["remainingDistanceMeters"] as? Int, 0)
        XCTAssertNil(answer.object["remainingTimeSeconds"])
        let absolute = try update("etaToFirstWaypoint", #"{"etaToFirstWaypoint":"2026-01-31T15:00:00+02:00"}"#)
        XCTAssertEqual(absolute.object["etaToFirstWaypoint"] as? String, "2026-01-31T13:00:00Z")
        XCTAssertNil(try update("remainingTimeSeconds", "{}").object["etaToFirstWaypoint"])
    }

    func testRemainingValuesAreNotKeptWhileTheSegmentIsEmpty() throws {
        let body = #"{"remainingTimeSeconds":60,"remainingDistanceMeters":500}"#
        let answer = try update("remainingTimeSeconds,remainingDistanceMeters", body)
        XCTAssertEqual(answer.status, 200)
        XCTAssertNil(answer.object["remainingDistanceMeters"])
        XCTAssertNil(answer.object["etaToFirstWaypoint"])
        let remarks = try XCTUnwrap(history("?under=/v1").last?["remarks"] as? [String])
        XCTAssertEqual(remarks.map { $0.prefix { $0 != ":" } }, ["remainingDistanceMeters", "remainingTimeSeconds"])

        try update(
            "currentRouteSegment,remainingDistanceMeters", #"{"currentRouteSegment":"\#(Self.segment)","remainingDistanceMeters":266}"#)
        XCTAssertEqual(try update("remainingTimeSeconds", body).object["remainingDistanceMeters"] as? Int, 266)
        let cleared = try update("currentRouteSegment", "{}")
        XCTAssertNil(cleared.object["remainingDistanceMeters"])
        XCTAssertNil(cleared.object["etaToFirstWaypoint"])
    }

    func testSegmentVersionMovesWithTheSegmentAndGetLeavesKnownSegmentsOut() throws {
        let body = #"{"currentRouteSegment":"\#(Self.segment)"}"#
        XCTAssertEqual(
            try update("currentRouteSegment", body).object["currentRouteSegmentVersion"] as? String, "2026-01-31T12:00:00.250Z")
        let driver = try token("driver/van-17")
        let known = try send("GET", Self.van + "?currentRouteSegmentVersion=2026-01-31T12:00:00.250Z", token: driver)
        XCTAssertNil(known.object["currentRouteSegment"])
        let older = try send("GET", Self.van + "?current_route_segment_version=2026-01-31T12:00:00.249Z", token: driver)
        XCTAssertEqual(older.object["currentRouteSegment"] as? String, Self.segment)
    }

    func testEndPointIsIgnoredWithoutASegmentInTheSameRequest() throws {
        let end = #""currentRouteSegmentEndPoint":{"location":{"point":{"latitude":37,"longitude":-122}}}"#
        let both = "currentRouteSegment,currentRouteSegmentEndPoint"
        XCTAssertNil(try update("currentRouteSegmentEndPoint", "{\(end)}").object["currentRouteSegmentEndPoint"])
        XCTAssertNil(try update(both, #"{"currentRouteSegment":"",\#(end)}"#).object["currentRouteSegmentEndPoint"])
        XCTAssertNotNil(try update(both, #"{"currentRouteSegment":"\#(Self.segment)",\#(end)}"#).object["currentRouteSegmentEndPoint"])
        XCTAssertNotNil(try update("currentRouteSegmentEndPoint", "{}").object["currentRouteSegmentEndPoint"])
        let remarks = try history("?under=/v1").compactMap { $0["remarks"] as? [String] }
        XCTAssertEqual(remarks.map(\.count), [1, 1, 0, 0])
    }

    func testDeliveryKeepsTheRemainingDurationAsATimeOfArrival() throws {
        let body = #"{"currentRouteSegment":"\#(Self.segment)","remainingDuration":"90.5s","remainingDistanceMeters":800}"#
        let mask = "currentRouteSegment,remainingDuration,remainingDistanceMeters"
        let answer = try updateDelivery(mask, body)
        XCTAssertEqual(answer.object["remainingDuration"] as? String, "90.500s")
        XCTAssertEqual(answer.object["remainingDistanceMeters"] as? Int, 800)
        let vehicle = try XCTUnwrap(emulator.state.withLock { $0.fleet.vehicles(now: 1_769_860_800_250).first { $0.key.id == "depot-3" } })
        let later = vehicle.shown(now: 1_769_860_800_250 + 30_000).object
        XCTAssertEqual(later?["remainingDuration"], .string("60.500s"))
        XCTAssertEqual(vehicle.shown(now: .max / 2).object?["remainingDuration"], .string("0s"))
        XCTAssertNil(try updateDelivery("currentRouteSegment", "{}").object["remainingDuration"])
    }

    func testStopsOfADeliveryVehicleAreKept() throws {
        let stops = #"[{"stop":{"plannedLocation":{"point":{"latitude":1,"longitude":2}},"state":"ENROUTE","tasks":[{"taskId":"t"}]}}]"#
        let mask = "remainingVehicleJourneySegments"
        let answer = try updateDelivery(mask, #"{"\#(mask)":\#(stops)}"#)
        let expected = try XCTUnwrap(JSONSerialization.jsonObject(with: Data(stops.utf8)) as? NSArray)
        XCTAssertEqual(answer.object[mask] as? NSArray, expected)
    }

    func testEverythingThatThePhoneSDKSendsIsTaken() throws {
        let body = """
            {"vehicleState":"ONLINE","navigationStatus":"ENROUTE_TO_DESTINATION","remainingTimeSeconds":34,"remainingDistanceMeters":266,
            "currentRouteSegment":"\(Self.segment)",
            "currentRouteSegmentEndPoint":{"location":{"point":{"latitude":37.34479,"longitude":-122.067909}},"tripId":"t","waypointType":1,
            "eta":"2026-01-31T12:00:00Z","duration":"34s","distanceMeters":266,"pathToWaypoint":[{"latitude":1}]},
            "currentRouteSegmentTraffic":{"trafficRendering":{"roadStretch":[{"style":"TRAFFIC_JAM","lengthMeters":40}]}},
            "deviceSettings":{"locationPowerSaveMode":"LOCATION_MODE_NO_CHANGE","isPowerSaveMode":false,"isInteractive":true,
            "batteryInfo":{"batteryStatus":"BATTERY_STATUS_FULL","powerSource":"POWER_SOURCE_AC","batteryPercentage":100}},
            "pastLocations":[{"location":{"latitude":1,"longitude":2},"locationSensor":"GPS","updateTime":"2026-01-31T11:00:00Z"}],
            "lastLocation":{"location":{"latitude":37.343,"longitude":-122.07},"locationSensor":"ROAD_SNAPPED_LOCATION_PROVIDER",
            "isRoadSnapped":true,"rawLocation":{"latitude":37.3431,"longitude":-122.0701},"rawLocationTime":"2026-01-31T12:00:00Z",
            "rawLocationAccuracy":4.1,"rawLocationSensor":"GPS","heading":359,"headingAccuracy":2.5,"speed":-0.02,"speedAccuracy":0.4,
            "altitude":12.5,"altitudeAccuracy":3,"latlngAccuracy":4.1,"isGpsSensorEnabled":true}}
            """
        let mask =
            "vehicleState,lastLocation,remainingTimeSeconds,remainingDistanceMeters,deviceSettings,currentRouteSegment,"
            + "currentRouteSegmentEndPoint,currentRouteSegmentTraffic,navigationStatus,pastLocations"
        let answer = try update(mask, body)
        XCTAssertEqual(answer.status, 200, answer.text)
        for inputOnly in ["deviceSettings", "currentRouteSegmentTraffic", "pastLocations", "remainingTimeSeconds"] {
            XCTAssertNil(answer.object[inputOnly], inputOnly)
        }
        let stored = try XCTUnwrap(connection.request("GET", "/control/vehicles")?.json as? [[String: Any]])
        let van = try XCTUnwrap(stored.first { $0["name"] as? String == "providers/demo-provider/vehicles/van-17" })
        XCTAssertNotNil((van["fields"] as? [String: Any])?["deviceSettings"])
    }
}
