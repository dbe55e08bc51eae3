/// A tracker's position as the last fix left it, while it is carried on.
struct Reckoning: Sendable {
    let progress: Progress
    var estimator: ArrivalEstimator
    let along: Double
    let here: Double
    let segment: Int

    init(_ tracker: Tracker) {
        progress = tracker.progress
        estimator = tracker.estimator
        along = tracker.along
        here = tracker.here
        segment = tracker.segment
    }
}

/// Through a gap, as in a tunnel: optional, for a host that asks.
extension Tracker {
    /// From this on a fix is late, seconds.
    public static var lateAfter: Double { 2 }
    /// And from this on the state is stale.
    public static var staleAfter: Double { 10 }
    /// How long and how far a position is carried on, seconds and metres: through most tunnels.
    public static var longestReckoning: Double { 60 }
    private static var furthestReckoning: Double { 2000 }
    /// Metres that an estimate may be off for each metre that it was carried on: how much pace differs from one minute to the next.
    private static var reckoningError: Double { 0.2 }

    /// Tells where the vehicle would be by now, at its last pace along the route, up to the next waypoint: an estimate, which the next fix replaces. After
    /// ten seconds without a fix the state is stale. Nil before the last fix is two seconds old, before the route is found, and after the arrival.
    /// `now`: on the clock of ``update(_:now:)``. `carriesOn`: false for the state alone: then it is nil until that is stale.
    public mutating func reckon(at now: Double, carriesOn: Bool = true) -> Progress? {
        events.removeAll()
        let silence = clock.silence(at: now)
        guard silence >= (carriesOn ? Self.lateAfter : Self.staleAfter) && progress.state != .acquiring && progress.state != .arrived else {
            return nil
        }
        let last = reckoning ?? Reckoning(self)
        reckoning = last
        if silence >= Self.staleAfter && progress.state != .stale {
            progress.state = .stale
            events.append(TrackerEvent(kind: .stale, reason: .noFix, waypoint: -1, distance: .nan, time: clock.time + silence))
        }
        let drives = carriesOn && last.progress.state.isFollowing && last.here == last.along && !stood && pace > 0
        if drives { carryOn(from: last, metres: min(pace * min(silence, Self.longestReckoning), Self.furthestReckoning)) }
        noteDurations()
        return progress
    }

    /// The estimate as a fix, `silence` seconds after the last; nil while nothing is carried on.
    public func estimatedFix(after last: Fix, silence: Double) -> Fix? {
        guard progress.isEstimated, let reckoning else { return nil }
        var fix = Fix(coordinate: progress.snapped)
        fix.time = last.time + silence
        fix.accuracy = last.accuracy + Self.reckoningError * (along - reckoning.along)
        fix.speed = pace
        fix.heading = progress.course
        fix.isEstimated = true
        return fix
    }

    /// Seconds since the last fix arrived, on the clock of ``update(_:now:)``; NaN before one, or without a clock.
    public func silence(at now: Double) -> Double { clock.silence(at: now) }

    private mutating func carryOn(from last: Reckoning, metres: Double) {
        along = max(min(last.along + metres, route.legEndAlong(progress.leg)), last.along)
        here = along
        segment = route.segment(at: along, near: last.segment)
        estimator = last.estimator
        estimator.move(to: route.seconds(along: along), along: along)
        progress.along = along
        progress.snapped = route.coordinate(along: along)
        progress.direction = route.direction(of: segment)
        progress.remainingDistance = route.length - along
        progress.isEstimated = true
    }

    /// Takes an estimate back, for a fix.
    mutating func endReckoning(_ fix: Fix) {
        guard let last = reckoning else { return }
        if progress.state == .stale { events.append(event(.resumed, .none, fix)) }
        reckoning = nil
        // The host may have skipped waypoints meanwhile.
        let leg = progress.leg
        progress = last.progress
        progress.leg = leg
        estimator = last.estimator
        along = last.along
        here = last.here
        segment = last.segment
    }
}
