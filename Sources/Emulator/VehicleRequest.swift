/// A request to a vehicle resource, checked as far as that goes without the vehicle.
struct VehicleRequest: Sendable {
    enum Action: Sendable {
        case create(JSONObject)
        case get(segmentKnownSince: Timestamp?)
        case update(JSONObject, FieldMask)
        case delete
    }

    var key: VehicleKey
    var action: Action

    /// What a path and a method name. nil for paths that Fleet Engine does not have.
    struct Target: Sendable {
        enum Verb: Sendable { case create, get, update, delete }
        var verb: Verb
        var provider: String
        var service: Service
        /// From the path or, on creation, from the query.
        var id: String

        init?(_ request: Request) {
            let parts = request.segments
            guard parts.count == 4 || parts.count == 5, parts[0] == "v1", parts[1] == "providers",
                let service = Service.allCases.first(where: { $0.collection == parts[3] })
            else { return nil }
            switch (request.method, parts.count) {
            case ("POST", 4): verb = .create
            case ("GET", 5): verb = .get
            case (service.updateMethod, 5): verb = .update
            case ("DELETE", 5): verb = .delete
            default: return nil
            }
            provider = parts[2]
            self.service = service
            id = parts.count == 5 ? parts[4] : request.parameter(either: service.idParameter) ?? ""
        }
    }

    /// Reads query and body.
    init(_ target: Target, _ request: Request) throws(APIError) {
        let service = target.service
        if let problem = VehicleKey.problem(with: target.id) { throw .invalid(service.idParameter, problem) }
        key = VehicleKey(service: service, id: target.id)
        try Self.checkQuery(request, allowed: Self.parameters(target))
        switch target.verb {
        case .create:
            var body = try Self.body(of: request, for: service)
            for name in service.ignoredOnCreate {
                body[name] = nil
                body[Field(name, .string).originalName] = nil
            }
            let fields = try service.message.read(.object(body), at: service.bodyName)
            try service.checkCreate(fields)
            action = .create(fields)
        case .update:
            let mask = try FieldMask(request.parameter(either: "updateMask"), of: service.message)
            let body = try Self.body(of: request, for: service)
            action = .update(try service.message.read(.object(body), at: service.bodyName), mask)
        case .get:
            let version = try Self.timestamp("currentRouteSegmentVersion", of: request)
            _ = try Self.timestamp("waypointsVersion", of: request)
            action = .get(segmentKnownSince: version)
        case .delete: action = .delete
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
        switch (target.verb, target.service) {
        case (.create, let service): [service.idParameter]
        case (.update, _): ["updateMask"]
        case (.get, .onDemand): ["currentRouteSegmentVersion", "waypointsVersion"]
        case (.get, .delivery), (.delete, _): []
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

    private static func timestamp(_ name: String, of request: Request) throws(APIError) -> Timestamp? {
        guard let text = request.parameter(either: name) else { return nil }
        guard let time = Timestamp(text) else { throw .invalid(name, "is not an RFC 3339 time") }
        return time
    }

    private static func body(of request: Request, for service: Service) throws(APIError) -> JSONObject {
        guard !request.bodyTooLarge else {
            throw APIError(.invalidArgument, "Request payload size exceeds the limit: \(Request.bodyLimit) bytes.")
        }
        let mediaType = (request.contentType ?? "").prefix { $0 != ";" }.filter { $0 != " " }.lowercased()
        guard mediaType == "application/json" else { throw .invalid("Content-Type", "must be application/json") }
        guard request.contentEncoding == nil || request.contentEncoding == "identity" else {
            throw .invalid("Content-Encoding", "compressed bodies are not taken")
        }
        let value: JSON
        do throws(JSON.Malformed) {
            value = try JSON(parsing: request.body)
        } catch {
            throw APIError(.invalidArgument, "Invalid JSON payload received: \(error.reason).")
        }
        guard let object = value.object else { throw .invalid(service.bodyName, "takes an object, not \(value.kind)") }
        return object
    }
}

extension Request {
    /// A query parameter by its lowerCamelCase name or its original one.
    func parameter(either name: String) -> String? { parameter(name) ?? parameter(Field(name, .string).originalName) }
}
