/// Follows a route: a fix in, the progress out. A plain value without a clock; an update allocates nothing.
///
/// A fix is sought forward from the last match, as far as the vehicle can have come since, so that a road that is driven twice is matched in the right
/// pass. Progress never runs backwards. A waypoint counts as passed once progress reaches it; the last is arrived at, for good.
public struct Tracker: Sendable {
    public internal(set) var route: Route
    /// As of the last fix. Before the first: acquiring, with the values of the whole route.
    public internal(set) var progress: Progress
    /// What the last update found out.
    public internal(set) var events = TrackerEvents()

    /// Of waypoints without one of their own.
    private(set) var arrivalRadius: Double
    /// For routes without durations, metres a second; NaN leaves their times unknown.
    private(set) var speed: Double
    var clock = FixClock()
    /// Seconds since the last match.
    var unmatched = 0.0
    var deviation = Deviation()
    var estimator: ArrivalEstimator
    /// Where progress stands, also while off the route.
    var along = 0.0
    /// Where the vehicle is: as progress, or behind it.
    var here = 0.0
    var segment = 0
    /// Metres a second of progress, lately; NaN before it is known.
    var pace = Double.nan
    /// Whether the vehicle stood still at the last match.
    var stood = false
    /// A place on the route where the vehicle may have come back.
    var rejoining: Rejoining?
    /// While ambiguous: where the vehicle was found.
    var foundAt = Coordinate.unknown
    var stop = StopWatch()
    /// While the position is carried on without fixes: as the last fix left it.
    var reckoning: Reckoning?

    /// `arrivalRadius`: metres, 5 to 500. Before the end, along the route, from which the vehicle has arrived, never more than the last tenth of the route
    /// (or 10 m); and around a waypoint, within which it counts as visited. The default leaves 10 m to the receiver and 30 m to where one can park; the
    /// peers take 20 m (Organic Maps) and 40 m (MapLibre, Mapbox).
    /// `speed`: metres a second to begin with on a route that declares no durations, 0.1 to 100; nil leaves its times unknown.
    public init(route: Route, arrivalRadius: Double = 40, speed: Double? = nil) {
        self.route = route
        self.arrivalRadius = Self.inRange(radius: arrivalRadius)
        self.speed = speed ?? .nan
        estimator = ArrivalEstimator(route: route, speed: self.speed)
        progress = Progress(
            state: .acquiring, leg: 0, snapped: .unknown, along: .nan, crossTrack: .nan, remainingDistance: route.length,
            remainingDuration: .nan)
        noteDurations()
    }

    /// Takes a fix that is plausible and newer than the last; any of its optional values may be NaN. One without a valid coordinate changes nothing.
    /// `now`: seconds on a monotonic clock at which it arrived, NaN when there is no clock.
    @inlinable
    public mutating func update(_ fix: Fix, now: Double) -> Progress {
        take(fix, now: now)
        return progress
    }

    /// Apart from `update`, so that nobody copies a progress that is not wanted.
    @usableFromInline
    mutating func take(_ fix: Fix, now: Double) {
        events.removeAll()
        guard fix.coordinate.isValid else { return }
        if reckoning != nil { endReckoning(fix) }
        let gap = clock.advance(to: fix.time, now: now)
        unmatched += gap
        switch progress.state {
        case .acquiring: acquire(fix)
        case .ambiguous: decide(fix, gap)
        case .onRoute, .uncertain, .stale, .arrived: follow(fix, gap)
        case .offRoute, .wrongWay: rejoin(fix, gap)
        }
        noteStanding(fix, gap)
        noteDurations()
    }

    /// Brings the progress's seconds up to date with the estimator.
    mutating func noteDurations() {
        let last = route.legCount - 1
        progress.remainingDuration = progress.isOffRoute ? .nan : estimator.remaining(toWaypoint: last, of: route)
        progress.legRemainingDuration = progress.remainingDuration
        if progress.leg < last && !progress.isOffRoute {
            progress.legRemainingDuration = estimator.remaining(toWaypoint: progress.leg, of: route)
        }
    }

    /// Follows another route from now on, from its start. Nothing of the old one is told any more; the common radius and the speed stay.
    public mutating func replaceRoute(with route: Route) {
        let clock = clock
        self = Tracker(route: route, arrivalRadius: arrivalRadius, speed: speed)
        self.clock = clock
        events.append(TrackerEvent(kind: .routeReplaced, reason: .requested, waypoint: -1, distance: .nan, time: clock.time))
    }

    /// Metres to a waypoint (the end of the leg of that number): 0 for one already passed, NaN while off the route and for one that does not exist.
    public func remainingDistance(toWaypoint waypoint: Int) -> Double {
        remaining(toWaypoint: waypoint) { route.legEndAlong(waypoint) - along }
    }

    /// Seconds to a waypoint, with the time at the stops before it; as above; NaN too when there are neither durations nor a speed.
    public func remainingDuration(toWaypoint waypoint: Int) -> Double {
        remaining(toWaypoint: waypoint) { estimator.remaining(toWaypoint: waypoint, of: route) }
    }

