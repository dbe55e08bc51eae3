import CSystem

/// A directory that one reporter alone uses, for as long as this object lives.
final class StateDirectory {
    private let path: String
    private let lock: Int32

    /// Makes the directory, with mode 0700, unless it is there. Throws ``StoreError/Kind/inUse``, ``StoreError/Kind/directory``.
    init(_ path: String) throws(StoreError) {
        guard !path.isEmpty else { throw StoreError(.directory, "the state directory has no name") }
        // SQLite takes a leading "file:" for a URI.
        let path = path.hasPrefix("/") ? path : "./" + path
        self.path = path
        try Self.make(path)
        var error: Int32 = 0
        lock = mp_file_lock(path + "/lock", &error)
        if lock < 0 { throw Self.lockError(path, error) }
    }

    deinit { mp_close(lock) }

    var database: String { path + "/milepost.db" }

    /// An empty database file of mode 0600, unless there is one. The files that SQLite makes beside it take its mode.
    func makeDatabase() throws(StoreError) {
        let error = mp_file_make_private(database)
        if error != 0 { throw StoreError(.directory, "\(database): \(text(error)): a regular file of this user's is needed") }
    }

    /// Renames the database, which nobody has open, to `milepost.db.damaged`, in place of an earlier one; gives the new path. Its log is no longer there, or
    /// is dropped by SQLite when it meets an empty database.
    func setAside() throws(StoreError) -> String {
        let aside = database + ".damaged"
        let error = mp_file_rename(database, aside)
        if error != 0 { throw StoreError(.directory, "\(database) is damaged and cannot be renamed: \(text(error))") }
        _ = mp_directory_sync(path)
        return aside
    }

    private static func make(_ path: String) throws(StoreError) {
        let made = mp_directory_make(path)
        if made == 0 { _ = mp_directory_sync(path + "/..") }
        var isOpenToOthers = false
        let found = made == 0 ? 0 : mp_directory_check(path, &isOpenToOthers)
        guard found == 0 else {
            throw StoreError(.directory, "state directory \(path): \(text(made)): name one whose parent exists and is writable")
        }
        if isOpenToOthers { throw StoreError(.directory, "state directory \(path): others may write there: chmod 700 it, or name another") }
    }

    private static func lockError(_ path: String, _ error: Int32) -> StoreError {
        error == 0
            ? StoreError(.inUse, "state directory \(path): another reporter uses it: give each its own")
            : StoreError(.directory, "state directory \(path): no file can be made there: \(text(error))")
    }
}

private func text(_ error: Int32) -> String { String(cString: mp_errno_text(error)) }
