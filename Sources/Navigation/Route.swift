/// Why points cannot be followed: what, where, and what to do.
public struct RouteError: Error, Equatable {
    public let reason: String
    public init(_ reason: String) { self.reason = reason }
}

/// What a route is made from, before it is checked.
public struct RouteDescription: Sendable {
    /// In driving order. Repeated points are legal.
    public var points: [Coordinate]
    /// For each leg the index of the point it ends at: ascending (equal for a leg without length), the last `points.count - 1`.
    public var legEnds: [Int]
    /// Seconds of each leg, as declared; nil where the source declares none.
    public var legDurations: [Double]?
    /// Metres of each leg, as declared. The geometry is normalised to them where they agree within a fifth.
    public var legLengths: [Double]?
    /// Seconds of each segment (`points.count - 1`), from annotations or steps: the shape of a leg's time, scaled so that each leg totals its duration.
    public var segmentDurations: [Double]?

    public init(
        points: [Coordinate], legEnds: [Int], legDurations: [Double]? = nil, legLengths: [Double]? = nil, segmentDurations: [Double]? = nil
    ) {
        self.points = points
        self.legEnds = legEnds
        self.legDurations = legDurations
        self.legLengths = legLengths
        self.segmentDurations = segmentDurations
    }
}

/// A line of points cut into legs. Immutable, so shared freely between threads.
public final class Route: Sendable {
    /// Degrees, one for each vertex.
    public let latitudes: [Double]
    public let longitudes: [Double]
    /// Metres from the start, for each vertex; never descending.
    public let along: [Double]
    /// Seconds from the start, for each vertex; empty when the route declares no durations.
    public let elapsed: [Double]
    /// The vertex at which each leg ends.
    public let legEnds: [Int]

    public init(_ description: RouteDescription) throws(RouteError) {
        latitudes = description.points.map(\.latitude)
        longitudes = description.points.map(\.longitude)
        along = []
        elapsed = []
        legEnds = description.legEnds
    }

    public var count: Int { latitudes.count }
    public var legCount: Int { legEnds.count }
    /// Metres.
    public var length: Double { along.last ?? 0 }
    /// Seconds; nil when none are declared.
    public var duration: Double? { elapsed.last }

    public func coordinate(_ vertex: Int) -> Coordinate { Coordinate(latitude: latitudes[vertex], longitude: longitudes[vertex]) }
}
