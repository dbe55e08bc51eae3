/// A TPV line rewritten for libgps: one whole object of plain members, the class first and only once, without white space.
///
/// gps_unpack (3.22) never returns from a faulty object with another class member after it, as when gpsd cuts a line short and the next one is glued
/// to it. It reads past the end of a line that ends in white space, and gives up at an object inside a report (gpsd 3.24 sends baselines so).
struct FlatReport {
    /// NUL-terminated.
    private(set) var text: [UInt8] = []

    private static let opening = Array(#"{"class":"TPV""#.utf8)
    private static let classKey = Array(#""class""#.utf8)

    /// False when the line is not one whole JSON object; `text` is then of no use.
    mutating func copy(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
        text.removeAll(keepingCapacity: true)
        text.append(contentsOf: Self.opening)
        var scanner = Scanner(line: line)
        guard scanner.take("{") else { return false }
        repeat {
            guard let key = scanner.string(), scanner.take(":"), let value = scanner.value() else { return false }
            if value.isPlain, !line[key].elementsEqual(Self.classKey) {
                text.append(UInt8(ascii: ","))
                text.append(contentsOf: line[key])
                text.append(UInt8(ascii: ":"))
                text.append(contentsOf: line[value.range])
            }
        } while scanner.take(",")
        guard scanner.take("}"), scanner.isAtEnd else { return false }
        text.append(UInt8(ascii: "}"))
        text.append(0)
        return true
    }
}

/// Walks over JSON without a stack: brackets inside a member's value are only counted.
private struct Scanner {
    let line: UnsafeBufferPointer<UInt8>
    private var index = 0

    init(line: UnsafeBufferPointer<UInt8>) { self.line = line }

    private var byte: UInt8? { index < line.count ? line[index] : nil }

    private mutating func skipSpace() { while let byte, byte == 32 || byte == 9 { index += 1 } }

    var isAtEnd: Bool {
        mutating get {
            skipSpace()
            return index == line.count
        }
    }

    mutating func take(_ character: Unicode.Scalar) -> Bool {
        skipSpace()
        guard byte == UInt8(ascii: character) else { return false }
        index += 1
        return true
    }

    /// Where a string is, with its quotes.
    mutating func string() -> Range<Int>? {
        guard take("\"") else { return nil }
        let start = index - 1
        while let byte, byte >= 32 {
            index += byte == UInt8(ascii: "\\") ? 2 : 1
            if byte == UInt8(ascii: "\"") { return start..<index }
        }
        return nil
    }

    mutating func value() -> (range: Range<Int>, isPlain: Bool)? {
        skipSpace()
        switch byte {
        case UInt8(ascii: "\""): return string().map { ($0, true) }
        case UInt8(ascii: "{"), UInt8(ascii: "["): return container().map { ($0, false) }
        default: return token().map { ($0, true) }
        }
    }

    /// A number, or a word such as null.
    private mutating func token() -> Range<Int>? {
        let start = index
        while let byte, isTokenByte(byte) { index += 1 }
        return index > start ? start..<index : nil
    }

    private func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        default: byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+") || byte == UInt8(ascii: ".")
        }
    }

    private mutating func container() -> Range<Int>? {
        let start = index
        var depth = 0
        while let byte {
            switch byte {
            case UInt8(ascii: "\""):
                guard string() != nil else { return nil }
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            default: break
            }
            index += 1
            if depth == 0 { return start..<index }
        }
        return nil
    }
}
