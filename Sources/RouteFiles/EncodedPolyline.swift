import Navigation

/// Google's encoded polyline: latitude and longitude of each point as whole numbers of 1e-5 (or 1e-6) degrees, each the difference to the
/// point before, zigzag, in groups of five bits from the lowest, 63 added to each (Encoded Polyline Algorithm Format, Google Maps
/// Platform). Nothing in the text says which of the two precisions it has.
public struct EncodedPolyline: Sendable {
    /// A point before it is scaled to degrees.
    struct Vertex {
        let latitude: Int32
        let longitude: Int32
        /// Of its first byte in the text.
        let offset: Int32

        /// Nil where it is not on earth.
        @inline(__always)
        func coordinate(unitsPerDegree: Double, continues: Bool) -> Coordinate? {
            Ground.position(
                latitude: Double(latitude) / unitsPerDegree, longitude: Double(longitude) / unitsPerDegree, continues: continues)
        }

        @inline(never)
        func error(unitsPerDegree: Double) -> RouteFileError {
            RouteFileError(
                "byte \(offset): latitude \(Double(latitude) / unitsPerDegree), longitude \(Double(longitude) / unitsPerDegree) is not "
                    + "on earth with precision \(unitsPerDegree == 1e5 ? 5 : 6)")
        }
    }

    let vertices: [Vertex]

    /// Of a point, usually: what is denser makes room as it goes.
    private static let fewestBytes = 3

    /// Reads the text of a polyline of any precision. Errors name the byte offset.
    public init(_ text: UnsafeBufferPointer<UInt8>) throws(RouteFileError) { try self.init(text, hasElevation: false) }

    /// hasElevation: each point has a third number, as GraphHopper writes with elevation=true; it is skipped.
    init(_ text: UnsafeBufferPointer<UInt8>, hasElevation: Bool) throws(RouteFileError) {
        var reader = try Reader(text, hasElevation: hasElevation)
        var vertices: [Vertex] = []
        vertices.reserveCapacity(text.count / Self.fewestBytes)
        while let vertex = try reader.next() { vertices.append(vertex) }
        self.vertices = vertices
    }

    /// The points of a polyline of precision 5 or 6. Errors name the byte offset.
    public static func decode(_ text: UnsafeBufferPointer<UInt8>, precision: Int) throws(RouteFileError) -> [Coordinate] {
        let unitsPerDegree = try unitsPerDegree(precision)
        var reader = try Reader(text, hasElevation: false)
        var points: [Coordinate] = []
        points.reserveCapacity(text.count / Self.fewestBytes)
        while let vertex = try reader.next() {
            guard let point = vertex.coordinate(unitsPerDegree: unitsPerDegree, continues: !points.isEmpty) else {
                throw vertex.error(unitsPerDegree: unitsPerDegree)
            }
            points.append(point)
        }
        return points
    }

    /// The points in degrees, read with a precision of 5 or 6. A line that starts within ±180° may run on over the 180th meridian, and so may
    /// one that continues another.
    func coordinates(precision: Int, continues: Bool = false) throws(RouteFileError) -> [Coordinate] {
        let unitsPerDegree = try Self.unitsPerDegree(precision)
        var points: [Coordinate] = []
        points.reserveCapacity(vertices.count)
        for vertex in vertices {
            guard let point = vertex.coordinate(unitsPerDegree: unitsPerDegree, continues: continues || !points.isEmpty) else {
                throw vertex.error(unitsPerDegree: unitsPerDegree)
            }
            points.append(point)
        }
        return points
    }

    /// True when every point lies within ±90° and ±180°, nothing wrapped.
    func isWithinDegrees(precision: Int) -> Bool {
        guard let unitsPerDegree = try? Self.unitsPerDegree(precision) else { return false }
        return vertices.allSatisfy {
            abs(Double($0.latitude)) <= 90 * unitsPerDegree && abs(Double($0.longitude)) <= 180 * unitsPerDegree
        }
    }

    private static func unitsPerDegree(_ precision: Int) throws(RouteFileError) -> Double {
        switch precision {
        case 5: return 1e5
        case 6: return 1e6
        default: throw RouteFileError("a polyline's precision is 5 or 6, not \(precision)")
        }
    }
}

