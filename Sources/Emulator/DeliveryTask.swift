/// A delivery task as it is stored.
struct DeliveryTask: Sendable {
    let name: String
    private(set) var fields: JSONObject

    init(name: String, fields: JSONObject) {
        self.name = name
        self.fields = fields
    }

    var isOpen: Bool { fields["state"]?.string == "OPEN" }
    var trackingId: String? { fields["trackingId"]?.string }

    /// The vehicle that is to carry it out.
    var vehicleId: String? {
        get { fields["deliveryVehicleId"]?.string }
        set { fields["deliveryVehicleId"] = newValue.map { .string($0) } }
    }

    /// What becomes of it when its stop leaves the vehicle's list.
    mutating func close() { fields["state"] = .string("CLOSED") }

    /// vehicle: the one that carries it out.
    mutating func update(_ body: JSONObject, mask: FieldMask, _ vehicle: Vehicle?) throws(APIError) {
        let before = fields
        mask.copy(from: body, into: &fields)
        if fields["state"] != before["state"] {
            guard fields["state"]?.string == "CLOSED", before["deliveryVehicleId"] == nil else {
                throw APIError(
                    .failedPrecondition, "A task is closed by removing its stop from the vehicle's list, and is never opened again.")
            }
        }
        guard before["taskOutcome"] == nil || before["taskOutcome"] == fields["taskOutcome"] else {
            throw APIError(.failedPrecondition, "The task's outcome is set and cannot be changed.")
        }
        guard fields["taskOutcome"] != nil else { return }
        if mask.names("taskOutcomeLocation"), fields["taskOutcomeLocation"] != nil {
            fields["taskOutcomeLocationSource"] = .string("PROVIDER")
        } else if before["taskOutcome"] == nil, let point = vehicle?.rawPoint {
            fields["taskOutcomeLocation"] = .object(["point": point])
            fields["taskOutcomeLocationSource"] = .string("LAST_VEHICLE_LOCATION")
        }
    }

    /// As a response shows it. journey: the vehicle's way to the task's stop.
    func shown(_ vehicle: Vehicle?, journey: Journey?) -> JSONObject {
        var result = fields
        result["name"] = .string(name)
        if isOpen, let vehicle, let journey {
            var info: JSONObject = ["remainingVehicleJourneySegments": .array(journey.segments)]
            info["lastLocation"] = vehicle.shownLocation
            info["lastLocationSnappable"] = .bool(vehicle.hasSegment && vehicle.shownLocation != nil)
            result["journeySharingInfo"] = .object(info)
        }
        return Message.task.shown(result)
    }

    /// What a recipient sees. Stops before this one are taken to need no time of their own.
    func tracking(name: String, _ vehicle: Vehicle?, journey: Journey?, now: Int64) -> JSONObject {
        var result: JSONObject = ["name": .string(name)]
        for field in [
            "trackingId", "state", "taskOutcome", "taskOutcomeTime", "plannedLocation", "targetTimeWindow", "attributes",
        ] { result[field] = fields[field] }
        if isOpen, let vehicle, let journey {
            result["vehicleLocation"] = vehicle.shownLocation
            result["routePolylinePoints"] = .array(journey.points)
            result["remainingStopCount"] = .integer(Int64(journey.segments.count))
            result["remainingDrivingDistanceMeters"] = journey.meters.map { .integer($0) }
            if let milliseconds = journey.milliseconds {
                let duration = fields["taskDuration"]?.string.flatMap(ProtoDuration.init)?.milliseconds ?? 0
                let time = { (milliseconds: Int64) in JSON.string(Timestamp(unixMilliseconds: now + milliseconds).text) }
                result["estimatedArrivalTime"] = time(milliseconds)
                result["estimatedTaskCompletionTime"] = time(milliseconds + duration)
            }
        }
        return Message.trackingInfo.shown(result)
    }
}
