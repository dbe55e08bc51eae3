import Navigation

/// The backlog's fixes on disk, by an id that grows.
struct FixTable {
    private let insertion: Statement
    private let selection: Statement
    private let times: Statement
    private let newest: Statement
    private let counting: Statement
    private let removal: Statement
    private let singleRemoval: Statement

    struct Entry {
        var id: Int64
        var time: Double
    }

    init(_ database: Database) throws(StoreError) {
        insertion = try database.prepare("INSERT INTO fix VALUES(?,?,?,?,?,?,?,?,?,?,?,?)")
        selection = try database.prepare("SELECT * FROM fix WHERE id > ? ORDER BY id LIMIT ?")
        times = try database.prepare("SELECT id, time FROM fix WHERE id > ? ORDER BY id LIMIT ?")
        newest = try database.prepare("SELECT id, time FROM fix ORDER BY id DESC LIMIT 2")
        counting = try database.prepare("SELECT count(*) FROM fix WHERE id > ? AND id <= ?")
        removal = try database.prepare("DELETE FROM fix WHERE id > ? AND id <= ?")
        singleRemoval = try database.prepare("DELETE FROM fix WHERE id = ?")
    }

    func insert(_ fix: Fix, id: Int64) throws(StoreError) {
        let flags: Int64 = (fix.isEstimated ? 1 : 0) | (fix.isSimulated ? 2 : 0)
        let measures = [
            fix.time, fix.coordinate.latitude, fix.coordinate.longitude, fix.accuracy, fix.speed, fix.heading, fix.altitude,
            fix.speedAccuracy, fix.headingAccuracy, fix.altitudeAccuracy,
        ]
        try insertion.run([.integer(id)] + measures.map { .real($0) } + [.integer(flags)])
    }

    /// Calls `body` with the oldest rows after an id until it returns false; nil for a fix that a damaged file holds.
    func forEach(after id: Int64, atMost count: Int, _ body: (Int64, Fix?) -> Bool) throws(StoreError) {
        try selection.forEachRow([.integer(id), .integer(Int64(count))]) { row throws(StoreError) in
            body(row.integer(0) ?? id, fix(row))
        }
    }

    /// Likewise, with the times alone.
    private func forEachTime(after id: Int64, atMost count: Int, _ body: (Entry) -> Bool) throws(StoreError) {
        try times.forEachRow([.integer(id), .integer(Int64(count))]) { row throws(StoreError) in
            body(Entry(id: row.integer(0) ?? id, time: row.real(1)))
        }
    }

    func count(after id: Int64, through last: Int64 = .max) throws(StoreError) -> Int {
        var count: Int64 = 0
        try counting.forFirstRow([.integer(id), .integer(last)]) { row throws(StoreError) in count = row.integer(0) ?? 0 }
        return Int(count)
    }

    /// The last two, the newest first.
    func newestTwo() throws(StoreError) -> [Entry] {
        var entries: [Entry] = []
        try newest.forEachRow { row throws(StoreError) in
            if let id = row.integer(0) { entries.append(Entry(id: id, time: row.real(1))) }
            return true
        }
        return entries
    }

    func remove(after id: Int64, through last: Int64) throws(StoreError) { try removal.run([.integer(id), .integer(last)]) }

    private func fix(_ row: Row) -> Fix? {
        var fix = Fix(coordinate: Coordinate(latitude: row.real(2), longitude: row.real(3)))
        fix.time = row.real(1)
        fix.accuracy = row.real(4)
        fix.speed = row.real(5)
        fix.heading = row.real(6)
        fix.altitude = row.real(7)
        fix.speedAccuracy = row.real(8)
        fix.headingAccuracy = row.real(9)
        fix.altitudeAccuracy = row.real(10)
        let flags = row.integer(11) ?? 0
        fix.isEstimated = flags & 1 != 0
        fix.isSimulated = flags & 2 != 0
        return fix.keepable
    }
}

/// Keeping within the limits.
extension FixTable {
    /// Drops what is over the limits and after an id; gives how many. `count`: of all that are kept, `horizon`: the earliest time to keep.
    func makeRoom(_ limits: BacklogLimits, of count: Int, after guarded: Int64, horizon: Double) throws(StoreError) -> Int {
        var left = count - (try removeAged(before: horizon, after: guarded))
        if left > limits.count { left -= try thin(after: guarded, sparsest: limits.sparsest) }
        if left > limits.count { left -= try removeOldest(left - DropPolicy.kept(of: limits.count), after: guarded) }
        return count - left
    }

    private func removeAged(before horizon: Double, after guarded: Int64) throws(StoreError) -> Int {
        var aged = 0
        var last = guarded
        try forEachTime(after: guarded, atMost: Int(Int32.max)) { entry in
            guard entry.time < horizon else { return false }
            aged += 1
            last = entry.id
            return true
        }
        if aged > 0 { try remove(after: guarded, through: last) }
        return aged
    }

    private func thin(after guarded: Int64, sparsest: Double) throws(StoreError) -> Int {
        var older: [Entry] = []
        try forEachTime(after: guarded, atMost: DropPolicy.thinned(of: try count(after: guarded))) { entry in
            older.append(entry)
            return true
        }
        let dropped = DropPolicy.thin(older.map { $0.time }, sparsest: sparsest)
        for index in dropped { try singleRemoval.run([.integer(older[index].id)]) }
        return dropped.count
    }

    private func removeOldest(_ count: Int, after guarded: Int64) throws(StoreError) -> Int {
        var removed = 0
        var last = guarded
        try forEachTime(after: guarded, atMost: count) { entry in
            removed += 1
            last = entry.id
            return true
        }
        try remove(after: guarded, through: last)
        return removed
    }
}
