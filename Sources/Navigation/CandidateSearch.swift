/// A place on the route that a fix may belong to: nearer to it than what lies just before and after.
struct Candidate {
    var segment: Int
    /// Of the segment's length, 0 to 1.
    var fraction: Double
    /// Metres from the start of the route.
    var along: Double
    /// From the fix to the place.
    var offset: Offset
    /// The segment.
    var direction: Offset
    /// Metres from the fix to the place.
    var distance: Double
    /// Of the fix's heading with the segment's, as a cosine; 1 where there is no heading.
    var agreement: Double

    /// Metres, negative when the fix is left of the route.
    var crossTrack: Double {
        offset.east * direction.north - offset.north * direction.east > 0 ? -distance : distance
    }
}

/// Looks for the place of one fix along a stretch of the route.
///
/// Every local minimum of the distance within the corridor is a candidate. The least cost wins, and among equals the earliest: the distance against the
/// receiver's error, the heading against the segment's, and the distance driven against the expected.
struct CandidateSearch {
    let horizon: FixHorizon
    /// Metres to either side of the route.
    let corridor: Double
    /// Metres from the start of the route between which the place is sought.
    var lowest = 0.0
    var highest = Double.infinity
    /// Metres from the start where the vehicle should be by now, and how far it may well be from there.
    var expected = 0.0
    var tolerance = Double.infinity
    /// Whether a heading more than 60 degrees from the segment's rules a candidate out.
    var headingMustAgree = false
    /// How much less a later candidate must cost.
    var advantage = 0.0

    private(set) var best: Candidate?
    private var bestCost = Double.infinity
    /// Metres: a place further from the fix than this cannot become the best.
    private var usefulDistance: Double
    /// Metres from the start: nor can one further along than this.
    private var usefulEnd = Double.infinity

    /// Of the receiver, metres: one standard deviation.
    private let error: Double
    private let perVariance: Double
    private var perTolerance = 0.0
    /// The direction of motion, one metre long; nil when it means nothing.
    let heading: Offset?

    // The scan's state: the segment it would go on with, the distance to the last one, and the nearest place since the distance began to fall.
    private var next = -1
    private var lastDistance2 = Double.infinity
    private var falling: Place?

    private struct Place {
        var segment: Int
        var fraction: Double
        var line: Line
        var distance2: Double
    }

    /// Below this the course over ground is noise, metres a second.
    static let leastSpeedWithHeading = 1.5
    /// A route with more vertices than this within reach is searched through its index.
    private static let denseWindow = 1024

    @inline(__always)
    init(fix: Fix, corridor: Double) {
        horizon = FixHorizon(at: fix.coordinate)
        self.corridor = corridor
        usefulDistance = corridor
        // eph is about twice the standard deviation.
        error = fix.accuracy >= 0 ? min(max(fix.accuracy / 2, 5), 40) : 8
        perVariance = 1 / (error * error)
        heading = fix.speed > Self.leastSpeedWithHeading && fix.heading.isFinite ? Offset(bearing: fix.heading) : nil
    }

    /// Searches lowest...highest, beginning near a segment.
    mutating func run(_ route: Route, near hint: Int) {
        let first = route.segment(at: lowest, near: hint)
        usefulEnd = highest
        perTolerance = 1 / tolerance
        let far = first + Self.denseWindow
        if far < route.count && route.along[far] < highest {
            runThroughIndex(route, from: first)
        } else {
            scan(first..<route.count - 1, route)
        }
        endRun(route)
    }

    private mutating func runThroughIndex(_ route: Route, from first: Int) {
        var leaf = first / RouteIndex.leafSize
        while usefulDistance > 0, let near = route.index.leaf(from: leaf, within: usefulDistance, of: horizon.position) {
            let start = max(near * RouteIndex.leafSize, first)
            guard route.along[start] <= usefulEnd else { return cutShort() }
            scan(start..<min((near + 1) * RouteIndex.leafSize, route.count - 1), route)
            leaf = near + 1
        }
    }

