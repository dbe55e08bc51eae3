/// /control/…: for tests to look inside and to make trouble.
extension Emulator {
    private static let longestPoll = 120_000
    /// Milliseconds: 100 years.
    private static let farthestClock: Int64 = 3_155_760_000_000

    func control(_ request: Request) -> Reply {
        let now = now
        do throws(APIError) {
            switch (request.method, request.segments.dropFirst().joined(separator: "/")) {
            case ("GET", "history"): return try history(request)
            case ("DELETE", "history"): state.withLock { $0.history.clear() }
            case ("GET", "vehicles"): return vehicles(now)
            case ("GET", "locations"): return locations(request.parameter("vehicle"))
            case ("GET", "statistics"): return statistics(request.parameter("under") ?? "")
            case ("POST", "clock"): return try moveClock(request)
            case ("POST", "limits"): try setLimits(request)
            case ("POST", "faults"): try addFaults(request)
            case ("DELETE", "faults"): state.withLock { $0.faults = [] }
            case ("POST", "release"): try release()
            case ("POST", "keys/rotate"): try rotateKey()
            default: throw .noMethod
            }
            return .json(.object([:]))
        } catch {
            return .error(error)
        }
    }

    /// The selected entries, at once or as soon as there are `atLeast` of them or `timeoutMs` have passed.
    private func history(_ request: Request) throws(APIError) -> Reply {
        var selection = History.Selection()
        selection.since = try number("since", of: request) ?? 0
        selection.under = request.parameter("under") ?? ""
        let wanted = try number("atLeast", of: request) ?? 0
        let timeout = min(try number("timeoutMs", of: request) ?? 10_000, Self.longestPoll)
        state.wait(milliseconds: timeout) { $0.isStopping || $0.history.entries(selection).count >= wanted }
        let entries = state.withLock { $0.history.entries(selection) }
        return Reply(status: 200, body: "[" + entries.compactMap { $0.text }.joined(separator: ",\n") + "]\n")
    }

    private func number(_ name: String, of request: Request) throws(APIError) -> Int? {
        guard let text = request.parameter(name) else { return nil }
        guard let number = Int32(text), number >= 0 else { throw .invalid(name, "is not a number from 0") }
        return Int(number)
    }

    private func vehicles(_ now: Int64) -> Reply {
        let all = state.withLock { $0.fleet.vehicles(now: now) }
        return .json(.array(all.map { .object(["name": .string($0.name), "fields": .object($0.fields)]) }))
    }

    /// Every accepted position once.
    private func locations(_ vehicle: String?) -> Reply {
        let logs = state.withLock { $0.fleet.fixes }.sorted { $0.key < $1.key }
        let wanted = logs.filter { name, _ in vehicle.map { name == $0 || name.hasSuffix("/" + $0) } ?? true }
        return .json(.array(wanted.map { Self.named($0.key, $0.value.shown(withFixes: true)) }))
    }

    /// Counters of the resources whose name begins so.
    private func statistics(_ under: String) -> Reply {
        let (traffic, fixes) = state.withLock { ($0.traffic, $0.fleet.fixes) }
        let names = traffic.keys.filter { $0.hasPrefix(under) }.sorted()
        return .json(
            .array(
                names.map { name in
                    var counts = traffic[name]?.shown ?? [:]
                    if let fixes = fixes[name] { counts["locations"] = .object(fixes.shown(withFixes: false)) }
                    return Self.named(name, counts)
                }))
    }

    private static func named(_ name: String, _ object: JSONObject) -> JSON {
        var whole: JSONObject = ["name": .string(name)]
        for member in object.members { whole.append(member.key, member.value) }
        return .object(whole)
    }

    /// {"advanceMs": N} moves the emulator's time on, {"tokenSkewMs": N} sets how far token checks are ahead of it.
    private func moveClock(_ request: Request) throws(APIError) -> Reply {
        let range = -Self.farthestClock...Self.farthestClock
        guard let object = (try? JSON(parsing: request.body))?.object else { throw .invalid("clock", "the body is not a JSON object") }
        for member in object.members {
            guard ["advanceMs", "tokenSkewMs"].contains(member.key), let value = member.value.integer, range.contains(value) else {
                throw .invalid("clock", "takes advanceMs and tokenSkewMs, not \"\(member.key)\": \(member.value.text.prefix(80))")
            }
        }
        state.withLock { state in
            state.clockOffset = min(state.clockOffset + (object["advanceMs"]?.integer ?? 0), Self.farthestClock)
            if let skew = object["tokenSkewMs"]?.integer { state.tokenSkew = skew }
        }
        return .json(.object(["now": .string(Timestamp(unixMilliseconds: now).text)]))
    }

    /// Sets the limits that the object names; null takes one away.
    private func setLimits(_ request: Request) throws(APIError) {
        guard let object = (try? JSON(parsing: request.body))?.object else { throw .invalid("limits", "the body is not a JSON object") }
        var limits = state.withLock { $0.limits }
        for member in object.members {
            let limit = member.value.integer.map { Int($0) }
            guard member.value == .null || limit.map({ $0 >= 0 }) == true else {
                throw .invalid("limits.\(member.key)", "is not a number from 0")
            }
            switch member.key {
            case "requestsPerMinute": limits.requestsPerMinute = limit
            case "resourceRequestsPerMinute": limits.resourceRequestsPerMinute = limit
            case "pastLocations": limits.pastLocations = limit
            case "bodyBytes": limits.bodyBytes = limit
            default: throw .invalid("limits.\(member.key)", "is no limit")
            }
        }
        state.withLock { $0.limits = limits }
    }

    private func addFaults(_ request: Request) throws(APIError) {
        guard let list = (try? JSON(parsing: request.body))?.array else { throw .invalid("faults", "the body is not a JSON array") }
        var faults: [Fault] = []
        for value in list { faults.append(try Fault(value)) }
        state.withLock { $0.faults += faults }
    }

    private func release() throws(APIError) {
        guard let next = Gate() else { throw APIError(.internalError, "No descriptors left.") }
        state.withLock { state in
            state.gate.open()
            if !state.isStopping { state.gate = next }
        }
    }

    private func rotateKey() throws(APIError) {
        guard let key = SigningKey() else { throw APIError(.internalError, "Cannot make an RSA key.") }
        state.withLock { $0.key = key }
    }
}
