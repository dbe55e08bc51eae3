/// A request to a resource, checked as far as that goes without the resource.
struct ResourceRequest: Sendable {
    enum Action: Sendable {
        case create(JSONObject)
        case get(GetQuery)
        case list(Listing)
        case update(JSONObject, FieldMask)
        case delete
    }

    var key: ResourceKey
    var action: Action
    /// What of the answer is wanted; nil for all.
    private var partial: PartialResponse?

    /// What a path and a method name. nil for paths that Fleet Engine does not have.
    struct Target: Sendable {
        var verb: Verb
        var provider: String
        var kind: ResourceKind
        /// From the path or, on creation, from the query; empty for a list.
        var id: String

        init?(_ request: Request) {
            let parts = request.segments
            guard parts.count == 4 || parts.count == 5, parts[0] == "v1", parts[1] == "providers",
                let kind = ResourceKind.allCases.first(where: { $0.collection == parts[3] })
            else { return nil }
            guard let verb = kind.verb(request.method, ofCollection: parts.count == 4) else { return nil }
            self.verb = verb
            provider = parts[2]
            self.kind = kind
            id = parts.count == 5 ? parts[4] : request.parameter(either: kind.idParameter) ?? ""
        }
    }

    /// Reads query and body.
    init(_ target: Target, _ request: Request) throws(APIError) {
        let kind = target.kind
        if target.verb != .list, let problem = ResourceKey.problem(with: target.id) { throw .invalid(kind.idParameter, problem) }
        key = ResourceKey(kind: kind, id: target.id)
        try Self.checkQuery(request, allowed: Self.parameters(target) + ["fields", "$fields"])
        if let text = request.parameter("fields") ?? request.parameter("$fields") ?? request.fieldMask {
            partial = try PartialResponse(text, of: target.verb == .list ? .listing(of: kind) : kind.message)
        }
        switch target.verb {
        case .create:
            var body = try Self.body(of: request, for: kind)
            for name in kind.ignoredOnCreate {
                body[name] = nil
                body[Field(name, .string).originalName] = nil
            }
            let fields = try kind.message.read(.object(body), at: kind.bodyName)
            try kind.checkCreate(fields)
            action = .create(fields)
        case .update:
            let mask = try FieldMask(request.parameter(either: "updateMask"), of: kind.message)
            let body = try Self.body(of: request, for: kind)
            action = .update(try kind.message.read(.object(body), at: kind.bodyName), mask)
        case .get:
            action = .get(try Self.getQuery(request))
        case .list:
            let fields = kind == .task ? ["state", "type", "trackingId", "deliveryVehicleId", "taskOutcome"] : []
            action = .list(try Listing(request, fields: fields))
        case .delete: action = .delete
        }
    }

    func answer(_ body: JSON) -> JSON { partial.map { $0.applied(to: body) } ?? body }

    func check(_ limits: Limits) throws(APIError) {
        guard case .update(let body, let mask) = action, mask.names("pastLocations"), let limit = limits.pastLocations else { return }
        guard (body["pastLocations"]?.array ?? []).count <= limit else {
            throw .invalid("\(key.kind.bodyName).pastLocations", "has more than \(limit) entries")
        }
    }

    /// Does to an update's position what a fault asks for. Returns remarks for the history.
    mutating func spoilLocation(_ fault: Fault.Action?) -> [String] {
        guard case .update(var body, var mask) = action, mask.names("lastLocation") else { return [] }
        switch fault {
        case .discardLocation:
            mask.paths.removeAll { $0.first == "lastLocation" }
            action = .update(body, mask)
            return ["lastLocation: discarded by the server"]
        case .moveLocation(let latitude, let longitude):
            var location = body["lastLocation"]?.object ?? [:]
            location["location"] = .object(["latitude": .real(latitude), "longitude": .real(longitude)])
            location["locationSensor"] = .string("FLEET_ENGINE_LOCATION")
            body["lastLocation"] = .object(location)
            action = .update(body, mask)
            return ["lastLocation: moved by the server"]
        default: return []
        }
    }

