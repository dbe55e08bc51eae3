/// The on-demand service's trip, after google/maps/fleetengine/v1/trips.proto.
extension Message {
    static let trip = Message(
        "Trip",
        [
            Field("name", .string, .outputOnly),
            Field("vehicleId", .string),
            Field("tripStatus", .enumeration(.tripStatus)),
            Field("tripType", .enumeration(.tripType)),
            Field("pickupPoint", .message(.terminalLocation)),
            Field("actualPickupPoint", .message(stopLocation), .inputOnly),
            Field("actualPickupArrivalPoint", .message(stopLocation), .inputOnly),
            Field("pickupTime", .timestamp, .outputOnly),
            Field("intermediateDestinations", .list(.message(.terminalLocation))),
            Field("intermediateDestinationsVersion", .timestamp),
            Field("intermediateDestinationIndex", .int32),
            Field("actualIntermediateDestinationArrivalPoints", .list(.message(stopLocation)), .inputOnly),
            Field("actualIntermediateDestinations", .list(.message(stopLocation)), .inputOnly),
            Field("dropoffPoint", .message(.terminalLocation)),
            Field("actualDropoffPoint", .message(stopLocation), .inputOnly),
            Field("dropoffTime", .timestamp, .outputOnly),
            Field("remainingWaypoints", .list(.message(.tripWaypoint)), .outputOnly),
            Field("vehicleWaypoints", .list(.message(.tripWaypoint))),
            Field("route", .list(.message(.latLng)), .outputOnly),
            Field("currentRouteSegment", .string, .outputOnly),
            Field("currentRouteSegmentVersion", .timestamp, .outputOnly),
            Field("currentRouteSegmentEndPoint", .message(.tripWaypoint), .outputOnly),
            Field("remainingDistanceMeters", .wrapper(.int32), .outputOnly),
            Field("etaToFirstWaypoint", .timestamp, .outputOnly),
            Field("remainingTimeToFirstWaypoint", .duration, .outputOnly),
            Field("remainingWaypointsVersion", .timestamp, .outputOnly),
            Field("numberOfPassengers", .int32, .immutable),
            Field("lastLocation", .message(.vehicleLocation), .outputOnly),
            Field("lastLocationSnappable", .bool, .outputOnly),
            Field("view", .enumeration(.tripView)),
            Field("attributes", .list(.message(.attribute))),
        ]
    ) { trip, path throws(APIError) in
        try within(trip, path, "numberOfPassengers", 0...Double(Int32.max))
        try within(trip, path, "intermediateDestinationIndex", 0...Double(Int32.max))
        try checkAttributes(trip, path)
        if let id = trip["vehicleId"]?.string, !id.isEmpty, let problem = ResourceKey.problem(with: id) {
            throw .invalid("\(path).vehicleId", problem)
        }
    }

    private static let stopLocation = Message(
        "StopLocation",
        [Field("point", .message(.latLng)), Field("timestamp", .timestamp), Field("stopTime", .timestamp, .deprecated)]
    ) { stop, path throws(APIError) in
        guard stop["point"] != nil else { throw .invalid("\(path).point", "is required") }
    }
}

extension Enumeration {
    static let tripStatus = Enumeration(
        "TripStatus",
        [
            "UNKNOWN_TRIP_STATUS": 0, "NEW": 1, "ENROUTE_TO_PICKUP": 2, "ARRIVED_AT_PICKUP": 3, "ENROUTE_TO_DROPOFF": 4, "COMPLETE": 5,
            "CANCELED": 6, "ARRIVED_AT_INTERMEDIATE_DESTINATION": 7, "ENROUTE_TO_INTERMEDIATE_DESTINATION": 8,
        ])

    static let tripView = Enumeration("TripView", ["TRIP_VIEW_UNSPECIFIED": 0, "SDK": 1, "JOURNEY_SHARING_V1S": 2])

    static let routeFormat = Enumeration(
        "PolylineFormatType", ["UNKNOWN_FORMAT_TYPE": 0, "LAT_LNG_LIST_TYPE": 1, "ENCODED_POLYLINE_TYPE": 2])
}
