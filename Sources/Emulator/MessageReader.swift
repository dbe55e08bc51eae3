extension Message {
    /// Checks a JSON object against the message and brings it into one form: lowerCamelCase names, enumerations by name, numbers as
    /// numbers, times in UTC, bytes in the standard alphabet. path: of the message, for errors.
    func read(_ value: JSON, at path: String) throws(APIError) -> JSONObject {
        guard let object = value.object else { throw .invalid(path, "\(name) takes an object, not \(value.kind)") }
        var result = JSONObject()
        for member in object.members {
            guard let field = field(member.key) else {
                throw .invalid("\(path).\(member.key)", "unknown name: \(name) has no such field")
            }
            let fieldPath = "\(path).\(field.name)"
            if let refusal = field.refusal { throw .invalid(fieldPath, "\(refusal) and cannot be set") }
            if member.value == .null { continue }
            guard result[field.name] == nil else { throw .invalid(fieldPath, "is given twice") }
            result.append(field.name, try field.type.read(member.value, at: fieldPath))
        }
        try rule?(result, path)
        return result
    }
}

extension FieldType {
    fileprivate func read(_ value: JSON, at path: String) throws(APIError) -> JSON {
        switch self {
        case .wrapper(let type): return try type.read(value, at: path)
        case .message(let message): return .object(try message.read(value, at: path))
        case .list(let type):
            guard let elements = value.array else { throw .invalid(path, "takes an array, not \(value.kind)") }
            var result: [JSON] = []
            for (index, element) in elements.enumerated() { result.append(try type.read(element, at: "\(path)[\(index)]")) }
            return .array(result)
        case .enumeration(let enumeration):
            guard let name = enumeration.name(for: value) else { throw .invalid(path, "\(shown(value)) is not a \(enumeration.name)") }
            guard name != enumeration.outputOnly else { throw .invalid(path, "\(name) is for the server to say") }
            return .string(name)
        case .bool, .int32, .double, .float, .string, .bytes, .timestamp, .duration:
            guard let result = scalar(value) else { throw .invalid(path, "\(shown(value)) is not \(scalarName)") }
            return result
        }
    }

    private func scalar(_ value: JSON) -> JSON? {
        switch (self, value) {
        case (.bool, .bool), (.string, .string): value
        case (.int32, _): Self.whole(value).flatMap { Int32(exactly: $0) }.map { .integer(Int64($0)) }
        case (.double, _): Self.number(value).map { .real($0) }
        case (.float, _): Self.number(value).flatMap { Float($0).isFinite ? .real($0) : nil }
        case (.bytes, .string(let text)): Base64.decode(text).map { .string(Base64.encode($0)) }
        case (.timestamp, .string(let text)): Timestamp(text).map { .string($0.text) }
        case (.duration, .string(let text)): ProtoDuration(text).map { .string($0.text) }
        default: nil
        }
    }

    private var scalarName: String {
        switch self {
        case .bool: "true or false"
        case .int32: "a whole number of 32 bits"
        case .double, .float: "a finite number"
        case .bytes: "base64"
        case .timestamp: "an RFC 3339 time such as 2026-01-31T12:00:00Z"
        case .duration: "a duration such as 3.5s"
        default: "a string"
        }
    }

    /// A JSON number or a decimal in a string; never NaN or an infinity.
    private static func number(_ value: JSON) -> Double? {
        switch value {
        case .integer(let integer): return Double(integer)
        case .real(let real): return real
        case .string(let text):
            let isDecimal = !text.isEmpty && text.utf8.allSatisfy { "+-.0123456789eE".utf8.contains($0) }
            guard isDecimal, let number = Double(text), number.isFinite else { return nil }
            return number
        default: return nil
        }
    }

    private static func whole(_ value: JSON) -> Int64? {
        if case .integer(let integer) = value { return integer }
        return number(value).flatMap { Int64(exactly: $0) }
    }

    private func shown(_ value: JSON) -> String {
        switch value {
        case .string, .integer, .real, .bool, .null: String(value.text.prefix(80))
        case .array, .object: value.kind
        }
    }
}

extension Message {
    /// The object as a response shows it: in the message's order, without input-only fields, and without scalars that are at their default.
    func shown(_ object: JSONObject) -> JSONObject {
        var result = JSONObject()
        for field in fields where field.access != .inputOnly {
            guard let value = object[field.name], let shown = field.type.shown(value) else { continue }
            result.append(field.name, shown)
        }
        return result
    }
}

extension FieldType {
    fileprivate func shown(_ value: JSON) -> JSON? {
        switch (self, value) {
        case (.message(let message), .object(let object)): .object(message.shown(object))
        case (.list(let type), .array(let elements)): elements.isEmpty ? nil : .array(elements.map { type.shown($0) ?? $0 })
        case (.enumeration(let enumeration), .string(let name)): enumeration.isDefault(name) ? nil : value
        case (.bool, .bool(false)), (.int32, .integer(0)), (.double, .real(0)), (.float, .real(0)), (_, .string("")): nil
        default: value
        }
    }
}
