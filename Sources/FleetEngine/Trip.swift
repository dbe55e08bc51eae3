import JSON
import Navigation

/// google.maps.fleetengine.v1.TripStatus.
public enum TripStatus: Int32, Sendable {
    case unknown = 0
    case new = 1
    case enrouteToPickup = 2
    case arrivedAtPickup = 3
    case enrouteToDropoff = 4
    case complete = 5
    case canceled = 6
    case arrivedAtIntermediateDestination = 7
    case enrouteToIntermediateDestination = 8

    init(name: String) {
        switch name {
        case "NEW": self = .new
        case "ENROUTE_TO_PICKUP": self = .enrouteToPickup
        case "ARRIVED_AT_PICKUP": self = .arrivedAtPickup
        case "ENROUTE_TO_DROPOFF": self = .enrouteToDropoff
        case "COMPLETE": self = .complete
        case "CANCELED": self = .canceled
        case "ARRIVED_AT_INTERMEDIATE_DESTINATION": self = .arrivedAtIntermediateDestination
        case "ENROUTE_TO_INTERMEDIATE_DESTINATION": self = .enrouteToIntermediateDestination
        default: self = .unknown
        }
    }

    /// Complete or cancelled: nothing follows.
    public var isOver: Bool { self == .complete || self == .canceled }
}

/// A trip as its consumer reads it (google.maps.fleetengine.v1.Trip). Distance and times are to the first of the waypoints, which may be another
/// trip's.
public struct Trip: Sendable {
    public var status: TripStatus
    public var location: TripLocation?
    /// Metres.
    public var remainingDistance: Int32?
    /// Seconds, when the server answered.
    public var remainingDuration: Int32?
    /// Milliseconds since 1970 UTC.
    public var eta: Int64?
    /// Where the vehicle stops until this trip's end, in order.
    public var waypoints: [TripWaypoint] = []
    /// Of the route segment, as the server writes it: asked for with it, the server leaves the same segment out.
    public var segmentVersion: String?

    /// Bodies longer than this are not read.
    private static let bodyLimit = 1 << 20

    /// nil when the body is no trip. `id`: the trip's own, by which its waypoints are told. The server keeps the last distance and ETA of a trip
    /// that is over; they mean nothing and are left out.
    public init?(body: [UInt8], id: String) {
        let trip = JSONDocument.read(body, limit: Self.bodyLimit) { root -> Trip? in
            guard root["name"]?.string != nil else { return nil }
            return Trip(root, id)
        }
        guard let trip else { return nil }
        self = trip
    }

    private init(_ root: JSONNode, _ id: String) {
        status = root["tripStatus"]?.string.map { TripStatus(name: $0) } ?? .unknown
        location = root["lastLocation"].flatMap { TripLocation($0) }
        segmentVersion = root["currentRouteSegmentVersion"]?.string
        guard !status.isOver else { return }
        remainingDistance = root["remainingDistanceMeters"]?.int32
        remainingDuration = root["remainingTimeToFirstWaypoint"]?.string.flatMap(ProtoDuration.seconds).map { Int32(clamping: $0) }
        eta = root["etaToFirstWaypoint"]?.timestamp
        guard let list = root["remainingWaypoints"] else { return }
        waypoints = (0..<list.count).compactMap { list[$0].flatMap { TripWaypoint($0, of: id) } }
    }
}

/// The vehicle's last position in a trip.
public struct TripLocation: Sendable {
    public var coordinate: Coordinate
    /// Degrees from true north; NaN when not known.
    public var heading: Double
    /// Metres a second; NaN when not known.
    public var speed: Double
    /// By the vehicle's clock, milliseconds since 1970 UTC.
    public var time: Int64?
    /// When the server received it, by the server's clock.
    public var serverTime: Int64?

    init?(_ node: JSONNode) {
        if let coordinate = node["location"]?.coordinate {
            self.coordinate = coordinate
            time = node["updateTime"]?.timestamp
        } else if let coordinate = node["supplementalLocation"]?.coordinate {
            self.coordinate = coordinate
            time = node["supplementalLocationTime"]?.timestamp
        } else {
            return nil
        }
        heading = node["heading"]?.number ?? .nan
        speed = node["speed"]?.number ?? .nan
        serverTime = node["serverTime"]?.timestamp
    }
}

/// A stop of a vehicle (google.maps.fleetengine.v1.TripWaypoint).
public struct TripWaypoint: Sendable {
    /// google.maps.fleetengine.v1.WaypointType.
    public enum Kind: Int32, Sendable {
        case unknown = 0
        case pickup = 1
        case dropoff = 2
        case intermediateDestination = 3
    }

    public var coordinate: Coordinate
    public var kind: Kind
    /// It is the monitored trip's, not another trip's of the same vehicle.
    public var isOwn: Bool
    /// Metres from the waypoint before; nil for the first.
    public var distance: Int32?
    /// Milliseconds since 1970 UTC; nil for the first.
    public var eta: Int64?

    init?(_ node: JSONNode, of trip: String) {
        guard let coordinate = node["location"]?["point"]?.coordinate else { return nil }
        self.coordinate = coordinate
        kind =
            switch node["waypointType"]?.string {
            case "PICKUP_WAYPOINT_TYPE": .pickup
            case "DROP_OFF_WAYPOINT_TYPE": .dropoff
            case "INTERMEDIATE_DESTINATION_WAYPOINT_TYPE": .intermediateDestination
            default: .unknown
            }
        isOwn = node["tripId"]?.string == trip
        distance = node["distanceMeters"]?.int32
        eta = node["eta"]?.timestamp
    }
}
