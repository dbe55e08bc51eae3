/// What a host has set for a waypoint.
struct WaypointSettings: Sendable {
    var isLeftOut = false
    /// Metres; NaN where the common one counts.
    var radius = Double.nan
}

/// What is known of the next waypoint while it is approached.
struct StopWatch: Sendable {
    /// Metres of the nearest fix from it.
    var nearest = Double.infinity
    /// Whether the arrival there has been told.
    var isTold = false
    /// Seconds that the vehicle has stood.
    var standing = 0.0
    /// For each waypoint; empty while nothing is set.
    var settings: [WaypointSettings] = []
}

/// Passing waypoints, and arriving.
extension Tracker {
    /// Of standing at a waypoint until it counts as visited, seconds.
    private static var secondsAtWaypoint: Double { 5 }
    /// And at the last, wherever progress is: longer than most red lights last.
    private static var secondsAtEnd: Double { 30 }
    /// Seconds without a match after which nobody saw the vehicle pass.
    private static var unseenGap: Double { 10 }

    /// Metres before the end from which the vehicle has arrived.
    @inline(__always)
    var endRadius: Double { min(radius(of: route.legCount - 1), max(route.length / 10, 10)) }

    /// Notes how far the vehicle is from the next waypoint, where that may matter.
    @inline(__always)
    mutating func noteDistance(_ horizon: FixHorizon) {
        let end = route.legEnds[progress.leg]
        guard progress.state.isOffRoute || route.along[end] - here < 600 else { return }
        stop.nearest = min(stop.nearest, horizon.distance(to: route.positions[end]))
    }

    /// Tells of every waypoint that progress has reached. `before`: where it was; NaN when the vehicle was found here.
    mutating func passWaypoints(from before: Double, to place: Candidate, _ fix: Fix) {
        while progress.leg < route.legCount - 1 && (along >= route.legEndAlong(progress.leg) || isSkipped(progress.leg)) {
            if !stop.isTold && !isSkipped(progress.leg) { tellPassing(progress.leg, from: before, to: place, fix) }
            nextLeg()
        }
    }

    private mutating func nextLeg() {
        progress.leg += 1
        stop.nearest = .infinity
        stop.isTold = false
    }

    private mutating func tellPassing(_ waypoint: Int, from before: Double, to place: Candidate, _ fix: Fix) {
        let end = route.legEndAlong(waypoint)
        var missed = stop.nearest
        let advance = along - before
        // Driven continuously, the vehicle was abeam of it between two fixes.
        let speed = fix.speed >= 0 ? fix.speed : pace
        if unmatched <= Self.unseenGap && advance <= 1.5 * speed * unmatched + 30 { missed = min(missed, abs(place.crossTrack)) }
        if missed <= radius(of: waypoint) {
            events.append(event(.waypointArrived, .reached, fix, waypoint: waypoint, distance: missed))
        } else if before.isNaN {
            events.append(event(.waypointMissed, .leftOut, fix, waypoint: waypoint, distance: missed.isFinite ? missed : .nan))
        } else if unmatched > Self.unseenGap {
            var passed = event(.waypointPassed, .duringGap, fix, waypoint: waypoint)
            passed.time -= unmatched * (along - end) / max(advance, 1)
            events.append(passed)
        } else {
            events.append(event(.waypointPassed, .reached, fix, waypoint: waypoint, distance: missed))
        }
    }

    func isSkipped(_ waypoint: Int) -> Bool { waypoint < stop.settings.count && stop.settings[waypoint].isLeftOut }

    @inline(__always)
    private func radius(of waypoint: Int) -> Double {
        guard waypoint < stop.settings.count else { return arrivalRadius }
        let own = stop.settings[waypoint].radius
        return own.isNaN ? arrivalRadius : own
    }

    mutating func set(_ waypoint: Int, _ change: (inout WaypointSettings) -> Void) {
        guard waypoint >= 0 && waypoint < route.legCount else { return }
        if stop.settings.isEmpty { stop.settings = Array(repeating: WaypointSettings(), count: route.legCount) }
        change(&stop.settings[waypoint])
    }

    /// Leaves a waypoint out: nothing is told of it when it is passed, and when it is the next, the leg after it is the one being driven. False for the
    /// last one, one already passed and one that does not exist. No time is spent there.
    @discardableResult
    public mutating func skipWaypoint(_ waypoint: Int) -> Bool {
        guard waypoint >= progress.leg && waypoint < route.legCount - 1 && !isSkipped(waypoint) else { return false }
        events.removeAll()
        set(waypoint) { $0.isLeftOut = true }
        while progress.leg < route.legCount - 1 && isSkipped(progress.leg) {
            let missed = stop.nearest.isFinite ? stop.nearest : .nan
            if !stop.isTold {
                events.append(
                    TrackerEvent(kind: .waypointMissed, reason: .requested, waypoint: progress.leg, distance: missed, time: clock.time))
            }
            nextLeg()
        }
        estimate { estimator, route, _ in estimator.setDwell(0, waypoint: waypoint, of: route) }
        return true
    }

    // MARK: Arriving

    mutating func arrive(_ reason: TrackerEvent.Reason, _ fix: Fix) {
        guard progress.state != .arrived else { return }
        progress.state = .arrived
        events.append(event(.arrived, reason, fix, waypoint: route.legCount - 1))
    }

    /// Whoever stands near a waypoint has come to it, and near the last one even where a part of the route was left out.
    mutating func noteStanding(_ fix: Fix, _ gap: Double) {
        guard fix.speed < Self.standingSpeed else {
            stop.standing = 0
            return
        }
        stop.standing += gap
        guard stop.standing >= Self.secondsAtWaypoint && progress.state != .arrived && progress.state != .acquiring else { return }
        let horizon = FixHorizon(at: fix.coordinate)
        if progress.leg < route.legCount - 1 {
            standAtWaypoint(horizon, fix)
        }
        if stop.standing >= Self.secondsAtEnd { standAtEnd(horizon, fix) }
    }

    private mutating func standAtWaypoint(_ horizon: FixHorizon, _ fix: Fix) {
        let distance = horizon.distance(to: route.positions[route.legEnds[progress.leg]])
        guard !stop.isTold && distance <= radius(of: progress.leg) && events.first(.leftRoute) == nil else { return }
        stop.isTold = true
        events.append(event(.waypointArrived, .stood, fix, waypoint: progress.leg, distance: distance))
    }

    private mutating func standAtEnd(_ horizon: FixHorizon, _ fix: Fix) {
        let mayBeThere = progress.state.isOffRoute || progress.leg == route.legCount - 1
        // Where a loop ends it also begins.
        guard mayBeThere && !(route.isLoop && along < 0.9 * route.length) && events.first(.leftRoute) == nil else { return }
        let last = route.positions[route.count - 1]
        guard horizon.distance(to: last) <= endRadius else { return }
        let segment = route.lastSegment
        let start = horizon.sight(route.positions[segment])
        let end = horizon.sight(route.positions[segment + 1])
        let place = Candidate(
            segment: segment, fraction: 1, along: route.length, offset: Offset(end), direction: Offset(end - start),
            distance: Offset(end).square.squareRoot(), agreement: 1)
        move(to: place, fix, joins: true)
        progress.crossTrack = place.crossTrack
        unmatched = 0
        arrive(.stood, fix)
    }
}
