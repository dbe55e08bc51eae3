/// A trip as it is stored.
struct Trip: Sendable {
    let id: String
    let name: String
    private(set) var fields: JSONObject
    private var pickedUpAt: Int64?
    private var droppedOffAt: Int64?

    /// now: Unix milliseconds.
    init(_ id: String, name: String, fields: JSONObject, now: Int64) {
        self.id = id
        self.name = name
        self.fields = fields
        self.fields["tripStatus"] = .string("NEW")
        stampDestinations(now)
    }

    var status: String { fields["tripStatus"]?.string ?? "NEW" }
    var hasEnded: Bool { ["COMPLETE", "CANCELED"].contains(status) }

    /// nil when it has none, or has ended.
    var vehicleId: String? {
        guard !hasEnded, let id = fields["vehicleId"]?.string, !id.isEmpty else { return nil }
        return id
    }

    private var destinations: [JSONObject] { (fields["intermediateDestinations"]?.array ?? []).compactMap { $0.object } }

    /// Where the trip is still to stop. A stop counts as passed when the vehicle leaves it.
    var waypoints: [Waypoint] {
        let reached = Int(fields["intermediateDestinationIndex"]?.integer ?? 0)
        let (pickup, first): (Bool, Int) =
            switch status {
            case "NEW", "ENROUTE_TO_PICKUP", "ARRIVED_AT_PICKUP": (true, 0)
            case "ENROUTE_TO_INTERMEDIATE_DESTINATION", "ARRIVED_AT_INTERMEDIATE_DESTINATION": (false, reached)
            default: (false, destinations.count)
            }
        if hasEnded { return [] }
        let make = { (type: String, location: JSONObject) in Waypoint(tripId: id, type: type, location: location) }
        return (pickup ? fields["pickupPoint"]?.object.map { [make("PICKUP_WAYPOINT_TYPE", $0)] } ?? [] : [])
            + destinations.dropFirst(first).map { make("INTERMEDIATE_DESTINATION_WAYPOINT_TYPE", $0) }
            + (fields["dropoffPoint"]?.object.map { [make("DROP_OFF_WAYPOINT_TYPE", $0)] } ?? [])
    }

    mutating func update(_ body: JSONObject, mask: FieldMask, now: Int64) throws(APIError) {
        let before = self
        try checkIndex(body, mask)
        mask.copy(from: body, into: &fields)
        fields["vehicleWaypoints"] = nil
        try checkProgress(from: before)
        if mask.names("intermediateDestinations") { stampDestinations(now) } else { restoreVersion(before) }
        if before.waypoints.contains(where: Self.isPickup), !waypoints.contains(where: Self.isPickup), status != "CANCELED" {
            pickedUpAt = now
        }
        if status == "COMPLETE", before.status != "COMPLETE" { droppedOffAt = now }
    }

    private static func isPickup(_ waypoint: Waypoint) -> Bool { waypoint.type == "PICKUP_WAYPOINT_TYPE" }

    private mutating func stampDestinations(_ now: Int64) {
        fields["intermediateDestinationsVersion"] = destinations.isEmpty ? nil : .string(Timestamp(unixMilliseconds: now).text)
    }

    private mutating func restoreVersion(_ before: Trip) {
        fields["intermediateDestinationsVersion"] = before.fields["intermediateDestinationsVersion"]
    }

    /// The index is only good for the list of destinations that the caller knows.
    private func checkIndex(_ body: JSONObject, _ mask: FieldMask) throws(APIError) {
        guard mask.names("intermediateDestinationIndex") else { return }
        guard body["intermediateDestinationsVersion"] == fields["intermediateDestinationsVersion"] else {
            throw APIError(.failedPrecondition, "intermediateDestinationsVersion is not the trip's current one.")
        }
        let index = Int(body["intermediateDestinationIndex"]?.integer ?? 0)
        guard index < max(1, destinations.count) else {
            throw .invalid("trip.intermediateDestinationIndex", "is beyond the \(destinations.count) destinations")
        }
    }

