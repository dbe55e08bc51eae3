import Glibc

/// currentRouteSegment: an S2 polyline in the compressed form, version 2, its vertices snapped to cells of level 22.
///
/// After the layout of s2polyline.cc and s2point_compression.cc in google/s2geometry.
enum RouteSegment {
    struct Malformed: Error {
        var reason: String
    }

    struct Vertex: Equatable {
        /// Degrees.
        var latitude, longitude: Double
    }

    private static let version: UInt8 = 2
    private static let level: UInt8 = 22
    private static let cellsPerSide: Int32 = 1 << 22

    static func vertices(of bytes: [UInt8]) throws(Malformed) -> [Vertex] {
        var reader = Reader(bytes)
        guard let version = reader.byte(), version == Self.version else {
            throw Malformed(reason: "not a compressed S2 polyline (version 2)")
        }
        guard let level = reader.byte(), level == Self.level else { throw Malformed(reason: "not snapped to S2 level 22") }
        // A vertex takes a byte at least, so the count cannot make us allocate more than was sent.
        guard let count = reader.varint(), count <= UInt64(bytes.count) else { throw Malformed(reason: "vertex count is wrong or cut off") }
        guard count >= 2 else { throw Malformed(reason: "has \(count) vertices, needs 2 or more") }
        let faces = try faces(of: Int(count), &reader)
        var vertices: [Vertex] = []
        var pi = SecondDifferences()
        var qi = SecondDifferences()
        for face in faces {
            guard let (first, second) = vertices.isEmpty ? reader.fixedPair(bytes: 6) : reader.zigZagPair() else {
                throw Malformed(reason: "ends within vertex \(vertices.count)")
            }
            let (column, row) = (pi.next(first), qi.next(second))
            guard (0..<cellsPerSide).contains(column), (0..<cellsPerSide).contains(row) else {
                throw Malformed(reason: "vertex \(vertices.count) is not on the earth")
            }
            vertices.append(vertex(face: face, pi: column, qi: row))
        }
        guard reader.varint() == 0 else { throw Malformed(reason: "has vertices off the centres of their cells, or is cut off") }
        guard reader.isAtEnd else { throw Malformed(reason: "has bytes after its end") }
        return vertices
    }

    private static func faces(of count: Int, _ reader: inout Reader) throws(Malformed) -> [UInt8] {
        var faces: [UInt8] = []
        while faces.count < count {
            guard let run = reader.varint(), run / 6 > 0, run / 6 <= UInt64(count - faces.count) else {
                throw Malformed(reason: "runs of cube faces do not add up to \(count) vertices")
            }
            faces += repeatElement(UInt8(run % 6), count: Int(run / 6))
        }
        return faces
    }

    private static func vertex(face: UInt8, pi: Int32, qi: Int32) -> Vertex {
        let (u, v) = (projected(pi), projected(qi))
        let (x, y, z): (Double, Double, Double) =
            switch face {
            case 0: (1, u, v)
            case 1: (-u, 1, v)
            case 2: (-u, -v, 1)
            case 3: (-1, -v, -u)
            case 4: (v, -1, -u)
            default: (v, u, -1)
            }
        let degrees = 180 / Double.pi
        return Vertex(latitude: atan2(z, (x * x + y * y).squareRoot()) * degrees, longitude: atan2(y, x) * degrees)
    }

    /// S2's quadratic projection, from a cell's number along the face to the coordinate on the cube.
    private static func projected(_ cell: Int32) -> Double {
        let s = (Double(cell) + 0.5) / Double(cellsPerSide)
        return s >= 0.5 ? (4 * s * s - 1) / 3 : (1 - 4 * (1 - s) * (1 - s)) / 3
    }
}

/// Undoes differences: the first value stands as it is, the second as a difference, later ones as differences of differences.
private struct SecondDifferences {
    private var value: Int32 = 0
    private var slope: Int32 = 0
    private var isFirst = true

    mutating func next(_ coded: Int32) -> Int32 {
        if isFirst {
            isFirst = false
            value = coded
        } else {
            slope &+= coded
            value &+= slope
        }
        return value
    }
}

private struct Reader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func byte() -> UInt8? { rest.popFirst() }

    mutating func varint() -> UInt64? {
        var value: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 64, by: 7) {
            guard let byte = byte() else { return nil }
            value |= UInt64(byte & 0x7f) << shift
            if byte < 0x80 { return value }
        }
        return nil
    }

    /// Two interleaved numbers in so many little-endian bytes.
    mutating func fixedPair(bytes count: Int) -> (Int32, Int32)? {
        var value: UInt64 = 0
        for place in 0..<count {
            guard let byte = byte() else { return nil }
            value |= UInt64(byte) << UInt64(8 * place)
        }
        return (Int32(bitPattern: Self.evenBits(value)), Int32(bitPattern: Self.evenBits(value >> 1)))
    }

    /// Two interleaved numbers, zig-zag coded, in a varint.
    mutating func zigZagPair() -> (Int32, Int32)? {
        guard let value = varint() else { return nil }
        return (Self.unZigZag(Self.evenBits(value)), Self.unZigZag(Self.evenBits(value >> 1)))
    }

    private static func evenBits(_ value: UInt64) -> UInt32 {
        (0..<32).reduce(UInt32(0)) { bits, place in bits | UInt32(truncatingIfNeeded: value >> UInt64(2 * place) & 1) << UInt32(place) }
    }

    private static func unZigZag(_ value: UInt32) -> Int32 { Int32(bitPattern: value >> 1) ^ -Int32(bitPattern: value & 1) }
}
