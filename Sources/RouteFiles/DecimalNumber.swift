/// Decimal numbers in text, whatever the process's locale is: "-122.36", "1.5e-3".
enum DecimalNumber {
    /// Longer ones are no measurements.
    static let maximumLength = 64

    /// nil for anything but one finite decimal number. Right to the last bit up to 15 digits, within two units of it beyond.
    static func parse(_ text: UnsafeBufferPointer<UInt8>) -> Double? {
        guard text.count <= maximumLength else { return nil }
        var scanner = Scanner(text: text)
        let isNegative = scanner.takeSign()
        scanner.takeDigits(areFraction: false)
        if scanner.take(".") { scanner.takeDigits(areFraction: true) }
        guard scanner.digitCount > 0 else { return nil }
        if scanner.take("e") || scanner.take("E") {
            guard scanner.takeExponent() else { return nil }
        }
        guard scanner.isAtEnd, let value = scanner.value else { return nil }
        return isNegative ? -value : value
    }

    private struct Scanner {
        let text: UnsafeBufferPointer<UInt8>
        var position = 0
        var digitCount = 0
        private var mantissa: UInt64 = 0
        private var exponent = 0

        init(text: UnsafeBufferPointer<UInt8>) { self.text = text }

        var isAtEnd: Bool { position == text.count }

        /// Mantissa and power of ten are exact, so that one multiplication or division rounds once.
        var value: Double? {
            guard abs(exponent) <= 400 else { return mantissa == 0 ? 0 : nil }
            var value = Double(mantissa)
            for _ in 0..<abs(exponent) / 22 { value = exponent < 0 ? value / 1e22 : value * 1e22 }
            let rest = (0..<abs(exponent) % 22).reduce(1.0) { power, _ in power * 10 }
            value = exponent < 0 ? value / rest : value * rest
            return value.isFinite ? value : nil
        }

        mutating func take(_ character: Unicode.Scalar) -> Bool {
            guard position < text.count, UInt32(text[position]) == character.value else { return false }
            position += 1
            return true
        }

        /// True for a minus.
        mutating func takeSign() -> Bool { take("-") || (take("+") && false) }

        mutating func takeDigits(areFraction: Bool) {
            while position < text.count, (48...57).contains(text[position]) {
                let hasRoom = mantissa < UInt64.max / 100
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
}
