/// A vehicle of either service as it is stored.
struct Vehicle: Sendable {
    let key: VehicleKey
    /// Of the resource: providers/…/vehicles/….
    let name: String
    /// What clients have set, input-only fields included, and what the server adds.
    private(set) var fields: JSONObject
    /// A delivery vehicle's remainingDuration counts down between updates: it is kept as a time of arrival, Unix milliseconds.
    private var arrival: Int64?
    /// Unix milliseconds.
    private(set) var updatedAt: Int64
    private(set) var fixes = FixLog()

    /// now: Unix milliseconds.
    init(_ key: VehicleKey, name: String, fields: JSONObject, now: Int64) {
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
        mask.copy(from: body, into: &fields)
        var remarks = body.members.filter { !mask.names($0.key) }.map { "\($0.key): not in updateMask, not stored" }
        updatedAt = now
        noteFixes(of: body, mask)
        if mask.names("lastLocation") { stampLocation(now) }
        remarks += updateSegment(mask, before, now)
        remarks += updateRemaining(mask, now)
        return remarks
    }

    /// The vehicle as a response shows it. segmentKnownSince: leaves a route segment out that has not changed since then.
    func shown(now: Int64, segmentKnownSince version: Timestamp? = nil) -> JSON {
        var result = fields
        result["name"] = .string(name)
        if var location = fields["lastLocation"]?.object {
            Self.fillLocation(&location)
            result["lastLocation"] = .object(location)
        }
        if let arrival { result["remainingDuration"] = .string(ProtoDuration(milliseconds: max(0, arrival - now)).text) }
        if let version, let own = fields["currentRouteSegmentVersion"]?.string.flatMap(Timestamp.init), own <= version {
            result["currentRouteSegment"] = nil
        }
        return .object(service.message.shown(result))
    }

    private var service: Service { key.service }

    private var hasSegment: Bool { fields["currentRouteSegment"]?.string?.isEmpty == false }

    /// A mask that clears these two has lost its data on the way: the emulator refuses where Google documents nothing.
    private func checkPresence(of body: JSONObject, _ mask: FieldMask) throws(APIError) {
        for name in ["lastLocation", "vehicleState"] where mask.paths.contains([name]) {
            guard let value = body[name], value != .object([:]), value != .string("UNKNOWN_VEHICLE_STATE") else {
                throw .invalid("\(service.bodyName).\(name)", "is named by updateMask but not set")
            }
        }
    }

    /// Waypoints may be reordered, not changed.
    private func checkWaypoints(of body: JSONObject, _ mask: FieldMask) throws(APIError) {
        guard mask.names("waypoints") else { return }
        let texts: (JSONObject) -> [String] = { ($0["waypoints"]?.array ?? []).map(\.text).sorted() }
        guard texts(body) == texts(fields) else {
            throw .invalid("\(service.bodyName).waypoints", "must be the vehicle's current waypoints, in any order")
        }
    }

    private mutating func noteFixes(of body: JSONObject, _ mask: FieldMask) {
        if mask.names("pastLocations") {
            for location in body["pastLocations"]?.array ?? [] { fixes.note(location.object ?? [:], isPast: true) }
        }
        if mask.paths.contains(["lastLocation"]), let location = body["lastLocation"]?.object { fixes.note(location, isPast: false) }
    }

    private mutating func stampLocation(_ now: Int64) {
        guard var location = fields["lastLocation"]?.object else { return }
        location["serverTime"] = .string(Timestamp(unixMilliseconds: now).text)
        fields["lastLocation"] = .object(location)
    }

    private mutating func updateSegment(_ mask: FieldMask, _ before: JSONObject, _ now: Int64) -> [String] {
        let endPoint = "currentRouteSegmentEndPoint"
        if mask.names("currentRouteSegment") {
            if service == .onDemand, fields["currentRouteSegment"] != before["currentRouteSegment"] {
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

    /// Without a position of its own, the vehicle is where the supplemental position says.
    private static func fillLocation(_ location: inout JSONObject) {
        guard location["location"] == nil, let supplemental = location["supplementalLocation"] else { return }
        location["location"] = supplemental
        location["locationSensor"] = location["supplementalLocationSensor"] ?? .string("CUSTOMER_SUPPLIED_LOCATION")
        location["updateTime"] = location["supplementalLocationTime"]
    }
}
