import JSON

/// What a server answers to an update: the whole vehicle, of which the arrival time is read.
public struct VehicleResponse: Sendable {
    /// At the next waypoint, milliseconds since 1970 UTC; on-demand vehicles only. nil when there is none, and when the body is no vehicle.
    public let etaToFirstWaypoint: Int64?

    /// Bodies longer than this are not read.
    private static let bodyLimit = 1 << 20

    /// What is read of it, for `fields`; a delivery vehicle's name stands for nothing.
    public static func fields(_ service: Service) -> StaticString {
        switch service {
        case .onDemand: "etaToFirstWaypoint"
        case .delivery: "name"
        }
    }

    public init(body: [UInt8]) {
        etaToFirstWaypoint = JSONDocument.read(body, limit: Self.bodyLimit) { root in
            root["etaToFirstWaypoint"]?.string.flatMap { RFC3339.milliseconds($0) }
        }
    }
}
