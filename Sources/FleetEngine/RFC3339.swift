/// Times as protobuf's JSON mapping writes them, counted in milliseconds since 1970 UTC. The calendar arithmetic is the civil-days algorithm of
/// Howard Hinnant (proleptic Gregorian, eras of 400 years from 1 March).
public enum RFC3339 {
    /// "2025-02-05T17:02:32.543Z"; nil outside the years 1 to 9999, which protobuf cannot hold.
    public static func text(milliseconds: Int64) -> String? {
        guard (-62_135_596_800_000...253_402_300_799_999).contains(milliseconds) else { return nil }
        let (days, time) = floorDivision(milliseconds, by: 86_400_000)
        let (year, month, day) = civil(days: days)
        let date = "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
        let clock = "\(padded(time / 3_600_000, 2)):\(padded(time / 60_000 % 60, 2)):\(padded(time / 1000 % 60, 2))"
        return "\(date)T\(clock).\(padded(time % 1000, 3))Z"
    }

    /// Any RFC 3339 time; digits beyond the millisecond are dropped. nil for anything else.
    public static func milliseconds(_ text: String) -> Int64? {
        var scanner = DigitScanner(text)
        guard let year = scanner.number(4), scanner.skip("-"), let month = scanner.number(2), scanner.skip("-"),
            let day = scanner.number(2),
            scanner.skip("T") || scanner.skip("t") || scanner.skip(" "),
            let hour = scanner.number(2), scanner.skip(":"), let minute = scanner.number(2), scanner.skip(":"),
            let second = scanner.number(2),
            (1...12).contains(month), day >= 1, day <= daysIn(month: month, year: year), hour < 24, minute < 60, second <= 60
        else { return nil }
        var fraction: Int64 = 0
        if scanner.skip(".") {
            guard let found = scanner.thousandths() else { return nil }
            fraction = found
        }
        guard let offset = scanner.offsetMinutes(), scanner.isAtEnd else { return nil }
        let minutes = days(year: year, month: month, day: day) * 1440 + hour * 60 + minute - offset
        return (minutes * 60 + second) * 1000 + fraction
    }

    private static func civil(days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let (era, dayOfEra) = floorDivision(days + 719_468, by: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        let month = shifted < 10 ? shifted + 3 : shifted - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shifted + 2) / 5 + 1)
    }

    private static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
        let (era, yearOfEra) = floorDivision(month <= 2 ? year - 1 : year, by: 400)
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private static func daysIn(month: Int64, year: Int64) -> Int64 {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    private static func floorDivision(_ value: Int64, by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let quotient = value / divisor - (value % divisor < 0 ? 1 : 0)
        return (quotient, value - quotient * divisor)
    }

    private static func padded(_ value: Int64, _ width: Int) -> String {
        let digits = "\(value)"
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }
}

/// Reads digits at fixed widths from the front of a text.
private struct DigitScanner {
    private var rest: Substring.UTF8View

    init(_ text: String) { rest = Substring(text).utf8 }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard let first = rest.first, first == UInt8(ascii: character) else { return false }
        rest.removeFirst()
        return true
    }

    mutating func digit() -> Int64? {
        guard let first = rest.first, first >= UInt8(ascii: "0"), first <= UInt8(ascii: "9") else { return nil }
        rest.removeFirst()
        return Int64(first - UInt8(ascii: "0"))
    }

    /// A number of exactly so many digits.
    mutating func number(_ width: Int) -> Int64? {
        var value: Int64 = 0
        for _ in 0..<width {
            guard let next = digit() else { return nil }
            value = value * 10 + next
        }
        return value
    }

    /// One digit or more after a decimal point, as thousandths.
    mutating func thousandths() -> Int64? {
        guard var value = digit() else { return nil }
        value = value * 10 + (digit() ?? 0)
        value = value * 10 + (digit() ?? 0)
        while digit() != nil {}
        return value
    }

    /// "Z" or an offset such as "+05:30".
    mutating func offsetMinutes() -> Int64? {
        if skip("Z") || skip("z") { return 0 }
        let sign: Int64 = skip("-") ? -1 : 1
        guard sign < 0 || skip("+"), let hours = number(2), skip(":"), let minutes = number(2), hours < 24, minutes < 60 else { return nil }
        return sign * (hours * 60 + minutes)
    }
}
