/// A vehicle of either kind as it is stored.
struct Vehicle: Sendable {
    let key: ResourceKey
    /// Of the resource: providers/…/vehicles/….
    let name: String
    /// What clients have set, input-only fields included, and what the server adds.
    private(set) var fields: JSONObject
    /// A delivery vehicle's remainingDuration counts down between updates: it is kept as a time of arrival, Unix milliseconds.
    private var arrival: Int64?
    /// Unix milliseconds.
    private(set) var updatedAt: Int64

    /// now: Unix milliseconds.
    init(_ key: ResourceKey, name: String, fields: JSONObject, now: Int64) {
        self.key = key
        self.name = name
        self.fields = fields
        updatedAt = now
        stampLocation(now)
    }

    /// Applies an update that has been read. Returns remarks on what was left out of the vehicle and why.
    mutating func update(_ body: JSONObject, mask: FieldMask, now: Int64) throws(APIError) -> [String] {
        let before = fields
        try checkPresence(of: body, mask)
        try checkWaypoints(of: body, mask)
        let waypoints = waypoints
        mask.copy(from: body, into: &fields)
        if mask.names("waypoints") { setWaypoints(self.waypoints, before: waypoints, now) }
        var remarks = body.members.filter { !mask.names($0.key) }.map { "\($0.key): not in updateMask, not stored" }
        updatedAt = now
        if mask.names("lastLocation") { stampLocation(now) }
        remarks += updateSegment(mask, before, now)
        remarks += updateRemaining(mask, now)
        return remarks
    }

    /// The vehicle as a response shows it, without what the caller knows already.
    func shown(now: Int64, _ query: GetQuery = GetQuery()) -> JSON {
        var result = fields
        result["name"] = .string(name)
        result["lastLocation"] = shownLocation
        if let arrival { result["remainingDuration"] = .string(ProtoDuration(milliseconds: max(0, arrival - now)).text) }
        if let version = query.segmentKnownSince, segmentIsKnown(since: version) { result["currentRouteSegment"] = nil }
        switch kind {
        case .deliveryVehicle where !stops.isEmpty:
            result["remainingVehicleJourneySegments"] = .array(journey(through: stops.count, now: now).segments)
        default:
            let isKnown = query.waypointsKnownSince.map { version("waypointsVersion", isAtMost: $0) } ?? false
            let arrival = fields["etaToFirstWaypoint"]?.string.flatMap(Timestamp.init)?.milliseconds
            result["waypoints"] = isKnown ? nil : waypoints.shown(firstArrival: arrival)
        }
        return .object(kind.message.shown(result))
    }

    private var kind: ResourceKind { key.kind }

    var hasSegment: Bool { fields["currentRouteSegment"]?.string?.isEmpty == false }

    /// A mask that clears these two has lost its data on the way: the emulator refuses where Google documents nothing.
    private func checkPresence(of body: JSONObject, _ mask: FieldMask) throws(APIError) {
        for name in ["lastLocation", "vehicleState"] where mask.paths.contains([name]) {
            guard let value = body[name], value != .object([:]), value != .string("UNKNOWN_VEHICLE_STATE") else {
                throw .invalid("\(kind.bodyName).\(name)", "is named by updateMask but not set")
            }
        }
    }

    /// Waypoints may be reordered, not changed.
    private func checkWaypoints(of body: JSONObject, _ mask: FieldMask) throws(APIError) {
        guard mask.names("waypoints") else { return }
        let given = (body["waypoints"]?.array ?? []).map { Waypoint($0).key }
        guard given.sorted() == waypoints.map({ $0.key }).sorted() else {
            throw .invalid("\(kind.bodyName).waypoints", "must be the vehicle's current waypoints, in any order")
        }
    }

    /// Takes over what the vehicle's trips make of it.
    mutating func follow(trips: [String], waypoints: [Waypoint], now: Int64) {
        fields["currentTrips"] = trips.isEmpty ? nil : .array(trips.map { .string($0) })
        setWaypoints(waypoints, before: self.waypoints, now)
    }

    private mutating func setWaypoints(_ waypoints: [Waypoint], before: [Waypoint], _ now: Int64) {
        fields["waypoints"] = waypoints.isEmpty ? nil : .array(waypoints.map { $0.json })
        if waypoints != before { fields["waypointsVersion"] = .string(Timestamp(unixMilliseconds: now).text) }
    }

    private mutating func stampLocation(_ now: Int64) {
        guard var location = fields["lastLocation"]?.object else { return }
        location["serverTime"] = .string(Timestamp(unixMilliseconds: now).text)
        fields["lastLocation"] = .object(location)
    }

