/// A decimal number in text, whatever the process's locale is: "-122.36", "1.5e-3".
public struct DecimalNumber {
    /// Longer texts are no measurements.
    public static let maximumLength = 64

    private let isNegative: Bool
    /// As many of the first digits as fit, 19 or 20 of them, and the power of ten that they are to be multiplied by.
    private let mantissa: UInt64
    private let exponent: Int
    /// Without a point, an exponent, or a digit left out.
    private let isWhole: Bool

    /// nil for anything but one decimal number.
    public init?(_ text: UnsafeBufferPointer<UInt8>) {
        var scanner = Scanner(text: text)
        isNegative = scanner.takeSign()
        scanner.takeDigits(areFraction: false)
        isWhole = scanner.isAtEnd && scanner.exponent == 0
        if scanner.take(".") { scanner.takeDigits(areFraction: true) }
        guard scanner.digitCount > 0 else { return nil }
        if scanner.take("e") || scanner.take("E") {
            guard scanner.takeExponent() else { return nil }
        }
        guard scanner.isAtEnd else { return nil }
        mantissa = scanner.mantissa
        exponent = scanner.exponent
    }

    /// nil for anything but one finite decimal number of at most ``maximumLength`` characters.
    public static func parse(_ text: UnsafeBufferPointer<UInt8>) -> Double? {
        text.count <= maximumLength ? DecimalNumber(text)?.value : nil
    }

    /// nil for a number with a point or an exponent, and for one beyond 64 bits.
    public var integer: Int64? {
        guard isWhole else { return nil }
        if isNegative { return mantissa <= Int64.min.magnitude ? Int64(truncatingIfNeeded: 0 &- mantissa) : nil }
        return Int64(exactly: mantissa)
    }

    /// The nearest double for up to 19 digits and powers of ten from -27 to 27; beyond, now and then the one next to it. nil when it is infinite.
    public var value: Double? {
        let magnitude = magnitude
        guard magnitude.isFinite else { return nil }
        return isNegative ? -magnitude : magnitude
    }

    private var magnitude: Double {
        if mantissa == 0 || exponent < -400 { return 0 }
        if exponent > 400 { return .infinity }
        var number = LongFloat(significand: mantissa)
        var rest = exponent
        while rest != 0 {
            let step = max(-27, min(27, rest))
            number.scale(byPowerOfTen: step)
            rest -= step
        }
        return number.value
    }
}

/// significand · 2^exponent, its lowest bit set when anything below was cut off.
private struct LongFloat {
    private var significand: UInt64
    private var exponent = 0

    /// 5²⁷ is the last below 2⁶⁴.
    private static let powersOfFive: [UInt64] = (0...27).map { power in (0..<power).reduce(1) { value, _ in value * 5 } }

    /// Not 0.
    init(significand: UInt64) { self.significand = significand }

    /// From -27 to 27; the first time nothing is lost that rounding needs.
    mutating func scale(byPowerOfTen power: Int) {
        let powerOfFive = Self.powersOfFive[abs(power)]
        if power < 0 { divide(by: powerOfFive) } else { multiply(by: powerOfFive) }
        exponent += power
    }

    var value: Double { Double(sign: .plus, exponent: exponent, significand: Double(significand)) }

    /// The quotient has 63 or 64 bits, so that the lowest one decides ties only.
    private mutating func divide(by divisor: UInt64) {
        let (up, down) = (significand.leadingZeroBitCount, divisor.leadingZeroBitCount)
        let dividend = significand << up
        let (quotient, rest) = (divisor << down).dividingFullWidth((dividend >> 1, dividend << 63))
        significand = quotient | (rest == 0 ? 0 : 1)
        exponent += down - up - 63
    }

    private mutating func multiply(by factor: UInt64) {
        let (high, low) = significand.multipliedFullWidth(by: factor)
        if high == 0 { return significand = low }
        let up = high.leadingZeroBitCount
        significand = high << up | low >> (64 - up) | (low << up == 0 ? 0 : 1)
        exponent += 64 - up
    }
}

private struct Scanner {
    let text: UnsafeBufferPointer<UInt8>
    var position = 0
    var digitCount = 0
    var mantissa: UInt64 = 0
    var exponent = 0

    init(text: UnsafeBufferPointer<UInt8>) { self.text = text }

    var isAtEnd: Bool { position == text.count }

    mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard position < text.count, UInt32(text[position]) == character.value else { return false }
        position += 1
        return true
    }

    /// True for a minus.
    mutating func takeSign() -> Bool { take("-") || (take("+") && false) }

    mutating func takeDigits(areFraction: Bool) {
        while position < text.count, (48...57).contains(text[position]) {
            let hasRoom = mantissa <= (UInt64.max - 9) / 10
            if hasRoom { mantissa = mantissa * 10 + UInt64(text[position] - 48) }
            if areFraction == hasRoom { exponent += areFraction ? -1 : 1 }
            digitCount += 1
            position += 1
        }
    }

    mutating func takeExponent() -> Bool {
        let isNegative = takeSign()
        let start = position
        var amount = 0
        while position < text.count, (48...57).contains(text[position]) {
            amount = min(amount * 10 + Int(text[position] - 48), 10_000)
            position += 1
        }
        exponent += isNegative ? -amount : amount
        return position > start
    }
}
