/// What can be told of a JSON text before it is read: how many nodes it has, so that they need no room to grow, and whether it is too deep.
struct JSONOutline {
    /// At least the text's values and keys, and exactly those when it is JSON.
    private(set) var nodeCount = 1
    /// Where the text first exceeds ``JSONDocument/maximumDepth``.
    private(set) var tooDeep: Int?

    init(_ bytes: UnsafeRawBufferPointer) {
        var depth = 0
        var offset = 0
        // Whether something was opened and nothing came since.
        var isEmpty = false
        while offset < bytes.count {
            let byte = bytes[offset]
            switch byte {
            case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"):
                offset += 1
                continue
            case UInt8(ascii: "\""): offset = Self.endOfString(in: bytes, at: offset)
            case UInt8(ascii: ","), UInt8(ascii: ":"): nodeCount += 1
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                depth += 1
                nodeCount += 1
                if depth > JSONDocument.maximumDepth {
                    tooDeep = offset
                    return
                }
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                depth -= 1
                if isEmpty { nodeCount -= 1 }
            default: break
            }
            isEmpty = byte == UInt8(ascii: "[") || byte == UInt8(ascii: "{")
            offset += 1
        }
    }

    /// The offset of the quotation mark that ends the string beginning at `start`; the text's length when none does.
    private static func endOfString(in bytes: UnsafeRawBufferPointer, at start: Int) -> Int {
        var offset = start + 1
        while offset < bytes.count, bytes[offset] != UInt8(ascii: "\"") { offset += bytes[offset] == UInt8(ascii: "\\") ? 2 : 1 }
        return min(offset, bytes.count)
    }
}
