import FleetEngine
import Navigation

/// Decides when a vehicle is reported to Fleet Engine and what is told: events and the time go in, what is to be done comes out. It reads no
/// clock and does no I/O of its own.
public struct Reporter {
    private(set) var settings: ReporterSettings
    var vehicle: VehicleName
    /// Of the event being handled.
    var now = Instant.min

    /// Whether the host wants updates.
    public internal(set) var isTracking = false
    /// When ``ReporterEvent/timer`` is wanted; .max for never.
    public private(set) var deadline = Instant.max

    var state = VehicleStateReport()
    var guidance = Guidance()
    var told = Told()
    var fixes = FixRecord()
    var stopReport: StopReport
    /// When the host's guidance is stale; .max without.
    var hostGuidanceEnd = Instant.max
    var waypointCheck: WaypointCheck
    var watch: FixWatch
    var tokens: TokenCache
    var backOff: BackOff
    var pace: Pace
    var backlog = BacklogReport()

    var inFlight: InFlight?
    var lastRequestID: UInt64 = 0
    var lastSent: Instant?
    /// What is due to be told has become so since the last request: it does not wait for a slot.
    var isChangeNew = false
    /// The last request is to be made again at once.
    var isResendDue = false
    /// Tracking has begun and no position has been sent since.
    var isFirstReportDue = false
    /// The server has said that there is no such vehicle, and has not taken an update since.
    var isMissing = false
    /// The last position was, and how many have been.
    var positionIsRejected = false
    public internal(set) var rejectedPositions = 0
    /// The last answer was 401, and a fresh token has been asked for since.
    var hasTriedFreshToken = false

    public init(_ settings: ReporterSettings) {
        self.settings = settings
        vehicle = settings.vehicle
        backOff = BackOff(Jitter(seed: settings.seed))
        stopReport = StopReport(Jitter(seed: settings.seed))
        pace = Pace(asked: settings.interval, isAdaptive: settings.isAdaptive)
        waypointCheck = WaypointCheck(tolerance: settings.waypointTolerance)
        watch = FixWatch(carriesOn: settings.reckons)
        tokens = TokenCache(settings.tokenContext(for: settings.vehicle))
    }

    /// Seconds between updates, as the host has asked.
    public var interval: Int { pace.asked }

    /// Seconds between updates, in force.
    public var currentInterval: Int { pace.interval }

    /// Fleet Engine's id of the vehicle reported for.
    public var vehicleID: String { vehicle.vehicle }

    /// As the host has set it last; always offline for a delivery vehicle, which has none.
    public var vehicleState: VehicleState { state.value }

    /// Nothing is outstanding and nothing waits to be told.
    public var isSettled: Bool { inFlight == nil && !tokens.isFetching && !isChangeDue && !stopReport.isDue }

    /// Settled, and the server knows the vehicle's state and stops.
    public var isConfirmed: Bool { isSettled && !state.isGivenUp && !stopReport.isGivenUp }

    /// Takes one event and does what is due. Effects are to be carried out in order.
    public mutating func handle(_ event: ReporterEvent, at now: Instant) -> [ReporterEffect] {
        var effects = note(event, at: now)
        effects += proceed()
        deadline = nextDeadline
        return effects
    }

    /// Takes one event and begins nothing: that is left to the next ``handle(_:at:)``, so that a reporter which nobody drives piles up no requests.
    public mutating func note(_ event: ReporterEvent, at now: Instant) -> [ReporterEffect] {
        self.now = now
        switch event {
        case .tracking(let on): track(on)
        case .batch(let batch): backlog.take(batch)
        case .vehicleState(let state): setState(state)
        case .stops(let list): if vehicle.service == .delivery { stopReport.set(list) }
        case .interval(let seconds): pace.ask(seconds)
        case .vehicle(let id): return change(to: id)
        case .task(let id):
            settings.task = id
            tokens.use(settings.tokenContext(for: vehicle))
        case .route(let route):
            watch.rest()
            guide { $0.follow(route) }
            waypointCheck.restart(hasRoute: route != nil)
        case .guidance(let host): take(host)
        case .position(let fix, let progress):
            watch.heard(progress, at: now)
            return take(fix, progress)
        case .progress(let progress, let estimate):
            guide { $0.advance(to: progress) }
            guard let estimate, estimate.time.isFinite else { break }
            let kept = keepNewest()
            fixes.take(estimate, isMeasured: false)
            return kept
        case .token(let id, let answer):
            if let failure = tokens.answered(id, answer, at: now) { return tokenFailed(failure) }
        case .response(let id, let result): return answered(id, result)
        case .timer: break
        }
        return []
    }

    /// To 5...60 s.
    public static func clamped(_ interval: Int) -> Int { Pace.clamped(interval) }

    private mutating func track(_ on: Bool) {
        guard on != isTracking else { return }
        isTracking = on
        isFirstReportDue = on
        backlog.begin(at: now)
        isChangeNew = true
        backOff.startAfresh()
        if !on, vehicle.service == .onDemand { state.change(to: .offline, isDue: true) }
    }

    private mutating func setState(_ wanted: VehicleState) {
        guard vehicle.service == .onDemand, isTracking || wanted == .offline else { return }
        if state.set(wanted) { isChangeNew = true }
    }

    private mutating func change(to id: String) -> [ReporterEffect] {
        guard id != vehicle.vehicle,
            let other = try? VehicleName(service: vehicle.service, provider: vehicle.provider, vehicle: id)
        else { return [] }
        let farewell = signOff()
        vehicle = other
        tokens.use(settings.tokenContext(for: other))
        inFlight?.isAbandoned = true
        waypointCheck.restart(hasRoute: guidance.route != nil)
        state.startAfresh()
        stopReport = StopReport(Jitter(seed: settings.seed))
        told = Told()
        fixes.startAfresh()
        backOff.reset()
        hasTriedFreshToken = false
        isMissing = false
        positionIsRejected = false
        isFirstReportDue = isTracking
        isChangeNew = true
        isResendDue = false
        return farewell + forgetBacklog()
    }

    /// The OFFLINE that the former vehicle is still to be told, where that can go out now: there is no later for it.
    private mutating func signOff() -> [ReporterEffect] {
        guard state.isDue, !isTracking, inFlight == nil, now >= backOff.hold, let bearer = tokens.text(at: now) else { return [] }
        return compose(bearer: bearer).map { [.send($0)] } ?? []
    }

    /// A fix without a time is no news that could be told: Fleet Engine refuses the whole update for it.
    private mutating func take(_ fix: Fix, _ progress: Progress?) -> [ReporterEffect] {
        guard fix.coordinate.isValid, fix.time.isFinite else { return [] }
        let kept = keepNewest()
        fixes.take(fix)
        guide { $0.advance(to: progress) }
        pace.motion?.heard(fix.coordinate, remaining: guidance.remainingDistance, at: now)
        return kept
    }

    /// What newly became due by a change of guidance does not wait for a slot.
    mutating func guide(_ change: (inout Guidance) -> Void) {
        let before = guidanceDue
        change(&guidance)
        let after = guidanceDue
        if after != before, !after.isEmpty { isChangeNew = true }
    }
}
