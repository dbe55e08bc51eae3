/// Times of day as XML Schema and RFC 3339 write them: "2026-11-30T07:30:00.5+01:00". Without a zone they count as UTC.
enum DateTime {
    /// Seconds since 1970; nil for anything else, dates without a time included.
    static func parse(_ text: UnsafeBufferPointer<UInt8>) -> Double? {
        var rest = text[...]
        guard let year = number(&rest, digits: 4), take(&rest, "-"), let month = number(&rest, digits: 2), take(&rest, "-"),
            let day = number(&rest, digits: 2), take(&rest, "T") || take(&rest, " ") || take(&rest, "t"),
            let hour = number(&rest, digits: 2), take(&rest, ":"), let minute = number(&rest, digits: 2), take(&rest, ":"),
            let second = number(&rest, digits: 2)
        else { return nil }
        guard (1...12).contains(month), (1...31).contains(day), hour <= 24, minute < 60, second <= 60 else { return nil }
        let fraction = fraction(&rest)
        guard let zone = zone(&rest), rest.isEmpty else { return nil }
        let seconds = days(year, month, day) * 86_400 + hour * 3_600 + minute * 60 + second - zone
        return Double(seconds) + fraction
    }

    private static func number(_ rest: inout Slice<UnsafeBufferPointer<UInt8>>, digits: Int) -> Int? {
        let digitsText = rest.prefix(digits)
        guard digitsText.count == digits, digitsText.allSatisfy({ (48...57).contains($0) }) else { return nil }
        rest = rest.dropFirst(digits)
        return digitsText.reduce(0) { $0 * 10 + Int($1 - 48) }
    }

    private static func take(_ rest: inout Slice<UnsafeBufferPointer<UInt8>>, _ character: Unicode.Scalar) -> Bool {
        guard let first = rest.first, UInt32(first) == character.value else { return false }
        rest = rest.dropFirst()
        return true
    }

    private static func fraction(_ rest: inout Slice<UnsafeBufferPointer<UInt8>>) -> Double {
        guard take(&rest, ".") else { return 0 }
        var value = 0.0
        var unit = 0.1
        while let digit = rest.first, (48...57).contains(digit) {
            value += Double(digit - 48) * unit
            unit /= 10
            rest = rest.dropFirst()
        }
        return value
    }

    /// Seconds east of UTC.
    private static func zone(_ rest: inout Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
        if rest.isEmpty || take(&rest, "Z") || take(&rest, "z") { return 0 }
        let isWest = take(&rest, "-")
        guard isWest || take(&rest, "+"), let hours = number(&rest, digits: 2) else { return nil }
        _ = take(&rest, ":")
        guard let minutes = number(&rest, digits: 2), hours < 24, minutes < 60 else { return nil }
        return (isWest ? -1 : 1) * (hours * 3_600 + minutes * 60)
    }

    /// Days since 1970 in the Gregorian calendar (H. Hinnant, chrono-compatible low-level date algorithms).
    private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let year = month <= 2 ? year - 1 : year
        let era = (year >= 0 ? year : year - 399) / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }
}
