import CRapidJSON

/// Builds a tree in the order of its text, in a block of memory that never grows. What is still open fills it from its end down; whatever is closed
/// takes its nodes to the front.
struct JSONTreeBuilder {
    private let nodes: UnsafeMutablePointer<Node>
    private let capacity: Int
    /// How many nodes have found their place at the front.
    private var placed = 0
    /// Where those begin that are not in their place yet.
    private var top: Int
    /// Why the reading was ended.
    private(set) var objection: StaticString?

    init(_ nodes: UnsafeMutablePointer<Node>, capacity: Int) {
        self.nodes = nodes
        self.capacity = capacity
        top = capacity
    }

    /// The root, once the whole text has been read.
    var root: UnsafePointer<Node> { UnsafePointer(nodes + top) }

    /// What RapidJSON calls; the context is a builder.
    static let handlers = mp_json_handlers(
        null: { $0.builder?.pointee.push(.null) ?? false },
        boolean: { $0.builder?.pointee.push(.boolean($1)) ?? false },
        number: { $0.builder?.pointee.number(UnsafeBufferPointer($1, count: $2)) ?? false },
        string: { $0.builder?.pointee.string(UnsafeBufferPointer($1, count: $2)) ?? false },
        start: { $0 != nil },
        end_object: { $0.builder?.pointee.endObject(memberCount: $1) ?? false },
        end_array: { $0.builder?.pointee.endArray(count: $1) ?? false })

    private mutating func push(_ node: Node) -> Bool {
        guard top > placed else { return refuse("the text is not what it was") }
        top -= 1
        nodes[top] = node
        return true
    }

    private mutating func number(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let number = DecimalNumber(text) else { return refuse("invalid value") }
        if let integer = number.integer { return push(.integer(integer)) }
        guard let value = number.value else { return refuse("a number that is too large") }
        return push(.real(value))
    }

    private mutating func string(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let start = text.baseAddress, !Self.hasLoneSurrogate(text) else { return refuse("the surrogate pair in string is invalid") }
        return push(.string(start, count: UInt32(truncatingIfNeeded: text.count)))
    }

    /// RapidJSON lets an escaped second half of a pair pass, as three bytes that UTF-8 does not have.
    private static func hasLoneSurrogate(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        var previous: UInt8 = 0
        for byte in text {
            if previous == 0xED, byte >= 0xA0 { return true }
            previous = byte
        }
        return false
    }

    private mutating func endArray(count: Int) -> Bool {
        guard let first = place(count) else { return false }
        return push(.array(first, count: UInt32(truncatingIfNeeded: count)))
    }

    private mutating func endObject(memberCount: Int) -> Bool {
        guard let first = place(memberCount * 2) else { return false }
        return push(.object(first, memberCount: UInt32(truncatingIfNeeded: memberCount)))
    }

    /// Moves the last nodes to the front.
    private mutating func place(_ count: Int) -> UnsafePointer<Node>? {
        guard count <= capacity - top else { return nil }
        let first = nodes + placed
        first.update(from: nodes + top, count: count)
        placed += count
        top += count
        return UnsafePointer(first)
    }

    private mutating func refuse(_ objection: StaticString) -> Bool {
        self.objection = objection
        return false
    }
}

extension UnsafeMutableRawPointer? {
    fileprivate var builder: UnsafeMutablePointer<JSONTreeBuilder>? { self?.assumingMemoryBound(to: JSONTreeBuilder.self) }
}

extension UnsafeBufferPointer<UInt8> {
    fileprivate init(_ text: UnsafePointer<CChar>?, count: Int) {
        self.init(start: text.map { UnsafeRawPointer($0).assumingMemoryBound(to: UInt8.self) }, count: count)
    }
}
