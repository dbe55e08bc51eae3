/// What a reporter remembers across a power cycle: the ``Backlog`` of fixes that the server has not taken, and what the host wants, ``DesiredStateTable``.
/// An SQLite database in a directory that the host names and that one reporter alone uses. Used by one thread at a time.
///
/// What is durable when:
/// - a call of ``DesiredStateTable`` that has returned: at once, also against a power cut;
/// - a fix in the backlog: at the latest ``BacklogLimits/commitCount`` fixes or ``BacklogLimits/commitSeconds`` later. A power cut or a kill
///   loses no more than those;
/// - what a batch holds, and that it is under way: before ``Backlog/batch(atMost:at:)`` returns, so that after a restart the identical batch is sent;
/// - that the server has confirmed a batch: before ``Backlog/confirm(_:at:)`` returns.
///
/// Directory 0700 when it is made here, files 0600. Nothing of the process is touched: no umask, no signals, no shared memory, no temporary files.
public final class Store {
    /// What was found when it was opened.
    public enum Opening: Equatable, Sendable {
        case fresh
        case existing
        /// The database was damaged: it is kept at this path, in place of an earlier one, and a fresh one begun.
        case damagedSetAside(path: String)
        /// Nothing is on disk.
        case inMemory
    }

    public let opening: Opening
    public let backlog: Backlog
    public let desired: DesiredStateTable

    /// Opens the store in a directory, which is made unless it is there; its parent must exist. Takes a few milliseconds for each megabyte found.
    ///
    /// Throws ``StoreError/Kind/inUse``, ``StoreError/Kind/directory``, ``StoreError/Kind/readOnly``, ``StoreError/Kind/full``,
    /// ``StoreError/Kind/newerVersion``, ``StoreError/Kind/inputOutput``; nothing is changed then, and ``init(inMemory:)`` lets reporting go on.
    public static func open(in path: String, limits: BacklogLimits = BacklogLimits()) throws(StoreError) -> Store {
        let directory = try StateDirectory(path)
        do throws(StoreError) {
            return try Store(directory, limits, aside: nil)
        } catch {
            guard error.kind == .damaged else { throw error }
        }
        return try Store(directory, limits, aside: try directory.setAside())
    }

    /// A store of the same behaviour that keeps nothing across a restart.
    public init(inMemory limits: BacklogLimits) throws(StoreError) {
        let database = try Database()
        try Schema.create(in: database)
        opening = .inMemory
        backlog = try Backlog(database, limits)
        desired = try DesiredStateTable(database)
    }

    private init(_ directory: StateDirectory, _ limits: BacklogLimits, aside: String?) throws(StoreError) {
        let database = try Database(in: directory)
        let found = try Schema.find(in: database)
        try database.beginLogging()
        if found == .fresh { try Schema.create(in: database) }
        opening = aside.map { .damagedSetAside(path: $0) } ?? (found == .fresh ? .fresh : .existing)
        backlog = try Backlog(database, limits)
        desired = try DesiredStateTable(database)
    }
}
