import Navigation

/// Fixes that the server has not taken: appended as they come, handed out oldest first in batches, removed once the server has confirmed them.
///
/// Bounded by ``BacklogLimits``: those over age go first, then it is thinned (every second of the older half, but for its first and last), then the
/// oldest go. A batch that is under way stays whole.
///
/// Nothing here fails: what cannot be written is kept in memory, up to ``memoryLimit`` fixes by the same policy, and ``failure`` says why until it has
/// been. What is not on disk when the backlog is let go is written then.
///
/// An append takes some microseconds; one in ``BacklogLimits/commitCount`` waits for the disk, a few milliseconds, as do the calls for batches.
/// Thinning, once in thousands of fixes, takes about 1.5 µs for each that is kept. `now` is a monotonic time in nanoseconds.
public final class Backlog {
    let database: Database
    private let fixes: FixTable
    private let mark: Statement
    private let limits: BacklogLimits

    /// Not on disk yet.
    private var pending = PendingFixes()
    /// On disk and neither confirmed nor given up.
    private var stored: Int
    private var nextID: Int64
    private var flight: Flight?
    /// All up to this id are confirmed or given up, be they still on disk.
    private var gone: Int64 = 0
    private var isWritten = true
    /// Of the last two fixes appended, seconds since 1970. One wild time must not make all others old.
    private var newestTimes = (Double.infinity, Double.infinity)

    /// When ``flush(at:)`` is wanted; .max when all is on disk.
    public private(set) var deadline = Int64.max
    /// Why the last writing failed, in which case it is tried again; nil since it worked.
    public private(set) var failure: StoreError?
    /// How many fixes the limits and the server's refusals have cost since the store was opened.
    public private(set) var dropped = 0

    /// Most fixes in memory while the disk takes none.
    public static var memoryLimit: Int { 512 }

    /// The batch under way: all that is left up to an id.
    private struct Flight {
        var last: Int64
        var attempt: Int64
    }

    init(_ database: Database, _ limits: BacklogLimits) throws(StoreError) {
        self.database = database
        self.limits = limits
        fixes = try FixTable(database)
        mark = try database.prepare("INSERT OR REPLACE INTO backlog VALUES(1,?,?,?)")
        stored = try fixes.count(after: 0)
        let newest = try fixes.newestTwo()
        nextID = max(newest.first?.id ?? 0, 0) &+ 1
        for entry in newest.reversed() { noteTime(entry.time) }
        try readMark()
        // No honest file comes near, and ids must not overflow.
        guard (1..<Int64.max / 2).contains(nextID) else { throw StoreError(.damaged, "the backlog has run out of ids") }
    }

    deinit { flush(at: 0) }

    private func readMark() throws(StoreError) {
        try database.prepare("SELECT next_id, flight_last, attempt FROM backlog WHERE row = 1").forFirstRow { row throws(StoreError) in
            if let last = row.integer(1), let attempt = row.integer(2), (1..<nextID).contains(last),
                (0...Int64(Int32.max)).contains(attempt)
            {
                flight = Flight(last: last, attempt: attempt)
            }
            nextID = max(nextID, row.integer(0) ?? 0)
        }
    }

    /// Fixes kept.
    public var count: Int { stored + pending.count }

    /// Keeps a fix; not one without a time or a valid position, for which Fleet Engine would refuse the whole update.
    public func append(_ fix: Fix, at now: Int64) {
        guard let fix = fix.keepable else { return }
        pending.append(fix, id: nextID)
        nextID += 1
        noteTime(fix.time)
        changed(at: now)
        if now >= deadline || (failure == nil && pending.count >= limits.commitCount) { flush(at: now) }
        dropped += pending.makeRoom(Self.memoryLimit, after: guarded, sparsest: limits.sparsest)
    }

    /// The batch that is under way, the same as before; else the oldest fixes, which are under way from now on. nil when there are none.
    public func batch(atMost count: Int, at now: Int64) -> Batch? {
        do throws(StoreError) {
            guard let rows = try sendable(atMost: min(max(count, 1), limits.count / 2)) else { return nil }
            return embark(rows, at: now)
        } catch {
            failure = error
            return nil
        }
    }

