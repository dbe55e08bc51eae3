/// Trips, and the waypoints they give their vehicles.
extension Fleet {
    mutating func performTrip(_ request: ResourceRequest, now: Int64) throws(APIError) -> JSON {
        let id = request.key.id
        let name = request.key.name(provider: provider)
        switch request.action {
        case .create(let fields):
            guard trips[id] == nil else { throw APIError(.alreadyExists, "Resource already exists: \(name)") }
            var plain = fields
            plain["vehicleWaypoints"] = nil
            let trip = Trip(id, name: name, fields: plain, now: now)
            return try store(trip, order: fields["vehicleWaypoints"], now)
        case .get(let query): return .object(try trip(id, name).shown(tripVehicle(trip(id, name), now), query, now: now))
        case .update(let body, let mask):
            var trip = try trip(id, name)
            try trip.update(body, mask: mask, now: now)
            return try store(trip, order: mask.names("vehicleWaypoints") ? body["vehicleWaypoints"] : nil, now)
        case .delete:
            let trip = try trip(id, name)
            guard trip.vehicleId == nil || trip.status == "NEW" else {
                throw APIError(.failedPrecondition, "The trip is active: \(trip.status).")
            }
            trips[id] = nil
            if let vehicle = trip.vehicleId { try follow(vehicle, order: nil, now) }
            return .object([:])
        case .list: throw .noMethod
        }
    }

    private func trip(_ id: String, _ name: String) throws(APIError) -> Trip {
        guard let trip = trips[id] else { throw APIError(.notFound, "Resources not found: \(name)") }
        return trip
    }

    private func tripVehicle(_ trip: Trip, _ now: Int64) -> Vehicle? {
        trip.vehicleId.flatMap { living(ResourceKey(kind: .vehicle, id: $0), now) }
    }

    /// Keeps the trip and lets its vehicle, and the one that it had before, follow.
    private mutating func store(_ trip: Trip, order: JSON?, _ now: Int64) throws(APIError) -> JSON {
        let before = trips[trip.id]
        if let id = trip.vehicleId { _ = try vehicle(ResourceKey(kind: .vehicle, id: id), now: now) }
        trips[trip.id] = trip
        do throws(APIError) {
            if let id = trip.vehicleId { try follow(id, order: order, now) }
        } catch {
            trips[trip.id] = before
            throw error
        }
        if let id = before?.vehicleId, id != trip.vehicleId { try follow(id, order: nil, now) }
        let vehicle = tripVehicle(trip, now)
        var shown = trip.shown(vehicle, GetQuery(), now: now)
        // For privacy, only those who may change a trip see where else its vehicle stops.
        if let vehicle, !vehicle.waypoints.isEmpty { shown["vehicleWaypoints"] = vehicle.waypoints.shown(firstArrival: nil) }
        return .object(shown)
    }

    /// Gives a vehicle the waypoints of its trips: those it has keep their order, new ones come last, unless the order is given.
    private mutating func follow(_ id: String, order: JSON?, _ now: Int64) throws(APIError) {
        let key = ResourceKey(kind: .vehicle, id: id)
        guard var vehicle = living(key, now) else { return }
        let own = trips.values.filter { $0.vehicleId == id }.sorted { $0.id < $1.id }
        let wanted = own.flatMap { $0.waypoints }
        let wantedKeys = Set(wanted.map { $0.key })
        var waypoints = vehicle.waypoints.filter { wantedKeys.contains($0.key) }
        let known = Set(waypoints.map { $0.key })
        waypoints += wanted.filter { !known.contains($0.key) }
        if let order {
            let given = (order.array ?? []).map(Waypoint.init)
            guard given.map({ $0.key }).sorted() == waypoints.map({ $0.key }).sorted() else {
                throw .invalid("trip.vehicleWaypoints", "must be all the vehicle's remaining waypoints and the trip's own, in any order")
            }
            waypoints = given
        }
        vehicle.follow(trips: own.map { $0.id }, waypoints: waypoints, now: now)
        vehicles[key] = vehicle
    }
}
