import CSystem
import Navigation

/// Distances that are good enough to compare places of one file with each other; the route itself is measured on the ellipsoid.
enum Ground {
    private static let radiansPerDegree = Double.pi / 180
    /// The mean radius of the earth (IUGG) gives metres a degree of a great circle.
    private static let metresPerDegree = 6_371_008.8 * radiansPerDegree

    /// East and north of `origin` in metres on a plane that touches the earth there: right to 1 % within 100 km.
    static func offset(of point: Coordinate, from origin: Coordinate) -> (east: Double, north: Double) {
        let middle = (point.latitude + origin.latitude) / 2 * radiansPerDegree
        let eastDegrees = wrappedLongitude(point.longitude - origin.longitude)
        return (eastDegrees * mp_cos(middle) * metresPerDegree, (point.latitude - origin.latitude) * metresPerDegree)
    }

    /// Metres.
    static func distance(_ a: Coordinate, _ b: Coordinate) -> Double {
        let (east, north) = offset(of: b, from: a)
        return (east * east + north * north).squareRoot()
    }

    /// Metres along a line.
    static func length(_ points: ArraySlice<Coordinate>) -> Double {
        zip(points, points.dropFirst()).reduce(0) { $0 + distance($1.0, $1.1) }
    }

    /// The same meridian within -180 to 180, for a longitude within -540 to 540.
    static func wrappedLongitude(_ degrees: Double) -> Double {
        if degrees > 180 { return degrees - 360 }
        return degrees < -180 ? degrees + 360 : degrees
    }

    /// A position as a file gives it, or nil where it is none. A line may run on over the 180th meridian (`continues`): its longitudes
    /// beyond are wrapped.
    @inline(__always)
    static func position(latitude: Double, longitude: Double, continues: Bool) -> Coordinate? {
        guard abs(latitude) <= 90 else { return nil }
        if abs(longitude) <= 180 { return Coordinate(latitude: latitude, longitude: longitude) }
        return continues && abs(longitude) <= 360 ? Coordinate(latitude: latitude, longitude: wrappedLongitude(longitude)) : nil
    }
}
