/// Why points cannot be followed: what, where, and what to do.
public struct RouteError: Error, Equatable {
    public let reason: String
    public init(_ reason: String) { self.reason = reason }
}

/// What a route is made from, before it is checked.
public struct RouteDescription: Sendable {
    /// In driving order. Repeated points are legal. Longitudes up to 360 either way are taken as the same place within -180...180.
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

    /// Throws what is wrong with the counts, the legs and the declared values. The points themselves are checked where they are used.
    func check() throws(RouteError) {
        guard points.count >= 2 else {
            throw RouteError("a route needs at least 2 points and has \(points.count); give the whole line in driving order")
        }
        guard points.count <= Route.maxPoints else {
            throw RouteError("\(points.count) points are more than \(Route.maxPoints); simplify the line or cut the route in two")
        }
        guard !legEnds.isEmpty else { throw RouteError("the route has no legs; a single leg ends at point \(points.count - 1)") }
        guard legEnds.count <= Route.maxLegs else {
            throw RouteError("\(legEnds.count) legs are more than \(Route.maxLegs); cut the route in two")
        }
        try checkLegEnds()
        try Self.check(legDurations, count: legEnds.count, "duration", of: "leg", unit: "seconds")
        try Self.check(legLengths, count: legEnds.count, "length", of: "leg", unit: "metres")
        try Self.check(segmentDurations, count: points.count - 1, "duration", of: "segment", unit: "seconds")
    }

    private func checkLegEnds() throws(RouteError) {
        var previous = 0
        for (leg, end) in legEnds.enumerated() {
            guard end >= 0 && end < points.count else {
                throw RouteError("leg \(leg) ends at point \(end), which does not exist; points are counted from 0 to \(points.count - 1)")
            }
            guard end >= previous else {
                throw RouteError(
                    "leg \(leg) ends at point \(end), before leg \(leg - 1) does (\(previous)); give the legs in driving order")
            }
            previous = end
        }
        guard previous == points.count - 1 else {
            throw RouteError("the last leg ends at point \(previous); it must end at the last point, \(points.count - 1)")
        }
    }

    private static func check(
        _ values: [Double]?, count: Int, _ name: String, of part: String, unit: String
    ) throws(RouteError) {
        guard let values else { return }
        guard values.count == count else {
            throw RouteError("there are \(values.count) \(part) \(name)s for \(count) \(part)s; give one for each, or none at all")
        }
        guard let bad = values.firstIndex(where: { !($0 >= 0 && $0 <= Route.maxValue) }) else { return }
        throw RouteError("\(part) \(bad) has the \(name) \(values[bad]); give finite \(unit) of 0 or more, or none at all")
    }

    /// The same route with a segment in every leg: a leg that ends where it begins gets that point twice, so that it has a place of its own for
    /// its time.
    func withSegmentInEveryLeg() -> RouteDescription {
        var previous = 0
        let empty = legEnds.filter { end in
            defer { previous = end }
            return end == previous
        }
        guard !empty.isEmpty else { return self }
        var result = self
        result.points = []
        result.segmentDurations = segmentDurations.map { _ in [] }
        var point = 0
        result.points.append(points[0])
        for (leg, end) in legEnds.enumerated() {
            if end == point {
                result.points.append(points[end])
                result.segmentDurations?.append(0)
            }
            while point < end {
                point += 1
                result.points.append(points[point])
                if let seconds = segmentDurations?[point - 1] { result.segmentDurations?.append(seconds) }
            }
            result.legEnds[leg] = result.points.count - 1
        }
        return result
    }
}
