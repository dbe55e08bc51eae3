/// What the emulator does to one update request instead of answering it properly.
enum Fault: Sendable {
    /// Refuses without looking at the request. retryAfter: seconds.
    case answer(status: Int, body: String?, retryAfter: Int64?)
    /// Obeys, then answers 200 with what is not JSON.
    case garbage
    /// Obeys, then closes the connection.
    case drop
    /// Obeys, then keeps the answer back until released.
    case hang
    /// Obeys, then keeps the answer back so many milliseconds.
    case delay(Int32)

    static let garbageBody = "\u{1}<html>{\"vehicleState\":"

    /// Reads one element of the list that POST /control/faults takes.
    init(_ value: JSON) throws(APIError) {
        guard let members = value.object?.members, let first = members.first else {
            throw .invalid("faults", "takes objects such as {\"status\":503} or {\"drop\":true}, not \(value.text.prefix(80))")
        }
        switch (first.key, first.value, members.count) {
        case ("garbage", .bool(true), 1): self = .garbage
        case ("drop", .bool(true), 1): self = .drop
        case ("hang", .bool(true), 1): self = .hang
        case ("delayMs", .integer(let milliseconds), 1) where (0...600_000).contains(milliseconds):
            self = .delay(Int32(milliseconds))
        default: self = try Self.answer(members)
        }
    }

    private static func answer(_ members: [JSONObject.Member]) throws(APIError) -> Fault {
        var status: Int?
        var body: String?
        var retryAfter: Int64?
        for member in members {
            switch (member.key, member.value) {
            case ("status", .integer(let number)) where (200...599).contains(number): status = Int(number)
            case ("body", .string(let text)): body = text
            case ("body", .object), ("body", .array): body = member.value.text
            case ("retryAfter", .integer(let seconds)) where seconds >= 0: retryAfter = seconds
            default: throw .invalid("faults", "\"\(member.key)\": \(member.value.text.prefix(80)) is no fault or has a wrong value")
            }
        }
        guard let status else { throw .invalid("faults", "a fault with a body or retryAfter needs a status") }
        return .answer(status: status, body: body, retryAfter: retryAfter)
    }

    /// As the history shows it.
    var name: String {
        switch self {
        case .answer(let status, _, _): "status \(status)"
        case .garbage: "garbage"
        case .drop: "drop"
        case .hang: "hang"
        case .delay(let milliseconds): "delay \(milliseconds) ms"
        }
    }

    /// Google's body for an injected status.
    static func error(status: Int, retryAfter: Int64?) -> JSON {
        var error = APIError(CanonicalCode(httpStatus: status), "Injected by POST /control/faults.")
        if let retryAfter {
            error.details = [
                .object(["@type": .string("type.googleapis.com/google.rpc.RetryInfo"), "retryDelay": .string("\(retryAfter)s")])
            ]
        }
        return error.body(httpStatus: status)
    }
}
