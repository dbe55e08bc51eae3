import JSON
import Navigation

/// A route from an answer of OSRM's route service (v5) or of Mapbox Directions v5, or from one of its route objects alone. Of several routes the
/// first is taken.
enum OSRMRoute {
    static func describe(_ root: JSONNode) throws(RouteFileError) -> RouteDescription {
        let (route, prefix) = try route(in: root)
        let legs = try OSRMLeg.all(of: route, at: prefix)
        let waypoints = separatingWaypoints(of: route["waypoints"] ?? root["waypoints"], legs: legs)
        let distance = try amount(route, "distance", in: "metres", at: prefix)
        let precision = PolylinePrecision(
            distance: distance ?? sum(legs.map { $0.distance }), start: waypoints.first ?? nil, end: waypoints.last ?? nil)
        let line = try OSRMLine(route: route, legs: legs, waypoints: waypoints, precision: precision, at: prefix)
        return RouteDescription(
            points: line.points, legEnds: line.legEnds,
            legDurations: try perLeg(legs.map { $0.duration }, "duration", at: prefix),
            legLengths: try perLeg(legs.map { $0.distance }, "distance", at: prefix),
            segmentDurations: line.segmentDurations(legs))
    }

    /// No leg is longer, in metres or seconds.
    static let maximumAmount = 1e9

    /// A member that holds so many metres or seconds; nil when it is missing.
    static func amount(
        _ node: JSONNode, _ key: StaticString, in unit: String, at prefix: @autoclosure () -> String
    ) throws(RouteFileError) -> Double? {
        guard let member = node[key] else { return nil }
        guard let value = member.number, (0...maximumAmount).contains(value) else {
            throw RouteFileError("\(prefix())\(key) is not a number of \(unit) from 0 to 1e9: ask the router again")
        }
        return value
    }

    /// The sum; nil when one is missing.
    static func sum(_ values: [Double?]) -> Double? {
        var total = 0.0
        for value in values {
            guard let value else { return nil }
            total += value
        }
        return total
    }

    /// The route object, and what its members' paths begin with.
    private static func route(in root: JSONNode) throws(RouteFileError) -> (route: JSONNode, prefix: String) {
        if let code = root["code"]?.string, code != "Ok" {
            throw RouteFileError("the router answered \(code): \(root["message"]?.string ?? "no message"): ask again for a route")
        }
        if let routes = root["routes"] {
            guard let first = routes[0], first.kind == .object else {
                throw RouteFileError("routes holds no route: the router found none")
            }
            return (first, "routes[0].")
        }
        if root["matchings"] != nil {
            throw RouteFileError(
                "this is a map-matching answer (matchings): what was driven, perhaps in pieces; ask the route service instead")
        }
        if root["geometry"] != nil || root["legs"] != nil { return (root, "") }
        if let message = root["message"]?.string { throw RouteFileError("the router answered no route: \(message)") }
        throw RouteFileError(
            "neither routes nor type is present: this is no answer of OSRM, Mapbox, Google, Valhalla, GraphHopper or Fleet Engine with a route and no GeoJSON"
        )
    }

    /// Where legs begin and end: the waypoints without the silent ones, which legs only pass. A waypoint without a location is nil.
    private static func separatingWaypoints(of waypoints: JSONNode?, legs: [OSRMLeg]) -> [Coordinate?] {
        guard let waypoints else { return [] }
        var separates = [Bool](repeating: true, count: waypoints.count)
        for index in legs.flatMap({ $0.silentWaypoints }) where separates.indices.contains(index) { separates[index] = false }
        return separates.indices.filter { separates[$0] }.map { index in
            guard let location = waypoints[index]?["location"], let longitude = location[0]?.number, let latitude = location[1]?.number
            else { return nil }
            return Ground.position(latitude: latitude, longitude: longitude, continues: true)
        }
    }

    /// A value of every leg; nil when no leg has it.
    private static func perLeg(_ values: [Double?], _ key: String, at prefix: String) throws(RouteFileError) -> [Double]? {
        let known = values.compactMap { $0 }
        if known.isEmpty { return nil }
        if known.count == values.count { return known }
        let missing = values.firstIndex { $0 == nil } ?? 0
        throw RouteFileError("\(prefix)legs[\(missing)].\(key) is missing while other legs have theirs: ask the router again")
    }
}
