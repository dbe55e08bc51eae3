/// A line of points cut into legs. Immutable, so shared freely between threads.
///
/// Vertices are the description's points; a leg that ends where it begins has that point twice. At most 48 bytes a vertex.
public final class Route: Sendable {
    /// The most points and legs that are accepted.
    public static let maxPoints = 4_000_000
    public static let maxLegs = 10_000
    /// Metres: the longest segment. Longer ones are mistakes (latitude and longitude exchanged, a wrong precision), not roads.
    public static let maxSegmentLength = 2_000_000.0
    /// The most that a declared duration or length can be, seconds or metres: a sum of them stays exact to a microsecond.
    static let maxValue = 1e9

    /// Degrees, one for each vertex.
    public let latitudes: [Double]
    public let longitudes: [Double]
    /// Metres from the start, for each vertex; never descending.
    public let along: [Double]
    /// Seconds from the start, for each vertex; empty when the route declares no durations.
    public let elapsed: [Double]
    /// The vertex at which each leg ends.
    public let legEnds: [Int]

    /// Whether `elapsed` knows more than the total of each leg.
    let isTimeShaped: Bool
    /// The vertices again, as matching needs them.
    let positions: [GridPosition]
    let index: RouteIndex
    /// Metres of `along` for each metre on the ground, at least: 1, or less where a leg's declared length falls short of its geometry.
    let shrinkage: Double
    /// The inverse of it.
    let stretch: Double
    /// The last segment with a length; the last of all when none has one.
    let lastSegment: Int

    /// Whether the line is half a per cent shorter than declared: as simplified lines are, which run beside the road.
    let isSimplified: Bool

    /// Whether it ends where it began, within 200 m or a quarter of its length.
    let isLoop: Bool

    /// Throws what is wrong with the description, where, and what to do about it.
    public convenience init(_ description: RouteDescription) throws(RouteError) {
        try description.check()
        let description = description.withSegmentInEveryLeg()
        let line = try RouteLine(description.points)
        let lengths = LegLengths(geometry: line.along, legEnds: description.legEnds, declared: description.legLengths)
        self.init(
            line, along: lengths.along, shrinkage: lengths.shrinkage,
            elapsed: timeProfile(description, positions: line.positions, along: lengths.along),
            isTimeShaped: description.segmentDurations?.contains { $0 > 0 } ?? false, legEnds: description.legEnds)
    }

    /// Of values that fit together.
    init(_ line: RouteLine, along: [Double], shrinkage: Double, elapsed: [Double], isTimeShaped: Bool, legEnds: [Int]) {
        latitudes = line.latitudes
        longitudes = line.longitudes
        positions = line.positions
        self.along = along
        self.shrinkage = shrinkage
        stretch = 1 / shrinkage
        self.elapsed = elapsed
        self.isTimeShaped = isTimeShaped
        self.legEnds = legEnds
        index = RouteIndex(positions: line.positions, along: along)
        lastSegment = lastSegmentWithLength(along)
        isLoop = line.isLoop
        isSimplified = (along.last ?? 0) > 1.005 * (line.along.last ?? 0)
    }

    public var count: Int { latitudes.count }
    public var legCount: Int { legEnds.count }
    /// Metres.
    public var length: Double { along.last ?? 0 }
    /// Seconds; nil when none are declared.
    public var duration: Double? { elapsed.last }

    /// `vertex` from 0 up to but not including `count`.
    public func coordinate(_ vertex: Int) -> Coordinate { Coordinate(latitude: latitudes[vertex], longitude: longitudes[vertex]) }

    /// Metres from the start to the end of a leg.
    public func legEndAlong(_ leg: Int) -> Double { along[legEnds[leg]] }
}
