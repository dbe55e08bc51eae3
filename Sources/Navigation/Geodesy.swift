import CSystem

/// The WGS84 ellipsoid (NGA.STND.0036, table 3.1 and what follows from it).
enum Ellipsoid {
    /// Equatorial radius, metres.
    static var equatorialRadius: Double { 6_378_137 }
    /// First eccentricity squared, f(2 - f) with f = 1/298.257223563.
    static var eccentricity2: Double { 0.006_694_379_990_141_316 }
    /// Second eccentricity squared, e²/(1 - e²).
    static var secondEccentricity2: Double { 0.006_739_496_742_276_434 }
    /// Mean radius, metres: for corrections that are themselves small.
    static var meanRadius: Double { 6_371_008.8 }
}

/// Degrees in a radian.
private let degrees = 180 / Double.pi

/// A position in metres from the earth's centre: x to 0°N 0°E, y to 0°N 90°E, z to the north pole. Here the poles and the antimeridian are
/// places like any other.
struct EarthPosition {
    var x: Double
    var y: Double
    var z: Double

    /// Also gives the radius of curvature in the prime vertical, metres, which lengths need.
    static func onEllipsoid(_ coordinate: Coordinate) -> (position: EarthPosition, primeVertical: Double) {
        let horizon = Horizon(at: coordinate)
        return (horizon.position, horizon.primeVertical)
    }

    /// Straight below or above on the ellipsoid: one step of Bowring's method (Survey Review 23, 1976), good to a micrometre within 10 km of
    /// the surface.
    var coordinate: Coordinate {
        let fromAxis = (x * x + y * y).squareRoot()
        let axisRatio = (1 - Ellipsoid.eccentricity2).squareRoot()
        // The reduced latitude, as a direction.
        let up = z / axisRatio
        let size = (up * up + fromAxis * fromAxis).squareRoot()
        guard size > 0 else { return Coordinate(latitude: 0, longitude: 0) }
        let sine = up / size
        let cosine = fromAxis / size
        let semiMinor = Ellipsoid.equatorialRadius * axisRatio
        let north = z + Ellipsoid.secondEccentricity2 * semiMinor * sine * sine * sine
        let out = fromAxis - Ellipsoid.eccentricity2 * Ellipsoid.equatorialRadius * cosine * cosine * cosine
        return Coordinate(latitude: mp_atan2(north, out) * degrees, longitude: mp_atan2(y, x) * degrees)
    }
}

/// Metres over the ellipsoid between the ends of a chord, from the normal curvature (1 + e'² cos²γ)/N along it, γ its angle with the polar axis:
/// Euler's formula, written for the ellipsoid as a quadric (do Carmo, Differential Geometry of Curves and Surfaces, 3-2).
/// Against GeographicLib: 10 nm up to 10 km, 0.2 µm at 100 km, 20 mm at 1000 km, 0.6 m at 2000 km.
func arcLength(
    _ a: EarthPosition, _ b: EarthPosition, primeVerticals: (Double, Double)
) -> Double {
    let dx = b.x - a.x
    let dy = b.y - a.y
    let dz = b.z - a.z
    let chord2 = dx * dx + dy * dy + dz * dz
    guard chord2 > 0 else { return 0 }
    let chord = chord2.squareRoot()
    let curvature = (1 + Ellipsoid.secondEccentricity2 * dz * dz / chord2) * 2 / (primeVerticals.0 + primeVerticals.1)
    let half = curvature * chord / 2
    // Below 12 km the series of the arc sine is exact in a double.
    if half < 0.001 { return chord * (1 + half * half * (1.0 / 6 + half * half * (3.0 / 40))) }
    return mp_asin(min(half, 1)) * 2 / curvature
}

/// Metres over the WGS84 ellipsoid; accuracy as ``arcLength(_:_:primeVerticals:)`` says. Meant for up to 2000 km.
public func distance(from a: Coordinate, to b: Coordinate) -> Double {
    let start = EarthPosition.onEllipsoid(a)
    let end = EarthPosition.onEllipsoid(b)
    return arcLength(start.position, end.position, primeVerticals: (start.primeVertical, end.primeVertical))
}

/// The direction in which `b` lies from `a`: degrees from true north, 0 up to but not including 360; 0 when they are the same place.
public func bearing(from a: Coordinate, to b: Coordinate) -> Double {
    let horizon = Horizon(at: a)
    let end = EarthPosition.onEllipsoid(b).position
    let dx = end.x - horizon.position.x
    let dy = end.y - horizon.position.y
    let dz = end.z - horizon.position.z
    let out = horizon.cosLongitude * dx + horizon.sinLongitude * dy
    let east = horizon.cosLongitude * dy - horizon.sinLongitude * dx
    return Offset(east: east, north: horizon.cosLatitude * dz - horizon.sinLatitude * out).bearing
}

/// The plane that touches the ellipsoid at a place.
struct Horizon {
    let sinLatitude: Double
    let cosLatitude: Double
    let sinLongitude: Double
    let cosLongitude: Double

    @inline(__always)
    init(at place: Coordinate) {
        (sinLatitude, cosLatitude) = sineAndCosine(degrees: place.latitude)
        (sinLongitude, cosLongitude) = sineAndCosine(degrees: place.longitude)
    }

    /// The radius of curvature in the prime vertical, metres.
    var primeVertical: Double {
        Ellipsoid.equatorialRadius / (1 - Ellipsoid.eccentricity2 * sinLatitude * sinLatitude).squareRoot()
    }

    var position: EarthPosition {
        let radius = primeVertical
        return EarthPosition(
            x: radius * cosLatitude * cosLongitude, y: radius * cosLatitude * sinLongitude,
            z: radius * (1 - Ellipsoid.eccentricity2) * sinLatitude)
    }
}

/// Metres in the plane of a ``Horizon``.
struct Offset {
    var east: Double
    var north: Double

    init(east: Double, north: Double) {
        self.east = east
        self.north = north
    }

    /// One metre in a direction, degrees from north.
    init(bearing: Double) {
        (east, north) = sineAndCosine(degrees: bearing)
    }

    @inline(__always)
    var square: Double { east * east + north * north }

    /// The cosine of the angle from this direction, one metre long, to another; 1 when that has none.
    func agreement(with other: Offset) -> Double {
        let length = other.square.squareRoot()
        return length > 0 ? (east * other.east + north * other.north) / length : 1
    }

    /// Degrees from north, 0 up to but not including 360; 0 when there is no direction.
    var bearing: Double {
        square > 0 ? degreesFromNorth(east: east, north: north) : 0
    }
}