    /// The server has taken it: it is removed. A batch that is no longer under way changes nothing.
    public func confirm(_ batch: Batch, at now: Int64) {
        guard flight?.last == batch.id else { return }
        remove(through: batch.id)
        written(at: now)
    }

    /// The server will not take it as it is (400, 413): its first half is tried next; a single fix is given up.
    public func refuse(_ batch: Batch, at now: Int64) {
        guard flight?.last == batch.id else { return }
        if let middle = batch.middle {
            flight = Flight(last: middle, attempt: 0)
        } else {
            remove(through: batch.id)
            dropped += 1
        }
        written(at: now)
    }

    /// Forgets all of it, as when it is another vehicle's.
    public func removeAll(at now: Int64) {
        remove(through: nextID - 1)
        written(at: now)
    }

    /// Writes what has not been.
    public func flush(at now: Int64) {
        guard !isWritten else { return }
        do throws(StoreError) {
            var lost = 0
            try database.transaction { () throws(StoreError) in lost = try write() }
            stored += pending.count - lost
            dropped += lost
            pending.removeAll()
            isWritten = true
            deadline = .max
            failure = nil
        } catch {
            failure = error
            deadline = later(than: now)
        }
    }
}

extension Backlog {
    /// Up to this id nothing is dropped by the limits.
    private var guarded: Int64 { max(gone, flight?.last ?? 0) }

    private func write() throws(StoreError) -> Int {
        try fixes.remove(after: 0, through: gone)
        try pending.forEach { id, fix throws(StoreError) in try fixes.insert(fix, id: id) }
        let horizon = min(newestTimes.0, newestTimes.1) - limits.age
        let lost = try fixes.makeRoom(limits, of: stored + pending.count, after: guarded, horizon: horizon)
        try mark.run([
            .integer(nextID), flight.map { .integer($0.last) } ?? .null, flight.map { .integer($0.attempt) } ?? .null,
        ])
        return lost
    }

    private typealias Rows = (ids: [Int64], fixes: [Fix])

    /// Rows to send, at least one fix among them. What a damaged file holds instead of fixes is removed.
    private func sendable(atMost count: Int) throws(StoreError) -> Rows? {
        while true {
            let rows = try oldest(atMost: count)
            if !rows.fixes.isEmpty { return rows }
            guard let last = rows.ids.last ?? flight?.last else { return nil }
            remove(through: last)
        }
    }

    /// The rows under way, else the oldest.
    private func oldest(atMost count: Int) throws(StoreError) -> Rows {
        let last = flight?.last ?? .max
        let limit = flight == nil ? count : limits.count / 2
        var rows: Rows = ([], [])
        try fixes.forEach(after: gone, atMost: limit) { id, fix in
            guard id <= last else { return false }
            rows.ids.append(id)
            if let fix { rows.fixes.append(fix) }
            return true
        }
        pending.forEach { id, fix in
            guard id <= last, rows.ids.count < limit else { return }
            rows.ids.append(id)
            rows.fixes.append(fix)
        }
        return rows
    }

    private func embark(_ rows: Rows, at now: Int64) -> Batch? {
        guard let last = rows.ids.last else { return nil }
        let attempt = min((flight?.attempt ?? 0) + 1, Int64(Int32.max))
        flight = Flight(last: last, attempt: attempt)
        written(at: now)
        let half = rows.ids.count / 2
        return Batch(fixes: rows.fixes, attempt: Int(attempt), id: last, middle: half > 0 ? rows.ids[half - 1] : nil)
    }

    /// Ends what is under way.
    private func remove(through last: Int64) {
        stored -= (try? fixes.count(after: gone, through: last)) ?? 0
        pending.remove(through: last)
        gone = max(gone, last)
        flight = nil
    }

    private func changed(at now: Int64) {
        isWritten = false
        if deadline == .max { deadline = later(than: now) }
    }

    private func written(at now: Int64) {
        changed(at: now)
        flush(at: now)
    }

    private func later(than now: Int64) -> Int64 {
        let (sum, overflow) = now.addingReportingOverflow(Int64(limits.commitSeconds) * 1_000_000_000)
        return overflow ? .max - 1 : sum
    }

    private func noteTime(_ time: Double) { newestTimes = (newestTimes.1, time) }
}
