/// All vehicles of the emulator's provider.
struct Fleet: Sendable {
    let provider: String
    /// Whether vehicles come into being when they are first asked for.
    let createsUnknown: Bool
    private var vehicles: [VehicleKey: Vehicle] = [:]

    init(provider: String, createsUnknown: Bool) {
        self.provider = provider
        self.createsUnknown = createsUnknown
    }

    /// By name.
    var all: [Vehicle] { vehicles.values.sorted { $0.name < $1.name } }

    /// now: Unix milliseconds.
    mutating func create(_ key: VehicleKey, _ fields: JSONObject, now: Int64) throws(APIError) -> Vehicle {
        let name = "providers/\(provider)/\(key.service.collection)/\(key.id)"
        guard vehicles[key] == nil else { throw APIError(.alreadyExists, "Resource already exists: \(name)") }
        let vehicle = Vehicle(key, name: name, fields: fields, now: now)
        vehicles[key] = vehicle
        return vehicle
    }

    mutating func vehicle(_ key: VehicleKey, now: Int64) throws(APIError) -> Vehicle {
        if let vehicle = vehicles[key] { return vehicle }
        guard createsUnknown else {
            throw APIError(.notFound, "Resources not found: providers/\(provider)/\(key.service.collection)/\(key.id)")
        }
        return try create(key, key.service.plainVehicle, now: now)
    }

    /// Carries a request out. Returns the body to answer and remarks for the history.
    mutating func perform(_ request: VehicleRequest, now: Int64) throws(APIError) -> (body: JSON, remarks: [String]) {
        switch request.action {
        case .create(let fields): return (try create(request.key, fields, now: now).shown(now: now), [])
        case .get(let version):
            return (try vehicle(request.key, now: now).shown(now: now, segmentKnownSince: version), [])
        case .update(let body, let mask):
            var vehicle = try vehicle(request.key, now: now)
            let remarks = try vehicle.update(body, mask: mask, now: now)
            vehicles[request.key] = vehicle
            return (vehicle.shown(now: now), remarks)
        case .delete:
            _ = try vehicle(request.key, now: now)
            vehicles[request.key] = nil
            return (.object([:]), [])
        }
    }
}
