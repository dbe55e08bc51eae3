import Navigation
import Reporting

/// The host's calls about the route being followed, and carrying the position on along it.
extension ReporterSession {
    /// Follows a route, or none. One in the place of another begins anew, with the configuration's radius and speed.
    public func setRoute(_ route: Route?) {
        state.with { $0.set(route, configuration) }
        loop.mailbox.wake()
    }

    /// Guidance of the host's own, or ours again.
    public func setGuidance(_ guidance: HostGuidance?) { handle(.guidance(guidance)) }

    public func skipWaypoint(_ waypoint: UInt32) throws(HostError) {
        try changeTracker(tellsEvents: true) { tracker throws(HostError) in try tracker.skip(waypoint) }
    }

    public func setDwell(_ seconds: Double, at waypoint: UInt32) throws(HostError) {
        try changeTracker { tracker throws(HostError) in try tracker.setDwell(seconds, at: waypoint) }
    }

    public func setWaypointRadius(_ metres: Double, at waypoint: UInt32) throws(HostError) {
        try changeTracker { tracker throws(HostError) in try tracker.setWaypointRadius(metres, at: waypoint) }
    }

    /// The tracker, to be saved.
    public func followedTracker() throws(HostError) -> Tracker {
        guard let tracker = state.with({ $0.tracker }) else { throw noRoute }
        return tracker
    }

    public func restoreProgress(_ bytes: [UInt8]) throws(HostError) {
        try changeTracker { tracker throws(HostError) in try tracker.restore(saved: bytes) }
    }

    /// Changes the tracker, and tells what that gives: the progress, and the events where they are of the change.
    private func changeTracker(
        tellsEvents: Bool = false, _ change: (inout Tracker) throws(HostError) -> Void
    ) throws(HostError) {
        try state.with { state throws(HostError) in
            guard var tracker = state.tracker else { throw noRoute }
            try change(&tracker)
            state.tracker = tracker
            state.changes.isTrackerUrgent = true
            if tellsEvents { state.tell(tracker.events) }
            state.tellProgress(at: state.lastFix?.time ?? .nan)
            state.note(.progress(tracker.progress, estimate: nil))
        }
        loop.mailbox.wake()
    }

    private var noRoute: HostError { HostError(.state, "no route is followed: call milepost_reporter_set_route first") }
}

extension ReporterSession.State {
    mutating func follow(_ route: Route?, _ configuration: Configuration) {
        changes.route += 1
        note(.route(route))
        guard let route else {
            tracker = nil
            return
        }
        guard tracker != nil else {
            tracker = Tracker(route: route, arrivalRadius: configuration.arrivalRadius, speed: configuration.speed)
            return
        }
        tracker?.replaceRoute(with: route)
        if let tracker { tell(tracker.events) }
        tellProgress(at: lastFix?.time ?? .nan)
    }

    /// No fix comes: the position is carried on where that is wanted, and is stale after a while.
    mutating func reckon(at instant: Instant, carriesOn: Bool) {
        let now = Double(instant) / 1e9
        guard let progress = tracker?.reckon(at: now, carriesOn: carriesOn), let tracker, let lastFix,
            progress.isEstimated || tracker.events.count > 0
        else { return }
        let silence = tracker.silence(at: now)
        tell(tracker.events)
        tellProgress(at: lastFix.time + silence)
        note(.progress(progress, estimate: tracker.estimatedFix(after: lastFix, silence: silence)))
    }

    mutating func tell(_ events: TrackerEvents) {
        if events.count > 0 { notices.append(.routeEvents(events)) }
    }

    mutating func tellProgress(at time: Double) { notices.append(.progress(tracker, time)) }
}
