import JSON

/// KML's positions in running text: longitude, latitude and perhaps altitude, joined by commas, positions apart by white space. Blanks around
/// commas, which the specification forbids, are common, and harmless.
struct CoordinateText {
    struct Position {
        let longitude: Double
        let latitude: Double
    }

    /// A track's positions are joined by blanks, one an element.
    private let blanksJoin: Bool
    private var token: [UInt8] = []
    private var first = 0.0
    private var second = 0.0
    private var count = 0
    private var isAfterComma = false

    init(blanksJoin: Bool) { self.blanksJoin = blanksJoin }

    /// Takes the next byte; gives a position once another begins.
    mutating func take(_ byte: UInt8) throws(RouteFileError) -> Position? {
        if byte <= 32 {
            try endNumber()
            return nil
        }
        if byte == UInt8(ascii: ",") {
            try endNumber()
            if isAfterComma || count == 0 { throw RouteFileError("a comma without a number before it in the coordinates") }
            isAfterComma = true
            return nil
        }
        let begins = token.isEmpty && count > 0 && !isAfterComma && !blanksJoin
        let position = begins ? try endPosition() : nil
        if token.count <= DecimalNumber.maximumLength { token.append(byte) }
        return position
    }

    /// The last position; nil when there is none.
    mutating func finish() throws(RouteFileError) -> Position? {
        try endNumber()
        return count > 0 ? try endPosition() : nil
    }

    private mutating func endNumber() throws(RouteFileError) {
        guard !token.isEmpty else { return }
        guard let number = token.withUnsafeBufferPointer({ DecimalNumber.parse($0) }) else {
            throw RouteFileError("\"\(String(decoding: token, as: UTF8.self))\" is no number in the coordinates")
        }
        if count == 0 { first = number }
        if count == 1 { second = number }
        count = min(count + 1, 3)
        isAfterComma = false
        token.removeAll(keepingCapacity: true)
    }

    private mutating func endPosition() throws(RouteFileError) -> Position {
        guard count >= 2 else { throw RouteFileError("a position without a latitude: positions are longitude,latitude") }
        count = 0
        isAfterComma = false
        return Position(longitude: first, latitude: second)
    }
}
