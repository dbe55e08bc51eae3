/// The type of a protocol buffer field, as far as its JSON form differs.
indirect enum FieldType: Sendable {
    case bool, int32, double, float, string, bytes, timestamp, duration
    case enumeration(Enumeration)
    case message(Message)
    case list(FieldType)
    /// google.protobuf.Int32Value and its like: absent and default are two things.
    case wrapper(FieldType)
}

/// Who may set a field.
enum FieldAccess: Sendable {
    case both, inputOnly, outputOnly, deprecated
    /// May be said on creation and repeated, never changed.
    case immutable
}

struct Field: Sendable {
    /// lowerCamelCase.
    var name: String
    var type: FieldType
    var access: FieldAccess

    init(_ name: String, _ type: FieldType, _ access: FieldAccess = .both) {
        self.name = name
        self.type = type
        self.access = access
    }

    /// The name in the .proto file, which protocol buffers' JSON parsers accept, too.
    var originalName: String {
        name.reduce(into: "") { text, letter in
            if letter.isUppercase { text += "_" }
            text += letter.lowercased()
        }
    }

    /// Why a request may not name the field; nil when it may.
    var refusal: String? {
        switch access {
        case .outputOnly: "is output only"
        case .deprecated: "is deprecated"
        case .both, .inputOnly, .immutable: nil
        }
    }

    /// Why an update's mask may not name the field; nil when it may.
    var maskRefusal: String? { access == .immutable ? "is immutable" : refusal }
}

struct Enumeration: Sendable {
    var name: String
    var values: [(name: String, number: Int64)]
    /// Only ever said by the server.
    var outputOnly: String?

    init(_ name: String, _ values: KeyValuePairs<String, Int64>, outputOnly: String? = nil) {
        self.name = name
        self.values = values.map { (name: $0.key, number: $0.value) }
        self.outputOnly = outputOnly
    }

    /// The value's name, given that or its number.
    func name(for value: JSON) -> String? {
        switch value {
        case .string(let name): values.first { $0.name == name }?.name
        case .integer(let number): values.first { $0.number == number }?.name
        default: nil
        }
    }

    func isDefault(_ name: String) -> Bool { values.contains { $0.name == name && $0.number == 0 } }
}

struct Message: Sendable {
    /// What must hold beyond the fields' types: given the read object and its path.
    typealias Rule = @Sendable (JSONObject, String) throws(APIError) -> Void

    var name: String
    var fields: [Field]
    var rule: Rule?
    private var places: [String: Int] = [:]

    init(_ name: String, _ fields: [Field], rule: Rule? = nil) {
        self.name = name
        self.fields = fields
        self.rule = rule
        for (place, field) in fields.enumerated() {
            places[field.name] = place
            places[field.originalName] = place
        }
    }

    /// By either of its names.
    func field(_ name: String) -> Field? { places[name].map { fields[$0] } }
}
