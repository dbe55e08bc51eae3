/// The on-demand service's vehicle, after google/maps/fleetengine/v1/vehicles.proto.
extension Message {
    static let vehicle = Message(
        "Vehicle",
        [
            Field("name", .string, .outputOnly),
            Field("vehicleState", .enumeration(.vehicleState)),
            Field("supportedTripTypes", .list(.enumeration(.tripType))),
            Field("currentTrips", .list(.string), .outputOnly),
            Field("lastLocation", .message(.vehicleLocation)),
            Field("maximumCapacity", .int32),
            Field("attributes", .list(.message(.attribute))),
            Field("vehicleType", .message(vehicleType)),
            Field("licensePlate", .message(licensePlate)),
            Field("route", .list(.message(terminalLocation)), .deprecated),
            Field("currentRouteSegmentVersion", .timestamp, .outputOnly),
            Field("waypointsVersion", .timestamp, .outputOnly),
            Field("remainingDistanceMeters", .wrapper(.int32)),
            Field("etaToFirstWaypoint", .timestamp),
            Field("currentRouteSegment", .string),
            Field("waypoints", .list(.message(tripWaypoint))),
            Field("backToBackEnabled", .bool),
            Field("currentRouteSegmentEndPoint", .message(tripWaypoint)),
            Field("remainingTimeSeconds", .wrapper(.int32), .inputOnly),
            Field("navigationStatus", .enumeration(.navigationStatus)),
            Field("deviceSettings", .message(deviceSettings), .inputOnly),
            Field("currentRouteSegmentTraffic", .message(traffic), .inputOnly),
            Field("pastLocations", .list(.message(.vehicleLocation)), .inputOnly),
        ]
    ) { vehicle, path throws(APIError) in
        try checkVehicle(vehicle, path)
        try within(vehicle, path, "maximumCapacity", 1...Double(Int32.max))
        try within(vehicle, path, "remainingTimeSeconds", 0...Double(Int32.max))
        guard let segment = vehicle["currentRouteSegment"]?.string, !segment.isEmpty else { return }
        guard let bytes = Base64.decodeURLSafe(segment) else {
            throw .invalid("\(path).currentRouteSegment", "is not padded base64 in the URL-safe alphabet")
        }
        try checkSegment(bytes, "\(path).currentRouteSegment")
    }

    static func checkSegment(_ bytes: [UInt8], _ path: String) throws(APIError) {
        do throws(RouteSegment.Malformed) {
            _ = try RouteSegment.vertices(of: bytes)
        } catch {
            throw .invalid(path, error.reason)
        }
    }

    private static let vehicleType = Message(
        "Vehicle.VehicleType",
        [
            Field(
                "category",
                .enumeration(
                    Enumeration(
                        "Category",
                        ["UNKNOWN": 0, "AUTO": 1, "TAXI": 2, "TRUCK": 3, "TWO_WHEELER": 4, "BICYCLE": 5, "PEDESTRIAN": 6])))
        ])

    private static let licensePlate = Message("LicensePlate", [Field("countryCode", .string), Field("lastCharacter", .string)])

    static let terminalLocation = Message(
        "TerminalLocation",
        [
            Field("point", .message(.latLng)),
            Field(
                "terminalPointId",
                .message(
                    Message(
                        "TerminalPointId",
                        [
                            Field("placeId", .string, .deprecated), Field("generatedId", .string, .deprecated), Field("value", .string),
                        ])), .deprecated),
            Field("accessPointId", .string, .deprecated),
            Field("tripId", .string, .deprecated),
            Field("terminalLocationType", .enumeration(.waypointType), .deprecated),
        ]
    ) { location, path throws(APIError) in
        guard location["point"] != nil else { throw .invalid("\(path).point", "is required") }
    }

    static let tripWaypoint = Message(
        "TripWaypoint",
        [
            Field("location", .message(terminalLocation)),
            Field("tripId", .string),
            Field("waypointType", .enumeration(.waypointType)),
            Field("pathToWaypoint", .list(.message(.latLng))),
            Field("encodedPathToWaypoint", .string),
            Field("distanceMeters", .wrapper(.int32)),
            Field("eta", .timestamp),
            Field("duration", .duration),
            Field("trafficToWaypoint", .message(consumableTraffic)),
        ])

