/// google.protobuf.Duration as protobuf's JSON mapping writes it.
enum ProtoDuration {
    /// Such as "3.5s", in whole seconds, rounded up; nil for anything else and for negative ones.
    static func seconds(_ duration: String) -> Int? {
        var whole = 0
        var digits = 0
        var rest = duration.utf8[...]
        while let byte = rest.first, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte), digits < 9 {
            whole = whole * 10 + Int(byte - UInt8(ascii: "0"))
            digits += 1
            rest.removeFirst()
        }
        guard digits > 0, rest.last == UInt8(ascii: "s") else { return nil }
        rest.removeLast()
        if rest.isEmpty { return whole }
        guard rest.first == UInt8(ascii: "."), rest.dropFirst().allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
            return nil
        }
        return rest.contains { (UInt8(ascii: "1")...UInt8(ascii: "9")).contains($0) } ? whole + 1 : whole
    }
}
