import JSON
import Navigation

/// A route from an answer of the Google Routes API (google.maps.routing.v2). What the answer holds depends on the field mask of the request: the
/// line is taken from the steps, else the legs, else the whole route, which is simplified unless it was asked for in high quality.
struct GoogleRoute {
    private static let place = "routes[0]"
    private static let signs = ["distanceMeters", "staticDuration", "polyline", "travelAdvisory", "viewport", "routeToken"]
    private static let legSigns = ["distanceMeters", "staticDuration", "polyline", "startLocation", "endLocation"]

    private let route: ProtoObject
    private let legs: [GoogleLeg]
    /// Encoded polylines of this service have precision 5 always.
    static let precision = 5

    static func matches(_ root: JSONNode) -> Bool {
        guard let first = root["routes"]?[0] else { return false }
        let leg = first["legs"]?[0]
        return signs.contains { first[named: $0] != nil } || legSigns.contains { leg?[named: $0] != nil }
            || first["duration"]?.kind == .string
    }

    static func describe(_ root: JSONNode) throws(RouteFileError) -> RouteDescription {
        guard let first = root["routes"]?[0] else { throw RouteFileError("routes holds no route: the router found none") }
        return try GoogleRoute(ProtoObject(first)).description()
    }

    private init(_ route: ProtoObject) throws(RouteFileError) {
        self.route = route
        var legs: [GoogleLeg] = []
        for (index, leg) in route.list("legs").enumerated() {
            legs.append(try GoogleLeg(leg, at: "\(Self.place).legs[\(index)]"))
        }
        if legs.isEmpty { legs.append(GoogleLeg()) }
        let length = try route.metres("distanceMeters", at: Self.place)
        let duration = try route.seconds("duration", at: Self.place)
        let staticDuration = try route.seconds("staticDuration", at: Self.place)
        if legs.count == 1 {
            legs[0].declared.length = legs[0].declared.length ?? length
            legs[0].declared.duration = legs[0].declared.duration ?? duration
            legs[0].staticDuration = legs[0].staticDuration ?? staticDuration
        } else if length != nil || legs.contains(where: { $0.declared.length != nil }) {
            // Zeros are left out.
            for index in legs.indices { legs[index].declared.length = legs[index].declared.length ?? 0 }
        }
        self.legs = legs
    }

    private func description() throws(RouteFileError) -> RouteDescription {
        guard legs.allSatisfy({ !$0.declared.pieces.isEmpty || ($0.declared.length == 0 && legs.count > 1) }) else {
            return try cutOverview()
        }
        var line = try JoinedLegs(legs.map { $0.declared }, at: "\(Self.place).legs")
        let isShaped = try addTraffic(to: &line)
        var description = try line.description(at: "\(Self.place).legs")
        if isShaped { description.segmentDurations = line.durations }
        return description
    }

    /// The route's own line, cut where its legs end.
    private func cutOverview() throws(RouteFileError) -> RouteDescription {
        guard let points = try GoogleLine.points(of: route.object("polyline"), at: "\(Self.place).polyline") else {
            throw RouteFileError(
                "\(Self.place) has no polyline, nor have all its steps or legs: ask with X-Goog-FieldMask: routes.legs.steps.polyline, routes.legs, …"
            )
        }
        let declared = legs.map { $0.declared }
        var stops: [LegSplit.Stop] = []
        for (index, leg) in legs.dropLast().enumerated() {
            let name = "\(Self.place).legs[\(index)].endLocation"
            guard let end = leg.end else {
                throw RouteFileError(
                    "\(name) is missing, so that nothing says where the leg ends: add routes.legs.endLocation to the field mask")
            }
            stops.append(LegSplit.Stop(position: end, name: name))
        }
        let lengths = try JoinedLegs.perLeg(declared.map { $0.length }, "distanceMeters", at: "\(Self.place).legs")
        let split = try LegSplit(points, stops: stops, legLengths: lengths, at: "\(Self.place).polyline")
        let durations = try JoinedLegs.perLeg(declared.map { $0.duration }, "duration", at: "\(Self.place).legs")
        return RouteDescription(points: split.points, legEnds: split.legEnds, legDurations: durations, legLengths: lengths)
    }

