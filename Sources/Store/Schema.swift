/// The tables, and whether a file holds them.
enum Schema {
    /// "MPST": tells our files from other programs' (`PRAGMA application_id`).
    static var applicationID: Int64 { 0x4d50_5354 }
    /// Of the tables below (`PRAGMA user_version`). Raised with each change of them, which then brings older files up.
    static var version: Int64 { 1 }

    private static var tables: [String] {
        [
            """
            CREATE TABLE fix(id INTEGER PRIMARY KEY, time REAL, latitude REAL, longitude REAL, accuracy REAL, speed REAL, heading REAL, \
            altitude REAL, speed_accuracy REAL, heading_accuracy REAL, altitude_accuracy REAL, flags INTEGER)
            """,
            "CREATE TABLE backlog(row INTEGER PRIMARY KEY, next_id INTEGER, flight_last INTEGER, attempt INTEGER)",
            "CREATE TABLE state(name TEXT PRIMARY KEY, value)",
            "CREATE TABLE stop(place INTEGER PRIMARY KEY, latitude REAL, longitude REAL, state INTEGER, tasks TEXT)",
        ]
    }

    enum Finding {
        case fresh
        case ours
    }

    /// Looks, and writes nothing. Throws ``StoreError/Kind/newerVersion``, and ``StoreError/Kind/damaged`` for what is not ours; a version of 1000 or more
    /// was never written by us.
    static func find(in database: Database) throws(StoreError) -> Finding {
        let version = try database.integer("PRAGMA user_version") ?? 0
        let application = try database.integer("PRAGMA application_id") ?? 0
        if application == applicationID, version > self.version, version < 1000 {
            throw StoreError(
                .newerVersion,
                "the state was written by a newer version of this library (\(version), this one knows \(self.version)): update, or remove it"
            )
        }
        try checkIntegrity(of: database)
        let found = try statements(in: database)
        if found.isEmpty, version == 0, application == 0 { return .fresh }
        guard application == applicationID, version == self.version, found == tables else {
            throw StoreError(.damaged, "the file holds other tables than it should")
        }
        return .ours
    }

    /// All of it or, when the power goes, nothing.
    static func create(in database: Database) throws(StoreError) {
        try database.transaction { () throws(StoreError) in
            for table in tables { try database.execute(table) }
            try database.execute("PRAGMA application_id=\(applicationID); PRAGMA user_version=\(version)")
        }
    }

    private static func checkIntegrity(of database: Database) throws(StoreError) {
        var finding: String?
        try database.prepare("PRAGMA quick_check(1)").forFirstRow { row throws(StoreError) in finding = row.text(0) }
        if finding != "ok" { throw StoreError(.damaged, finding ?? "the file cannot be checked") }
    }

    /// What made the tables, in order; also of what is no table.
    private static func statements(in database: Database) throws(StoreError) -> [String] {
        var statements: [String] = []
        try database.prepare("SELECT sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_autoindex_%' ORDER BY rowid").forEachRow {
            row throws(StoreError) in
            statements.append(row.text(0) ?? "")
            return true
        }
        return statements
    }
}
