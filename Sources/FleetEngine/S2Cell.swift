import CSystem
import Navigation

/// A cell of the S2 grid at level 22, about 2 m wide: one of the six faces of a cube around the Earth, and the column and row on it. The
/// projection is S2's quadratic one (s2geometry, s2coords.h).
struct S2Cell: Equatable {
    static let level: UInt8 = 22
    /// Cells along one edge of a face.
    static let edge: Int32 = 1 << 22

    var face: Int
    var column: Int32
    var row: Int32

    init(face: Int, column: Int32, row: Int32) {
        self.face = face
        self.column = column
        self.row = row
    }

    /// The cell that holds a valid coordinate.
    init(_ coordinate: Coordinate) {
        let latitude = coordinate.latitude * .pi / 180
        let longitude = coordinate.longitude * .pi / 180
        let x = mp_cos(latitude) * mp_cos(longitude)
        let y = mp_cos(latitude) * mp_sin(longitude)
        let z = mp_sin(latitude)
        let u: Double
        let v: Double
        (face, u, v) = Self.project(x, y, z)
        column = Self.cell(u)
        row = Self.cell(v)
    }

    /// The face whose axis is nearest, and where the point falls on it, -1 to 1.
    private static func project(_ x: Double, _ y: Double, _ z: Double) -> (face: Int, u: Double, v: Double) {
        if abs(x) > abs(y) && abs(x) > abs(z) { return x > 0 ? (0, y / x, z / x) : (3, z / x, y / x) }
        if abs(y) > abs(z) { return y > 0 ? (1, -x / y, z / y) : (4, z / y, -x / y) }
        return z > 0 ? (2, -x / z, -y / z) : (5, -y / z, -x / z)
    }

    private static func cell(_ u: Double) -> Int32 {
        let s = u >= 0 ? 0.5 * (1 + 3 * u).squareRoot() : 1 - 0.5 * (1 - 3 * u).squareRoot()
        let position = s * Double(edge)
        return position > 0 ? Int32(min(position, Double(edge - 1))) : 0
    }
}
