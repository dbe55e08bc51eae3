import CSQLite

/// A connection to an SQLite database that nobody else has open, used by one thread at a time. Nothing of it is shared: no shared memory, no
/// memory mapping, no temporary files.
///
/// Every transaction is on the disk when it has been committed (`synchronous=FULL`), so a power cut loses none.
final class Database {
    let handle: OpaquePointer
    private let path: String
    /// Held as long as the connection, and its statements, live.
    private let directory: StateDirectory?

    /// Most pages of 4096 bytes that the database may have.
    static var pageLimit: Int64 { 16_384 }

    /// The directory's database.
    convenience init(in directory: StateDirectory) throws(StoreError) {
        try directory.makeDatabase()
        try self.init(path: directory.database, directory)
    }

    /// A database in memory, gone with this object.
    convenience init() throws(StoreError) { try self.init(path: ":memory:", nil) }

    private init(path: String, _ directory: StateDirectory?) throws(StoreError) {
        self.path = path
        self.directory = directory
        var opened: OpaquePointer?
        let code = mp_db_open(path, 250, &opened)
        guard let opened else { throw StoreError(.inputOutput, "\(path): out of memory") }
        handle = opened
        try check(code)
        // An exclusive lock before the first use keeps the log's index out of shared memory, which a full disk turns into SIGBUS.
        try execute("PRAGMA locking_mode=EXCLUSIVE; PRAGMA mmap_size=0; PRAGMA temp_store=MEMORY; PRAGMA cell_size_check=ON")
    }

    deinit { mp_db_close(handle) }

    /// Begins to write: after the file has been found to be one of ours.
    func beginLogging() throws(StoreError) {
        try execute("PRAGMA cache_size=-512; PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL")
        try execute("PRAGMA wal_autocheckpoint=256; PRAGMA journal_size_limit=1048576")
        try limit(pages: Self.pageLimit)
    }

    /// The limit is no less than what the database has.
    func limit(pages: Int64) throws(StoreError) { _ = try integer("PRAGMA max_page_count=\(pages)") }

    func execute(_ sql: String) throws(StoreError) { try check(mp_db_execute(handle, sql)) }

    func prepare(_ sql: String) throws(StoreError) -> Statement { try Statement(sql, of: self) }

    /// The first column of the first row.
    func integer(_ sql: String) throws(StoreError) -> Int64? {
        var value: Int64?
        try prepare(sql).forFirstRow { row throws(StoreError) in value = row.integer(0) }
        return value
    }

    /// Does all of `body` or, when it throws, nothing.
    func transaction(_ body: () throws(StoreError) -> Void) throws(StoreError) {
        try execute("BEGIN IMMEDIATE")
        do throws(StoreError) {
            try body()
            try execute("COMMIT")
        } catch {
            // It may have been rolled back already.
            _ = mp_db_execute(handle, "ROLLBACK")
            throw error
        }
    }

    /// Throws unless the code says that all is well.
    func check(_ code: Int32) throws(StoreError) {
        if code == MP_DB_OK || code == MP_DB_ROW || code == MP_DB_DONE { return }
        let problem = "\(path): \(String(cString: mp_db_message(handle)))"
        switch Int(code) {
        // Our statements are sound: what cannot be prepared meets tables that are not ours.
        case MP_DB_CORRUPT, MP_DB_NOT_A_DATABASE, MP_DB_ERROR: throw StoreError(.damaged, problem)
        case MP_DB_FULL: throw StoreError(.full, "\(problem): make room on the disk")
        case MP_DB_BUSY: throw StoreError(.inUse, "\(problem): close the other program that has it open")
        case MP_DB_READ_ONLY, MP_DB_PERMISSION: throw StoreError(.readOnly, problem)
        case MP_DB_CANNOT_OPEN: throw StoreError(.directory, problem)
        case MP_DB_TOO_BIG: throw StoreError(.tooLarge, problem)
        default: throw StoreError(.inputOutput, problem)
        }
    }
}
