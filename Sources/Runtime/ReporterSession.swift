import CSystem
import FleetEngine
import Navigation
import Positioning
import Reporting

/// One reporter: the state machine, the tracker and the fix gate behind one lock, and the loop that carries out what they want.
///
/// Any thread may call the host's half (this file). Each call changes the state at once, under the lock, and leaves what is to be done for
/// the loop (and ReporterSession+Loop.swift), which alone does I/O and calls the host's functions.
public final class ReporterSession: Session, @unchecked Sendable {
    /// What the listeners are to be told.
    enum Notice {
        case succeeded(SucceededUpdate)
        case failed(FailedUpdate)
        /// The second: of the fix or estimate, seconds since 1970; NaN when not known.
        case progress(Tracker?, Double)
        case routeEvents(TrackerEvents)
        case positionState(PositionState, String)
        case occurrence(Occurrence)
        case log(Log.Level, String)
    }

    struct State {
        var reporter: Reporter
        var tracker: Tracker?
        /// The last, with a time if that is known.
        var lastFix: Fix?
        var gate = FixGate()
        var pushedFixes = PushedFixes()
        var ledger = Ledger()
        var effects: [ReporterEffect] = []
        var notices = BoundedQueue<Notice>(capacity: 256)
        var changes = StateChanges()
    }

    let state: Guarded<State>
    let listeners = Listeners<Listener>()

    // Loop-confined.
    let keeper: StateKeeper?
    private var gpsd: GpsdConnection?
    private var gpsdIsStarted = false

    public override init(_ configuration: Configuration) throws(HostError) {
        if configuration.gpsd != nil {
            do throws(LibgpsMismatch) { try Libgps.check() } catch { throw HostError(.library, error.reason) }
        }
        state = Guarded(State(reporter: Reporter(try ReporterSettings(configuration))))
        keeper = StateKeeper(configuration)
        try super.init(configuration)
        if let restored = keeper?.restored(at: mp_clock_boot_ns()) { state.change { $0.resume(restored, configuration) } }
        gpsd = configuration.gpsd.map { address in
            GpsdConnection(loop: loop, address: address, seed: UInt64(bitPattern: mp_clock_boot_ns())) { [unowned(unsafe) self] in take($0)
            }
        }
    }

    // MARK: the host's calls

    public var isTracking: Bool { state.with { $0.reporter.isTracking } }
    public var interval: Int { state.with { $0.reporter.interval } }
    public var vehicleState: VehicleState { state.with { $0.reporter.vehicleState } }

    public func setTracking(_ tracking: Bool) { handle(.tracking(tracking)) }

    public func setInterval(_ seconds: Int) { handle(.interval(seconds)) }

    public func setVehicleState(_ vehicleState: VehicleState) throws(HostError) {
        guard configuration.service == .onDemand else {
            throw HostError(.state, "a delivery vehicle has no state: only an on-demand vehicle is ONLINE or OFFLINE")
        }
        try state.with { state throws(HostError) in
            guard vehicleState == .offline || state.reporter.isTracking else {
                throw HostError(.trackingOff, "ONLINE while tracking is off: call milepost_reporter_set_tracking(reporter, 1) first")
            }
            state.note(.vehicleState(vehicleState))
        }
        loop.mailbox.wake()
    }

    public func setVehicle(_ id: String) { handle(.vehicle(id: id)) }

    public func setTask(_ id: String?) { handle(.task(id: id)) }

    /// Takes a fix of the host's own.
    public func push(_ fix: Fix) throws(HostError) {
        try state.with { state throws(HostError) in
            switch state.admit(fix) {
            case .success:
                if configuration.gpsd == nil, let news = state.pushedFixes.arrived(at: mp_clock_boot_ns()) {
                    state.tell(news, "a fix was pushed")
                }
            case .failure(let rejection): throw HostError(.fix, rejection.text)
            }
        }
        loop.mailbox.wake()
    }

    public func add(_ listener: Listener) -> UInt64 { listeners.add(listener) }

    /// False when there is no such listener.
    public func removeListener(_ id: UInt64) -> Bool { listeners.remove(id) }

    /// Feeds the state machine and wakes the loop.
    func handle(_ event: ReporterEvent) {
        state.with { $0.note(event) }
        loop.mailbox.wake()
    }

    // MARK: the loop's half

    override var isSettled: Bool { state.with { $0.reporter.isSettled && $0.effects.isEmpty } }

