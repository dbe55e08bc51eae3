/// One value inside a document.
public struct JSONNode {
    public enum Kind { case null, boolean, integer, real, string, array, object }

    private let node: UnsafePointer<Node>

    init(_ node: UnsafePointer<Node>) { self.node = node }

    public var kind: Kind {
        switch node.pointee {
        case .null: .null
        case .boolean: .boolean
        case .integer: .integer
        case .real: .real
        case .string: .string
        case .array: .array
        case .object: .object
        }
    }

    /// A member of an object, the last of that key; nil when there is none, it is null, or this is no object. Takes time in the number of members.
    public subscript(_ key: StaticString) -> JSONNode? { key.withUTF8Buffer { member($0) } }

    public subscript(named key: String) -> JSONNode? {
        var key = key
        return key.withUTF8 { member($0) }
    }

    private func member(_ key: UnsafeBufferPointer<UInt8>) -> JSONNode? {
        guard case .object(let first, let memberCount) = node.pointee else { return nil }
        for member in 0..<Int(memberCount) {
            guard case .string(let name, let count) = first[2 * member + 1], Int(count) == key.count else { continue }
            guard UnsafeBufferPointer(start: name, count: key.count).elementsEqual(key) else { continue }
            if case .null = first[2 * member] { return nil }
            return JSONNode(first + 2 * member)
        }
        return nil
    }

    /// The number of elements of an array; 0 for anything else.
    public var count: Int {
        if case .array(_, let count) = node.pointee { Int(count) } else { 0 }
    }

    /// An element of an array; nil beyond its end and for anything else.
    public subscript(_ index: Int) -> JSONNode? {
        guard case .array(let first, let count) = node.pointee, index >= 0, index < Int(count) else { return nil }
        return JSONNode(first + (Int(count) - 1 - index))
    }

    /// A finite number; nil for anything else.
    public var number: Double? {
        switch node.pointee {
        case .integer(let value): Double(value)
        case .real(let value): value
        default: nil
        }
    }

    public var integer: Int64? {
        if case .integer(let value) = node.pointee { value } else { nil }
    }

    public var boolean: Bool? {
        if case .boolean(let value) = node.pointee { value } else { nil }
    }

    public var string: String? { withUTF8 { String(decoding: $0, as: UTF8.self) } }

    /// The bytes of a string, without a copy; nil for anything else.
    public func withUTF8<Result, Failure: Error>(
        _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result? {
        guard case .string(let start, let count) = node.pointee else { return nil }
        return try body(UnsafeBufferPointer(start: start, count: Int(count)))
    }
}
