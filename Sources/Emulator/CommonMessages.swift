/// Messages that both services use, after google/maps/fleetengine/v1 and …/delivery/v1. Vehicles' and delivery vehicles' location and
/// attribute messages have the same fields under different names.
extension Message {
    static let latLng = Message("google.type.LatLng", [Field("latitude", .double), Field("longitude", .double)]) {
        point, path throws(APIError) in
        try within(point, path, "latitude", -90...90)
        try within(point, path, "longitude", -180...180)
    }

    static let vehicleLocation = Message(
        "VehicleLocation",
        [
            Field("location", .message(.latLng)),
            Field("heading", .wrapper(.int32)),
            Field("speedKmph", .wrapper(.int32), .deprecated),
            Field("updateTime", .timestamp),
            Field("altitude", .wrapper(.double)),
            Field("speed", .wrapper(.double)),
            Field("speedAccuracy", .wrapper(.double)),
            Field("horizontalAccuracy", .wrapper(.double), .deprecated),
            Field("verticalAccuracy", .wrapper(.double), .deprecated),
            Field("bearingAccuracy", .wrapper(.double), .deprecated),
            Field("locationSensor", .enumeration(.locationSensor)),
            Field("isGpsSensorEnabled", .wrapper(.bool), .inputOnly),
            Field("serverTime", .timestamp, .outputOnly),
            Field("timeSinceUpdate", .wrapper(.int32), .inputOnly),
            Field("numStaleUpdates", .wrapper(.int32), .deprecated),
            Field("rawLocation", .message(.latLng)),
            Field("rawLocationTime", .timestamp),
            Field("supplementalLocation", .message(.latLng)),
            Field("supplementalLocationTime", .timestamp),
            Field("supplementalLocationSensor", .enumeration(.locationSensor)),
            Field("supplementalLocationAccuracy", .wrapper(.double)),
            Field("latlngAccuracy", .wrapper(.double)),
            Field("headingAccuracy", .wrapper(.double)),
            Field("altitudeAccuracy", .wrapper(.double)),
            Field("rawLocationAccuracy", .wrapper(.double)),
            Field("roadSnapped", .bool, .deprecated),
            Field("isRoadSnapped", .wrapper(.bool)),
            Field("rawLocationSensor", .enumeration(.locationSensor)),
            Field("flpLocation", .message(.latLng)),
            Field("flpUpdateTime", .timestamp),
            Field("flpLatlngAccuracyMeters", .wrapper(.double)),
            Field("flpHeadingDegrees", .wrapper(.int32)),
        ],
        rule: locationFieldsBelongTogether)

    /// A position comes with its time or source, and nothing that describes a position comes without it. Sensors of raw and supplemental
    /// positions have documented defaults; the one of `location` has none. Its updateTime is optional: Google's own SDK leaves it out.
    @Sendable private static func locationFieldsBelongTogether(_ location: JSONObject, _ path: String) throws(APIError) {
        let groups: [(position: String, needs: String, describing: [String])] = [
            ("location", "locationSensor", ["updateTime", "latlngAccuracy"]),
            ("rawLocation", "rawLocationTime", ["rawLocationSensor", "rawLocationAccuracy"]),
            ("supplementalLocation", "supplementalLocationTime", ["supplementalLocationSensor", "supplementalLocationAccuracy"]),
        ]
        for group in groups {
            if location[group.position] != nil {
                guard location[group.needs] != nil else {
                    throw .invalid("\(path).\(group.needs)", "must be set together with \(group.position)")
                }
            } else if let stray = ([group.needs] + group.describing).first(where: { location[$0] != nil }) {
                throw .invalid("\(path).\(stray)", "must not be set without \(group.position)")
            }
        }
        try within(location, path, "heading", 0...359)
        try within(location, path, "flpHeadingDegrees", 0...359)
    }

    static let attribute = Message(
        "VehicleAttribute",
        [
            Field("key", .string), Field("value", .string), Field("stringValue", .string), Field("boolValue", .wrapper(.bool)),
            Field("numberValue", .wrapper(.double)),
        ]
    ) { attribute, path throws(APIError) in
        guard let key = attribute["key"]?.string, !key.isEmpty, !key.contains(":") else {
            throw .invalid("\(path).key", "must not be empty or hold a colon")
        }
        let value = attribute["value"]?.string, stringValue = attribute["stringValue"]?.string
        guard value == nil || stringValue == nil || value == stringValue else {
            throw .invalid("\(path).stringValue", "must equal value when both are set")
        }
        guard ["stringValue", "boolValue", "numberValue"].filter({ attribute[$0] != nil }).count <= 1 else {
            throw .invalid(path, "has more than one of stringValue, boolValue and numberValue")
        }
        guard key.unicodeScalars.count + 1 + (stringValue ?? value ?? "").unicodeScalars.count <= 256 else {
            throw .invalid(path, "\"key:value\" is longer than 256 characters")
        }
    }

    /// What holds of both kinds of vehicle.
    static func checkVehicle(_ vehicle: JSONObject, _ path: String) throws(APIError) {
        try within(vehicle, path, "remainingDistanceMeters", 0...Double(Int32.max))
        try checkAttributes(vehicle, path)
    }

    static func checkAttributes(_ resource: JSONObject, _ path: String) throws(APIError) {
        let attributes = resource["attributes"]?.array ?? []
        guard attributes.count <= 100 else { throw .invalid("\(path).attributes", "has more than 100 entries") }
        let keys = Set(attributes.compactMap { $0.object?["key"]?.string })
        guard keys.count == attributes.count else { throw .invalid("\(path).attributes", "has a key more than once") }
    }

    static func within(_ object: JSONObject, _ path: String, _ field: String, _ range: ClosedRange<Double>) throws(APIError) {
        guard let value = object[field]?.number else { return }
        guard range.contains(value) else {
            throw .invalid("\(path).\(field)", "must be from \(JSON.real(range.lowerBound).text) to \(JSON.real(range.upperBound).text)")
        }
    }
}

extension Enumeration {
    static let locationSensor = Enumeration(
        "LocationSensor",
        [
            "UNKNOWN_SENSOR": 0, "GPS": 1, "NETWORK": 2, "PASSIVE": 3, "ROAD_SNAPPED_LOCATION_PROVIDER": 4,
            "CUSTOMER_SUPPLIED_LOCATION": 5, "FLEET_ENGINE_LOCATION": 6, "FUSED_LOCATION_PROVIDER": 100, "CORE_LOCATION": 200,
        ], outputOnly: "FLEET_ENGINE_LOCATION")

    static let navigationStatus = Enumeration(
        "NavigationStatus",
        ["UNKNOWN_NAVIGATION_STATUS": 0, "NO_GUIDANCE": 1, "ENROUTE_TO_DESTINATION": 2, "OFF_ROUTE": 3, "ARRIVED_AT_DESTINATION": 4])
}