    private mutating func updateSegment(_ mask: FieldMask, _ before: JSONObject, _ now: Int64) -> [String] {
        let endPoint = "currentRouteSegmentEndPoint"
        if mask.names("currentRouteSegment") {
            if kind == .vehicle, fields["currentRouteSegment"] != before["currentRouteSegment"] {
                fields["currentRouteSegmentVersion"] = .string(Timestamp(unixMilliseconds: now).text)
            }
            if hasSegment { return [] }
            fields["currentRouteSegmentTraffic"] = nil
        } else {
            guard mask.names(endPoint) else { return [] }
            let dropped = fields[endPoint] != nil
            fields[endPoint] = before[endPoint]
            return dropped ? ["\(endPoint): ignored without currentRouteSegment in the same request"] : []
        }
        let dropped = mask.names(endPoint) && fields[endPoint] != nil
        fields[endPoint] = nil
        return dropped ? ["\(endPoint): ignored with an empty currentRouteSegment"] : []
    }

    private mutating func updateRemaining(_ mask: FieldMask, _ now: Int64) -> [String] {
        if mask.names("remainingTimeSeconds") {
            if let seconds = fields["remainingTimeSeconds"]?.integer {
                fields["etaToFirstWaypoint"] = .string(Timestamp(unixMilliseconds: now + seconds * 1_000).text)
            } else if !mask.names("etaToFirstWaypoint") {
                fields["etaToFirstWaypoint"] = nil
            }
        }
        if mask.names("remainingDuration") {
            arrival = fields["remainingDuration"]?.string.flatMap(ProtoDuration.init).map { now + $0.milliseconds }
        }
        if hasSegment { return [] }
        // Google calls these values unspecified, or ignores them, while there is no segment: nobody may rely on them.
        var remarks: [String] = []
        for name in ["remainingDistanceMeters", "remainingTimeSeconds", "etaToFirstWaypoint", "remainingDuration"] where fields[name] != nil
        {
            if mask.names(name) { remarks.append("\(name): unspecified while currentRouteSegment is empty, not stored") }
            fields[name] = nil
        }
        arrival = nil
        return remarks
    }

    private func version(_ name: String, isAtMost time: Timestamp) -> Bool {
        fields[name]?.string.flatMap(Timestamp.init).map { $0 <= time } ?? false
    }

    /// The way past so many stops.
    private func journey(through count: Int, now: Int64) -> Journey {
        let meters = fields["remainingDistanceMeters"]?.integer
        return Journey(Array(stops.prefix(count)), first: (meters, arrival.map { max(0, $0 - now) }, segmentPoints))
    }

    /// Without a position of its own, the vehicle is where the supplemental position says.
    fileprivate static func fillLocation(_ location: inout JSONObject) {
        guard location["location"] == nil, let supplemental = location["supplementalLocation"] else { return }
        location["location"] = supplemental
        location["locationSensor"] = location["supplementalLocationSensor"] ?? .string("CUSTOMER_SUPPLIED_LOCATION")
        location["updateTime"] = location["supplementalLocationTime"]
    }
}

/// What others work out from a vehicle.
extension Vehicle {
    var waypoints: [Waypoint] { (fields["waypoints"]?.array ?? []).map(Waypoint.init) }

    /// Each a VehicleJourneySegment.
    var stops: [JSON] { fields["remainingVehicleJourneySegments"]?.array ?? [] }

    /// Of all its stops.
    var taskIds: [String] { stops.flatMap { Journey.taskIds(of: $0) } }

    var shownLocation: JSON? {
        guard var location = fields["lastLocation"]?.object else { return nil }
        Self.fillLocation(&location)
        return .object(location)
    }

    /// The position before snapping, as a LatLng.
    var rawPoint: JSON? {
        let location = shownLocation?.object
        return location?["rawLocation"] ?? location?["location"]
    }

    var segmentPoints: [Point] {
        let text = fields["currentRouteSegment"]?.string ?? ""
        let vertices = Base64.decode(text).flatMap { try? RouteSegment.vertices(of: $0) } ?? []
        return vertices.map { Point(latitude: $0.latitude, longitude: $0.longitude) }
    }

    func segmentIsKnown(since time: Timestamp) -> Bool { version("currentRouteSegmentVersion", isAtMost: time) }

    func journey(toTask id: String, now: Int64) -> Journey? {
        stops.firstIndex { Journey.taskIds(of: $0).contains(id) }.map { journey(through: $0 + 1, now: now) }
    }
}

/// What a caller of GetVehicle or GetTrip knows already, and how it wants the rest.
struct GetQuery: Sendable {
    var segmentKnownSince: Timestamp?
    var waypointsKnownSince: Timestamp?
    /// Of a trip's route: as an encoded segment instead of a list of points.
    var isEncoded = false
    /// A TripView.
    var view: String?
}
