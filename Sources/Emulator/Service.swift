/// Fleet Engine's two services and how they differ on the wire.
enum Service: String, Sendable, CaseIterable {
    case onDemand = "vehicles"
    case delivery = "deliveryVehicles"

    /// In resource names.
    var collection: String { rawValue }

    var message: Message {
        switch self {
        case .onDemand: .vehicle
        case .delivery: .deliveryVehicle
        }
    }

    /// What errors call the request's body.
    var bodyName: String {
        switch self {
        case .onDemand: "vehicle"
        case .delivery: "deliveryVehicle"
        }
    }

    /// The query parameter that names a new resource.
    var idParameter: String { bodyName + "Id" }

    /// In a token's authorization claim.
    var claim: String { idParameter.lowercased() }

    var updateMethod: String {
        switch self {
        case .onDemand: "PUT"
        case .delivery: "PATCH"
        }
    }

    /// Top-level fields that creating ignores.
    var ignoredOnCreate: [String] {
        switch self {
        case .onDemand:
            [
                "name", "currentTrips", "currentRouteSegment", "currentRouteSegmentEndPoint", "currentRouteSegmentVersion",
                "currentRouteSegmentTraffic", "route", "waypoints", "waypointsVersion", "remainingDistanceMeters", "remainingTimeSeconds",
                "navigationStatus",
            ]
        case .delivery: ["name"]
        }
    }

    /// Checks a read body for creating.
    func checkCreate(_ fields: JSONObject) throws(APIError) {
        switch self {
        case .onDemand:
            let isEmpty: (JSON?) -> Bool = { $0 == nil || $0 == .array([]) }
            for name in ["vehicleState", "supportedTripTypes", "maximumCapacity", "vehicleType"] where isEmpty(fields[name]) {
                throw .invalid("\(bodyName).\(name)", "is required")
            }
        case .delivery:
            let settable = ["type", "lastLocation", "attributes"]
            if let other = fields.members.first(where: { !settable.contains($0.key) }) {
                throw .invalid("\(bodyName).\(other.key)", "cannot be set on creation")
            }
        }
    }

    /// A vehicle as the command line creates it.
    var plainVehicle: JSONObject {
        switch self {
        case .onDemand:
            [
                "vehicleState": .string("OFFLINE"), "supportedTripTypes": .array([.string("EXCLUSIVE")]), "maximumCapacity": .integer(1),
                "vehicleType": .object(["category": .string("AUTO")]),
            ]
        case .delivery: ["type": .string("AUTO")]
        }
    }
}

/// Names a vehicle within the emulator's provider.
struct VehicleKey: Sendable, Hashable {
    var service: Service
    var id: String

    /// Why Fleet Engine would refuse the text as an id; nil when it would not.
    static func problem(with id: String) -> String? {
        if id.isEmpty { return "must not be empty" }
        if id.unicodeScalars.count > 64 { return "is longer than 64 characters" }
        return id.unicodeScalars.contains { "/:?,#".unicodeScalars.contains($0) } ? "must not hold any of / : ? , #" : nil
    }
}
