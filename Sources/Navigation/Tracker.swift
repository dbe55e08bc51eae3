/// Follows a route: a fix in, the progress out. A plain value without a clock; an update allocates nothing.
///
/// A fix is sought forward from the last match, as far as the vehicle can have come since, so that a road that is driven twice is matched in the right
/// pass. Progress never runs backwards. A waypoint counts as passed once progress reaches it; the last is arrived at, for good.
public struct Tracker: Sendable {
    public let route: Route
    /// As of the last fix. Before the first: acquiring, with the values of the whole route.
    public private(set) var progress: Progress

    private let arrivalRadius: Double
    private var clock = FixClock()
    /// Seconds since the last match.
    private var unmatched = 0.0
    private var deviation = Deviation()
    private var estimator: ArrivalEstimator
    /// Where progress stands, also while off the route.
    private var along = 0.0
    private var segment = 0
    /// Metres a second of progress, lately; NaN before it is known.
    private var pace = Double.nan
    /// Whether the vehicle stood still at the last match.
    private var stood = false
    /// A place further on where the vehicle may have come back, and how many fixes in a row say so.
    private var rejoining: (place: Candidate, fixes: Int)?

    /// `arrivalRadius`: metres before the end, along the route, from which the vehicle has arrived; never more than the last tenth of the route (or 10 m).
    /// The default leaves 10 m to the receiver and 30 m to where one can park; the peers take 20 m (Organic Maps) and 40 m (MapLibre, Mapbox).
    public init(route: Route, arrivalRadius: Double = 40) {
        self.route = route
        self.arrivalRadius = min(arrivalRadius, max(route.length / 10, 10))
        estimator = ArrivalEstimator(route: route)
        progress = Progress(
            state: .acquiring, leg: 0, snapped: .unknown, course: .nan, along: .nan, crossTrack: .nan, remainingDistance: route.length,
            remainingDuration: route.duration ?? .nan)
    }

    /// Takes a fix that is plausible and newer than the last; any of its optional values may be NaN. One without a valid coordinate changes nothing.
    /// `now`: seconds on a monotonic clock at which it arrived, NaN when there is no clock.
    public mutating func update(_ fix: Fix, now: Double) -> Progress {
        guard fix.coordinate.isValid else { return progress }
        let gap = clock.advance(to: fix.time, now: now)
        unmatched += gap
        switch progress.state {
        case .acquiring: acquire(fix)
        case .onRoute, .arrived: follow(fix, gap)
        case .offRoute: rejoin(fix, gap)
        }
        return progress
    }

    /// Metres to a waypoint (the end of the leg of that number): 0 for one already passed, NaN while off the route and for one that does not exist.
    public func remainingDistance(toWaypoint waypoint: Int) -> Double {
        remaining(toWaypoint: waypoint) { route.legEndAlong(waypoint) - along }
    }

    /// Seconds to a waypoint, as above; NaN too when the route declares no durations.
    public func remainingDuration(toWaypoint waypoint: Int) -> Double {
        remaining(toWaypoint: waypoint) { estimator.remaining(toVertex: route.legEnds[waypoint], of: route) }
    }

    private func remaining(toWaypoint waypoint: Int, _ value: () -> Double) -> Double {
        guard waypoint >= 0 && waypoint < route.legCount else { return .nan }
        if waypoint < progress.leg { return 0 }
        return progress.state == .offRoute ? .nan : value()
    }
}

// MARK: - Where the vehicle is

extension Tracker {
    /// How far the positions of a vehicle that stands still wander, metres: so far behind the progress a fix may be matched.
    private static var wandering: Double { 20 }
    /// Half the width of a road, and the receiver's error under open sky many times over.
    private static var corridor: Double { 50 }
    private static var widestCorridor: Double { 120 }
    /// 162 km/h.
    private static var topSpeed: Double { 45 }
    /// How many fixes in a row bring the vehicle back onto the route.
    private static var fixesToRejoin: Int { 3 }

    private static func corridor(of fix: Fix) -> Double {
        fix.accuracy > corridor / 2 ? min(2 * fix.accuracy, widestCorridor) : corridor
    }

    /// Metres that a vehicle can have come in so many seconds (TheTransitClock's bound).
    private static func reach(_ seconds: Double) -> Double { topSpeed * 1.2 * seconds + 200 }

    /// Follows the route on from the last match.
    private mutating func follow(_ fix: Fix, _ gap: Double) {
        let search = searchOn(fix, corridor: Self.corridor(of: fix))
        if let place = search.best {
            deviation = Deviation()
            settle(at: place, fix, search.horizon)
        } else if progress.state == .onRoute {
            let isFar = searchOn(fix, corridor: Deviation.farDistance).best == nil
            deviation.add(isFar: isFar, gap: gap)
            if deviation.isCertain { leaveRoute() }
        }
    }