    private mutating func scan(_ segments: Range<Int>, _ route: Route) {
        var segment = segments.lowerBound
        guard segment < segments.upperBound else { return }
        if segment != next { endRun(route) }
        let horizon = horizon
        var from = route.along[segment]
        // Of the first segment, where it begins before the lowest place.
        var least = from < lowest ? min((lowest - from) / (route.along[segment + 1] - from), 1) : 0
        var start = horizon.sight(route.positions[segment])
        var start2 = (start * start).sum()
        while segment < segments.upperBound && from <= usefulEnd {
            let to = route.along[segment + 1]
            let far = usefulDistance + (to - from) * route.stretch
            if start2 > far * far {
                // So far along the route nothing can be near enough.
                let clear = from + (start2.squareRoot() - usefulDistance) * route.shrinkage
                var skipped = segment + 1
                while skipped < segments.upperBound && route.along[skipped + 1] <= clear { skipped += 1 }
                endRun(route)
                least = 0
                segment = skipped
                from = route.along[segment]
                start = horizon.sight(route.positions[segment])
                start2 = (start * start).sum()
                continue
            }
            let end = horizon.sight(route.positions[segment + 1])
            let line = Line(start: start, end: end)
            let fraction = clip(max(line.nearestFraction, least), from, to)
            least = 0
            let distance2 = line.point(fraction).square
            if distance2 < lastDistance2 {
                falling = Place(segment: segment, fraction: fraction, line: line, distance2: distance2)
            } else if distance2 > lastDistance2 && falling != nil {
                offerFalling(route)
            }
            lastDistance2 = distance2
            start = end
            start2 = (end * end).sum()
            from = to
            segment += 1
        }
        if from > usefulEnd { cutShort() }
        next = segment
    }

    /// What still falls where the search ends early would fall to nothing useful.
    private mutating func cutShort() {
        if usefulEnd < highest { falling = nil }
    }

    /// The fraction of a segment between two places along the route, kept below the highest place.
    @inline(__always)
    private func clip(_ fraction: Double, _ from: Double, _ to: Double) -> Double {
        to <= highest || from == to ? fraction : min(fraction, (highest - from) / (to - from))
    }

    private mutating func endRun(_ route: Route) {
        offerFalling(route)
        lastDistance2 = .infinity
    }

    /// The distance has begun to rise, or the stretch ends: what it fell to is a candidate.
    private mutating func offerFalling(_ route: Route) {
        guard let place = falling else { return }
        falling = nil
        guard place.distance2 <= usefulDistance * usefulDistance else { return }
        let from = route.along[place.segment]
        let length = route.along[place.segment + 1] - from
        // Not on the far side of the earth.
        guard horizon.reaches(route.positions[place.segment], within: corridor + length * route.stretch) else { return }
        let arc = arcFraction(place.fraction, length: length)
        let along = from + length * arc
        var cost = place.distance2 * perVariance
        var agreement = 1.0
        if let heading {
            agreement = heading.agreement(with: place.line.direction)
            if headingMustAgree && agreement < 0.5 { return }
            // 30 degrees cost as much as one standard deviation of the position, the opposite direction as much as four.
            cost += 8 * (1 - agreement)
        }
        let surprise = (along - expected) * perTolerance
        cost += surprise * surprise
        guard cost < bestCost - advantage else { return }
        bestCost = cost
        let bound = max(cost - advantage, 0).squareRoot()
        usefulDistance = min(corridor, bound * error)
        // Without an expectation, infinity or NaN: both leave the end where it was.
        usefulEnd = min(highest, expected + bound * tolerance)
        best = Candidate(
            segment: place.segment, fraction: arc, along: along,
            offset: place.line.point(place.fraction), direction: place.line.direction, distance: place.distance2.squareRoot(),
            agreement: agreement)
    }
}

/// A segment in the fix's plane, its ends east and north of the fix in metres.
private struct Line {
    var start: SIMD2<Double>
    var end: SIMD2<Double>

    @inline(__always)
    var direction: Offset { Offset(end - start) }

    /// Where it comes nearest to the fix.
    @inline(__always)
    var nearestFraction: Double {
        let direction = end - start
        let fraction = -(start * direction).sum() / (direction * direction).sum()
        // Without branches, which could not be foreseen; NaN where there is no length.
        return fraction > 0 ? min(fraction, 1) : 0
    }

    /// At 0 and 1 exactly the ends, so that a vertex is no nearer to one of its segments than to the other.
    @inline(__always)
    func point(_ fraction: Double) -> Offset { Offset(start * (1 - fraction) + end * fraction) }
}

extension Offset {
    @inline(__always)
    init(_ vector: SIMD2<Double>) { self.init(east: vector.x, north: vector.y) }
}
