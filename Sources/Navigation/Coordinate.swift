/// A position on the WGS84 ellipsoid, in degrees.
public struct Coordinate: Equatable, Sendable {
    /// -90 to 90.
    public var latitude: Double
    /// -180 to 180.
    public var longitude: Double

    public init(latitude: Double, longitude: Double) {
        self.latitude = latitude
        self.longitude = longitude
    }

    /// Finite and within those ranges.
    public var isValid: Bool { abs(latitude) <= 90 && abs(longitude) <= 180 }

    static var unknown: Coordinate { Coordinate(latitude: .nan, longitude: .nan) }
}
