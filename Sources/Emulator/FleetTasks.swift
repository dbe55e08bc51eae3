/// Delivery tasks, and what a vehicle's list of stops does to them.
extension Fleet {
    mutating func performTask(_ request: ResourceRequest, now: Int64) throws(APIError) -> JSON {
        let id = request.key.id
        let name = request.key.name(provider: provider)
        switch request.action {
        case .create(let fields):
            guard tasks[id] == nil else { throw APIError(.alreadyExists, "Resource already exists: \(name)") }
            let task = DeliveryTask(name: name, fields: fields)
            tasks[id] = task
            return shown(task, id, now)
        case .get: return shown(try task(id, name), id, now)
        case .update(let body, let mask):
            var task = try task(id, name)
            try task.update(body, mask: mask, carrier(of: task, now))
            tasks[id] = task
            return shown(task, id, now)
        case .delete:
            let task = try task(id, name)
            guard task.vehicleId == nil || !task.isOpen else {
                throw APIError(.failedPrecondition, "The task is assigned to a vehicle.")
            }
            tasks[id] = nil
            return .object([:])
        case .list(let listing):
            let all = tasks.sorted { $0.key < $1.key }.map { shown($0.value, $0.key, now).object ?? [:] }
            return listing.page(of: all, called: "tasks")
        }
    }

    /// A tracking id may belong to several tasks: an open one goes first.
    func trackingInfo(_ request: ResourceRequest, now: Int64) throws(APIError) -> JSON {
        let tracked = tasks.filter { $0.value.trackingId == request.key.id }.sorted { $0.key < $1.key }
        let name = request.key.name(provider: provider)
        guard let (id, task) = tracked.first(where: { $0.value.isOpen }) ?? tracked.last else {
            throw APIError(.notFound, "Resources not found: \(name)")
        }
        let vehicle = carrier(of: task, now)
        return .object(task.tracking(name: name, vehicle, journey: vehicle?.journey(toTask: id, now: now), now: now))
    }

    private func task(_ id: String, _ name: String) throws(APIError) -> DeliveryTask {
        guard let task = tasks[id] else { throw APIError(.notFound, "Resources not found: \(name)") }
        return task
    }

    private func carrier(of task: DeliveryTask, _ now: Int64) -> Vehicle? {
        task.vehicleId.flatMap { living(ResourceKey(kind: .deliveryVehicle, id: $0), now) }
    }

    private func shown(_ task: DeliveryTask, _ id: String, _ now: Int64) -> JSON {
        let vehicle = carrier(of: task, now)
        return .object(task.shown(vehicle, journey: vehicle?.journey(toTask: id, now: now)))
    }

    /// Gives the tasks of new stops to the vehicle and closes those of stops that left its list. Returns remarks for the history.
    mutating func assignTasks(of vehicle: Vehicle, before: [String]) throws(APIError) -> [String] {
        let after = vehicle.taskIds
        for id in after where !before.contains(id) && tasks[id]?.isOpen == false {
            throw APIError(.failedPrecondition, "Task \(id) is closed.")
        }
        for id in before where !after.contains(id) { tasks[id]?.close() }
        for id in after where !before.contains(id) { tasks[id]?.vehicleId = vehicle.key.id }
        return after.filter { tasks[$0] == nil }.map { "task \($0) does not exist" }
    }
}
