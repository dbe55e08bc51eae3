import CSQLite

/// A prepared SQL statement.
final class Statement {
    private let handle: OpaquePointer
    private let database: Database

    /// What a parameter is bound to. A real that is NaN becomes NULL.
    enum Value {
        case null
        case integer(Int64)
        case real(Double)
        case text(String)
        case blob([UInt8])
    }

    init(_ sql: String, of database: Database) throws(StoreError) {
        var prepared: OpaquePointer?
        try database.check(mp_statement_prepare(database.handle, sql, &prepared))
        guard let prepared else { throw StoreError(.inputOutput, "an empty statement") }
        handle = prepared
        self.database = database
    }

    deinit { mp_statement_finalize(handle) }

    /// Runs it to its end.
    func run(_ values: [Value] = []) throws(StoreError) {
        try forEachRow(values) { _ throws(StoreError) in true }
    }

    /// Calls `body` with each row until it returns false.
    func forEachRow(_ values: [Value] = [], _ body: (Row) throws(StoreError) -> Bool) throws(StoreError) {
        defer { mp_statement_reset(handle) }
        for (index, value) in values.enumerated() { try database.check(bind(value, at: Int32(index + 1))) }
        while true {
            let code = mp_statement_step(handle)
            try database.check(code)
            guard code == MP_DB_ROW, try body(Row(statement: handle)) else { return }
        }
    }

    func forFirstRow(_ values: [Value] = [], _ body: (Row) throws(StoreError) -> Void) throws(StoreError) {
        try forEachRow(values) { row throws(StoreError) in
            try body(row)
            return false
        }
    }

    private func bind(_ value: Value, at index: Int32) -> Int32 {
        switch value {
        case .null: return mp_statement_bind_null(handle, index)
        case .integer(let number): return mp_statement_bind_integer(handle, index, number)
        case .real(let number): return mp_statement_bind_real(handle, index, number)
        case .text(var text):
            return text.withUTF8 { bytes in
                guard let start = bytes.baseAddress else { return mp_statement_bind_text(handle, index, "", 0) }
                return start.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
                    mp_statement_bind_text(handle, index, $0, bytes.count)
                }
            }
        case .blob(let bytes): return bytes.withUnsafeBytes { mp_statement_bind_blob(handle, index, $0.baseAddress, $0.count) }
        }
    }
}

/// A row of results, valid while it is handed over. Whoever may have written the file, a value is what it says or absent.
struct Row {
    fileprivate let statement: OpaquePointer

    func integer(_ column: Int32) -> Int64? {
        has(MP_COLUMN_INTEGER, column) ? mp_statement_column_integer(statement, column) : nil
    }

    /// NaN when there is no number.
    func real(_ column: Int32) -> Double {
        has(MP_COLUMN_REAL, column) || has(MP_COLUMN_INTEGER, column) ? mp_statement_column_real(statement, column) : .nan
    }

    func text(_ column: Int32) -> String? {
        has(MP_COLUMN_TEXT, column) ? String(validating: bytes(column), as: UTF8.self) : nil
    }

    func blob(_ column: Int32) -> [UInt8]? { has(MP_COLUMN_BLOB, column) ? Array(bytes(column)) : nil }

    private func has(_ type: Int, _ column: Int32) -> Bool { Int(mp_statement_column_type(statement, column)) == type }

    private func bytes(_ column: Int32) -> UnsafeBufferPointer<UInt8> {
        var length = 0
        let start = mp_statement_column_bytes(statement, column, &length)
        return UnsafeBufferPointer(start: start, count: start == nil ? 0 : length)
    }
}
