/// What may and what must be said of a resource when it is created.
extension ResourceKind {
    /// Top-level fields that creating ignores.
    var ignoredOnCreate: [String] {
        switch self {
        case .vehicle:
            [
                "name", "currentTrips", "currentRouteSegment", "currentRouteSegmentEndPoint", "currentRouteSegmentVersion",
                "currentRouteSegmentTraffic", "route", "waypoints", "waypointsVersion", "remainingDistanceMeters", "remainingTimeSeconds",
                "navigationStatus",
            ]
        case .trip:
            Message.trip.fields.map { $0.name }.filter {
                ![
                    "tripType", "pickupPoint", "numberOfPassengers", "vehicleId", "dropoffPoint", "intermediateDestinations",
                    "vehicleWaypoints", "attributes",
                ].contains($0)
            }
        case .deliveryVehicle, .task, .trackingInfo: ["name"]
        }
    }

    /// Checks a read body for creating.
    func checkCreate(_ fields: JSONObject) throws(APIError) {
        switch self {
        case .vehicle: try require(["vehicleState", "supportedTripTypes", "maximumCapacity", "vehicleType"], of: fields)
        case .deliveryVehicle: try allow(["type", "lastLocation", "attributes"], of: fields)
        case .trip:
            try require(["tripType", "pickupPoint"], of: fields)
            guard fields["tripType"]?.string == "EXCLUSIVE" || fields["intermediateDestinations"] == nil else {
                throw .invalid("trip.intermediateDestinations", "is for EXCLUSIVE trips")
            }
        case .task:
            try allow(
                [
                    "type", "state", "trackingId", "plannedLocation", "taskDuration", "targetTimeWindow", "taskTrackingViewConfig",
                    "attributes",
                ], of: fields)
            try checkTask(fields)
        case .trackingInfo: break
        }
    }

    private func checkTask(_ fields: JSONObject) throws(APIError) {
        try require(["type", "state", "taskDuration"], of: fields)
        guard fields["state"]?.string == "OPEN" else { throw .invalid("task.state", "must be OPEN on creation") }
        let type = fields["type"]?.string ?? ""
        if type != "UNAVAILABLE" { try require(["plannedLocation"], of: fields) }
        if ["PICKUP", "DELIVERY"].contains(type) {
            let id = fields["trackingId"]?.string ?? ""
            if let problem = ResourceKey.problem(with: id) { throw .invalid("task.trackingId", problem) }
        } else if fields["trackingId"] != nil {
            throw .invalid("task.trackingId", "must not be set for \(type)")
        }
    }

    private func require(_ names: [String], of fields: JSONObject) throws(APIError) {
        for name in names where fields[name] == nil || fields[name] == .array([]) {
            throw .invalid("\(bodyName).\(name)", "is required")
        }
    }

    private func allow(_ names: [String], of fields: JSONObject) throws(APIError) {
        if let other = fields.members.first(where: { !names.contains($0.key) }) {
            throw .invalid("\(bodyName).\(other.key)", "cannot be set on creation")
        }
    }

    /// A vehicle as the command line creates it.
    var plainVehicle: JSONObject {
        switch self {
        case .vehicle:
            [
                "vehicleState": .string("OFFLINE"), "supportedTripTypes": .array([.string("EXCLUSIVE")]), "maximumCapacity": .integer(1),
                "vehicleType": .object(["category": .string("AUTO")]),
            ]
        default: ["type": .string("AUTO")]
        }
    }
}
