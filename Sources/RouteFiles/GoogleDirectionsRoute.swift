import JSON
import Navigation

/// A route from an answer of Google's older Directions API. Distances and durations have a value in metres and seconds beside a text for people,
/// which is in the language and units of the caller.
enum GoogleDirectionsRoute {
    private static let place = "routes[0]"

    static func matches(_ root: JSONNode) -> Bool {
        let first = root["routes"]?[0]
        let leg = first?["legs"]?[0]
        return first?["overview_polyline"] != nil || leg?["start_location"] != nil || leg?["distance"]?.kind == .object
            || root["status"]?.kind == .string && root["routes"] != nil
    }

    static func describe(_ root: JSONNode) throws(RouteFileError) -> RouteDescription {
        if let status = root["status"]?.string, status != "OK" {
            throw RouteFileError("the router answered \(status): \(root["error_message"]?.string ?? "no message"): ask again for a route")
        }
        guard let route = root["routes"]?[0] else { throw RouteFileError("routes holds no route: the router found none") }
        var legs: [DeclaredLeg] = []
        let list = route["legs"]
        for index in 0..<(list?.count ?? 0) {
            guard let leg = list?[index] else { continue }
            legs.append(try Self.leg(leg, at: "\(place).legs[\(index)]."))
        }
        guard !legs.isEmpty, legs.allSatisfy({ !$0.pieces.isEmpty }) else { return try cutOverview(of: route, legs: legs) }
        return try JoinedLegs(legs, at: "\(place).legs").description(at: "\(place).legs")
    }

    private static func leg(_ leg: JSONNode, at prefix: String) throws(RouteFileError) -> DeclaredLeg {
        let usual = try value(leg, "duration", in: "seconds", at: prefix)
        var declared = DeclaredLeg(length: try value(leg, "distance", in: "metres", at: prefix))
        declared.duration = try value(leg, "duration_in_traffic", in: "seconds", at: prefix) ?? usual
        let steps = leg["steps"]
        for index in 0..<(steps?.count ?? 0) {
            guard let step = steps?[index], let line = step["polyline"]?["points"] else {
                declared.pieces = []
                break
            }
            let stepPrefix = "\(prefix)steps[\(index)]."
            let points = try GoogleLine.encoded(line, at: "\(stepPrefix)polyline.points")
            declared.pieces.append(
                DeclaredLeg.Piece(points: points[...], duration: try value(step, "duration", in: "seconds", at: stepPrefix)))
        }
        return declared
    }

    private static func value(_ node: JSONNode, _ key: StaticString, in unit: String, at prefix: String) throws(RouteFileError) -> Double? {
        guard let member = node[key] else { return nil }
        return try OSRMRoute.amount(member, "value", in: unit, at: "\(prefix)\(key).")
    }

    /// The overview, which is approximate, cut where the legs end.
    private static func cutOverview(of route: JSONNode, legs: [DeclaredLeg]) throws(RouteFileError) -> RouteDescription {
        let path = "\(place).overview_polyline.points"
        guard let node = route["overview_polyline"]?["points"] else {
            throw RouteFileError("\(path) is missing, and so are the steps' polylines: save the whole answer")
        }
        let points = try GoogleLine.encoded(node, at: path)
        let list = route["legs"]
        var stops: [LegSplit.Stop] = []
        for index in 0..<max(legs.count - 1, 0) {
            let name = "\(place).legs[\(index)].end_location"
            let end = list?[index]?["end_location"]
            guard let latitude = end?["lat"]?.number, let longitude = end?["lng"]?.number,
                let position = Ground.position(latitude: latitude, longitude: longitude, continues: false)
            else { throw RouteFileError("\(name) is missing, so that nothing says where the leg ends: save the whole answer") }
            stops.append(LegSplit.Stop(position: position, name: name))
        }
        let lengths = try JoinedLegs.perLeg(legs.map { $0.length }, "a distance", at: "\(place).legs")
        let split = try LegSplit(points, stops: stops, legLengths: lengths, at: path)
        return RouteDescription(
            points: split.points, legEnds: split.legEnds,
            legDurations: try JoinedLegs.perLeg(legs.map { $0.duration }, "a duration", at: "\(place).legs"), legLengths: lengths)
    }
}
