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
    }

    let vertices: [Vertex]

    /// Reads the text of a polyline of any precision. Errors name the byte offset.
    public init(_ text: UnsafeBufferPointer<UInt8>) throws(RouteFileError) { try self.init(text, hasElevation: false) }

    /// hasElevation: each point has a third number, as GraphHopper writes with elevation=true; it is skipped.
    init(_ text: UnsafeBufferPointer<UInt8>, hasElevation: Bool) throws(RouteFileError) {
        try RouteFile.checkSize(text.count)
        if text.isEmpty { throw RouteFileError("byte 0: the polyline is empty") }
        var reader = Reader(text: text)
        var vertices: [Vertex] = []
        vertices.reserveCapacity(text.count / 8)
        var latitude: Int32 = 0
        var longitude: Int32 = 0
        while reader.offset < text.count {
            let offset = Int32(truncatingIfNeeded: reader.offset)
            guard vertices.count < Route.maxPoints else {
                throw RouteFileError("byte \(offset): more than \(Route.maxPoints) points: split the route")
            }
            latitude = try reader.next(after: latitude)
            longitude = try reader.next(after: longitude)
            if hasElevation { _ = try reader.next(after: 0) }
            vertices.append(Vertex(latitude: latitude, longitude: longitude, offset: offset))
        }
        self.vertices = vertices
    }

    /// The points of a polyline of precision 5 or 6. Errors name the byte offset.
    public static func decode(_ text: UnsafeBufferPointer<UInt8>, precision: Int) throws(RouteFileError) -> [Coordinate] {
        try EncodedPolyline(text).coordinates(precision: precision)
    }

    /// The points in degrees, read with a precision of 5 or 6. A line that starts within ±180° may run on over the 180th meridian, and so may
    /// one that continues another.
    func coordinates(precision: Int, continues: Bool = false) throws(RouteFileError) -> [Coordinate] {
        guard let unitsPerDegree = Self.unitsPerDegree(precision) else {
            throw RouteFileError("a polyline's precision is 5 or 6, not \(precision)")
        }
        var points: [Coordinate] = []
        points.reserveCapacity(vertices.count)
        for vertex in vertices {
            let latitude = Double(vertex.latitude) / unitsPerDegree
            let longitude = Double(vertex.longitude) / unitsPerDegree
            let point = Ground.position(latitude: latitude, longitude: longitude, continues: continues || !points.isEmpty)
            guard let point else {
                throw RouteFileError(
                    "byte \(vertex.offset): latitude \(latitude), longitude \(longitude) is not on earth with precision \(precision)")
            }
            points.append(point)
        }
        return points
    }

    /// True when every point lies within ±90° and ±180°, nothing wrapped.
    func isWithinDegrees(precision: Int) -> Bool {
        guard let unitsPerDegree = Self.unitsPerDegree(precision) else { return false }
        return vertices.allSatisfy {
            abs(Double($0.latitude)) <= 90 * unitsPerDegree && abs(Double($0.longitude)) <= 180 * unitsPerDegree
        }
    }

    private static func unitsPerDegree(_ precision: Int) -> Double? {
        switch precision {
        case 5: 1e5
        case 6: 1e6
        default: nil
        }
    }
}

/// Takes the numbers of a polyline one after another.
private struct Reader {
    let text: UnsafeBufferPointer<UInt8>
    var offset = 0

    /// Differences between two points on earth take at most 30 bits with their sign at precision 6: six groups.
    private static let maximumGroups: UInt32 = 6

    @inline(__always)
    mutating func next(after previous: Int32) throws(RouteFileError) -> Int32 {
        let start = offset
        var zigzag: UInt32 = 0
        var shift: UInt32 = 0
        while offset < text.count, shift < 5 * Self.maximumGroups {
            let bits = text[offset] &- 63
            guard bits < 64 else { break }
            offset += 1
            zigzag |= UInt32(bits & 31) &<< shift
            shift += 5
            guard bits < 32 else { continue }
            let difference = Int32(bitPattern: zigzag >> 1) ^ (0 &- Int32(bitPattern: zigzag & 1))
            let (value, overflow) = previous.addingReportingOverflow(difference)
            if overflow { throw RouteFileError("byte \(start): the line leaves the earth: is this an encoded polyline?") }
            return value
        }
        throw error(since: start, groups: shift / 5)
    }

    /// Why no number could be taken.
    @inline(never)
    private func error(since start: Int, groups: UInt32) -> RouteFileError {
        if groups == Self.maximumGroups {
            return RouteFileError("byte \(start): a number is longer than any on earth: is this an encoded polyline?")
        }
        guard offset < text.count else { return RouteFileError("byte \(offset): the polyline ends within a point: is it complete?") }
        return RouteFileError("byte \(offset): \(text[offset]) is no character of an encoded polyline (63 to 126)")
    }
}

extension EncodedPolyline {
    /// The bytes that an encoded polyline consists of: ? to ~.
    static let alphabet: ClosedRange<UInt8> = 63...126
}
