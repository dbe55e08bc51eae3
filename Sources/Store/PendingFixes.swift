import Navigation

/// Fixes that are not on disk yet, oldest first.
struct PendingFixes {
    private var entries: [Entry] = []

    private struct Entry {
        var id: Int64
        var fix: Fix
    }

    var count: Int { entries.count }

    mutating func append(_ fix: Fix, id: Int64) { entries.append(Entry(id: id, fix: fix)) }

    mutating func removeAll() { entries.removeAll(keepingCapacity: true) }

    mutating func remove(through last: Int64) { entries.removeAll { $0.id <= last } }

    func forEach<Failure>(_ body: (Int64, Fix) throws(Failure) -> Void) throws(Failure) {
        for entry in entries { try body(entry.id, entry.fix) }
    }

    /// Drops by the ``DropPolicy`` what is over `limit` and after an id; gives how many.
    mutating func makeRoom(_ limit: Int, after guarded: Int64, sparsest: Double) -> Int {
        let before = entries.count
        guard before > limit else { return 0 }
        let first = entries.firstIndex { $0.id > guarded } ?? before
        let older = entries[first...].prefix(DropPolicy.thinned(of: before - first)).map { $0.fix.time }
        for index in DropPolicy.thin(older, sparsest: sparsest).reversed() { entries.remove(at: first + index) }
        if entries.count > limit {
            entries.removeSubrange(first..<min(entries.count, first + entries.count - DropPolicy.kept(of: limit)))
        }
        return before - entries.count
    }
}