    override var isConfirmed: Bool { state.with { $0.reporter.isConfirmed && $0.effects.isEmpty } }

    override var deadline: Instant {
        let own = state.with { min($0.reporter.deadline, $0.pushedFixes.deadline) }
        return min(own, gpsd?.deadline ?? .max, keeper?.deadline ?? .max)
    }

    override func act(at now: Instant) {
        if !gpsdIsStarted {
            gpsdIsStarted = true
            gpsd?.start()
        }
        gpsd?.act(at: now)
        state.with { state in
            if let counts = gpsd?.counts { state.ledger.note(gpsdDropped: counts.dropped, reconnects: counts.reconnects) }
            if let news = state.pushedFixes.act(at: now) { state.tell(news, "no fix was pushed for 5 s") }
        }
    }

    override func carryOutOnce() -> Bool {
        let (effects, notices) = state.with { state in
            let effects = state.effects + state.reporter.handle(.timer, at: mp_clock_boot_ns())
            state.effects = []
            for effect in effects { state.ledger.noted(effect, unixNow: unixMilliseconds) }
            return (effects, state.notices.takeAll())
        }
        for notice in notices { tell(notice) }
        for effect in effects { carryOut(effect) }
        if effects.isEmpty && notices.isEmpty {
            keepState()
            return false
        }
        return true
    }

    override func close() {
        gpsd?.close()
        gpsdIsStarted = false
    }

    override func finish() { finishKeeping() }

    override func mute(_ isMuted: Bool) { listeners.mute(isMuted) }

    override func answered(request id: UInt64, _ result: TransportResult) { handle(.response(id: id, result)) }

    override func answered(token id: UInt64, _ result: Result<FetchedToken, TokenFailure>) { handle(.token(id: id, result)) }
}

extension ReporterSession.State {
    /// Feeds the state machine; what follows is decided by the loop, with whatever is newest by then.
    mutating func note(_ event: ReporterEvent) {
        ledger.heard(event)
        if case .token(_, .success(let token)) = event { ledger.note(reporter.claims(of: token)) }
        let new = reporter.note(event, at: mp_clock_boot_ns())
        // While nobody drives the loop, fixes to be kept must not pile up.
        effects += effects.count < 1000 ? new : new.filter { if case .backlog(.keep) = $0 { false } else { true } }
    }

    mutating func tell(_ position: PositionState, _ detail: String) {
        ledger.note(position, detail)
        notices.append(.positionState(position, detail))
    }

    /// Checks a fix of the host's, and accepts it.
    mutating func admit(_ fix: Fix) -> Result<Void, FixRejection> {
        gate.admit(fix, now: Double(mp_clock_boot_ns()) / 1e9).map { accept($0) }
    }

    /// Follows the route with a plausible fix, and reports it.
    mutating func accept(_ fix: Fix) {
        // The tracker measures by the receiver's own clock, or by arrivals: never by a mixture with the host's.
        let progress = tracker?.update(fix, now: Double(mp_clock_boot_ns()) / 1e9)
        let stamped = fix.stamped(by: HostClock.now)
        lastFix = stamped
        if let tracker { tell(tracker.events) }
        tellProgress(at: stamped.time)
        note(.position(stamped, progress))
    }
}

extension ReporterSettings {
    init(_ configuration: Configuration) throws(HostError) {
        guard !configuration.provider.isEmpty else { throw HostError(.argument, "no provider id: call milepost_config_set_provider_id") }
        guard !configuration.vehicle.isEmpty else { throw HostError(.argument, "no vehicle id: call milepost_config_set_vehicle_id") }
        do throws(ResourceNameError) {
            try self.init(
                provider: configuration.provider, vehicle: configuration.vehicle, service: configuration.service, task: configuration.task,
                trip: configuration.trip)
        } catch { throw HostError(.argument, "\(error.value): \(error.rule)") }
        locationForm = configuration.locationForm
        sharesRoute = configuration.sharesRoute
        reckons = configuration.reckons
        waypointTolerance = configuration.waypointTolerance
        interval = configuration.interval
        isAdaptive = configuration.isAdaptive
        seed = UInt64(bitPattern: mp_clock_boot_ns())
        keepsFixes = configuration.stateDirectory != nil || configuration.backlogLimits != nil
        insistsOnOffline = configuration.stateDirectory != nil
    }
}
