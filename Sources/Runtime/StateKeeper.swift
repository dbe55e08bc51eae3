import FleetEngine
import Navigation
import Reporting
import Store

/// What a reporter keeps for the time after a power cycle, in the directory that the host names, and the fixes that wait for the server. Used by the
/// loop alone, once it has been made. Where the directory cannot be used it goes on in memory.
final class StateKeeper {
    /// What could not be saved is tried again after so many nanoseconds.
    private static let patience: Instant = 10_000_000_000
    /// The progress on a route is saved at most so often, but for a new leg and what the host changes: flash wears out.
    private static let trackerInterval: Instant = 30_000_000_000
    /// Dropped fixes are told of at most so often.
    private static let dropInterval: Instant = 60_000_000_000

    private let directory: String?
    private let limits: BacklogLimits
    /// Whose state it is. What was kept for another is not taken up.
    private let owner: String
    private var store: Store?
    private var batch: Batch?

    private var saved: DesiredState?
    /// Which of the routes that have been followed is on disk.
    private(set) var savedRoute = 0
    private var savedLeg = 0
    private var trackerDue = Instant.min
    /// When to save again after a failure; nil while there is none.
    private var retry: Instant?

    /// The store is to be let go and opened again, once nobody is at it.
    private var isDamaged = false
    private var isFailing = false
    private var droppedTold = 0
    private var dropsDue = Instant.min
    private var occurrences: [Occurrence] = []

    /// nil when nothing is to be kept.
    init?(_ configuration: Configuration) {
        guard configuration.stateDirectory != nil || configuration.backlogLimits != nil else { return nil }
        directory = configuration.stateDirectory
        limits = configuration.backlogLimits ?? .ofReporter()
        owner = "\(configuration.service == .delivery ? "delivery" : "on-demand") \(configuration.provider) \(configuration.vehicle)"
        open()
    }

    private func open() {
        batch = nil
        // The damaged one holds the directory until it is let go.
        store = nil
        if let directory {
            do throws(StoreError) {
                let opened = try Store.open(in: directory, limits: limits)
                store = opened
                if case .damagedSetAside(let path) = opened.opening {
                    occur(.storeDamaged, "what was kept was damaged: it is now at \(path), and keeping begins anew")
                }
            } catch {
                occur(.storeUnusable, "\(error.message); until the reporter is made anew nothing survives a power cycle")
            }
        }
        if store == nil { store = try? Store(inMemory: limits) }
    }

    /// What an earlier run has left for this vehicle; nil when there is nothing.
    func restored(at now: Instant) -> RestoredState? {
        guard let store, store.opening == .existing, let desired = try? store.desired.load() else { return nil }
        guard desired.owner == owner else {
            store.backlog.removeAll(at: now)
            // The next turn saves this run's.
            savedRoute = -1
            return nil
        }
        saved = desired
        let route = (try? store.desired.loadRoute()).flatMap { $0 }.flatMap { Route.restored(from: $0) }
        // It will be the first that is followed.
        savedRoute = route == nil ? 0 : 1
        let tracker = (try? store.desired.loadTracker()).flatMap { $0 }
        return RestoredState(desired: desired, route: route, tracker: tracker, batch: next(atMost: PastFixes.most, at: now))
    }

    /// When ``act(at:)`` is wanted; .max for never.
    var deadline: Instant { min(store?.backlog.deadline ?? .max, retry ?? .max) }

    /// Writes what has waited long enough, and notices how that went.
    func act(at now: Instant) {
        guard let store else { return }
        if now >= store.backlog.deadline { store.backlog.flush(at: now) }
        if let failure = store.backlog.failure, retry == nil { failed(failure, at: now) }
        if isFailing, retry == nil, self.store?.backlog.failure == nil {
            isFailing = false
            occur(.storeUsable, "what is kept is on disk again")
        }
        let dropped = store.backlog.dropped
        guard dropped > droppedTold, now >= dropsDue else { return }
        occur(
            .fixesDropped, "kept fixes went before the server had them, by the limits or because it refuses them",
            count: dropped - droppedTold)
        droppedTold = dropped
        dropsDue = now &+ Self.dropInterval
    }

