import CJansson

/// Why a text is not JSON, and where (line and column count from 1).
public struct JSONError: Error, Equatable {
    public let line: Int
    public let column: Int
    public let reason: String
}

/// A JSON text read into a tree. Nodes must not outlive their document.
public struct JSONDocument: ~Copyable {
    /// How many arrays and objects may lie in one another. jansson reads and frees with one call a level, on whatever stack the caller has.
    public static let maximumDepth = 64

    private let tree: OpaquePointer

    public init(_ bytes: UnsafeRawBufferPointer) throws(JSONError) { tree = try Self.parse(bytes).get() }

    public init(_ text: String) throws(JSONError) {
        var text = text
        tree = try text.withUTF8 { Self.parse(UnsafeRawBufferPointer($0)) }.get()
    }

    public var root: JSONNode { JSONNode(tree) }

    private static func parse(_ bytes: UnsafeRawBufferPointer) -> Result<OpaquePointer, JSONError> {
        if let tooDeep = Nesting.firstError(in: bytes) { return .failure(tooDeep) }
        var error = mp_json_error()
        if let tree = mp_json_parse(bytes.baseAddress, bytes.count, &error) { return .success(tree) }
        let reason = withUnsafeBytes(of: &error.text) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        return .failure(JSONError(line: Int(error.line), column: Int(error.column), reason: reason))
    }

    deinit { mp_json_release(tree) }
}

/// One value inside a document.
public struct JSONNode {
    public enum Kind: Int32 { case null, boolean, integer, real, string, array, object }

    private let node: OpaquePointer

    init(_ node: OpaquePointer) { self.node = node }

    public var kind: Kind { Kind(rawValue: mp_json_kind(node)) ?? .null }

    /// A member of an object; nil when there is none, it is null, or this is no object.
    public subscript(_ key: StaticString) -> JSONNode? { member(UnsafeRawPointer(key.utf8Start).assumingMemoryBound(to: CChar.self)) }

    public subscript(named key: String) -> JSONNode? { key.withCString { member($0) } }

    private func member(_ key: UnsafePointer<CChar>) -> JSONNode? {
        guard let found = mp_json_member(node, key) else { return nil }
        let child = JSONNode(found)
        return child.kind == .null ? nil : child
    }

    /// The number of elements of an array; 0 for anything else.
    public var count: Int { mp_json_count(node) }

    /// An element of an array; nil beyond its end and for anything else.
    public subscript(_ index: Int) -> JSONNode? {
        guard index >= 0, let found = mp_json_element(node, index) else { return nil }
        return JSONNode(found)
    }

    /// A finite number; nil for anything else.
    public var number: Double? {
        let value = mp_json_number(node)
        return value.isFinite ? value : nil
    }

    public var integer: Int64? { kind == .integer ? mp_json_integer(node) : nil }

    public var boolean: Bool? { kind == .boolean ? mp_json_boolean(node) : nil }

    public var string: String? { withUTF8 { String(decoding: $0, as: UTF8.self) } }

    /// The bytes of a string, without a copy; nil for anything else.
    public func withUTF8<Result, Failure: Error>(
        _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result? {
        var length = 0
        guard let text = mp_json_string(node, &length) else { return nil }
        let bytes = UnsafeRawPointer(text).assumingMemoryBound(to: UInt8.self)
        return try body(UnsafeBufferPointer(start: bytes, count: length))
    }
}
