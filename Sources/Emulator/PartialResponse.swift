/// Which parts of an answer a caller wants: Google's `fields` parameter or X-Goog-FieldMask header, for instance
/// `name,lastLocation(location,serverTime),waypoints/tripId`.
struct PartialResponse: Sendable {
    /// By lowerCamelCase name; empty: all there is.
    private var parts: [String: PartialResponse] = [:]

    private static let deepest = 20

    private init() {}

    /// message: of the answer.
    init(_ text: String, of message: Message) throws(APIError) {
        var rest = text[...]
        self = try Self.list(&rest, message, depth: 0)
        guard rest.isEmpty else { throw Self.malformed(text) }
    }

    private static func malformed(_ text: some StringProtocol) -> APIError {
        .invalid("fields", "\"\(text.prefix(80))\" is not a list of fields")
    }

    private static func list(_ rest: inout Substring, _ message: Message?, depth: Int) throws(APIError) -> PartialResponse {
        guard depth < deepest else { throw .invalid("fields", "is nested too deep") }
        var result = PartialResponse()
        repeat {
            if rest.first == "," { rest.removeFirst() }
            try result.addPath(&rest, message, depth: depth + 1)
        } while rest.first == ","
        return result
    }

    /// One path, up to the comma or parenthesis that ends it.
    private mutating func addPath(_ rest: inout Substring, _ message: Message?, depth: Int) throws(APIError) {
        guard depth < Self.deepest else { throw .invalid("fields", "is nested too deep") }
        let text = rest.prefix { !",/.()".contains($0) }
        rest = rest.dropFirst(text.count)
        guard !text.isEmpty else { throw Self.malformed(rest) }
        let field = message?.field(String(text))
        guard text == "*" || field != nil else { throw .invalid("fields", "\"\(text)\" is not a field of \(message?.name ?? "a value")") }
        let name = field?.name ?? "*"
        let inner = field?.type.elementMessage
        let known = parts[name]
        var part = known ?? PartialResponse()
        switch rest.first {
        case "/", ".":
            rest.removeFirst()
            try part.addPath(&rest, inner, depth: depth + 1)
        case "(":
            rest.removeFirst()
            part.parts.merge(try Self.list(&rest, inner, depth: depth + 1).parts) { _, new in new }
            guard rest.popFirst() == ")" else { throw Self.malformed(rest) }
        default: part = PartialResponse()
        }
        // What was asked for as a whole stays whole.
        parts[name] = known?.parts.isEmpty == true ? known : part
    }

    func applied(to value: JSON) -> JSON {
        if parts.isEmpty { return value }
        switch value {
        case .array(let elements): return .array(elements.map { applied(to: $0) })
        case .object(let object):
            var result = JSONObject()
            for member in object.members {
                guard let part = parts[member.key] ?? parts["*"] else { continue }
                result.append(member.key, part.applied(to: member.value))
            }
            return .object(result)
        default: return value
        }
    }
}

extension FieldType {
    /// Of a message or a list of messages.
    fileprivate var elementMessage: Message? {
        switch self {
        case .message(let message): message
        case .list(let type): type.elementMessage
        default: nil
        }
    }
}
