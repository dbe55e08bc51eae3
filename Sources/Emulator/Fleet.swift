/// All vehicles of the emulator's provider.
struct Fleet: Sendable {
    let provider: String
    /// Whether vehicles come into being when they are first asked for.
    let createsUnknown: Bool
    /// Milliseconds for which Google keeps a vehicle that is not updated: 7 days.
    static let vehicleLife: Int64 = 7 * 86_400_000

    private var vehicles: [VehicleKey: Vehicle] = [:]

    init(provider: String, createsUnknown: Bool) {
        self.provider = provider
        self.createsUnknown = createsUnknown
    }

    /// By name.
    func vehicles(now: Int64) -> [Vehicle] {
        vehicles.values.filter { Self.isAlive($0, now) }.sorted { $0.name < $1.name }
    }

    private static func isAlive(_ vehicle: Vehicle, _ now: Int64) -> Bool { now - vehicle.updatedAt <= vehicleLife }

    /// now: Unix milliseconds.
    mutating func create(_ key: VehicleKey, _ fields: JSONObject, now: Int64) throws(APIError) -> Vehicle {
        let name = "providers/\(provider)/\(key.service.collection)/\(key.id)"
        guard !(vehicles[key].map { Self.isAlive($0, now) } ?? false) else {
            throw APIError(.alreadyExists, "Resource already exists: \(name)")
        }
        let vehicle = Vehicle(key, name: name, fields: fields, now: now)
        vehicles[key] = vehicle
        return vehicle
    }

    mutating func vehicle(_ key: VehicleKey, now: Int64) throws(APIError) -> Vehicle {
        if let vehicle = vehicles[key], Self.isAlive(vehicle, now) { return vehicle }
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