    /// The 10th and the 90th percentile of those seconds.
    public func remainingBand(toWaypoint waypoint: Int) -> (low: Double, high: Double) {
        let seconds = remainingDuration(toWaypoint: waypoint)
        guard seconds > 0 else { return (seconds, seconds) }
        let band = estimator.band(toWaypoint: waypoint, of: route)
        return (band.low, band.high)
    }

    /// The same to the end of the route.
    public var remainingBand: (low: Double, high: Double) { remainingBand(toWaypoint: route.legCount - 1) }

    private func remaining(toWaypoint waypoint: Int, _ value: () -> Double) -> Double {
        guard waypoint >= 0 && waypoint < route.legCount else { return .nan }
        if waypoint < progress.leg { return 0 }
        return progress.isOffRoute ? .nan : value()
    }
}

// MARK: - What the host sets, at any time: the values left are right at once

extension Tracker {
    /// Sets the seconds that the vehicle will spend at a waypoint, at most a day; at the last one, one already passed, or one that does not exist, it
    /// changes nothing.
    public mutating func setDwell(seconds: Double, forWaypoint waypoint: Int) {
        guard waypoint >= progress.leg else { return }
        estimate { estimator, route, _ in estimator.setDwell(seconds, waypoint: waypoint, of: route) }
    }

    /// Sets the speed of routes that declare no durations, metres a second, 0.1 to 100. Another one than before begins to learn the pace anew.
    public mutating func setSpeed(_ speed: Double) {
        self.speed = speed
        estimate { estimator, route, along in estimator.setSpeed(speed, along: along, of: route) }
    }

    /// Sets the radius of all waypoints but those with their own, metres, 5 to 500; see ``init(route:arrivalRadius:speed:)``.
    public mutating func setArrivalRadius(_ metres: Double) { arrivalRadius = Self.inRange(radius: metres) }

    /// Sets the radius of one waypoint; of one that does not exist it changes nothing.
    public mutating func setArrivalRadius(_ metres: Double, forWaypoint waypoint: Int) {
        set(waypoint) { $0.radius = Self.inRange(radius: metres) }
    }

    private static func inRange(radius: Double) -> Double { min(max(radius, 5), 500) }

    /// Changes what the times are worked out from, also in what a fix goes back to after an estimate.
    mutating func estimate(_ change: (inout ArrivalEstimator, Route, _ along: Double) -> Void) {
        change(&estimator, route, along)
        if var last = reckoning {
            change(&last.estimator, route, last.along)
            reckoning = last
        }
        noteDurations()
    }
}

// MARK: - What follows from a match

extension Tracker {
    /// Below this a receiver's speed is noise and the vehicle stands, metres a second.
    static var standingSpeed: Double { 0.5 }
    /// How far the positions of a vehicle that stands still wander, metres: so far behind the progress a fix may be matched.
    static var wandering: Double { 20 }

    mutating func settle(at place: Candidate, _ fix: Fix, _ horizon: FixHorizon) {
        let advance = place.along - here
        let isFirst = progress.along.isNaN
        let stands = fix.speed < Self.standingSpeed
        let wanders = stands && stood && advance < Self.wandering
        if isFirst || (advance > 0 && !wanders) { move(to: place, fix, joins: isFirst) }
        stood = stands
        notePace(advance: isFirst ? .nan : max(advance, 0))
        estimator.drive(for: isFirst ? .nan : unmatched, along: along, leg: progress.leg, of: route)
        unmatched = 0
        progress.crossTrack = place.crossTrack
        if progress.remainingDistance <= endRadius
            && horizon.distance(to: route.positions[route.count - 1]) <= max(Self.corridor(of: fix), endRadius)
        {
            arrive(.reached, fix)
        }
    }

    /// `joins`: not driven from the last match, but found here.
    mutating func move(to place: Candidate, _ fix: Fix, joins: Bool) {
        let before = along
        let isAhead = place.along >= along
        if isAhead {
            along = place.along
            estimator.move(to: route.seconds(place.segment, place.fraction), along: along)
        }
        // So little behind the progress is noise.
        let isBehind = along - place.along > Self.wandering
        here = isBehind ? place.along : along
        segment = place.segment
        progress.backtracked = along - here
        progress.along = along
        progress.snapped = isAhead || isBehind ? route.place(place.segment, place.fraction) : route.coordinate(along: along)
        progress.direction = place.direction
        if progress.leg < route.legCount - 1 && along >= route.legEndAlong(progress.leg) {
            passWaypoints(from: joins ? .nan : before, to: place, fix)
        }
        progress.remainingDistance = route.length - along
    }

    /// Smoothed over about ten seconds.
    private mutating func notePace(advance: Double) {
        let latest = advance / unmatched
        guard latest.isFinite else { return }
        pace = pace.isNaN ? latest : pace + (latest - pace) * min(unmatched * 0.1, 1)
    }
}
