import Glibc

/// A place on the earth, degrees.
struct Point: Sendable, Equatable {
    var latitude, longitude: Double

    init(latitude: Double, longitude: Double) {
        self.latitude = latitude
        self.longitude = longitude
    }

    /// Of a google.type.LatLng; what is absent is 0.
    init(_ latLng: JSON?) {
        latitude = latLng?.object?["latitude"]?.number ?? 0
        longitude = latLng?.object?["longitude"]?.number ?? 0
    }

    var json: JSON { .object(["latitude": .real(latitude), "longitude": .real(longitude)]) }

    /// The straight way to another place at 30 km/h: the emulator knows no roads.
    func leg(to other: Point) -> (meters: Int64, milliseconds: Int64) {
        let radians = Double.pi / 180
        let a =
            pow(sin((other.latitude - latitude) * radians / 2), 2)
            + cos(latitude * radians) * cos(other.latitude * radians) * pow(sin((other.longitude - longitude) * radians / 2), 2)
        let meters = 2 * 6_371_008.8 * asin(min(1, a.squareRoot()))
        return (Int64(meters.rounded()), Int64((meters / 30 * 3_600).rounded()))
    }
}
