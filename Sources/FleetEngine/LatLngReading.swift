import JSON
import Navigation

extension JSONNode {
    /// google.type.LatLng, of which a zero is left out. nil for no object and outside the Earth.
    var coordinate: Coordinate? {
        guard kind == .object else { return nil }
        let coordinate = Coordinate(latitude: self["latitude"]?.number ?? 0, longitude: self["longitude"]?.number ?? 0)
        return coordinate.isValid ? coordinate : nil
    }

    /// google.protobuf.Timestamp in milliseconds since 1970 UTC.
    var timestamp: Int64? { string.flatMap { RFC3339.milliseconds($0) } }

    /// google.protobuf.Int32Value and int32.
    var int32: Int32? { integer.flatMap { Int32(exactly: $0) } }
}