    /// A trip goes on, from destination to destination, and never back. The emulator refuses where Google documents nothing.
    private func checkProgress(from before: Trip) throws(APIError) {
        guard status != "UNKNOWN_TRIP_STATUS" else { throw .invalid("trip.tripStatus", "must be a status") }
        guard !before.hasEnded || before.fields == fields else {
            throw APIError(.failedPrecondition, "The trip has ended: \(before.status).")
        }
        guard status == "NEW" || hasEnded || vehicleId != nil else {
            throw APIError(.failedPrecondition, "A trip without a vehicle cannot be \(status).")
        }
        guard status == "CANCELED" || progress >= before.progress else {
            throw APIError(.failedPrecondition, "A trip cannot go from \(before.status) back to \(status).")
        }
    }

    private var progress: Int {
        let reached = 2 * Int(fields["intermediateDestinationIndex"]?.integer ?? 0)
        return switch status {
        case "NEW": 0
        case "ENROUTE_TO_PICKUP": 1
        case "ARRIVED_AT_PICKUP": 2
        case "ENROUTE_TO_INTERMEDIATE_DESTINATION": 3 + reached
        case "ARRIVED_AT_INTERMEDIATE_DESTINATION": 4 + reached
        case "ENROUTE_TO_DROPOFF": .max - 1
        default: .max
        }
    }

    /// The trip as a response shows it, with what its vehicle makes of it.
    func shown(_ vehicle: Vehicle?, _ view: GetQuery, now: Int64) -> JSONObject {
        var result = fields
        result["name"] = .string(name)
        result["view"] = view.view.map { .string($0) }
        let time = { (milliseconds: Int64) in JSON.string(Timestamp(unixMilliseconds: milliseconds).text) }
        let arrivals = vehicle.map { addProgress(of: $0, view, now, to: &result) } ?? [:]
        result["pickupTime"] = (pickedUpAt ?? arrivals["PICKUP_WAYPOINT_TYPE"]).map(time)
        result["dropoffTime"] = (droppedOffAt ?? arrivals["DROP_OFF_WAYPOINT_TYPE"]).map(time)
        return Message.trip.shown(result)
    }

    /// Returns when the vehicle will be at the trip's stops, by their type.
    private func addProgress(of vehicle: Vehicle, _ view: GetQuery, _ now: Int64, to result: inout JSONObject) -> [String: Int64] {
        let shown = vehicle.shown(now: now).object ?? [:]
        for name in ["lastLocation", "currentRouteSegmentVersion", "currentRouteSegmentEndPoint", "remainingDistanceMeters"] {
            result[name] = shown[name]
        }
        result["lastLocationSnappable"] = .bool(shown["lastLocation"] != nil && vehicle.hasSegment)
        if !(view.segmentKnownSince.map { vehicle.segmentIsKnown(since: $0) } ?? false) {
            if view.isEncoded {
                result["currentRouteSegment"] = shown["currentRouteSegment"]
            } else {
                result["route"] = .array(vehicle.segmentPoints.map { $0.json })
            }
        }
        let all = vehicle.waypoints
        let ownEnd = all.lastIndex { $0.tripId == id }.map { $0 + 1 } ?? 0
        let remaining = Array(all[..<ownEnd])
        let arrival = shown["etaToFirstWaypoint"]?.string.flatMap(Timestamp.init)?.milliseconds
        if let arrival {
            result["etaToFirstWaypoint"] = shown["etaToFirstWaypoint"]
            result["remainingTimeToFirstWaypoint"] = .string(ProtoDuration(milliseconds: max(0, arrival - now)).text)
        }
        let waypoints = remaining.shown(firstArrival: arrival)
        result["remainingWaypoints"] = waypoints
        result["remainingWaypointsVersion"] = shown["waypointsVersion"]
        var arrivals: [String: Int64] = [:]
        for (index, waypoint) in remaining.enumerated() where waypoint.tripId == id {
            let eta = waypoints.array?[index].object?["eta"]?.string.flatMap(Timestamp.init)?.milliseconds
            arrivals[waypoint.type] = index == 0 ? arrival : eta
        }
        return arrivals
    }
}
