/// A waypoint of a vehicle: which trip is to stop where, and for what.
struct Waypoint: Sendable, Equatable {
    var tripId: String
    var type: String
    /// A TerminalLocation.
    var location: JSONObject

    init(tripId: String, type: String, location: JSONObject) {
        self.tripId = tripId
        self.type = type
        self.location = location
    }

    /// Of a TripWaypoint that has been read; what the server works out itself is left aside.
    init(_ waypoint: JSON) {
        self.init(
            tripId: waypoint.object?["tripId"]?.string ?? "", type: waypoint.object?["waypointType"]?.string ?? "",
            location: waypoint.object?["location"]?.object ?? [:])
    }

    var point: Point { Point(location["point"]) }

    /// Tells waypoints apart.
    var key: String { "\(tripId) \(type) \(point.latitude) \(point.longitude)" }

    var json: JSON {
        .object(["location": .object(["point": point.json]), "tripId": .string(tripId), "waypointType": .string(type)])
    }
}

extension [Waypoint] {
    /// As responses show them: from the second on with the way from the one before, which the emulator takes to be straight.
    func shown(firstArrival: Int64?) -> JSON {
        var arrival = firstArrival
        return .array(
            enumerated().map { index, waypoint in
                guard index > 0 else { return waypoint.json }
                let leg = self[index - 1].point.leg(to: waypoint.point)
                arrival = arrival.map { $0 + leg.milliseconds }
                var object = waypoint.json.object ?? [:]
                object["distanceMeters"] = .integer(leg.meters)
                object["duration"] = .string(ProtoDuration(milliseconds: leg.milliseconds).text)
                object["eta"] = arrival.map { .string(Timestamp(unixMilliseconds: $0).text) }
                return .object(object)
            })
    }
}
