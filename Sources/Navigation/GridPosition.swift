/// An ``EarthPosition`` in 256ths of a metre: 12 bytes instead of 24, and finer than any receiver.
struct GridPosition {
    var x: Int32
    var y: Int32
    var z: Int32

    static var unitsPerMetre: Double { 256 }

    /// Positions on the ellipsoid reach ±1.63e9 units, so they fit.
    init(_ position: EarthPosition) {
        x = Self.units(position.x)
        y = Self.units(position.y)
        z = Self.units(position.z)
    }

    /// Adding 1.5 · 2^52 leaves the nearest integer in the low bits: a conversion that cannot trap.
    private static func units(_ metres: Double) -> Int32 {
        Int32(truncatingIfNeeded: (metres * unitsPerMetre + 6_755_399_441_055_744).bitPattern)
    }

    var earthPosition: EarthPosition {
        EarthPosition(x: Double(x) / Self.unitsPerMetre, y: Double(y) / Self.unitsPerMetre, z: Double(z) / Self.unitsPerMetre)
    }
}
