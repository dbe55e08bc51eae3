import Foundation
import Navigation

/// Reads a compressed S2 polyline, written from the format's description and apart from the encoder.
enum S2Decoder {
    struct Failure: Error {}

    static func decode(_ text: String) throws -> [Coordinate] {
        let standard = text.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
        guard let data = Data(base64Encoded: standard) else { throw Failure() }
        var rest = Array(data)[...]
        guard rest.popFirst() == 2, rest.popFirst() == 22 else { throw Failure() }
        let count = Int(try varint(&rest))
        var faces: [Int] = []
        while faces.count < count {
            let run = Int(try varint(&rest))
            faces += Array(repeating: run % 6, count: run / 6)
        }
        guard faces.count == count else { throw Failure() }
        var points: [Coordinate] = []
        var position = (0, 0)
        var step = (0, 0)
        for index in 0..<count {
            if index == 0 {
                var bits: UInt64 = 0
                for place in 0..<6 { bits |= UInt64(try byte(&rest)) << UInt64(8 * place) }
                position = (gather(bits), gather(bits >> 1))
            } else {
                let bits = try varint(&rest)
                step = (step.0 + unzigzag(gather(bits)), step.1 + unzigzag(gather(bits >> 1)))
                position = (position.0 + step.0, position.1 + step.1)
            }
            points.append(coordinate(face: faces[index], position))
        }
        guard try varint(&rest) == 0, rest.isEmpty else { throw Failure() }
        return points
    }

    private static func coordinate(face: Int, _ position: (Int, Int)) -> Coordinate {
        let u = plane(position.0)
        let v = plane(position.1)
        let axes: [[Double]] = [[1, u, v], [-u, 1, v], [-u, -v, 1], [-1, -v, -u], [v, -1, -u], [v, u, -1]]
        let (x, y, z) = (axes[face][0], axes[face][1], axes[face][2])
        return Coordinate(latitude: atan2(z, (x * x + y * y).squareRoot()) * 180 / .pi, longitude: atan2(y, x) * 180 / .pi)
    }

    private static func plane(_ cell: Int) -> Double {
        let s = (Double(cell) + 0.5) / 4_194_304
        return s >= 0.5 ? (4 * s * s - 1) / 3 : (1 - 4 * (1 - s) * (1 - s)) / 3
    }

    private static func gather(_ bits: UInt64) -> Int { (0..<32).reduce(0) { $0 | Int(bits >> UInt64(2 * $1) & 1) << $1 } }

    private static func unzigzag(_ value: Int) -> Int { value & 1 == 0 ? value / 2 : -(value + 1) / 2 }

    private static func byte(_ rest: inout ArraySlice<UInt8>) throws -> UInt8 {
        guard let first = rest.popFirst() else { throw Failure() }
        return first
    }

    private static func varint(_ rest: inout ArraySlice<UInt8>) throws -> UInt64 {
        var value: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 64, by: 7) {
            let next = try byte(&rest)
            value |= UInt64(next & 0x7F) << shift
            if next & 0x80 == 0 { return value }
        }
        throw Failure()
    }
}