    private static let consumableTraffic = Message(
        "ConsumableTrafficPolyline",
        [
            Field(
                "speedReadingInterval",
                .list(
                    .message(
                        Message(
                            "SpeedReadingInterval",
                            [
                                Field("startPolylinePointIndex", .int32),
                                Field("endPolylinePointIndex", .int32),
                                Field(
                                    "speed",
                                    .enumeration(
                                        Enumeration("Speed", ["SPEED_UNSPECIFIED": 0, "NORMAL": 1, "SLOW": 2, "TRAFFIC_JAM": 3]))),
                            ])))),
            Field("encodedPathToWaypoint", .string),
        ])

    private static let traffic = Message(
        "TrafficPolylineData",
        [
            Field(
                "trafficRendering",
                .message(Message("VisualTrafficReportPolylineRendering", [Field("roadStretch", .list(.message(roadStretch)))])))
        ])

    private static let roadStretch = Message(
        "RoadStretch",
        [
            Field("style", .enumeration(Enumeration("Style", ["STYLE_UNSPECIFIED": 0, "SLOWER_TRAFFIC": 1, "TRAFFIC_JAM": 2]))),
            Field("offsetMeters", .int32),
            Field("lengthMeters", .int32),
        ]
    ) { stretch, path throws(APIError) in
        guard let style = stretch["style"]?.string, style != "STYLE_UNSPECIFIED" else { throw .invalid("\(path).style", "is required") }
        try within(stretch, path, "offsetMeters", 0...Double(Int32.max))
        try within(stretch, path, "lengthMeters", 0...Double(Int32.max))
    }

    private static let deviceSettings = Message(
        "DeviceSettings",
        [
            Field("locationPowerSaveMode", .enumeration(.locationPowerSaveMode)),
            Field("isPowerSaveMode", .bool),
            Field("isInteractive", .bool),
            Field(
                "batteryInfo",
                .message(
                    Message(
                        "BatteryInfo",
                        [
                            Field("batteryStatus", .enumeration(.batteryStatus)), Field("powerSource", .enumeration(.powerSource)),
                            Field("batteryPercentage", .float),
                        ]
                    ) { battery, path throws(APIError) in
                        try within(battery, path, "batteryPercentage", 0...100)
                    })),
        ])
}

extension Enumeration {
    static let vehicleState = Enumeration("VehicleState", ["UNKNOWN_VEHICLE_STATE": 0, "OFFLINE": 1, "ONLINE": 2])

    static let tripType = Enumeration("TripType", ["UNKNOWN_TRIP_TYPE": 0, "SHARED": 1, "EXCLUSIVE": 2])

    fileprivate static let waypointType = Enumeration(
        "WaypointType",
        [
            "UNKNOWN_WAYPOINT_TYPE": 0, "PICKUP_WAYPOINT_TYPE": 1, "DROP_OFF_WAYPOINT_TYPE": 2,
            "INTERMEDIATE_DESTINATION_WAYPOINT_TYPE": 3,
        ])

    fileprivate static let locationPowerSaveMode = Enumeration(
        "LocationPowerSaveMode",
        [
            "UNKNOWN_LOCATION_POWER_SAVE_MODE": 0, "LOCATION_MODE_NO_CHANGE": 1, "LOCATION_MODE_GPS_DISABLED_WHEN_SCREEN_OFF": 2,
            "LOCATION_MODE_ALL_DISABLED_WHEN_SCREEN_OFF": 3, "LOCATION_MODE_FOREGROUND_ONLY": 4,
            "LOCATION_MODE_THROTTLE_REQUESTS_WHEN_SCREEN_OFF": 5,
        ])

    fileprivate static let batteryStatus = Enumeration(
        "BatteryStatus",
        [
            "UNKNOWN_BATTERY_STATUS": 0, "BATTERY_STATUS_CHARGING": 1, "BATTERY_STATUS_DISCHARGING": 2, "BATTERY_STATUS_FULL": 3,
            "BATTERY_STATUS_NOT_CHARGING": 4, "BATTERY_STATUS_POWER_LOW": 5,
        ])

    fileprivate static let powerSource = Enumeration(
        "PowerSource",
        [
            "UNKNOWN_POWER_SOURCE": 0, "POWER_SOURCE_AC": 1, "POWER_SOURCE_USB": 2, "POWER_SOURCE_WIRELESS": 3,
            "POWER_SOURCE_UNPLUGGED": 4,
        ])
}
