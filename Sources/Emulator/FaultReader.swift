extension Fault {
    private static let mostTimes: Int64 = 1_000_000

    /// Reads one element of the list that POST /control/faults takes.
    init(_ value: JSON) throws(APIError) {
        guard let members = value.object?.members, !members.isEmpty else { throw Self.senseless(value) }
        var refusal = JSONObject()
        for member in members {
            switch (member.key, member.value) {
            case ("method", .string(let text)): method = text
            case ("path", .string(let text)): path = text
            case ("times", .integer(let number)) where (1...Self.mostTimes).contains(number): times = Int(number)
            case ("delayMs", .integer(let number)) where (0...600_000).contains(number): wait = .milliseconds(Int32(number))
            case ("hang", .bool(true)): wait = .released
            case ("status", _), ("code", _), ("body", _), ("message", _), ("retryAfter", _), ("retryInfo", _), ("reason", _):
                refusal.append(member.key, member.value)
            default:
                guard action == nil else { throw Self.senseless(value) }
                action = try Self.action(member)
            }
        }
        if !refusal.isEmpty {
            guard action == nil else { throw Self.senseless(value) }
            action = .refuse(try Refusal(refusal))
        }
        guard action != nil || wait != nil else { throw Self.senseless(value) }
    }

    private static func action(_ member: JSONObject.Member) throws(APIError) -> Action {
        switch (member.key, member.value) {
        case ("garbage", .bool(true)): return .garbage
        case ("drop", .bool(true)), ("drop", .string("after")): return .drop(obeys: true)
        case ("drop", .string("before")): return .drop(obeys: false)
        case ("truncate", .integer(let bytes)) where (0...1 << 30).contains(bytes): return .truncate(Int(bytes))
        case ("location", .string("discard")): return .discardLocation
        case ("location", .object):
            let point = try Message.latLng.read(member.value, at: "faults.location")
            return .moveLocation(latitude: point["latitude"]?.number ?? 0, longitude: point["longitude"]?.number ?? 0)
        default: throw senseless(.object([member.key: member.value]))
        }
    }

    private static func senseless(_ value: JSON) -> APIError {
        .invalid("faults", "takes objects such as {\"status\":503} or {\"drop\":true}, not \(value.text.prefix(80))")
    }
}

extension Fault.Refusal {
    fileprivate init(_ object: JSONObject) throws(APIError) {
        let named = object["code"]?.string.flatMap(CanonicalCode.init(rawValue:))
        var status: Int?
        for member in object.members {
            switch (member.key, member.value) {
            case ("status", .integer(let number)) where (200...599).contains(number): status = Int(number)
            case ("code", .string) where named != nil: break
            case ("body", .string(let text)): body = text
            case ("body", .object), ("body", .array): body = member.value.text
            case ("message", .string(let text)): message = text
            case ("retryAfter", .integer(let seconds)) where seconds >= 0: retryAfter = seconds
            case ("retryInfo", .integer(let seconds)) where seconds >= 0: retryInfo = seconds
            case ("reason", .string(let text)): reason = text
            default: throw .invalid("faults", "\"\(member.key)\" has a wrong value: \(member.value.text.prefix(80))")
            }
        }
        guard let status = status ?? named?.httpStatus else { throw .invalid("faults", "a refusal needs a status or a code") }
        self.status = status
        code = named ?? CanonicalCode(httpStatus: status)
    }
}
