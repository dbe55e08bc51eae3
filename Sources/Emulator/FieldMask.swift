/// google.protobuf.FieldMask, resolved against a message.
struct FieldMask: Sendable {
    /// Each a path of lowerCamelCase names.
    var paths: [[String]]

    /// text: comma-separated paths in camelCase or snake_case. Refuses what the message does not have and what a client may not set.
    init(_ text: String?, of message: Message) throws(APIError) {
        guard let text, !text.isEmpty else { throw .invalid("updateMask", "is required and must name a field") }
        paths = []
        for path in text.split(separator: ",", omittingEmptySubsequences: false) {
            paths.append(try Self.resolve(path, in: message))
        }
    }

    /// Whether a field is named, as a whole or in part.
    func names(_ field: String) -> Bool { paths.contains { $0.first == field } }

    /// Puts what the mask names from one object into another; what is absent there is cleared.
    func copy(from source: JSONObject, into target: inout JSONObject) {
        for path in paths { Self.copy(path[...], from: source, into: &target) }
    }

    private static func copy(_ path: ArraySlice<String>, from source: JSONObject, into target: inout JSONObject) {
        guard let name = path.first else { return }
        if path.count == 1 {
            target[name] = source[name]
        } else {
            var part = target[name]?.object ?? JSONObject()
            copy(path.dropFirst(), from: source[name]?.object ?? JSONObject(), into: &part)
            target[name] = .object(part)
        }
    }

    private static func resolve(_ path: Substring, in message: Message) throws(APIError) -> [String] {
        var names: [String] = []
        var inner: Message? = message
        for name in path.split(separator: ".", omittingEmptySubsequences: false) {
            guard let holder = inner, let field = holder.field(String(name)) else {
                throw .invalid("updateMask", "\"\(path)\" is not a field of \(message.name)")
            }
            if let refusal = field.maskRefusal { throw .invalid("updateMask", "\"\(path)\" \(refusal) and cannot be updated") }
            names.append(field.name)
            if case .message(let next) = field.type { inner = next } else { inner = nil }
        }
        return names
    }
}
