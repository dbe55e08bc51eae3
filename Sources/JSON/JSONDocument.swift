/// Why a text is not JSON, and where (line and column count from 1).
public struct JSONError: Error, Equatable {
    public let line: Int
    public let column: Int
    public let reason: String
}

/// A JSON text read into a tree: 16 bytes for each value and each key, beside a copy of the text that the strings lie in. Nodes must not outlive
/// their document.
public struct JSONDocument: ~Copyable {
    /// How many arrays and objects may lie in one another.
    public static let maximumDepth = 64

    private let tree: JSONTree

    public init(_ bytes: UnsafeRawBufferPointer) throws(JSONError) { tree = try JSONTree.read(bytes).get() }

    public init(_ text: String) throws(JSONError) {
        var text = text
        tree = try text.withUTF8 { JSONTree.read(UnsafeRawBufferPointer($0)) }.get()
    }

    public var root: JSONNode { JSONNode(tree.root) }

    deinit { tree.release() }
}

extension JSONError {
    /// At an offset, or the last byte when that is beyond the end.
    init(_ bytes: UnsafeRawBufferPointer, at offset: Int, _ reason: String) {
        let before = bytes.prefix(max(0, min(offset, bytes.count - 1)))
        let newline = UInt8(ascii: "\n")
        line = before.reduce(1) { $1 == newline ? $0 + 1 : $0 }
        let start = before.lastIndex(of: newline).map { $0 + 1 } ?? 0
        // A character's first byte counts, the others have 10 for their highest bits.
        column = before[start...].reduce(1) { $1 & 0xC0 == 0x80 ? $0 : $0 + 1 }
        self.reason = reason
    }
}
