import XCTest

@testable import Emulator

/// Trips as a provider, a driver and a consumer see them, at a clock that stands at 2026-01-31T12:00:00.250Z.
final class TripTests: EmulatorTestCase {
    override var frozenTime: Int64? { 1_769_860_800_250 }

    private static let now = "2026-01-31T12:00:00.250Z"

    private func place(_ thousandths: Int) -> String { #"{"point":{"latitude":48.\#(100 + thousandths),"longitude":9}}"# }

    @discardableResult
    private func create(_ id: String, _ more: String = #","vehicleId":"van-17""#) throws -> HTTPConnection.Answer {
        let body = #"{"tripType":"EXCLUSIVE","pickupPoint":\#(place(1)),"dropoffPoint":\#(place(9)),"tripStatus":"COMPLETE"\#(more)}"#
        return try send("POST", Self.root + "/trips?tripId=" + id, token: token("admin"), body: body)
    }

    @discardableResult
    private func set(_ id: String, _ mask: String, _ body: String) throws -> HTTPConnection.Answer {
        try send("PUT", Self.root + "/trips/\(id)?updateMask=" + mask, token: token("admin"), body: body)
    }

    private func setStatus(_ id: String, _ status: String) throws -> HTTPConnection.Answer {
        try set(id, "tripStatus", #"{"tripStatus":"\#(status)"}"#)
    }

    private func read(_ id: String, _ query: String = "") throws -> HTTPConnection.Answer {
        try send("GET", Self.root + "/trips/" + id + query, token: token("consumer/" + id))
    }

    private func kinds(_ waypoints: Any?) -> [String] {
        (waypoints as? [[String: Any]] ?? []).map { "\($0["tripId"] ?? "") \($0["waypointType"] ?? "")" }
    }

    private func van() throws -> [String: Any] { try send("GET", Self.van, token: token("driver/van-17")).object }

    private func report() throws {
        let body = """
            {"currentRouteSegment":"\(Self.segment)","remainingTimeSeconds":60,"remainingDistanceMeters":266,
            "lastLocation":{"location":{"latitude":48,"longitude":9},"locationSensor":"GPS"}}
            """
        try update("currentRouteSegment,remainingTimeSeconds,remainingDistanceMeters,lastLocation", body)
    }

    func testATripBeginsAsNewAndIsReadByItsConsumerAndItsDriver() throws {
        let created = try create("t", "")
        XCTAssertEqual(created.object["tripStatus"] as? String, "NEW")
        XCTAssertEqual(created.object["name"] as? String, "providers/demo-provider/trips/t")
        XCTAssertEqual(try read("t").object["tripType"] as? String, "EXCLUSIVE")
        XCTAssertEqual(try send("GET", Self.root + "/trips/t", token: token("driver/van-17?tripId=t")).status, 200)
        for account in ["consumer/other", "driver/van-17"] {
            assertRefused(try send("GET", Self.root + "/trips/t", token: token(account)), 403, "PERMISSION_DENIED", "tripid", account)
        }
        assertRefused(
            try send("PUT", Self.root + "/trips/t?updateMask=tripStatus", token: token("consumer/t"), body: "{}"), 403,
            "PERMISSION_DENIED", "does not permit")
        assertRefused(try create("t"), 409, "ALREADY_EXISTS", "trips/t")
        assertRefused(try read("u"), 404, "NOT_FOUND", "trips/u")
        assertRefused(try create("u", #","vehicleId":"nobody""#), 404, "NOT_FOUND", "vehicles/nobody")
        assertRefused(
            try send("POST", Self.root + "/trips?tripId=v", token: token("admin"), body: #"{"tripType":"SHARED"}"#), 400,
            "INVALID_ARGUMENT", "trip.pickupPoint")
        let shared = #"{"tripType":"SHARED","pickupPoint":\#(place(1)),"intermediateDestinations":[\#(place(2))]}"#
        assertRefused(
            try send("POST", Self.root + "/trips?tripId=v", token: token("admin"), body: shared), 400, "INVALID_ARGUMENT", "EXCLUSIVE")
    }

    func testATripGoesFromStatusToStatusAndItsWaypointsLeaveTheVehicle() throws {
        try create("t", #","vehicleId":"van-17","intermediateDestinations":[\#(place(3)),\#(place(5))]"#)
        XCTAssertEqual(try van()["currentTrips"] as? [String], ["t"])
        let version = try XCTUnwrap(read("t").object["intermediateDestinationsVersion"] as? String)
        let between = "INTERMEDIATE_DESTINATION"
        let steps: [(status: String, index: Int?, left: Int)] = [
            ("ENROUTE_TO_PICKUP", nil, 4), ("ARRIVED_AT_PICKUP", nil, 4), ("ENROUTE_TO_\(between)", 0, 3), ("ARRIVED_AT_\(between)", 0, 3),
            ("ENROUTE_TO_\(between)", 1, 2), ("ARRIVED_AT_\(between)", 1, 2), ("ENROUTE_TO_DROPOFF", nil, 1), ("COMPLETE", nil, 0),
        ]
        for step in steps {
            let answer: HTTPConnection.Answer
            if let index = step.index {
                let body = #"{"tripStatus":"\#(step.status)","intermediateDestinationIndex":\#(index),"#
                answer = try set(
                    "t", "tripStatus,intermediateDestinationIndex", body + #""intermediateDestinationsVersion":"\#(version)"}"#)
            } else {
                answer = try setStatus("t", step.status)
            }
            XCTAssertEqual(answer.status, 200, answer.text)
            XCTAssertEqual(answer.object["tripStatus"] as? String, step.status)
            XCTAssertEqual((answer.object["remainingWaypoints"] as? [Any])?.count ?? 0, step.left, step.status)
            XCTAssertEqual((try van()["waypoints"] as? [Any])?.count ?? 0, step.left, step.status)
        }
        XCTAssertNil(try van()["currentTrips"])
        XCTAssertEqual(try read("t").object["pickupTime"] as? String, Self.now)
        XCTAssertEqual(try read("t").object["dropoffTime"] as? String, Self.now)
        assertRefused(try setStatus("t", "ENROUTE_TO_DROPOFF"), 400, "FAILED_PRECONDITION", "ended")
    }

    func testATripNeitherGoesBackNorWithoutAVehicle() throws {
        try create("t", "")
        assertRefused(try setStatus("t", "ENROUTE_TO_PICKUP"), 400, "FAILED_PRECONDITION", "without a vehicle")
        try set("t", "vehicleId,tripStatus", #"{"vehicleId":"van-17","tripStatus":"ARRIVED_AT_PICKUP"}"#)
        assertRefused(try setStatus("t", "ENROUTE_TO_PICKUP"), 400, "FAILED_PRECONDITION", "back")
        assertRefused(try setStatus("t", "UNKNOWN_TRIP_STATUS"), 400, "INVALID_ARGUMENT", "trip.tripStatus")
        XCTAssertEqual(try setStatus("t", "CANCELED").status, 200)
        for (mask, words) in [("route", "output only"), ("numberOfPassengers", "immutable"), ("speed", "not a field"), ("", "required")] {
            assertRefused(try set("t", mask, "{}"), 400, "INVALID_ARGUMENT", words, mask)
        }
    }

    func testTheIndexOfADestinationNeedsTheListsVersion() throws {
        try create("t", #","vehicleId":"van-17","intermediateDestinations":[\#(place(3))]"#)
        let mask = "intermediateDestinationIndex"
        assertRefused(try set("t", mask, #"{"\#(mask)":0}"#), 400, "FAILED_PRECONDITION", "Version")
        let version = #""intermediateDestinationsVersion":"\#(Self.now)""#
        assertRefused(try set("t", mask, #"{"\#(mask)":1,\#(version)}"#), 400, "INVALID_ARGUMENT", "beyond")
        XCTAssertEqual(try set("t", mask, #"{"\#(mask)":0,\#(version)}"#).status, 200)
    }

    func testAConsumerSeesWhereTheVehicleIsAndWhenItComes() throws {
        try create("t")
        _ = try setStatus("t", "ENROUTE_TO_PICKUP")
        try report()
        let trip = try read("t", "?view=JOURNEY_SHARING_V1S").object
        XCTAssertEqual(trip["view"] as? String, "JOURNEY_SHARING_V1S")
        XCTAssertEqual(trip["remainingDistanceMeters"] as? Int, 266)
        XCTAssertEqual(trip["etaToFirstWaypoint"] as? String, "2026-01-31T12:01:00.250Z")
        XCTAssertEqual(trip["remainingTimeToFirstWaypoint"] as? String, "60s")
        XCTAssertEqual(trip["pickupTime"] as? String, "2026-01-31T12:01:00.250Z")
        // 889.56 m at 30 km/h later.
        XCTAssertEqual(trip["dropoffTime"] as? String, "2026-01-31T12:02:46.997Z")
        XCTAssertEqual((trip["route"] as? [Any])?.count, 5)
        XCTAssertNil(trip["currentRouteSegment"])
        XCTAssertEqual(trip["lastLocationSnappable"] as? Bool, true)
        let location = try XCTUnwrap(trip["lastLocation"] as? [String: Any])
        XCTAssertEqual(location["location"] as? [String: Double], ["latitude": 48, "longitude": 9])
        XCTAssertEqual(location["serverTime"] as? String, Self.now)
        let waypoints = try XCTUnwrap(trip["remainingWaypoints"] as? [[String: Any]])
        XCTAssertNil(waypoints[0]["distanceMeters"], "undefined for the first")
        XCTAssertEqual(waypoints[1]["distanceMeters"] as? Int, 890)
        XCTAssertNil(trip["vehicleWaypoints"], "for privacy, updates only")
        let encoded = try read("t", "?routeFormatType=ENCODED_POLYLINE_TYPE").object
        XCTAssertEqual(encoded["currentRouteSegment"] as? String, Self.segment)
        XCTAssertNil(encoded["route"])
        XCTAssertNil(try read("t", "?currentRouteSegmentVersion=" + Self.now).object["route"], "known already")
        for query in ["?view=ALL", "?routeFormatType=3", "?currentRouteSegmentVersion=then", "?fast=1"] {
            XCTAssertEqual(try read("t", query).status, 400, query)
        }
        _ = try setStatus("t", "COMPLETE")
        XCTAssertNil(try read("t").object["lastLocation"])
        XCTAssertNil(try read("t").object["etaToFirstWaypoint"])
    }

    func testTripsShareAVehicleInTheOrderTheProviderGives() throws {
        try create("a")
        let second = try create("b")
        XCTAssertEqual(
            kinds(second.object["vehicleWaypoints"]),
            ["a PICKUP_WAYPOINT_TYPE", "a DROP_OFF_WAYPOINT_TYPE", "b PICKUP_WAYPOINT_TYPE", "b DROP_OFF_WAYPOINT_TYPE"])
        let given = try XCTUnwrap(second.object["vehicleWaypoints"] as? [[String: Any]])
        let order = [given[0], given[2], given[1], given[3]]
        let text = String(decoding: try JSONSerialization.data(withJSONObject: ["vehicleWaypoints": order]), as: UTF8.self)
        let ordered = try set("b", "vehicleWaypoints", text)
        XCTAssertEqual(ordered.status, 200, ordered.text)
        let expected = ["a PICKUP_WAYPOINT_TYPE", "b PICKUP_WAYPOINT_TYPE", "a DROP_OFF_WAYPOINT_TYPE"]
        XCTAssertEqual(kinds(try van()["waypoints"]).prefix(3), expected[...])
        XCTAssertEqual(kinds(try read("a").object["remainingWaypoints"]), expected, "others' stops before the trip's last are the trip's")
        let part = String(decoding: try JSONSerialization.data(withJSONObject: ["vehicleWaypoints": [order[0]]]), as: UTF8.self)
        assertRefused(try set("b", "vehicleWaypoints", part), 400, "INVALID_ARGUMENT", "trip.vehicleWaypoints")
        _ = try setStatus("a", "CANCELED")
        XCTAssertEqual(kinds(try van()["waypoints"]), ["b PICKUP_WAYPOINT_TYPE", "b DROP_OFF_WAYPOINT_TYPE"])
    }

    func testADriverReordersItsWaypointsAndGetLeavesKnownOnesOut() throws {
        try create("a")
        let own = try XCTUnwrap(van()["waypoints"] as? [[String: Any]])
        let body = { (list: [[String: Any]]) in
            String(decoding: try JSONSerialization.data(withJSONObject: ["waypoints": list]), as: UTF8.self)
        }
        let turned = try update("waypoints", try body(own.reversed()))
        XCTAssertEqual(kinds(turned.object["waypoints"]), ["a DROP_OFF_WAYPOINT_TYPE", "a PICKUP_WAYPOINT_TYPE"])
        assertRefused(try update("waypoints", try body([own[0]])), 400, "INVALID_ARGUMENT", "vehicle.waypoints")
        let driver = try token("driver/van-17")
        XCTAssertNil(try send("GET", Self.van + "?waypointsVersion=" + Self.now, token: driver).object["waypoints"])
        XCTAssertNotNil(try send("GET", Self.van + "?waypointsVersion=2026-01-31T12:00:00.249Z", token: driver).object["waypoints"])
    }

    func testATripMovesToAnotherVehicleAndActiveOnesAreNotDeleted() throws {
        let admin = try token("admin")
        let taxi = #"{"vehicleState":"ONLINE","supportedTripTypes":["EXCLUSIVE"],"maximumCapacity":4,"vehicleType":{"category":"TAXI"}}"#
        XCTAssertEqual(try send("POST", Self.root + "/vehicles?vehicleId=taxi", token: admin, body: taxi).status, 200)
        try create("a")
        assertRefused(try send("DELETE", Self.van, token: admin), 400, "FAILED_PRECONDITION", "active trips")
        try set("a", "vehicleId", #"{"vehicleId":"taxi"}"#)
        XCTAssertNil(try van()["waypoints"])
        XCTAssertEqual((try send("GET", Self.root + "/vehicles/taxi", token: admin).object["waypoints"] as? [Any])?.count, 2)
        _ = try setStatus("a", "ENROUTE_TO_PICKUP")
        assertRefused(try send("DELETE", Self.root + "/trips/a", token: admin), 400, "FAILED_PRECONDITION", "active")
        _ = try setStatus("a", "CANCELED")
        XCTAssertEqual(try send("DELETE", Self.root + "/trips/a", token: admin).status, 200)
        XCTAssertEqual(try send("DELETE", Self.van, token: admin).status, 200)
    }
}
