/// /control/…: for tests to look inside and to make trouble.
extension Emulator {
    private static let longestPoll = 120_000

    func control(_ request: Request) -> Reply {
        do throws(APIError) {
            switch (request.method, request.segments.dropFirst().joined(separator: "/")) {
            case ("GET", "history"): return try history(request)
            case ("DELETE", "history"): state.withLock { $0.history.clear() }
            case ("GET", "vehicles"): return vehicles()
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
        return Reply(status: 200, body: "[" + entries.map(\.text).joined(separator: ",\n") + "]\n")
    }

    private func number(_ name: String, of request: Request) throws(APIError) -> Int? {
        guard let text = request.parameter(name) else { return nil }
        guard let number = Int32(text), number >= 0 else { throw .invalid(name, "is not a number from 0") }
        return Int(number)
    }

    private func vehicles() -> Reply {
        let all = state.withLock { $0.fleet.all }
        return .json(.array(all.map { .object(["name": .string($0.name), "fields": .object($0.fields)]) }))
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