    private static func parameters(_ target: Target) -> [String] {
        switch (target.verb, target.kind) {
        case (.create, let kind): [kind.idParameter]
        case (.update, _): ["updateMask"]
        case (.get, .vehicle): ["currentRouteSegmentVersion", "waypointsVersion"]
        case (.get, .trip):
            [
                "view", "routeFormatType", "currentRouteSegmentVersion", "currentRouteSegmentTrafficVersion", "remainingWaypointsVersion",
                "remainingWaypointsRouteVersion",
            ]
        case (.list, _): ["pageSize", "pageToken", "filter"]
        case (.get, _), (.delete, _): []
        }
    }

    /// Members of RequestHeader, which REST carries as header.NAME.
    private static let headerMembers = [
        "languageCode", "regionCode", "sdkVersion", "osVersion", "deviceModel", "sdkType", "mapsSdkVersion", "navSdkVersion", "platform",
        "manufacturer", "androidApiLevel", "traceId",
    ]

    private static func checkQuery(_ request: Request, allowed: [String]) throws(APIError) {
        let known = Set((allowed + headerMembers.map { "header.\($0)" }).flatMap { [$0, Field($0, .string).originalName] })
        if let stranger = request.query.first(where: { !known.contains($0.name) }) {
            throw .invalid(stranger.name, "unknown name: no such query parameter")
        }
    }

    private static func getQuery(_ request: Request) throws(APIError) -> GetQuery {
        var query = GetQuery()
        query.segmentKnownSince = try timestamp("currentRouteSegmentVersion", of: request)
        query.waypointsKnownSince = try timestamp("waypointsVersion", of: request)
        for name in ["currentRouteSegmentTrafficVersion", "remainingWaypointsVersion", "remainingWaypointsRouteVersion"] {
            _ = try timestamp(name, of: request)
        }
        query.isEncoded = try enumeration("routeFormatType", .routeFormat, of: request) == "ENCODED_POLYLINE_TYPE"
        query.view = try enumeration("view", .tripView, of: request)
        return query
    }

    private static func enumeration(_ name: String, _ type: Enumeration, of request: Request) throws(APIError) -> String? {
        guard let text = request.parameter(either: name) else { return nil }
        guard let value = type.name(for: Int64(text).map { .integer($0) } ?? .string(text)) else {
            throw .invalid(name, "\"\(text)\" is not a \(type.name)")
        }
        return value
    }

    private static func timestamp(_ name: String, of request: Request) throws(APIError) -> Timestamp? {
        guard let text = request.parameter(either: name) else { return nil }
        guard let time = Timestamp(text) else { throw .invalid(name, "is not an RFC 3339 time") }
        return time
    }

    private static func body(of request: Request, for kind: ResourceKind) throws(APIError) -> JSONObject {
        guard !request.bodyTooLarge else {
            throw APIError(.invalidArgument, "Request payload size exceeds the limit: \(Request.bodyLimit) bytes.")
        }
        let mediaType = (request.contentType ?? "").prefix { $0 != ";" }.filter { $0 != " " }.lowercased()
        guard mediaType == "application/json" else { throw .invalid("Content-Type", "must be application/json") }
        guard [nil, "identity", "gzip"].contains(request.contentEncoding) else {
            throw .invalid("Content-Encoding", "must be gzip or identity")
        }
        guard !request.bodyIsNoGzip else { throw APIError(.invalidArgument, "The request's body is not gzip.") }
        let value: JSON
        do throws(JSON.Malformed) {
            value = try JSON(parsing: request.body)
        } catch {
            throw APIError(.invalidArgument, "Invalid JSON payload received: \(error.reason).")
        }
        guard let object = value.object else { throw .invalid(kind.bodyName, "takes an object, not \(value.kind)") }
        return object
    }
}

extension Request {
    /// A query parameter by its lowerCamelCase name or its original one.
    func parameter(either name: String) -> String? { parameter(name) ?? parameter(Field(name, .string).originalName) }
}
