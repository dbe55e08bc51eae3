/// The delivery service's vehicle, after google/maps/fleetengine/delivery/v1/delivery_vehicles.proto.
extension Message {
    static let deliveryVehicle = Message(
        "DeliveryVehicle",
        [
            Field("name", .string, .outputOnly),
            Field("lastLocation", .message(.vehicleLocation)),
            Field("navigationStatus", .enumeration(.navigationStatus)),
            Field("currentRouteSegment", .bytes),
            Field("currentRouteSegmentEndPoint", .message(.latLng)),
            Field("remainingDistanceMeters", .wrapper(.int32)),
            Field("remainingDuration", .duration),
            Field("remainingVehicleJourneySegments", .list(.message(journeySegment))),
            Field("attributes", .list(.message(.attribute))),
            Field("type", .enumeration(.deliveryVehicleType)),
            Field("pastLocations", .list(.message(.vehicleLocation)), .inputOnly),
        ]
    ) { vehicle, path throws(APIError) in
        try checkVehicle(vehicle, path)
        try checkStops(vehicle, path)
        if let text = vehicle["remainingDuration"]?.string, let duration = ProtoDuration(text), duration.isNegative {
            throw .invalid("\(path).remainingDuration", "must not be negative")
        }
        guard let segment = vehicle["currentRouteSegment"]?.string, !segment.isEmpty else { return }
        try checkSegment(Base64.decode(segment) ?? [], "\(path).currentRouteSegment")
    }

    static let journeySegment = Message(
        "VehicleJourneySegment",
        [
            Field("stop", .message(vehicleStop)),
            Field("drivingDistanceMeters", .wrapper(.int32), .outputOnly),
            Field("drivingDuration", .duration, .outputOnly),
            Field("path", .list(.message(.latLng)), .outputOnly),
        ]
    ) { segment, path throws(APIError) in
        guard segment["stop"] != nil else { throw .invalid("\(path).stop", "is required") }
    }

    /// Which stop the vehicle is under way to, or at, is always the first; each task is carried out at one.
    private static func checkStops(_ vehicle: JSONObject, _ path: String) throws(APIError) {
        var tasks = Set<String>()
        for (index, segment) in (vehicle["remainingVehicleJourneySegments"]?.array ?? []).enumerated() {
            let stopPath = "\(path).remainingVehicleJourneySegments[\(index)].stop"
            let state = segment.object?["stop"]?.object?["state"]?.string
            guard state != "STATE_UNSPECIFIED" else { throw .invalid("\(stopPath).state", "must be NEW, ENROUTE or ARRIVED") }
            guard index == 0 || state == nil || state == "NEW" else {
                throw .invalid("\(stopPath).state", "must be NEW for every stop but the first")
            }
            for id in Journey.taskIds(of: segment) {
                if let problem = ResourceKey.problem(with: id) { throw .invalid("\(stopPath).tasks.taskId", problem) }
                guard tasks.insert(id).inserted else { throw .invalid("\(stopPath).tasks.taskId", "\"\(id)\" is given twice") }
            }
        }
    }

    static let locationInfo = Message("LocationInfo", [Field("point", .message(.latLng))])

    static let timeWindow = Message("TimeWindow", [Field("startTime", .timestamp), Field("endTime", .timestamp)])

    private static let vehicleStop = Message(
        "VehicleStop",
        [
            Field("plannedLocation", .message(.locationInfo)),
            Field("tasks", .list(.message(taskInfo))),
            Field("state", .enumeration(.stopState)),
        ]
    ) { stop, path throws(APIError) in
        guard stop["plannedLocation"]?.object?["point"] != nil else { throw .invalid("\(path).plannedLocation.point", "is required") }
    }

    private static let taskInfo = Message(
        "VehicleStop.TaskInfo",
        [
            Field("taskId", .string),
            Field("taskDuration", .duration, .outputOnly),
            Field("targetTimeWindow", .message(.timeWindow), .outputOnly),
        ])
}

extension Enumeration {
    fileprivate static let deliveryVehicleType = Enumeration(
        "DeliveryVehicleType",
        ["DELIVERY_VEHICLE_TYPE_UNSPECIFIED": 0, "AUTO": 1, "TWO_WHEELER": 2, "BICYCLE": 3, "PEDESTRIAN": 4])

    fileprivate static let stopState = Enumeration("VehicleStop.State", ["STATE_UNSPECIFIED": 0, "NEW": 1, "ENROUTE": 2, "ARRIVED": 3])
}