/// Takes the points of a polyline one after another.
private struct Reader {
    let text: UnsafeBufferPointer<UInt8>
    let hasElevation: Bool
    private var offset = 0
    private var latitude: Int32 = 0
    private var longitude: Int32 = 0
    private var points = 0

    init(_ text: UnsafeBufferPointer<UInt8>, hasElevation: Bool) throws(RouteFileError) {
        try RouteFile.checkSize(text.count)
        if text.isEmpty { throw RouteFileError("byte 0: the polyline is empty") }
        self.text = text
        self.hasElevation = hasElevation
    }

    /// Nil at the end.
    @inline(__always)
    mutating func next() throws(RouteFileError) -> EncodedPolyline.Vertex? {
        guard offset < text.count else { return nil }
        let start = Int32(truncatingIfNeeded: offset)
        guard points < Route.maxPoints else { throw RouteFileError("byte \(start): more than \(Route.maxPoints) points: split the route") }
        points &+= 1
        latitude = try number(after: latitude)
        longitude = try number(after: longitude)
        if hasElevation { _ = try number(after: 0) }
        return EncodedPolyline.Vertex(latitude: latitude, longitude: longitude, offset: start)
    }

    /// Differences between two points on earth take at most 30 bits with their sign at precision 6: six groups.
    private static let maximumGroups = 6

    @inline(__always)
    private mutating func number(after previous: Int32) throws(RouteFileError) -> Int32 {
        let start = offset
        let zigzag = if let short = shortNumber() { short } else { try longNumber() }
        let difference = Int32(bitPattern: zigzag >> 1) ^ (0 &- Int32(bitPattern: zigzag & 1))
        let (value, overflow) = previous.addingReportingOverflow(difference)
        if overflow { throw RouteFileError("byte \(start): the line leaves the earth: is this an encoded polyline?") }
        return value
    }

    /// A number of up to three groups, as nearly all are. Nil, and nothing taken, where it is longer or wrong, or the text ends.
    @inline(__always)
    private mutating func shortNumber() -> UInt32? {
        guard text.count &- offset >= 3 else { return nil }
        // Groups before the last have 32 more; what is no character of a polyline is 64 or more.
        let first = text[offset] &- 63
        if first < 32 {
            offset &+= 1
            return UInt32(first)
        }
        let second = text[offset &+ 1] &- 63
        if second < 32 && first < 64 {
            offset &+= 2
            return UInt32(first & 31) | UInt32(second) &<< 5
        }
        let third = text[offset &+ 2] &- 63
        guard third < 32 && first < 64 && second < 64 else { return nil }
        offset &+= 3
        return UInt32(first & 31) | UInt32(second & 31) &<< 5 | UInt32(third) &<< 10
    }

    @inline(never)
    private mutating func longNumber() throws(RouteFileError) -> UInt32 {
        let start = offset
        let end = min(start &+ Self.maximumGroups, text.count)
        var zigzag: UInt32 = 0
        var shift: UInt32 = 0
        while offset < end {
            let bits = text[offset] &- 63
            guard bits < 64 else { break }
            zigzag |= UInt32(bits & 31) &<< shift
            shift &+= 5
            offset &+= 1
            if bits < 32 { return zigzag }
        }
        throw error(since: start)
    }

    /// Why no number could be taken.
    @inline(never)
    private func error(since start: Int) -> RouteFileError {
        let groups = text[start...].prefix(Self.maximumGroups)
        if let foreign = groups.firstIndex(where: { !EncodedPolyline.alphabet.contains($0) }) {
            return RouteFileError("byte \(foreign): \(text[foreign]) is no character of an encoded polyline (63 to 126)")
        }
        if groups.count == Self.maximumGroups {
            return RouteFileError("byte \(start): a number is longer than any on earth: is this an encoded polyline?")
        }
        return RouteFileError("byte \(text.count): the polyline ends within a point: is it complete?")
    }
}

extension EncodedPolyline {
    /// The bytes that an encoded polyline consists of: ? to ~.
    static let alphabet: ClosedRange<UInt8> = 63...126
}
