import JSON
import Navigation

/// A route from the journey segments of a delivery vehicle in Fleet Engine (VehicleJourneySegment): from the vehicle, or from a log entry of one.
/// Each segment leads to a stop, the first from the vehicle's position.
enum FleetEngineJourney {
    private static let key = "remainingVehicleJourneySegments"

    static func matches(_ root: JSONNode) -> Bool { vehicle(in: root) != nil }

    static func describe(_ root: JSONNode) throws(RouteFileError) -> RouteDescription {
        guard let segments = vehicle(in: root)?.list(key), !segments.isEmpty else {
            throw RouteFileError("\(key) is empty: the vehicle has no stops left")
        }
        var legs: [DeclaredLeg] = []
        for (index, segment) in segments.enumerated() { legs.append(try leg(segment, at: "\(key)[\(index)]")) }
        // Zeros are left out.
        if legs.contains(where: { $0.length != nil }) {
            for index in legs.indices { legs[index].length = legs[index].length ?? 0 }
        }
        return try JoinedLegs(legs, at: key).description(at: key)
    }

    /// The vehicle, itself or as a log's request or response.
    private static func vehicle(in root: JSONNode) -> ProtoObject? {
        let root = ProtoObject(root)
        let entry = root.object("jsonPayload") ?? root
        let places = [entry.object("request")?.object("deliveryVehicle"), entry.object("response"), entry]
        let vehicles = places.compactMap { $0 }.filter { $0[key] != nil }
        return vehicles.first { $0.list(key).contains { $0["path"] != nil } } ?? vehicles.first
    }

    private static func leg(_ segment: ProtoObject, at place: String) throws(RouteFileError) -> DeclaredLeg {
        var leg = DeclaredLeg(
            length: try segment.metres("drivingDistanceMeters", at: place), duration: try segment.seconds("drivingDuration", at: place))
        let path = segment.list("path")
        guard !path.isEmpty else {
            // A stop at the place of the one before.
            if leg.duration == 0, leg.length ?? 0 == 0 { return leg }
            throw RouteFileError(
                "\(place).path is absent: logs keep a handle only; save the answer of GetDeliveryVehicle, which has the points")
        }
        var points: [Coordinate] = []
        for (index, point) in path.enumerated() {
            guard let position = point.position else {
                throw RouteFileError("\(place).path[\(index)] is no position on earth: a position has a latitude and a longitude")
            }
            points.append(position)
        }
        leg.pieces = [DeclaredLeg.Piece(points: points[...])]
        return leg
    }
}
