import CRapidJSON

/// One value, or a member's key. Those inside an array or an object lie side by side, the last first; an object's as value, key, value, key, ….
enum Node {
    case null
    case boolean(Bool)
    case integer(Int64)
    case real(Double)
    case string(UnsafePointer<UInt8>, count: UInt32)
    case array(UnsafePointer<Node>, count: UInt32)
    case object(UnsafePointer<Node>, memberCount: UInt32)
}

/// What a document holds, until it is released.
struct JSONTree {
    let root: UnsafePointer<Node>
    /// A copy of the text, in which the strings' values lie.
    private let text: UnsafeMutablePointer<CChar>
    private let nodes: UnsafeMutablePointer<Node>

    func release() {
        text.deallocate()
        nodes.deallocate()
    }

    static func read(_ bytes: UnsafeRawBufferPointer) -> Result<JSONTree, JSONError> {
        let outline = JSONOutline(bytes)
        if let offset = outline.tooDeep {
            let reason = "arrays and objects nested deeper than \(JSONDocument.maximumDepth) levels"
            return .failure(JSONError(bytes, at: offset, reason))
        }
        guard bytes.count < UInt32.max else { return .failure(JSONError(bytes, at: 0, "4 GiB are too long")) }
        let text = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count + 1)
        UnsafeMutableRawBufferPointer(start: text, count: bytes.count).copyMemory(from: bytes)
        text[bytes.count] = 0
        let nodes = UnsafeMutablePointer<Node>.allocate(capacity: outline.nodeCount)
        var builder = JSONTreeBuilder(nodes, capacity: outline.nodeCount)
        let objection = read(text, count: bytes.count, &builder)
        let tree = JSONTree(root: builder.root, text: text, nodes: nodes)
        guard let objection else { return .success(tree) }
        tree.release()
        return .failure(JSONError(bytes, at: objection.offset, objection.reason))
    }

    /// Why the text is not JSON, and the offset; nil when it is.
    private static func read(
        _ text: UnsafeMutablePointer<CChar>, count: Int, _ builder: inout JSONTreeBuilder
    ) -> (reason: String, offset: Int)? {
        var handlers = JSONTreeBuilder.handlers
        var offset = 0
        let reason = mp_json_read(text, &handlers, &builder, &offset)
        if let objection = builder.objection { return (objection.withUTF8Buffer { String(decoding: $0, as: UTF8.self) }, offset) }
        if let reason { return (phrase(String(cString: reason)), offset) }
        return offset < count ? ("a zero byte", offset) : nil
    }

    /// A sentence as part of another.
    private static func phrase(_ sentence: String) -> String {
        let bytes = sentence.utf8.filter { $0 != UInt8(ascii: ".") }
        return String(decoding: bytes.prefix(1).map { $0 | 0x20 } + bytes.dropFirst(), as: UTF8.self)
    }
}
