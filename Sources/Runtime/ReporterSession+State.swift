import CSystem
import FleetEngine
import Navigation
import Reporting
import Store

/// What an earlier run has left.
struct RestoredState {
    var desired: DesiredState
    var route: Route?
    var tracker: [UInt8]?
    var batch: PastFixes?
}

/// What of the state is to be saved, besides what can be compared.
struct StateChanges {
    /// Counts the routes that have been followed, none among them.
    var route = 0
    /// The route is a restored one, and the host has not set any yet.
    var isRouteRestored = false
    /// The host has changed the tracker.
    var isTrackerUrgent = false
}

/// What is to be saved, as it was at one moment.
struct StateSnapshot {
    var desired = DesiredState()
    var routeNumber: Int
    /// Where it is not on disk.
    var route: Route?
    /// Where it is to be saved.
    var tracker: [UInt8]?
    var leg = 0

    init(_ state: inout ReporterSession.State, _ configuration: Configuration, for keeper: StateKeeper, at now: Instant) {
        let reporter = state.reporter
        if reporter.vehicleID != configuration.vehicle { desired.vehicle = reporter.vehicleID }
        if reporter.interval != Reporter.clamped(configuration.interval) { desired.interval = reporter.interval }
        desired.isTracking = reporter.isTracking
        desired.vehicleState = reporter.vehicleState
        desired.isOfflineDue = reporter.isOfflineDue
        desired.stops = reporter.stops.stops
        desired.areStopsDue = reporter.areStopsDue
        routeNumber = state.changes.route
        guard let tracker = state.tracker else { return }
        if routeNumber != keeper.savedRoute { route = tracker.route }
        leg = tracker.progress.leg
        guard state.changes.isTrackerUrgent || keeper.wantsTracker(on: leg, at: now) else { return }
        state.changes.isTrackerUrgent = false
        var bytes: [UInt8] = []
        tracker.save(into: &bytes)
        self.tracker = bytes
    }
}

extension ReporterSession {
    /// Saves what has changed, and tells how the keeping goes.
    func keepState() {
        guard let keeper else { return }
        let now = mp_clock_boot_ns()
        keeper.save(state.change { StateSnapshot(&$0, configuration, for: keeper, at: now) }, at: now)
        keeper.act(at: now)
        for occurrence in keeper.takeOccurrences() { tell(.occurrence(occurrence)) }
    }

    func keep(_ step: BacklogStep) {
        if let batch = keeper?.carryOut(step, at: mp_clock_boot_ns()) { handle(.batch(batch)) }
    }

    /// As the power may go once it has stopped: the last fix and the last progress too.
    func finishKeeping() {
        guard let keeper else { return }
        if let fix = state.change({ $0.reporter.keepLast() }) { keep(.keep(fix)) }
        state.change { $0.changes.isTrackerUrgent = true }
        keepState()
        keeper.flush(at: mp_clock_boot_ns())
    }
}

extension ReporterSession.State {
    /// Goes on as an earlier run has ended.
    mutating func resume(_ restored: RestoredState, _ configuration: Configuration) {
        let desired = restored.desired
        var events: [ReporterEvent] = []
        if let id = desired.vehicle { events.append(.vehicle(id: id)) }
        if let interval = desired.interval { events.append(.interval(interval)) }
        if desired.isTracking { events += [.tracking(true), .vehicleState(desired.vehicleState)] }
        // Nothing is under way, so nothing is to be done but what is resumed last.
        for event in events { _ = reporter.note(event, at: mp_clock_boot_ns()) }
        reporter.resume(restored.batch, isOfflineDue: desired.isOfflineDue)
        // An empty list may be due: the last stop has been completed. One that cannot be must not be taken for it.
        if let stops = desired.stops.isEmpty ? StopList() : try? StopList(desired.stops) {
            reporter.resumeStops(stops, areDue: desired.areStopsDue)
        }
        guard let route = restored.route else { return }
        follow(route, configuration)
        changes.isRouteRestored = true
        guard let bytes = restored.tracker, (try? tracker?.restore(bytes)) != nil, let tracker else { return }
        note(.progress(tracker.progress, estimate: nil))
    }

    /// The host sets a route. The same as was restored changes nothing: a host may set it at each start.
    mutating func set(_ route: Route?, _ configuration: Configuration) {
        defer { changes.isRouteRestored = false }
        if changes.isRouteRestored, let route, tracker?.route.isSame(as: route) == true { return }
        follow(route, configuration)
    }
}