    /// Writes what waits, as before the power goes.
    func flush(at now: Instant) { store?.backlog.flush(at: now) }

    func takeOccurrences() -> [Occurrence] {
        defer { occurrences = [] }
        return occurrences
    }

    private func occur(_ kind: Occurrence.Kind, _ message: String, count: Int? = nil) {
        var occurrence = Occurrence(kind, message)
        occurrence.count = count
        occurrences.append(occurrence)
    }
}

/// Saving.
extension StateKeeper {
    func wantsTracker(on leg: Int, at now: Instant) -> Bool { leg != savedLeg || now >= trackerDue }

    /// Saves what has changed.
    func save(_ snapshot: StateSnapshot, at now: Instant) {
        guard now >= retry ?? .min else { return }
        retry = nil
        if isDamaged { return beginAnew(at: now) }
        var desired = snapshot.desired
        desired.owner = owner
        if desired != saved, attempt(at: now, { store throws(StoreError) in try store.desired.save(desired) }) { saved = desired }
        if snapshot.routeNumber != savedRoute,
            attempt(at: now, { store throws(StoreError) in try store.desired.save(route: snapshot.route?.saved()) })
        {
            savedRoute = snapshot.routeNumber
        }
        guard let tracker = snapshot.tracker, snapshot.routeNumber == savedRoute else { return }
        savedLeg = snapshot.leg
        trackerDue = now &+ Self.trackerInterval
        _ = attempt(at: now) { store throws(StoreError) in try store.desired.save(tracker: tracker) }
    }

    /// False when it is to be tried again.
    private func attempt(at now: Instant, _ body: (Store) throws(StoreError) -> Void) -> Bool {
        guard let store else { return true }
        do throws(StoreError) {
            try body(store)
            return true
        } catch {
            // It will be no smaller later.
            if error.kind == .tooLarge { occur(.storeUnusable, error.message) } else { failed(error, at: now) }
            return error.kind == .tooLarge
        }
    }

    /// The next turn saves all that is known.
    private func beginAnew(at now: Instant) {
        isDamaged = false
        retry = now
        open()
        saved = nil
        savedRoute = -1
        droppedTold = 0
    }

    private func failed(_ error: StoreError, at now: Instant) {
        if error.kind == .damaged {
            isDamaged = true
        } else if !isFailing {
            isFailing = true
            occur(.storeUnusable, "\(error.message); what is to be kept stays in memory until it can be written")
        }
        retry = now &+ Self.patience
    }
}

/// The backlog.
extension StateKeeper {
    /// Gives a batch where one is asked for.
    func carryOut(_ step: BacklogStep, at now: Instant) -> PastFixes? {
        switch step {
        case .keep(let fix): store?.backlog.append(fix, at: now)
        case .taken(let id): answered(id) { $0.confirm($1, at: now) }
        case .refused(let id): answered(id) { $0.refuse($1, at: now) }
        case .next(let most): return next(atMost: most, at: now)
        case .forget:
            batch = nil
            store?.backlog.removeAll(at: now)
        }
        return nil
    }

    private func answered(_ id: Int64, _ body: (Backlog, Batch) -> Void) {
        if let batch, batch.id == id, let store { body(store.backlog, batch) }
        batch = nil
    }

    private func next(atMost count: Int, at now: Instant) -> PastFixes? {
        guard let store, store.backlog.count > 0 else { return nil }
        batch = store.backlog.batch(atMost: count, at: now)
        return batch.map { PastFixes(id: $0.id, fixes: $0.fixes) }
    }
}

extension BacklogLimits {
    /// Each fix is written as it is kept: there are only some a minute, and only while the server is out of reach.
    public static func ofReporter(count: Int = 20_000, bytes: Int = 6_400_000, age: Double = 604_800) -> BacklogLimits {
        BacklogLimits(count: count, bytes: bytes, age: age, commitCount: 1)
    }
}
