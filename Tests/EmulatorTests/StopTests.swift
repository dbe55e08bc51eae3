import XCTest

@testable import Emulator

/// A delivery vehicle's stops, its tasks, and what a recipient sees, at a clock that stands at 2026-01-31T12:00:00.250Z.
final class StopTests: EmulatorTestCase {
    override var frozenTime: Int64? { 1_769_860_800_250 }

    private static let field = "remainingVehicleJourneySegments"

    /// Stops 0.001° of latitude, 111 m, apart; a task each.
    private func stops(_ list: [(task: String, state: String?)], from first: Int = 0) -> String {
        let segments = list.enumerated().map { index, stop in
            let state = stop.state.map { #","state":"\#($0)""# } ?? ""
            let point = #"{"latitude":48.\#(101 + first + index),"longitude":9}"#
            return #"{"stop":{"plannedLocation":{"point":\#(point)},"tasks":[{"taskId":"\#(stop.task)"}]\#(state)}}"#
        }
        return #"{"\#(Self.field)":[\#(segments.joined(separator: ","))]}"#
    }

    @discardableResult
    private func createTask(_ id: String, _ changes: String = "") throws -> HTTPConnection.Answer {
        let body =
            #"{"type":"DELIVERY","state":"OPEN","trackingId":"parcel-\#(id)","plannedLocation":{"point":{"latitude":48.1,"longitude":9}},"#
            + #""taskDuration":"90s"\#(changes)}"#
        return try send("POST", Self.root + "/tasks?taskId=" + id, token: token("admin"), body: body)
    }

    private func task(_ id: String) throws -> [String: Any] {
        try send("GET", Self.root + "/tasks/" + id, token: token("delivery-driver/depot-3?taskId=" + id)).object
    }

    private func updateTask(_ id: String, _ mask: String, _ body: String) throws -> HTTPConnection.Answer {
        let driver = try token("delivery-driver/depot-3?taskId=\(id)&taskId=other")
        return try send("PATCH", Self.root + "/tasks/\(id)?updateMask=" + mask, token: driver, body: body)
    }

    private func states(_ answer: HTTPConnection.Answer) -> [String] {
        let segments = answer.object[Self.field] as? [[String: Any]] ?? []
        return segments.compactMap { ($0["stop"] as? [String: Any])?["state"] as? String }
    }

    func testAVehicleGoesFromStopToStopAndClosesTasksOnTheWay() throws {
        for id in ["a", "b"] { XCTAssertEqual(try createTask(id).status, 200) }
        XCTAssertEqual(states(try updateDelivery(Self.field, stops([("a", nil), ("b", "NEW")]))), ["NEW", "NEW"])
        for state in ["ENROUTE", "ARRIVED"] {
            XCTAssertEqual(states(try updateDelivery(Self.field, stops([("a", state), ("b", "NEW")]))), [state, "NEW"])
        }
        XCTAssertEqual(try task("a")["deliveryVehicleId"] as? String, "depot-3")
        XCTAssertEqual(try task("a")["state"] as? String, "OPEN")
        XCTAssertEqual(states(try updateDelivery(Self.field, stops([("b", "ENROUTE")], from: 1))), ["ENROUTE"])
        XCTAssertEqual(try task("a")["state"] as? String, "CLOSED")
        XCTAssertEqual(try task("b")["state"] as? String, "OPEN")
        XCTAssertEqual(states(try updateDelivery(Self.field, "{}")), [])
        XCTAssertEqual(try task("b")["state"] as? String, "CLOSED")
        assertRefused(try updateDelivery(Self.field, stops([("b", "NEW")])), 400, "FAILED_PRECONDITION", "closed")
    }

    func testOnlyTheFirstStopMayBeUnderWay() throws {
        let rows: [(words: String, body: String)] = [
            ("[1].stop.state", stops([("a", "NEW"), ("b", "ENROUTE")])),
            ("[2].stop.state", stops([("a", "ARRIVED"), ("b", "NEW"), ("c", "ARRIVED")])),
            ("[0].stop.state", stops([("a", "STATE_UNSPECIFIED")])),
            ("[0].stop.state", stops([("a", "DONE")])),
            ("given twice", stops([("a", "NEW"), ("a", "NEW")])),
            ("[0].stop.tasks.taskId", stops([("a/b", "NEW")])),
            ("[0].stop.plannedLocation.point", #"{"\#(Self.field)":[{"stop":{"state":"NEW"}}]}"#),
            ("[0].drivingDistanceMeters", #"{"\#(Self.field)":[{"drivingDistanceMeters":5}]}"#),
        ]
        for row in rows { assertRefused(try updateDelivery(Self.field, row.body), 400, "INVALID_ARGUMENT", row.words, row.words) }
        XCTAssertEqual(try updateDelivery(Self.field, stops([("nobody's", "NEW")])).status, 200)
        XCTAssertEqual(try history("?under=/v1").last?["remarks"] as? [String], ["task nobody's does not exist"])
    }

    func testARoleForPositionsOnlyMayNotChangeStops() throws {
        let untrusted = try token("untrusted-delivery-driver/depot-3")
        let target = { (mask: String) in Self.depot + "?updateMask=" + mask }
        let location = #"{"lastLocation":{"location":{"latitude":1},"locationSensor":"GPS"}}"#
        XCTAssertEqual(try send("PATCH", target("lastLocation"), token: untrusted, body: location).status, 200)
        let refused = try send("PATCH", target("lastLocation,\(Self.field)"), token: untrusted, body: "{}")
        assertRefused(refused, 403, "PERMISSION_DENIED", Self.field)
    }

    func testTheWayToEachStopAddsUpForTheRecipient() throws {
        for id in ["a", "b"] { try createTask(id) }
        try updateDelivery(Self.field, stops([("a", "ENROUTE"), ("b", "NEW")]))
        let report = #"{"currentRouteSegment":"\#(Self.segment)","remainingDistanceMeters":800,"remainingDuration":"100s","#
        let location = #""lastLocation":{"location":{"latitude":48,"longitude":9},"locationSensor":"GPS"}}"#
        try updateDelivery("currentRouteSegment,remainingDistanceMeters,remainingDuration,lastLocation", report + location)
        let answer = try send("GET", Self.root + "/taskTrackingInfo/parcel-b", token: token("delivery-consumer/parcel-b"))
        XCTAssertEqual(answer.object["name"] as? String, "providers/demo-provider/taskTrackingInfo/parcel-b")
        XCTAssertEqual(answer.object["remainingStopCount"] as? Int, 2)
        XCTAssertEqual(answer.object["remainingDrivingDistanceMeters"] as? Int, 800 + 111)
        // 100 s, 111.19 m at 30 km/h, and 90 s at the door.
        XCTAssertEqual(answer.object["estimatedArrivalTime"] as? String, "2026-01-31T12:01:53.593Z")
        XCTAssertEqual(answer.object["estimatedTaskCompletionTime"] as? String, "2026-01-31T12:03:23.593Z")
        XCTAssertEqual((answer.object["routePolylinePoints"] as? [Any])?.count, 6)
        let seen = (answer.object["vehicleLocation"] as? [String: Any])?["location"] as? [String: Double]
        XCTAssertEqual(seen, ["latitude": 48, "longitude": 9])
        let sharing = try XCTUnwrap(task("a")["journeySharingInfo"] as? [String: Any])
        XCTAssertEqual((sharing[Self.field] as? [[String: Any]])?.first?["drivingDistanceMeters"] as? Int, 800)
        XCTAssertEqual((sharing[Self.field] as? [Any])?.count, 1)
        XCTAssertEqual(sharing["lastLocationSnappable"] as? Bool, true)
        try updateDelivery(Self.field, stops([("a", "ENROUTE")]))
        let closed = try send("GET", Self.root + "/taskTrackingInfo/parcel-b", token: token("delivery-consumer/parcel-b"))
        XCTAssertEqual(closed.object["state"] as? String, "CLOSED")
        XCTAssertNil(closed.object["vehicleLocation"])
    }

    func testTrackingIsForTheHolderOfItsTokenOnly() throws {
        try createTask("a")
        let path = Self.root + "/taskTrackingInfo/parcel-a"
        assertRefused(try send("GET", path, token: token("delivery-consumer/parcel-b")), 403, "PERMISSION_DENIED", "trackingid")
        assertRefused(try send("GET", path, token: token("delivery-driver/depot-3")), 403, "PERMISSION_DENIED", "trackingid")
        assertRefused(
            try send("GET", Self.root + "/taskTrackingInfo/none", token: token("delivery-consumer/none")), 404, "NOT_FOUND", "none")
        assertRefused(try send("DELETE", path, token: token("admin")), 404, "NOT_FOUND", "Method not found")
    }

    func testATaskIsCreatedWithWhatItsTypeNeeds() throws {
        let rows: [(words: String, body: String)] = [
            ("task.type", #"{"state":"OPEN","taskDuration":"1s"}"#),
            ("task.taskDuration", #"{"type":"UNAVAILABLE","state":"OPEN"}"#),
            ("OPEN", #"{"type":"UNAVAILABLE","state":"CLOSED","taskDuration":"1s"}"#),
            ("task.plannedLocation", #"{"type":"SCHEDULED_STOP","state":"OPEN","taskDuration":"1s"}"#),
            ("task.trackingId", #"{"type":"PICKUP","state":"OPEN","taskDuration":"1s","plannedLocation":{"point":{"latitude":1}}}"#),
            ("task.trackingId", #"{"type":"UNAVAILABLE","state":"OPEN","taskDuration":"1s","trackingId":"t"}"#),
            ("task.taskOutcome", #"{"type":"UNAVAILABLE","state":"OPEN","taskDuration":"1s","taskOutcome":"FAILED"}"#),
            ("task.taskDuration", #"{"type":"UNAVAILABLE","state":"OPEN","taskDuration":"-1s"}"#),
        ]
        let admin = try token("admin")
        for row in rows {
            let answer = try send("POST", Self.root + "/tasks?taskId=t", token: admin, body: row.body)
            assertRefused(answer, 400, "INVALID_ARGUMENT", row.words, row.body)
        }
        let pause = #"{"type":"UNAVAILABLE","state":"OPEN","taskDuration":"600s"}"#
        let created = try send("POST", Self.root + "/tasks?taskId=t", token: admin, body: pause)
        XCTAssertEqual(created.object["name"] as? String, "providers/demo-provider/tasks/t")
        assertRefused(try send("POST", Self.root + "/tasks?taskId=t", token: admin, body: pause), 409, "ALREADY_EXISTS", "tasks/t")
    }

    func testAnOutcomeIsSetOnceAndPlacedWhereTheVehicleIs() throws {
        for id in ["a", "b"] { try createTask(id) }
        try updateDelivery(Self.field, stops([("a", "ENROUTE"), ("b", "NEW")]))
        try updateDelivery("lastLocation", #"{"lastLocation":{"location":{"latitude":48,"longitude":9},"locationSensor":"GPS"}}"#)
        let mask = "task_outcome,taskOutcomeTime"
        let outcome = #"{"taskOutcome":"SUCCEEDED","taskOutcomeTime":"2026-01-31T12:00:00Z"}"#
        let done = try updateTask("a", mask, outcome)
        XCTAssertEqual(done.object["taskOutcomeLocationSource"] as? String, "LAST_VEHICLE_LOCATION")
        XCTAssertEqual(done.object["taskOutcomeLocation"] as? [String: [String: Double]], ["point": ["latitude": 48, "longitude": 9]])
        assertRefused(try updateTask("a", "taskOutcome", #"{"taskOutcome":"FAILED"}"#), 400, "FAILED_PRECONDITION", "outcome")
        let own = #"{"taskOutcome":"FAILED","taskOutcomeLocation":{"point":{"latitude":1}}}"#
        XCTAssertEqual(
            try updateTask("b", "taskOutcome,taskOutcomeLocation", own).object["taskOutcomeLocationSource"] as? String, "PROVIDER")
        assertRefused(try updateTask("b", "state", #"{"state":"CLOSED"}"#), 400, "FAILED_PRECONDITION", "closed by removing")
        for (mask, words) in [("trackingId", "immutable"), ("journeySharingInfo", "output only"), ("name", "output only")] {
            assertRefused(try updateTask("b", mask, "{}"), 400, "INVALID_ARGUMENT", words, mask)
        }
        assertRefused(
            try send("PATCH", Self.root + "/tasks/a?updateMask=state", token: token("delivery-driver/depot-3"), body: "{}"), 403,
            "PERMISSION_DENIED", "taskid")
    }

    func testListsArePagedAndFiltered() throws {
        for id in ["a", "b", "c"] { try createTask(id, #","attributes":[{"key":"tour","stringValue":"\#(id == "b" ? "2" : "1")"}]"#) }
        let admin = try token("admin")
        let names = { (answer: HTTPConnection.Answer, key: String) in
            (answer.object[key] as? [[String: Any]] ?? []).compactMap { ($0["name"] as? String)?.split(separator: "/").last }
        }
        let first = try send("GET", Self.root + "/tasks?pageSize=2", token: admin)
        XCTAssertEqual(names(first, "tasks"), ["a", "b"])
        XCTAssertEqual(first.object["totalSize"] as? String, "3")
        let next = try XCTUnwrap(first.object["nextPageToken"] as? String)
        let second = try send("GET", Self.root + "/tasks?pageSize=2&page_token=" + next, token: admin)
        XCTAssertEqual(names(second, "tasks"), ["c"])
        XCTAssertNil(second.object["nextPageToken"])
        let filters: [(filter: String, expected: [Substring])] = [
            ("attributes.tour%20%3D%201", ["a", "c"]), ("attributes.tour%3D%221%22%20AND%20tracking_id%3Dparcel-c", ["c"]),
            ("state%20=%20CLOSED", []),
        ]
        for row in filters {
            XCTAssertEqual(names(try send("GET", Self.root + "/tasks?filter=" + row.filter, token: admin), "tasks"), row.expected)
        }
        for query in ["filter=weight%3D1", "filter=state", "pageSize=-1", "pageToken=x", "viewport=1"] {
            XCTAssertEqual(try send("GET", Self.root + "/tasks?" + query, token: admin).status, 400, query)
        }
        try updateDelivery(Self.field, stops([("a", "NEW")]))
        let vehicles = try send("GET", Self.root + "/deliveryVehicles", token: admin)
        XCTAssertEqual(names(vehicles, "deliveryVehicles"), ["depot-3"])
        XCTAssertNil((vehicles.object["deliveryVehicles"] as? [[String: Any]])?[0][Self.field], "lists leave stops out")
        assertRefused(
            try send("GET", Self.root + "/deliveryVehicles", token: token("delivery-driver/depot-3")), 403, "PERMISSION_DENIED", "cover")
    }

    func testWhatHasSomethingToDoIsNotDeleted() throws {
        try createTask("a")
        try updateDelivery(Self.field, stops([("a", "NEW")]))
        let admin = try token("admin")
        assertRefused(try send("DELETE", Self.depot, token: admin), 400, "FAILED_PRECONDITION", "open tasks")
        assertRefused(try send("DELETE", Self.root + "/tasks/a", token: admin), 400, "FAILED_PRECONDITION", "assigned")
        try updateDelivery(Self.field, "{}")
        XCTAssertEqual(try send("DELETE", Self.root + "/tasks/a", token: admin).status, 200)
        XCTAssertEqual(try send("DELETE", Self.depot, token: admin).status, 200)
    }
}
