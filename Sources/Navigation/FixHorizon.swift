/// The plane around a fix, with the fix as its origin, in which the vertices near by are seen. Exact to millimetres as far as a segment of
/// 10 km reaches, at any latitude.
struct FixHorizon {
    /// Of the fix.
    let position: EarthPosition
    private let x: Double
    private let y: Double
    private let z: Double
    private let eastX: Double
    private let eastY: Double
    private let northX: Double
    private let northY: Double
    private let northZ: Double

    init(at fix: Coordinate) {
        let horizon = Horizon(at: fix)
        position = horizon.position
        // Everything in grid units, and the axes so long that metres come out.
        let metre = GridPosition.unitsPerMetre
        x = position.x * metre
        y = position.y * metre
        z = position.z * metre
        eastX = -horizon.sinLongitude / metre
        eastY = horizon.cosLongitude / metre
        northX = -horizon.sinLatitude * horizon.cosLongitude / metre
        northY = -horizon.sinLatitude * horizon.sinLongitude / metre
        northZ = horizon.cosLatitude / metre
    }

    /// From the fix to a vertex, never longer than straight through space. What lies on the far side of the earth appears near by.
    @inline(__always)
    func sight(_ vertex: GridPosition) -> Offset {
        let dx = Double(vertex.x) - x
        let dy = Double(vertex.y) - y
        let dz = Double(vertex.z) - z
        return Offset(east: eastX * dx + eastY * dy, north: northX * dx + northY * dy + northZ * dz)
    }

    /// Metres from the fix to a vertex, straight through space.
    func distance(to vertex: GridPosition) -> Double {
        let dx = Double(vertex.x) - x
        let dy = Double(vertex.y) - y
        let dz = Double(vertex.z) - z
        return (dx * dx + dy * dy + dz * dz).squareRoot() / GridPosition.unitsPerMetre
    }
}