    /// Lets the delays of each leg fall where the traffic is. False where nothing tells of traffic.
    private func addTraffic(to line: inout JoinedLegs) throws(RouteFileError) -> Bool {
        var traffic = GoogleTraffic(line)
        let intervals = route.object("travelAdvisory")?.list("speedReadingIntervals") ?? []
        if !intervals.isEmpty, let points = try GoogleLine.points(of: route.object("polyline"), at: "\(Self.place).polyline") {
            traffic.mark(0..<line.durations.count, intervals: intervals, of: points)
        }
        var start = 0
        var isShaped = false
        for (index, leg) in legs.enumerated() {
            let segments = start..<line.legEnds[index]
            start = line.legEnds[index]
            if !leg.intervals.isEmpty, let points = leg.points { traffic.mark(segments, intervals: leg.intervals, of: points) }
            guard let duration = leg.declared.duration, let staticDuration = leg.staticDuration else { continue }
            if traffic.delay(segments, from: staticDuration, to: duration, in: &line.durations) { isShaped = true }
        }
        return isShaped
    }
}

/// One leg of a Google route.
struct GoogleLeg {
    var declared = DeclaredLeg()
    /// Seconds without traffic.
    var staticDuration: Double?
    /// Where it ends.
    private(set) var end: Coordinate?
    /// Traffic on the leg's own line.
    private(set) var intervals: [ProtoObject] = []
    private(set) var points: [Coordinate]?

    init() {}

    init(_ leg: ProtoObject, at place: String) throws(RouteFileError) {
        declared.length = try leg.metres("distanceMeters", at: place)
        declared.duration = try leg.seconds("duration", at: place)
        staticDuration = try leg.seconds("staticDuration", at: place)
        end = leg.object("endLocation")?.object("latLng")?.position
        intervals = leg.object("travelAdvisory")?.list("speedReadingIntervals") ?? []
        declared.pieces = try Self.pieces(leg.list("steps"), at: place)
        guard declared.pieces.isEmpty || !intervals.isEmpty else { return }
        points = try GoogleLine.points(of: leg.object("polyline"), at: "\(place).polyline")
        if declared.pieces.isEmpty, let points { declared.pieces = [DeclaredLeg.Piece(points: points[...])] }
    }

    /// The steps' lines; none unless every step has one. Steps tell their time without traffic only.
    private static func pieces(_ steps: [ProtoObject], at place: String) throws(RouteFileError) -> [DeclaredLeg.Piece] {
        var pieces: [DeclaredLeg.Piece] = []
        for (index, step) in steps.enumerated() {
            let stepPlace = "\(place).steps[\(index)]"
            let duration = try step.seconds("staticDuration", at: stepPlace)
            guard let points = try GoogleLine.points(of: step.object("polyline"), at: "\(stepPlace).polyline") else { return [] }
            pieces.append(DeclaredLeg.Piece(points: points[...], duration: duration))
        }
        return pieces
    }
}

/// A Polyline of Google Routes: encoded, or GeoJSON where it was asked for.
enum GoogleLine {
    /// nil when there is none.
    static func points(of line: ProtoObject?, at place: String) throws(RouteFileError) -> [Coordinate]? {
        if let node = line?["geoJsonLinestring"] { return try GeoJSONRoute.points(of: node, at: "\(place).geoJsonLinestring") }
        guard let node = line?["encodedPolyline"] else { return nil }
        return try encoded(node, at: "\(place).encodedPolyline")
    }

    /// The points of a text that is known to have precision 5.
    static func encoded(_ node: JSONNode, at place: String) throws(RouteFileError) -> [Coordinate] {
        do throws(RouteFileError) {
            let points = try node.withUTF8 { text throws(RouteFileError) in
                try EncodedPolyline.decode(text, precision: GoogleRoute.precision)
            }
            guard let points else { throw RouteFileError("this is no string: ask for an encoded polyline") }
            return points
        } catch {
            throw error.inside(place)
        }
    }
}
