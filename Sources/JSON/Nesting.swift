/// Finds nesting that is too deep before a recursive parser meets it.
enum Nesting {
    /// The place where a text first exceeds `JSONDocument.maximumDepth`. Brackets inside strings do not count.
    static func firstError(in bytes: UnsafeRawBufferPointer) -> JSONError? {
        var depth = 0
        var inString = false
        var escaped = false
        for (offset, byte) in bytes.enumerated() {
            if inString {
                if escaped {
                    escaped = false
                } else if byte == UInt8(ascii: "\\") {
                    escaped = true
                } else if byte == UInt8(ascii: "\"") {
                    inString = false
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): inString = true
            case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
            default: break
            }
            if depth > JSONDocument.maximumDepth { return error(in: bytes, at: offset) }
        }
        return nil
    }

    private static func error(in bytes: UnsafeRawBufferPointer, at offset: Int) -> JSONError {
        let before = bytes.prefix(offset)
        let newline = UInt8(ascii: "\n")
        let line = before.reduce(1) { $1 == newline ? $0 + 1 : $0 }
        let lineStart = before.lastIndex(of: newline).map { $0 + 1 } ?? 0
        return JSONError(
            line: line, column: offset - lineStart + 1, reason: "arrays and objects nested deeper than \(JSONDocument.maximumDepth) levels")
    }
}
