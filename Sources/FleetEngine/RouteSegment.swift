import Navigation

/// The route from the vehicle to the next waypoint, as sent.
public struct RouteSegment: Sendable {
    /// base64url of a compressed S2 polyline; empty clears the route.
    public var encoded: String
    /// Where it ends; nil when it clears the route.
    public var end: Coordinate?
    /// What is encoded, before each point moves to the centre of its cell.
    public private(set) var points: [Coordinate] = []

    /// Most vertices sent, so that a request stays below about 4 kB: Google's SDK was seen to send 68 for 10 km. A longer leg is thinned to what fits.
    public static let vertexLimit = 500

    public init(encoded: String, end: Coordinate?) {
        self.encoded = encoded
        self.end = end
    }

    init(encoded: String, end: Coordinate?, points: [Coordinate] = []) {
        self.encoded = encoded
        self.end = end
        self.points = points
    }

    /// Takes a route back.
    public static let cleared = RouteSegment(encoded: "", end: nil)

    /// What is left of a leg: from the point `along` metres from the start of the route to where the leg ends. nil when the route has no such leg.
    public init?(of route: Route, from along: Double, leg: Int) {
        guard route.legEnds.indices.contains(leg), along.isFinite else { return nil }
        let endVertex = route.legEnds[leg]
        guard endVertex >= 0, endVertex < route.count else { return nil }
        let end = route.coordinate(endVertex)
        var points: [Coordinate] = []
        if along < route.along[endVertex] {
            points.append(route.coordinate(along: along))
            let next = max(0, route.vertex(after: along))
            if next < endVertex { points += (next..<endVertex).map { route.coordinate($0) } }
        }
        points.append(end)
        self.init(along: points, end: end)
    }

    /// A line to the next waypoint; one too long is thinned.
    public init(along points: [Coordinate], end: Coordinate) {
        let thinned = LineThinning.thin(points, to: Self.vertexLimit)
        self.init(encoded: S2Polyline.encode(thinned), end: end, points: thinned)
    }
}
