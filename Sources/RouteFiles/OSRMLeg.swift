import JSON
import Navigation

/// One leg as declared.
struct OSRMLeg {
    /// Metres.
    var distance: Double?
    /// Seconds.
    var duration: Double?
    var steps: [OSRMStep] = []
    /// How many segments of the full geometry the annotation tells of; nil without one.
    var annotatedSegments: Int?
    /// Seconds of each of them; nil unless every one is a number.
    var annotatedDurations: [Double]?
    /// Indices of waypoints that this leg passes without ending there.
    var silentWaypoints: [Int] = []

    /// The legs of a route; a single one where it lists none.
    static func all(of route: JSONNode, at prefix: String) throws(RouteFileError) -> [OSRMLeg] {
        let list = route["legs"]
        let count = list?.count ?? 0
        guard count <= Route.maxLegs else {
            throw RouteFileError("\(prefix)legs has more than \(Route.maxLegs) legs: split the route")
        }
        var legs: [OSRMLeg] = []
        for index in 0..<count {
            guard let leg = list?[index], leg.kind == .object else {
                throw RouteFileError("\(prefix)legs[\(index)] is not an object: ask the router again")
            }
            legs.append(try OSRMLeg(leg, at: "\(prefix)legs[\(index)]."))
        }
        if legs.isEmpty { legs.append(OSRMLeg()) }
        if legs.count == 1 {
            let distance = try OSRMRoute.amount(route, "distance", in: "metres", at: prefix)
            let duration = try OSRMRoute.amount(route, "duration", in: "seconds", at: prefix)
            legs[0].distance = legs[0].distance ?? distance
            legs[0].duration = legs[0].duration ?? duration
        }
        return legs
    }

    private init() {}

    private init(_ leg: JSONNode, at prefix: String) throws(RouteFileError) {
        distance = try OSRMRoute.amount(leg, "distance", in: "metres", at: prefix)
        duration = try OSRMRoute.amount(leg, "duration", in: "seconds", at: prefix)
        if let list = leg["steps"] {
            for index in 0..<list.count {
                guard let step = list[index] else { continue }
                steps.append(try OSRMStep(step, at: "\(prefix)steps[\(index)]."))
            }
        }
        if let annotation = leg["annotation"] { read(annotation) }
        if let passed = leg["via_waypoints"] {
            silentWaypoints = (0..<passed.count).compactMap { passed[$0]?["waypoint_index"]?.integer.flatMap { Int(exactly: $0) } }
        }
    }

    private mutating func read(_ annotation: JSONNode) {
        let lists = [
            annotation["duration"], annotation["distance"], annotation["speed"], annotation["congestion"], annotation["maxspeed"],
        ]
        annotatedSegments = lists.compactMap { $0?.count }.first
        guard let list = annotation["duration"] else { return }
        let durations = (0..<list.count).compactMap { list[$0]?.number }.filter { (0...OSRMRoute.maximumAmount).contains($0) }
        if durations.count == list.count { annotatedDurations = durations }
    }
}

/// One step: its line, and the time it takes with turns.
struct OSRMStep {
    /// Metres.
    let distance: Double?
    /// Seconds.
    let duration: Double?
    /// nil when the step has no geometry.
    let shape: OSRMShape?

    init(_ step: JSONNode, at prefix: @autoclosure () -> String) throws(RouteFileError) {
        distance = try OSRMRoute.amount(step, "distance", in: "metres", at: prefix())
        duration = try OSRMRoute.amount(step, "duration", in: "seconds", at: prefix())
        shape = try step["geometry"].map { node throws(RouteFileError) in try OSRMShape(node, at: "\(prefix())geometry") }
    }
}

/// A geometry: an encoded polyline of either precision, or GeoJSON.
enum OSRMShape {
    case encoded(EncodedPolyline)
    case points([Coordinate])

    init(_ node: JSONNode, at path: @autoclosure () -> String) throws(RouteFileError) {
        do throws(RouteFileError) {
            if let line = try node.withUTF8({ text throws(RouteFileError) in try EncodedPolyline(text) }) {
                self = .encoded(line)
                return
            }
        } catch {
            throw error.inside(path())
        }
        self = .points(try GeoJSONRoute.points(of: node, at: path()))
    }

    var encoded: EncodedPolyline? {
        if case .encoded(let line) = self { line } else { nil }
    }

    func points(precision: Int) throws(RouteFileError) -> [Coordinate] {
        switch self {
        case .encoded(let line): try line.coordinates(precision: precision, continues: true)
        case .points(let points): points
        }
    }
}
