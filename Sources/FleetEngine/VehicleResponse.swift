import JSON
import Navigation

/// What a server answers to an update: the whole vehicle, of which the arrival time and the position are read.
public struct VehicleResponse: Sendable {
    /// At the next waypoint, milliseconds since 1970 UTC; on-demand vehicles only. nil when there is none, and when the body is no vehicle.
    public let etaToFirstWaypoint: Int64?
    /// Where the server shows the vehicle; nil when it does not say.
    public let location: Coordinate?

    /// Bodies longer than this are not read.
    private static let bodyLimit = 1 << 20

    /// What is read of it, for `fields`.
    public static func fields(_ service: Service) -> StaticString {
        switch service {
        case .onDemand: "etaToFirstWaypoint,lastLocation/location"
        case .delivery: "lastLocation/location"
        }
    }

    public init(body: [UInt8]) {
        let read = JSONDocument.read(body, limit: Self.bodyLimit) { root in
            (eta: root["etaToFirstWaypoint"]?.string.flatMap { RFC3339.milliseconds($0) }, location: Self.location(root["lastLocation"]))
        }
        etaToFirstWaypoint = read?.eta
        location = read?.location
    }

    /// A LatLng in protobuf's JSON mapping: a 0 may be left out.
    private static func location(_ lastLocation: JSONNode?) -> Coordinate? {
        guard let point = lastLocation?["location"], point.kind == .object else { return nil }
        let coordinate = Coordinate(latitude: point["latitude"]?.number ?? 0, longitude: point["longitude"]?.number ?? 0)
        return coordinate.isValid ? coordinate : nil
    }
}
