/// One position measurement. Every optional value is NaN when absent, never 0.
public struct Fix: Sendable {
    public var coordinate: Coordinate
    /// Of the measurement: seconds since 1970 UTC.
    public var time: Double = .nan
    /// Horizontal error in metres (gpsd's eph): an order of magnitude, not a covariance.
    public var accuracy: Double = .nan
    /// Over ground, metres a second.
    public var speed: Double = .nan
    /// Course over ground from true north, degrees, 0 up to but not including 360.
    public var heading: Double = .nan
    /// Above the WGS84 ellipsoid, metres.
    public var altitude: Double = .nan
    /// Metres a second.
    public var speedAccuracy: Double = .nan
    /// Degrees.
    public var headingAccuracy: Double = .nan
    /// Metres.
    public var altitudeAccuracy: Double = .nan
    /// Dead reckoning contributed.
    public var isEstimated = false
    /// The receiver says that it simulates.
    public var isSimulated = false

    public init(coordinate: Coordinate) { self.coordinate = coordinate }
}
