/// All resources of the emulator's provider.
struct Fleet: Sendable {
    let provider: String
    /// Whether vehicles come into being when they are first asked for.
    let createsUnknown: Bool
    /// Milliseconds for which Google keeps a vehicle that is not updated: 7 days.
    static let vehicleLife: Int64 = 7 * 86_400_000

    var vehicles: [ResourceKey: Vehicle] = [:]
    /// By the vehicle's name; they outlive it.
    private(set) var fixes: [String: FixLog] = [:]
    /// By id.
    var trips: [String: Trip] = [:]
    var tasks: [String: DeliveryTask] = [:]

    init(provider: String, createsUnknown: Bool) {
        self.provider = provider
        self.createsUnknown = createsUnknown
    }

    /// By name.
    func vehicles(now: Int64) -> [Vehicle] {
        vehicles.values.filter { Self.isAlive($0, now) }.sorted { $0.name < $1.name }
    }

    private static func isAlive(_ vehicle: Vehicle, _ now: Int64) -> Bool { now - vehicle.updatedAt <= vehicleLife }

    /// nil when there is none, or it has expired.
    func living(_ key: ResourceKey, _ now: Int64) -> Vehicle? { vehicles[key].flatMap { Self.isAlive($0, now) ? $0 : nil } }

    /// now: Unix milliseconds.
    mutating func create(_ key: ResourceKey, _ fields: JSONObject, now: Int64) throws(APIError) -> Vehicle {
        let name = key.name(provider: provider)
        guard living(key, now) == nil else { throw APIError(.alreadyExists, "Resource already exists: \(name)") }
        let vehicle = Vehicle(key, name: name, fields: fields, now: now)
        vehicles[key] = vehicle
        return vehicle
    }

    mutating func vehicle(_ key: ResourceKey, now: Int64) throws(APIError) -> Vehicle {
        if let vehicle = living(key, now) { return vehicle }
        guard createsUnknown else { throw APIError(.notFound, "Resources not found: \(key.name(provider: provider))") }
        return try create(key, key.kind.plainVehicle, now: now)
    }

    /// Carries a request out. Returns the body to answer and remarks for the history.
    mutating func perform(_ request: ResourceRequest, now: Int64) throws(APIError) -> (body: JSON, remarks: [String]) {
        switch request.key.kind {
        case .vehicle, .deliveryVehicle: return try performVehicle(request, now: now)
        case .trip: return (try performTrip(request, now: now), [])
        case .task: return (try performTask(request, now: now), [])
        case .trackingInfo: return (try trackingInfo(request, now: now), [])
        }
    }

    private mutating func performVehicle(_ request: ResourceRequest, now: Int64) throws(APIError) -> (body: JSON, remarks: [String]) {
        switch request.action {
        case .create(let fields): return (try create(request.key, fields, now: now).shown(now: now), [])
        case .get(let query): return (try vehicle(request.key, now: now).shown(now: now, query), [])
        case .update(let body, let mask):
            var vehicle = try vehicle(request.key, now: now)
            let tasks = vehicle.taskIds
            var remarks = try vehicle.update(body, mask: mask, now: now)
            if mask.names("remainingVehicleJourneySegments") { remarks += try assignTasks(of: vehicle, before: tasks) }
            vehicles[request.key] = vehicle
            fixes[vehicle.name, default: FixLog()].note(body, mask)
            return (vehicle.shown(now: now), remarks)
        case .delete:
            try checkIdle(try vehicle(request.key, now: now))
            vehicles[request.key] = nil
            return (.object([:]), [])
        case .list(let listing):
            let all = vehicles(now: now).filter { $0.key.kind == request.key.kind }.map { vehicle in
                var shown = vehicle.shown(now: now).object ?? [:]
                shown["remainingVehicleJourneySegments"] = nil
                return shown
            }
            return (listing.page(of: all, called: request.key.kind.collection), [])
        }
    }

    /// A vehicle that has something to do cannot be deleted.
    private func checkIdle(_ vehicle: Vehicle) throws(APIError) {
        let isOnTrip = trips.values.contains { vehicle.key.kind == .vehicle && $0.vehicleId == vehicle.key.id }
        let hasTasks = vehicle.taskIds.contains { tasks[$0]?.isOpen == true }
        guard !isOnTrip, !hasTasks else { throw APIError(.failedPrecondition, "\(vehicle.name) has active trips or open tasks.") }
    }
}
