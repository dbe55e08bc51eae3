/// The plane around a fix, with the fix as its origin, in which the vertices near by are seen. Exact to millimetres as far as a segment of
/// 10 km reaches, at any latitude.
struct FixHorizon {
    /// Of the fix.
    let position: EarthPosition
    private let x: Double
    private let y: Double
    private let z: Double
    // Metres east and north for each unit of x, y and z.
    private let axisX: SIMD2<Double>
    private let axisY: SIMD2<Double>
    private let axisZ: SIMD2<Double>

    @inline(__always)
    init(at fix: Coordinate) {
        let horizon = Horizon(at: fix)
        position = horizon.position
        // Everything in grid units, and the axes so long that metres come out.
        let metre = GridPosition.unitsPerMetre
        x = position.x * metre
        y = position.y * metre
        z = position.z * metre
        axisX = SIMD2(-horizon.sinLongitude / metre, -horizon.sinLatitude * horizon.cosLongitude / metre)
        axisY = SIMD2(horizon.cosLongitude / metre, -horizon.sinLatitude * horizon.sinLongitude / metre)
        axisZ = SIMD2(0, horizon.cosLatitude / metre)
    }

    /// From the fix to a vertex, metres east and north, never longer than straight through space. What lies on the far side of the earth appears near
    /// by.
    @inline(__always)
    func sight(_ vertex: GridPosition) -> SIMD2<Double> {
        axisX * (Double(vertex.x) - x) + axisY * (Double(vertex.y) - y) + axisZ * (Double(vertex.z) - z)
    }

    /// Metres from the fix to a vertex, straight through space.
    func distance(to vertex: GridPosition) -> Double { square(to: vertex).squareRoot() / GridPosition.unitsPerMetre }

    /// Whether a vertex lies within so many metres of the fix, straight through space.
    @inline(__always)
    func reaches(_ vertex: GridPosition, within metres: Double) -> Bool {
        let units = metres * GridPosition.unitsPerMetre
        return square(to: vertex) <= units * units
    }

    /// Units squared.
    @inline(__always)
    private func square(to vertex: GridPosition) -> Double {
        let dx = Double(vertex.x) - x
        let dy = Double(vertex.y) - y
        let dz = Double(vertex.z) - z
        return dx * dx + dy * dy + dz * dz
    }
}
