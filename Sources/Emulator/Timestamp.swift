/// google.protobuf.Timestamp: RFC 3339 on the wire, years 1 to 9999.
struct Timestamp: Sendable, Equatable, Comparable {
    /// Since 1970-01-01T00:00:00Z.
    var seconds: Int64
    /// 0 to 999,999,999.
    var nanoseconds: Int32

    init(seconds: Int64, nanoseconds: Int32) {
        self.seconds = seconds
        self.nanoseconds = nanoseconds
    }

    init(unixMilliseconds: Int64) {
        let (quotient, remainder) = unixMilliseconds.quotientAndRemainder(dividingBy: 1_000)
        seconds = remainder < 0 ? quotient - 1 : quotient
        nanoseconds = Int32(remainder < 0 ? remainder + 1_000 : remainder) * 1_000_000
    }

    /// Since 1970, rounded down.
    var milliseconds: Int64 { seconds * 1_000 + Int64(nanoseconds / 1_000_000) }

    static func < (left: Timestamp, right: Timestamp) -> Bool {
        (left.seconds, left.nanoseconds) < (right.seconds, right.nanoseconds)
    }

    /// nil unless the text is `YYYY-MM-DDThh:mm:ss[.fraction](Z|±hh:mm)` and names a real moment.
    init?(_ text: String) {
        var digits = Scanner(text)
        guard let year = digits.number(of: 4), digits.skip("-"), let month = digits.number(of: 2), digits.skip("-"),
            let day = digits.number(of: 2), digits.skip("T"), let hour = digits.number(of: 2), digits.skip(":"),
            let minute = digits.number(of: 2), digits.skip(":"), let second = digits.number(of: 2),
            let nanoseconds = digits.fraction(), let offset = digits.offset(), digits.isAtEnd,
            year >= 1, (1...12).contains(month), (1...Self.days(in: month, of: year)).contains(day),
            hour < 24, minute < 60, second < 60
        else { return nil }
        let days = Self.daysSinceEpoch(year: year, month: month, day: day)
        self.init(seconds: Int64(days * 86_400 + hour * 3_600 + minute * 60 + second - offset), nanoseconds: nanoseconds)
    }

    /// In UTC, with 0, 3, 6 or 9 digits after the second.
    var text: String {
        let (days, second) = (floorDivide(seconds, 86_400), Int(seconds - floorDivide(seconds, 86_400) * 86_400))
        let (year, month, day) = Self.civil(daysSinceEpoch: Int(days))
        return padded(year, 4) + "-" + padded(month, 2) + "-" + padded(day, 2) + "T" + padded(second / 3_600, 2) + ":"
            + padded(second / 60 % 60, 2) + ":" + padded(second % 60, 2) + fractionText(nanoseconds) + "Z"
    }

    private static func days(in month: Int, of year: Int) -> Int {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return switch month {
        case 2: isLeap ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    // The proleptic Gregorian calendar in years that begin on 1 March, so that the leap day comes last: 400 years have 146,097 days.
    private static func daysSinceEpoch(year: Int, month: Int, day: Int) -> Int {
        let marchYear = month > 2 ? year : year - 1
        let (era, yearOfEra) = (marchYear / 400, marchYear % 400)
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private static func civil(daysSinceEpoch days: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = days + 719_468
        let era = Int(floorDivide(Int64(shifted), 146_097))
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        return (era * 400 + yearOfEra + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * marchMonth + 2) / 5 + 1)
    }
}

/// google.protobuf.Duration: seconds with up to nine digits after the point and the suffix "s".
struct ProtoDuration: Sendable, Equatable {
    var seconds: Int64
    /// Of the sign of seconds.
    var nanoseconds: Int32

    /// nil unless well-formed and within ±315,576,000,000 s, about 10,000 years.
    init?(_ text: String) {
        var digits = Scanner(text)
        let sign: Int64 = digits.skip("-") ? -1 : 1
        guard let whole = digits.number(upTo: 12), let fraction = digits.fraction(), digits.skip("s"), digits.isAtEnd,
            whole <= 315_576_000_000
        else { return nil }
        seconds = sign * Int64(whole)
        nanoseconds = Int32(sign) * fraction
    }

    init(milliseconds: Int64) {
        seconds = milliseconds / 1_000
        nanoseconds = Int32(milliseconds % 1_000) * 1_000_000
    }

    var isNegative: Bool { seconds < 0 || nanoseconds < 0 }
    var milliseconds: Int64 { seconds * 1_000 + Int64(nanoseconds / 1_000_000) }
    var text: String { (isNegative ? "-" : "") + String(seconds.magnitude) + fractionText(abs(nanoseconds)) + "s" }
}

private func floorDivide(_ value: Int64, _ divisor: Int64) -> Int64 {
    let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
}

private func padded(_ value: Int, _ width: Int) -> String {
    let digits = String(value)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
}

private func fractionText(_ nanoseconds: Int32) -> String {
    let digits = padded(Int(nanoseconds), 9)
    if nanoseconds == 0 { return "" }
    if nanoseconds % 1_000_000 == 0 { return "." + digits.prefix(3) }
    if nanoseconds % 1_000 == 0 { return "." + digits.prefix(6) }
    return "." + digits
}

/// Reads ASCII digits and marks from the front of a text.
private struct Scanner {
    private var rest: ArraySlice<UInt8>

    init(_ text: String) { rest = Array(text.utf8)[...] }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func skip(_ mark: Unicode.Scalar) -> Bool {
        guard rest.first.map(UInt32.init) == mark.value else { return false }
        rest.removeFirst()
        return true
    }

    /// One to `most` digits.
    mutating func number(upTo most: Int) -> Int? {
        var value = 0
        var count = 0
        while count < most, let digit = rest.first, (0x30...0x39).contains(digit) {
            value = value * 10 + Int(digit - 0x30)
            count += 1
            rest.removeFirst()
        }
        return count > 0 ? value : nil
    }

    mutating func number(of width: Int) -> Int? {
        let before = rest.count
        guard let value = number(upTo: width), before - rest.count == width else { return nil }
        return value
    }

    /// "." and one to nine digits as nanoseconds; 0 when there is no point.
    mutating func fraction() -> Int32? {
        guard skip(".") else { return 0 }
        let before = rest.count
        guard let value = number(upTo: 9) else { return nil }
        return (before - rest.count..<9).reduce(Int32(value)) { scaled, _ in scaled * 10 }
    }

    /// "Z", or hours and minutes from UTC as seconds.
    mutating func offset() -> Int? {
        if skip("Z") { return 0 }
        let sign = skip("+") ? 1 : skip("-") ? -1 : 0
        guard sign != 0, let hours = number(of: 2), skip(":"), let minutes = number(of: 2), hours < 24, minutes < 60 else { return nil }
        return sign * (hours * 3_600 + minutes * 60)
    }
}
