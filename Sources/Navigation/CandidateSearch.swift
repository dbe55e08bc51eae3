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

    // The scan's state: the segment it would go on with, and where the distance has fallen to, a candidate once it rises.
    private var next = -1
    private var lowPoint: (segment: Int, fraction: Double)?

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
        offerLowPoint(route)
    }

    private mutating func runThroughIndex(_ route: Route, from first: Int) {
        var leaf = first / RouteIndex.leafSize
        while usefulDistance > 0, let near = route.index.leaf(from: leaf, within: usefulDistance, of: horizon.position) {
            let start = max(near * RouteIndex.leafSize, first)
            guard route.along[start] <= usefulEnd else { return }
            scan(start..<min((near + 1) * RouteIndex.leafSize, route.count - 1), route)
            leaf = near + 1
        }
    }

    private mutating func scan(_ segments: Range<Int>, _ route: Route) {
        var segment = segments.lowerBound
        guard segment < segments.upperBound else { return }
        let horizon = horizon
        var from = route.along[segment]
        // Of the first segment, where it begins before the lowest place.
        var least = from < lowest ? min((lowest - from) / (route.along[segment + 1] - from), 1) : 0
        if segment != next {
            offerLowPoint(route)
            lowPoint = from <= usefulEnd ? (segment, least) : nil
        }
        var start = horizon.sight(route.positions[segment])
        while segment < segments.upperBound && from <= usefulEnd {
            let to = route.along[segment + 1]
            let far = usefulDistance + (to - from) * route.stretch
            let start2 = (start * start).sum()
            if start2 > far * far {
                // So far along the route nothing can be near enough, the next vertex included.
                let clear = from + (start2.squareRoot() - usefulDistance) * route.shrinkage
                segment += 1
                while segment < segments.upperBound && route.along[segment + 1] <= clear { segment += 1 }
                lowPoint = nil
                least = 0
                from = route.along[segment]
                start = horizon.sight(route.positions[segment])
                continue
            }
            let line = Line(start: start, end: horizon.sight(route.positions[segment + 1]))
            let length2 = line.length2
            let most = to <= highest || from == to ? 1 : (highest - from) / (to - from)
            // Half the slope of the square of the distance, at the segment's start and where it counts.
            let slope = line.slope
            if slope + least * length2 < 0 {
                if slope + most * length2 > 0 {
                    lowPoint = nil
                    offer(segment, -slope / length2, line, route)
                } else {
                    lowPoint = (segment, most)
                }
            } else if lowPoint != nil && length2 > 0 {
                offerLowPoint(route)
            }
            least = 0
            start = line.end
            from = to
            segment += 1
        }
        next = segment
    }

    /// The distance rises from here, or the stretch ends.
    private mutating func offerLowPoint(_ route: Route) {
        guard let place = lowPoint else { return }
        lowPoint = nil
        let start = horizon.sight(route.positions[place.segment])
        let end = horizon.sight(route.positions[place.segment + 1])
        offer(place.segment, place.fraction, Line(start: start, end: end), route)
    }

    /// A place where the distance has its least is a candidate.
    private mutating func offer(_ segment: Int, _ fraction: Double, _ line: Line, _ route: Route) {
        let offset = line.point(fraction)
        let distance2 = offset.square
        guard distance2 <= usefulDistance * usefulDistance else { return }
        let from = route.along[segment]
        let length = route.along[segment + 1] - from
        // Not on the far side of the earth.
        guard horizon.reaches(route.positions[segment], within: corridor + length * route.stretch) else { return }
        let arc = arcFraction(fraction, length: length)
        let along = from + length * arc
        var cost = distance2 * perVariance
        var agreement = 1.0
        if let heading {
            agreement = heading.agreement(with: line.direction)
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
            segment: segment, fraction: arc, along: along, offset: offset, direction: line.direction, distance: distance2.squareRoot(),
            agreement: agreement)
    }
}

/// A segment in the fix's plane, its ends east and north of the fix in metres.
private struct Line {
    var start: SIMD2<Double>
    var end: SIMD2<Double>

    @inline(__always)
    var direction: Offset { Offset(end - start) }

    @inline(__always)
    var length2: Double { ((end - start) * (end - start)).sum() }

    /// Half of how the square of the distance from the fix changes at the start, for each whole length.
    @inline(__always)
    var slope: Double { (start * (end - start)).sum() }

    /// At 0 and 1 exactly the ends, so that a vertex is no nearer to one of its segments than to the other.
    @inline(__always)
    func point(_ fraction: Double) -> Offset { Offset(start * (1 - fraction) + end * fraction) }
}

extension Offset {
    @inline(__always)
    init(_ vector: SIMD2<Double>) { self.init(east: vector.x, north: vector.y) }
}
