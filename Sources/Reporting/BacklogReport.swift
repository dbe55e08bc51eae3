import FleetEngine
import Navigation

/// What of the kept fixes is to be told next, and when the next fix is to be kept.
struct BacklogReport {
    /// A fix that was due is kept when it has not gone out for so many seconds: a newer one often comes just as it does.
    static let grace: Int64 = 1

    private(set) var batch: PastFixes?
    /// A batch has been asked for.
    private var isAwaited = false
    /// Most fixes that the next batch may have: what the server took, and a little more.
    private(set) var limit = PastFixes.most
    /// The last update was taken, or none was tried yet.
    private(set) var isInReach = true
    /// The batch of an update that was refused: if the same is taken without it, it was the batch.
    private var suspect: Int64?
    /// When a fix was kept or tracking began.
    private var lastKept = Instant.min

    /// What goes out with a position now. While the server is out of reach the newest fix goes alone, so that little is sent in vain.
    var due: PastFixes? { isInReach ? batch : nil }

    mutating func take(_ batch: PastFixes) {
        guard isAwaited else { return }
        isAwaited = false
        self.batch = batch
    }

    mutating func ask() -> BacklogStep {
        isAwaited = true
        return .next(atMost: limit)
    }

    mutating func begin(at now: Instant) { lastKept = now }

    /// Whether a fix that has not gone out is to be kept: one for each interval.
    mutating func isDue(at now: Instant, lastSent: Instant?, interval: Int) -> Bool {
        let start = max(lastSent ?? .min, lastKept)
        guard now >= start.adding(seconds: Int64(interval) + Self.grace) else { return false }
        lastKept = now.adding(seconds: -Self.grace)
        return true
    }

    /// What the server's answer to an update means for the batch in it, or left out of it.
    mutating func confirmed(_ sent: Int64?) -> BacklogStep? {
        isInReach = true
        defer { suspect = nil }
        guard let batch, batch.id == sent || batch.id == suspect else { return nil }
        self.batch = nil
        if batch.id == sent {
            limit = min(limit + limit / 8 + 1, PastFixes.most)
            return .taken(batch.id)
        }
        limit = max(batch.fixes.count / 2, 1)
        return .refused(batch.id)
    }

    /// The update has not been taken; `isTooMuch`: the server says that it is wrong or too large.
    mutating func failed(_ sent: Int64?, isTooMuch: Bool) {
        isInReach = false
        if isTooMuch { suspect = sent }
    }
}

/// Fixes that were due but could not be told are kept, and told later with the newest.
extension Reporter {
    /// A newer fix is about to take the newest one's place.
    mutating func keepNewest() -> [ReporterEffect] {
        guard settings.keepsFixes, let fix = fixes.untold else { return [] }
        let isDue = fixes.wasTried || isTracking && backlog.isDue(at: now, lastSent: lastSent, interval: pace.interval)
        return isDue ? [.backlog(.keep(fix))] : []
    }

    /// The last fix before the power goes: it is told after the restart, unless it has been, and not before.
    public mutating func keepLast() -> Fix? {
        guard settings.keepsFixes, isTracking || fixes.wasTried, let fix = fixes.untold else { return nil }
        fixes = FixRecord()
        return fix
    }

    mutating func confirmBacklog(_ request: InFlight) -> [ReporterEffect] {
        guard settings.keepsFixes else { return [] }
        var effects: [ReporterEffect] = []
        if let step = backlog.confirmed(request.batch) { effects.append(.backlog(step)) }
        if isTracking, backlog.batch == nil { effects.append(.backlog(backlog.ask())) }
        return effects
    }

    /// The fix of a request that has failed is kept once there is a newer one.
    mutating func failBacklog(_ request: InFlight, httpStatus: Int) -> [ReporterEffect] {
        guard settings.keepsFixes else { return [] }
        backlog.failed(request.batch, isTooMuch: httpStatus == 400 || httpStatus == 413)
        guard let fix = request.fix, fix.time != fixes.newest?.time else { return [] }
        return [.backlog(.keep(fix))]
    }

    mutating func forgetBacklog() -> [ReporterEffect] {
        guard settings.keepsFixes else { return [] }
        backlog = BacklogReport()
        backlog.begin(at: now)
        return [.backlog(.forget)]
    }

    /// Takes up what an earlier run has left: a batch, and an OFFLINE that the server has not confirmed. Before the first event.
    public mutating func resume(_ batch: PastFixes?, isOfflineDue: Bool) {
        _ = backlog.ask()
        if let batch { backlog.take(batch) }
        if isOfflineDue, vehicle.service == .onDemand, !isTracking {
            state.change(to: .offline, isDue: true)
            isChangeNew = true
        }
    }

    /// The vehicle was to be told OFFLINE when tracking ended, and the server has not confirmed it.
    public var isOfflineDue: Bool { !isTracking && (state.isDue || state.isGivenUp) }
}
