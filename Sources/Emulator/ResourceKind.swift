/// Fleet Engine's resources and how they differ on the wire.
enum ResourceKind: String, Sendable, CaseIterable {
    case vehicle = "vehicles"
    case deliveryVehicle = "deliveryVehicles"
    case trip = "trips"
    case task = "tasks"
    case trackingInfo = "taskTrackingInfo"

    /// In resource names.
    var collection: String { rawValue }

    var message: Message {
        switch self {
        case .vehicle: .vehicle
        case .deliveryVehicle: .deliveryVehicle
        case .trip: .trip
        case .task: .task
        case .trackingInfo: .trackingInfo
        }
    }

    /// What errors call the request's body.
    var bodyName: String {
        switch self {
        case .vehicle: "vehicle"
        case .deliveryVehicle: "deliveryVehicle"
        case .trip: "trip"
        case .task: "task"
        case .trackingInfo: "tracking"
        }
    }

    /// The query parameter that names a new resource.
    var idParameter: String { bodyName + "Id" }

    /// In a token's authorization claim.
    var claim: String { idParameter.lowercased() }

    /// What a method does to the resource, or to the whole collection. nil for what Fleet Engine does not have.
    func verb(_ method: String, ofCollection: Bool) -> Verb? {
        switch (method, self, ofCollection) {
        case ("GET", .trackingInfo, false): .get
        case (_, .trackingInfo, _): nil
        case ("GET", .deliveryVehicle, true), ("GET", .task, true): .list
        case ("POST", _, true): .create
        case ("GET", _, false): .get
        case ("PUT", .vehicle, false), ("PUT", .trip, false): .update
        case ("PATCH", .deliveryVehicle, false), ("PATCH", .task, false): .update
        case ("DELETE", _, false): .delete
        default: nil
        }
    }
}

enum Verb: Sendable { case create, get, list, update, delete }

/// Names a resource within the emulator's provider.
struct ResourceKey: Sendable, Hashable {
    var kind: ResourceKind
    var id: String

    func name(provider: String) -> String { "providers/\(provider)/\(kind.collection)/\(id)" }

    /// Why Fleet Engine would refuse the text as an id; nil when it would not.
    static func problem(with id: String) -> String? {
        if id.isEmpty { return "must not be empty" }
        if id.unicodeScalars.count > 64 { return "is longer than 64 characters" }
        return id.unicodeScalars.contains { "/:?,#".unicodeScalars.contains($0) } ? "must not hold any of / : ? , #" : nil
    }
}
