import CEmulator

/// A JSON value; objects keep their members' order.
enum JSON: Sendable, Equatable {
    case null
    case bool(Bool)
    case integer(Int64)
    case real(Double)
    case string(String)
    case array([JSON])
    case object(JSONObject)

    var object: JSONObject? { if case .object(let object) = self { object } else { nil } }
    var array: [JSON]? { if case .array(let array) = self { array } else { nil } }
    var string: String? { if case .string(let string) = self { string } else { nil } }
    var integer: Int64? { if case .integer(let integer) = self { integer } else { nil } }
    /// Of either kind.
    var number: Double? {
        switch self {
        case .integer(let integer): Double(integer)
        case .real(let real): real
        default: nil
        }
    }

    /// What a message calls the value, for instance "a string".
    var kind: String {
        switch self {
        case .null: "null"
        case .bool: "a boolean"
        case .integer, .real: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}

struct JSONObject: Sendable, Equatable, ExpressibleByDictionaryLiteral {
    struct Member: Sendable, Equatable {
        var key: String
        var value: JSON
    }

    private(set) var members: [Member] = []

    init() {}

    init(dictionaryLiteral elements: (String, JSON)...) {
        members = elements.map { Member(key: $0.0, value: $0.1) }
    }

    var isEmpty: Bool { members.isEmpty }

    /// The first member of that name; setting nil removes it.
    subscript(key: String) -> JSON? {
        get { members.first { $0.key == key }?.value }
        set {
            guard let newValue else { return members.removeAll { $0.key == key } }
            if let index = members.firstIndex(where: { $0.key == key }) {
                members[index].value = newValue
            } else {
                members.append(Member(key: key, value: newValue))
            }
        }
    }

    /// Adds a member whose key is known to be new.
    mutating func append(_ key: String, _ value: JSON) {
        members.append(Member(key: key, value: value))
    }
}

extension JSON {
    struct Malformed: Error {
        var reason: String
    }

    /// Protocol buffers' parsers stop at this depth, too.
    private static let deepest = 100

    /// Reads an object or an array.
    init(parsing bytes: [UInt8]) throws(Malformed) {
        var problem: UnsafeMutablePointer<CChar>?
        guard let document = emu_json_parse(bytes, bytes.count, &problem) else {
            throw Malformed(reason: taken(problem) ?? "not JSON")
        }
        defer { emu_json_release(document) }
        self = try JSON(document, depth: 1)
    }

    private init(_ node: OpaquePointer, depth: Int) throws(Malformed) {
        guard depth <= Self.deepest else { throw Malformed(reason: "nested deeper than \(Self.deepest)") }
        switch emu_json_kind(node) {
        case Int32(EMU_JSON_BOOLEAN): self = .bool(emu_json_boolean(node))
        case Int32(EMU_JSON_INTEGER): self = .integer(emu_json_integer(node))
        case Int32(EMU_JSON_REAL): self = .real(emu_json_real(node))
        case Int32(EMU_JSON_STRING):
            var length = 0
            self = .string(utf8(emu_json_string(node, &length), length))
        case Int32(EMU_JSON_ARRAY):
            var elements: [JSON] = []
            for index in 0..<emu_json_count(node) {
                guard let element = emu_json_element(node, index) else { break }
                elements.append(try JSON(element, depth: depth + 1))
            }
            self = .array(elements)
        case Int32(EMU_JSON_OBJECT):
            var object = JSONObject()
            var next = emu_json_first_member(node)
            while let member = next, let value = emu_json_member_value(member) {
                var length = 0
                let key = utf8(emu_json_member_key(member, &length), length)
                object.append(key, try JSON(value, depth: depth + 1))
                next = emu_json_next_member(node, member)
            }
            self = .object(object)
        default: self = .null
        }
    }
}

/// UTF-8 that jansson has checked.
private func utf8(_ bytes: UnsafePointer<CChar>?, _ length: Int) -> String {
    guard let bytes else { return "" }
    return UnsafeBufferPointer(start: bytes, count: length).withMemoryRebound(to: UInt8.self) { String(decoding: $0, as: UTF8.self) }
}

/// Copies a text handed out by CEmulator and releases it.
func taken(_ text: UnsafeMutablePointer<CChar>?) -> String? {
    guard let text else { return nil }
    defer { emu_free(text) }
    return String(cString: text)
}