    /// Searches the route within reach of the last match.
    @inline(__always)
    private func searchOn(_ fix: Fix, corridor: Double) -> CandidateSearch {
        var search = CandidateSearch(fix: fix, corridor: corridor)
        search.lowest = max(along - Self.wandering, progress.leg > 0 ? route.legEndAlong(progress.leg - 1) : 0)
        search.highest = along + Self.reach(unmatched)
        let speed = fix.speed >= 0 ? fix.speed : pace
        if speed >= 0 {
            search.expected = along + speed * unmatched
            search.tolerance = 25 + 0.4 * speed * unmatched
        }
        search.run(route, near: segment)
        return search
    }

    /// Finds the vehicle for the first time: the earliest pass that fits.
    private mutating func acquire(_ fix: Fix) {
        var search = CandidateSearch(fix: fix, corridor: Self.corridor(of: fix))
        search.headingMustAgree = true
        search.advantage = 1
        if search.horizon.distance(to: route.positions[0]) <= search.corridor {
            // Where a loop begins it also ends: begin.
            search.highest = 2 * search.corridor
            search.run(route, near: 0)
        }
        if search.best == nil {
            // The last part of a loop is where one sets out from, not where one is.
            search.highest = route.isLoop ? 0.9 * route.length : route.length
            search.run(route, near: 0)
        }
        if let place = search.best {
            progress.state = .onRoute
            settle(at: place, fix, search.horizon)
        }
    }

    private mutating func leaveRoute() {
        progress.state = .offRoute
        progress.snapped = .unknown
        progress.course = .nan
        progress.along = .nan
        progress.crossTrack = .nan
        progress.remainingDistance = .nan
        progress.remainingDuration = .nan
        rejoining = nil
    }

    /// Looks for the vehicle anywhere further on: several fixes must agree.
    private mutating func rejoin(_ fix: Fix, _ gap: Double) {
        var search = CandidateSearch(fix: fix, corridor: Self.corridor(of: fix))
        search.headingMustAgree = true
        var fixes = 1
        if let rejoining {
            search.lowest = max(rejoining.place.along - Self.wandering, along)
            search.highest = rejoining.place.along + Self.reach(gap)
            search.run(route, near: rejoining.place.segment)
            if search.best != nil { fixes = rejoining.fixes + 1 }
        }
        if search.best == nil {
            search.advantage = 1
            search.lowest = max(along - Self.wandering, 0)
            search.highest = route.length
            search.run(route, near: segment)
        }
        rejoining = search.best.map { ($0, fixes) }
        guard let place = search.best, fixes >= Self.fixesToRejoin else { return }
        rejoining = nil
        deviation = Deviation()
        progress.state = .onRoute
        // How it came here says nothing of its pace.
        pace = .nan
        settle(at: place, fix, search.horizon)
    }
}

// MARK: - What follows from it

extension Tracker {
    /// Below this a receiver's speed is noise and the vehicle stands, metres a second.
    private static var standingSpeed: Double { 0.5 }

    private mutating func settle(at place: Candidate, _ fix: Fix, _ horizon: FixHorizon) {
        let advance = place.along - along
        let isFirst = progress.along.isNaN
        let stands = fix.speed < Self.standingSpeed
        let wanders = stands && stood && advance < Self.wandering
        if isFirst || (advance > 0 && !wanders) { move(to: place) }
        stood = stands
        notePace(advance: isFirst ? .nan : max(advance, 0))
        unmatched = 0
        progress.crossTrack = place.crossTrack
        if progress.remainingDistance <= arrivalRadius
            && horizon.distance(to: route.positions[route.count - 1]) <= max(Self.corridor(of: fix), arrivalRadius)
        {
            progress.state = .arrived
        }
    }

    private mutating func move(to place: Candidate) {
        // Behind the progress so far only where the route is rejoined within the noise.
        let isAhead = place.along >= along
        if isAhead {
            along = place.along
            segment = place.segment
            estimator.move(to: route.seconds(place.segment, place.fraction))
        }
        progress.along = along
        progress.snapped = isAhead ? route.place(place.segment, place.fraction) : route.coordinate(along: along)
        progress.course = place.direction.bearing
        while progress.leg < route.legCount - 1 && along >= route.legEndAlong(progress.leg) { progress.leg += 1 }
        progress.remainingDistance = route.length - along
        progress.remainingDuration = estimator.remaining(toVertex: route.count - 1, of: route)
    }

    /// Smoothed over about ten seconds.
    private mutating func notePace(advance: Double) {
        let latest = advance / unmatched
        guard latest.isFinite else { return }
        pace = pace.isNaN ? latest : pace + (latest - pace) * min(unmatched / 10, 1)
    }
}
