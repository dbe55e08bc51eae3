import Navigation

/// A leg as a router's answer declares it, its line in pieces that follow one another.
struct DeclaredLeg {
    /// A step, a manoeuvre or a whole leg.
    struct Piece {
        /// Often a part of the whole line, which it shares.
        var points: ArraySlice<Coordinate>
        /// Seconds; nil when nothing says how long it takes.
        var duration: Double?
    }

    /// Metres.
    var length: Double?
    /// Seconds.
    var duration: Double?
    var pieces: [Piece] = []
}

/// Legs joined to one line.
struct JoinedLegs {
    private(set) var points: [Coordinate] = []
    private(set) var legEnds: [Int] = []
    /// Seconds of each segment, right up to a factor for each leg: as its pieces tell, else by length.
    var durations: [Double] = []
    /// Whether any leg tells more than its total.
    private(set) var isDetailed = false

    private let legs: [DeclaredLeg]

    /// `place` names the legs in errors.
    init(_ legs: [DeclaredLeg], at place: String) throws(RouteFileError) {
        guard legs.count <= Route.maxLegs else { throw RouteFileError("\(place) has more than \(Route.maxLegs) legs: split the route") }
        self.legs = legs
        let count = legs.reduce(0) { $0 + $1.pieces.reduce(0) { $0 + $1.points.count } }
        points.reserveCapacity(count)
        durations.reserveCapacity(count)
        for leg in legs {
            let isTimed = leg.pieces.allSatisfy { $0.duration != nil }
            isDetailed = isDetailed || (isTimed && leg.pieces.count > 1)
            for piece in leg.pieces { append(piece.points, duration: isTimed ? piece.duration : nil) }
            guard points.count <= Route.maxPoints else {
                throw RouteFileError("\(place) exceed \(Route.maxPoints) points: split the route")
            }
            legEnds.append(max(points.count - 1, 0))
        }
        // A route that ends where it starts, with a single point, still is a line.
        if points.count == 1 {
            points.append(points[0])
            durations.append(0)
            legEnds[legEnds.count - 1] = 1
        }
        if points.isEmpty { throw RouteFileError("\(place) have no points: ask for the line") }
    }

    func description(at place: String) throws(RouteFileError) -> RouteDescription {
        RouteDescription(
            points: points, legEnds: legEnds, legDurations: try Self.perLeg(legs.map { $0.duration }, "a duration", at: place),
            legLengths: try Self.perLeg(legs.map { $0.length }, "a length", at: place), segmentDurations: isDetailed ? durations : nil)
    }

    /// A value of every leg; nil when no leg has it.
    static func perLeg(_ values: [Double?], _ name: String, at place: String) throws(RouteFileError) -> [Double]? {
        let known = values.compactMap { $0 }
        if known.isEmpty { return nil }
        if known.count == values.count { return known }
        let missing = values.firstIndex { $0 == nil } ?? 0
        throw RouteFileError("\(place)[\(missing)] lacks \(name) while other legs have theirs: ask the router again")
    }

    /// Adds a piece without repeating the joint. Without a duration its segments weigh as much as they are long.
    private mutating func append(_ shape: ArraySlice<Coordinate>, duration: Double?) {
        let start = max(points.count - 1, 0)
        points += shape.first == points.last ? shape.dropFirst() : shape
        let line = points[min(start, points.count)...]
        appendSpread(duration ?? Ground.length(line), over: line, to: &durations)
    }
}

/// Appends a duration in parts proportional to the lengths of a line's segments.
func appendSpread(_ duration: Double, over line: ArraySlice<Coordinate>, to durations: inout [Double]) {
    let length = Ground.length(line)
    for (a, b) in zip(line, line.dropFirst()) {
        durations.append(length > 0 ? duration * Ground.distance(a, b) / length : duration / Double(line.count - 1))
    }
}
