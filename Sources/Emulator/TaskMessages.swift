/// The delivery service's task and what a recipient sees of it, after tasks.proto and task_tracking_info.proto in
/// google/maps/fleetengine/delivery/v1.
extension Message {
    static let task = Message(
        "Task",
        [
            Field("name", .string, .outputOnly),
            Field("type", .enumeration(.taskType), .immutable),
            Field("state", .enumeration(.taskState)),
            Field("taskOutcome", .enumeration(.taskOutcome)),
            Field("taskOutcomeTime", .timestamp),
            Field("taskOutcomeLocation", .message(.locationInfo)),
            Field("taskOutcomeLocationSource", .enumeration(.taskOutcomeLocationSource), .outputOnly),
            Field("trackingId", .string, .immutable),
            Field("deliveryVehicleId", .string, .outputOnly),
            Field("plannedLocation", .message(.locationInfo), .immutable),
            Field("taskDuration", .duration, .immutable),
            Field("targetTimeWindow", .message(.timeWindow)),
            Field("journeySharingInfo", .message(journeySharingInfo), .outputOnly),
            Field("taskTrackingViewConfig", .message(trackingViewConfig)),
            Field("attributes", .list(.message(.attribute))),
        ]
    ) { task, path throws(APIError) in
        try checkAttributes(task, path)
        if let text = task["taskDuration"]?.string, let duration = ProtoDuration(text), duration.isNegative {
            throw .invalid("\(path).taskDuration", "must not be negative")
        }
        guard task["taskOutcomeTime"] == nil || task["taskOutcome"] != nil else {
            throw .invalid("\(path).taskOutcomeTime", "must not be set without taskOutcome")
        }
    }

    static let trackingInfo = Message(
        "TaskTrackingInfo",
        [
            Field("name", .string, .outputOnly),
            Field("trackingId", .string, .outputOnly),
            Field("vehicleLocation", .message(.vehicleLocation), .outputOnly),
            Field("routePolylinePoints", .list(.message(.latLng)), .outputOnly),
            Field("remainingStopCount", .wrapper(.int32), .outputOnly),
            Field("remainingDrivingDistanceMeters", .wrapper(.int32), .outputOnly),
            Field("estimatedArrivalTime", .timestamp, .outputOnly),
            Field("estimatedTaskCompletionTime", .timestamp, .outputOnly),
            Field("state", .enumeration(.taskState), .outputOnly),
            Field("taskOutcome", .enumeration(.taskOutcome), .outputOnly),
            Field("taskOutcomeTime", .timestamp, .outputOnly),
            Field("plannedLocation", .message(.locationInfo), .outputOnly),
            Field("targetTimeWindow", .message(.timeWindow), .outputOnly),
            Field("attributes", .list(.message(.attribute)), .outputOnly),
        ])

    private static let journeySharingInfo = Message(
        "JourneySharingInfo",
        [
            Field("remainingVehicleJourneySegments", .list(.message(.journeySegment))),
            Field("lastLocation", .message(.vehicleLocation)),
            Field("lastLocationSnappable", .bool),
        ])

    private static let trackingViewConfig = Message(
        "TaskTrackingViewConfig",
        [
            "routePolylinePointsVisibility", "estimatedArrivalTimeVisibility", "estimatedTaskCompletionTimeVisibility",
            "remainingDrivingDistanceVisibility", "remainingStopCountVisibility", "vehicleLocationVisibility",
        ].map { Field($0, .message(visibility)) })

    private static let visibility = Message(
        "VisibilityOption",
        [
            Field("remainingStopCountThreshold", .int32), Field("durationUntilEstimatedArrivalTimeThreshold", .duration),
            Field("remainingDrivingDistanceMetersThreshold", .int32), Field("always", .bool), Field("never", .bool),
        ])
}

extension Enumeration {
    fileprivate static let taskType = Enumeration(
        "Task.Type", ["TYPE_UNSPECIFIED": 0, "PICKUP": 1, "DELIVERY": 2, "SCHEDULED_STOP": 3, "UNAVAILABLE": 4])

    fileprivate static let taskState = Enumeration("Task.State", ["STATE_UNSPECIFIED": 0, "OPEN": 1, "CLOSED": 2])

    fileprivate static let taskOutcome = Enumeration(
        "TaskOutcome", ["TASK_OUTCOME_UNSPECIFIED": 0, "SUCCEEDED": 1, "FAILED": 2])

    fileprivate static let taskOutcomeLocationSource = Enumeration(
        "TaskOutcomeLocationSource",
        ["TASK_OUTCOME_LOCATION_SOURCE_UNSPECIFIED": 0, "PROVIDER": 2, "LAST_VEHICLE_LOCATION": 3])
}
