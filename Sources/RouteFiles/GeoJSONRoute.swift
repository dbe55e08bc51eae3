import JSON
import Navigation

/// A route from GeoJSON (RFC 7946): its lines joined where they continue one another, in whatever containers; Points are waypoints. Positions are
/// longitude, latitude and perhaps altitude. There are no durations, but converters of tracks keep their times beside the coordinates.
struct GeoJSONRoute {
    private static let types = [
        "Point", "MultiPoint", "LineString", "MultiLineString", "Polygon", "MultiPolygon", "GeometryCollection", "Feature",
        "FeatureCollection",
    ]

    private var line = LineParts()
    private var waypoints: [LegSplit.Stop] = []

    /// True for a GeoJSON object; routers' answers have no `type` at their root.
    static func matches(_ root: JSONNode) -> Bool { types.contains { $0 == root["type"]?.string } }

    static func describe(_ root: JSONNode) throws(RouteFileError) -> RouteDescription {
        var route = GeoJSONRoute()
        try route.read(root)
        if route.line.points.isEmpty { throw RouteFileError(lack(of: root)) }
        return try route.line.description(waypoints: route.waypoints)
    }

    /// The points of a geometry that must be a LineString; `path` names it in errors.
    static func points(of geometry: JSONNode, at path: String) throws(RouteFileError) -> [Coordinate] {
        guard geometry["type"]?.string == "LineString" else { throw RouteFileError(notALine(geometry, at: path)) }
        var line = LineParts()
        line.begin(path, maximumGap: 0)
        try add(try coordinates(of: geometry, at: path), times: nil, to: &line, at: "\(path).coordinates")
        return line.points
    }

    /// Something that is still to be read.
    private struct Item {
        let node: JSONNode
        /// Empty for the root.
        let path: String
        /// Times of its coordinates.
        var times: JSONNode?

        func member(_ name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }
    }

    /// Goes through the containers in the file's order.
    private mutating func read(_ root: JSONNode) throws(RouteFileError) {
        var items = [Item(node: root, path: "")]
        while let item = items.popLast() {
            switch item.node["type"]?.string {
            case "FeatureCollection": items += Self.children(item, of: item.node["features"], named: "features")
            case "GeometryCollection": items += Self.children(item, of: item.node["geometries"], named: "geometries")
            case "Feature":
                guard let geometry = item.node["geometry"] else { continue }
                let properties = item.node["properties"]
                let times = properties?["coordTimes"] ?? properties?["coordinateProperties"]?["times"]
                items.append(Item(node: geometry, path: item.member("geometry"), times: times))
            case "LineString": try add(item)
            case "MultiLineString": try addParts(item)
            case "Point": try addWaypoint(item.node["coordinates"], at: item.member("coordinates"))
            case "MultiPoint":
                let positions = item.node["coordinates"]
                for index in 0..<(positions?.count ?? 0) {
                    try addWaypoint(positions?[index], at: "\(item.member("coordinates"))[\(index)]")
                }
            default: continue
            }
        }
    }

    /// The last first, as they are taken from the end.
    private static func children(_ item: Item, of list: JSONNode?, named name: String) -> [Item] {
        (0..<(list?.count ?? 0)).reversed().compactMap { index in
            list?[index].map { Item(node: $0, path: "\(item.member(name))[\(index)]", times: item.times) }
        }
    }

    private mutating func add(_ item: Item) throws(RouteFileError) {
        let positions = try Self.coordinates(of: item.node, at: item.path)
        line.begin(item.path.isEmpty ? "coordinates" : item.path, maximumGap: LineParts.joint)
        try Self.add(positions, times: item.times, to: &line, at: item.member("coordinates"))
    }

    private mutating func addParts(_ item: Item) throws(RouteFileError) {
        let parts = item.node["coordinates"]
        for index in 0..<(parts?.count ?? 0) {
            guard let part = parts?[index], part.count > 0 else { continue }
            let path = "\(item.member("coordinates"))[\(index)]"
            line.begin(path, maximumGap: LineParts.joint)
            try Self.add(part, times: item.times?[index], to: &line, at: path)
        }
    }

    private mutating func addWaypoint(_ position: JSONNode?, at path: String) throws(RouteFileError) {
        guard let position else { return }
        waypoints.append(LegSplit.Stop(position: try Self.point(position, continues: false, at: path), name: path))
    }

    private static func coordinates(of geometry: JSONNode, at path: String) throws(RouteFileError) -> JSONNode {
        guard let positions = geometry["coordinates"], positions.kind == .array, positions.count > 0 else {
            let place = path.isEmpty ? "coordinates" : "\(path).coordinates"
            throw RouteFileError("\(place) is no array of positions: give the line's points")
        }
        return positions
    }

    private static func add(
        _ positions: JSONNode, times: JSONNode?, to line: inout LineParts, at path: String
    ) throws(RouteFileError) {
        let times = times?.count == positions.count ? times : nil
        for index in 0..<positions.count {
            guard let position = positions[index] else { continue }
            let point = try point(position, continues: index > 0, at: "\(path)[\(index)]")
            let time = times?[index]?.withUTF8 { DateTime.parse($0) }
            try line.append(point, time: (time ?? nil) ?? .nan)
        }
    }

    private static func point(_ position: JSONNode, continues: Bool, at path: @autoclosure () -> String) throws(RouteFileError)
        -> Coordinate
    {
        guard let longitude = position[0]?.number, let latitude = position[1]?.number else {
            throw RouteFileError("\(path()) is no position: a position is [longitude, latitude]")
        }
        guard let point = Ground.position(latitude: latitude, longitude: longitude, continues: continues) else {
            throw RouteFileError(
                "\(path()) is not on earth: longitude \(longitude), latitude \(latitude); the longitude comes first")
        }
        return point
    }

    private static func lack(of root: JSONNode) -> String {
        switch root["type"]?.string {
        case "FeatureCollection": return "features holds no LineString: add the route's line"
        case "GeometryCollection": return "geometries holds no LineString: add the route's line"
        case "Feature":
            guard let geometry = root["geometry"] else { return "geometry is missing: the Feature has no line" }
            return notALine(geometry, at: "geometry")
        default: return notALine(root, at: "this")
        }
    }

    private static func notALine(_ geometry: JSONNode, at path: String) -> String {
        "\(path) is \(geometry["type"]?.string ?? "of no type"), not a LineString: give the route's line"
    }
}
