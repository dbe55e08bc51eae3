import JSON
import Navigation

/// A route from GeoJSON (RFC 7946): a LineString, a Feature of one, or a FeatureCollection that holds exactly one. Positions are longitude,
/// latitude and perhaps altitude. There are no durations.
enum GeoJSONRoute {
    private static let types = [
        "Point", "MultiPoint", "LineString", "MultiLineString", "Polygon", "MultiPolygon", "GeometryCollection", "Feature",
        "FeatureCollection",
    ]

    /// True for a GeoJSON object; routers' answers have no `type` at their root.
    static func matches(_ root: JSONNode) -> Bool { types.contains { $0 == root["type"]?.string } }

    static func describe(_ root: JSONNode) throws(RouteFileError) -> RouteDescription {
        let (geometry, path) = try line(in: root)
        return RouteFile.description(of: try points(of: geometry, at: path))
    }

    /// The points of a geometry that must be a LineString; `path` names it in errors and is empty for the root.
    static func points(of geometry: JSONNode, at path: String) throws(RouteFileError) -> [Coordinate] {
        let type = geometry["type"]?.string ?? "of no type"
        guard type == "LineString" else {
            let advice = type == "MultiLineString" ? "join its parts into one line" : "give one LineString"
            throw RouteFileError("\(path.isEmpty ? "this" : path) is \(type), not a LineString: \(advice)")
        }
        let place = path.isEmpty ? "coordinates" : "\(path).coordinates"
        guard let positions = geometry["coordinates"], positions.kind == .array, positions.count > 0 else {
            throw RouteFileError("\(place) is no array of positions: give the line's points")
        }
        guard positions.count <= Route.maxPoints else {
            throw RouteFileError("\(place) has more than \(Route.maxPoints) points: split the route")
        }
        return try points(positions, at: place)
    }

    private static func points(_ positions: JSONNode, at place: String) throws(RouteFileError) -> [Coordinate] {
        var points: [Coordinate] = []
        points.reserveCapacity(positions.count)
        for index in 0..<positions.count {
            guard let longitude = positions[index]?[0]?.number, let latitude = positions[index]?[1]?.number else {
                throw RouteFileError("\(place)[\(index)] is no position: a position is [longitude, latitude]")
            }
            guard let point = Ground.position(latitude: latitude, longitude: longitude, continues: index > 0) else {
                throw RouteFileError(
                    "\(place)[\(index)] is not on earth: longitude \(longitude), latitude \(latitude); the longitude comes first")
            }
            points.append(point)
        }
        return points
    }

    /// The one line of a file, and its path.
    private static func line(in root: JSONNode) throws(RouteFileError) -> (geometry: JSONNode, path: String) {
        switch root["type"]?.string {
        case "Feature":
            guard let geometry = root["geometry"] else { throw RouteFileError("geometry is missing: the Feature has no line") }
            return (geometry, "geometry")
        case "FeatureCollection":
            return try onlyLine(of: root)
        default:
            return (root, "")
        }
    }

    private static func onlyLine(of collection: JSONNode) throws(RouteFileError) -> (geometry: JSONNode, path: String) {
        var found: (geometry: JSONNode, path: String)?
        let features = collection["features"]
        for index in 0..<(features?.count ?? 0) {
            guard let geometry = features?[index]?["geometry"], isLine(geometry) else { continue }
            let path = "features[\(index)].geometry"
            if let found {
                throw RouteFileError(
                    "\(found.path) and \(path) are both lines, and which comes first is not said: leave one LineString in the file")
            }
            found = (geometry, path)
        }
        guard let found else { throw RouteFileError("features holds no LineString: add the route's line") }
        return found
    }

    private static func isLine(_ geometry: JSONNode) -> Bool {
        let type = geometry["type"]?.string
        return type == "LineString" || type == "MultiLineString" || type == "GeometryCollection"
    }
}
