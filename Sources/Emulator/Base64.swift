/// RFC 4648.
enum Base64 {
    /// Either alphabet, with or without padding, as protocol buffers' JSON allows for bytes. nil when it is neither.
    static func decode(_ text: String) -> [UInt8]? {
        var digits = Array(text.utf8)
        let padding = digits.reversed().prefix { $0 == UInt8(ascii: "=") }.count
        guard padding <= 2, padding == 0 || digits.count % 4 == 0 else { return nil }
        digits.removeLast(padding)
        guard digits.count % 4 != 1 else { return nil }
        var bytes: [UInt8] = []
        var window: UInt32 = 0
        for (index, digit) in digits.enumerated() {
            guard let value = value(of: digit) else { return nil }
            window = (window << 6 | UInt32(value)) & 0xff_ffff
            let bits = (index % 4) * 2
            if bits > 0 { bytes.append(UInt8(truncatingIfNeeded: window >> (6 - bits))) }
        }
        let unused = digits.count % 4 == 2 ? 4 : digits.count % 4 == 3 ? 2 : 0
        return window & (1 << unused - 1) == 0 ? bytes : nil
    }

    /// The URL-safe alphabet with its padding only, which is what the Driver SDK writes into a string field.
    static func decodeURLSafe(_ text: String) -> [UInt8]? {
        let isStandard = text.utf8.contains { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "/") }
        return isStandard || text.utf8.count % 4 != 0 ? nil : decode(text)
    }

    /// The standard alphabet, padded.
    static func encode(_ bytes: [UInt8]) -> String {
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        var text: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let window = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } << (8 * UInt32(3 - group.count))
            for place in 0..<4 {
                text.append(place <= group.count ? digits[Int(window >> (18 - 6 * UInt32(place))) & 63] : UInt8(ascii: "="))
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static func value(of digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): digit - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): digit - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0") + 52
        case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
        case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
        default: nil
        }
    }
}
