#include "csqlite.h"

#include <sqlite3.h>

_Static_assert(
    MP_DB_OK == SQLITE_OK && MP_DB_ERROR == SQLITE_ERROR && MP_DB_PERMISSION == SQLITE_PERM && MP_DB_BUSY == SQLITE_BUSY
        && MP_DB_READ_ONLY == SQLITE_READONLY && MP_DB_IO == SQLITE_IOERR && MP_DB_CORRUPT == SQLITE_CORRUPT && MP_DB_FULL == SQLITE_FULL
        && MP_DB_CANNOT_OPEN == SQLITE_CANTOPEN && MP_DB_TOO_BIG == SQLITE_TOOBIG && MP_DB_NOT_A_DATABASE == SQLITE_NOTADB
        && MP_DB_ROW == SQLITE_ROW && MP_DB_DONE == SQLITE_DONE,
    "the codes are SQLite's");
_Static_assert(
    MP_COLUMN_INTEGER == SQLITE_INTEGER && MP_COLUMN_REAL == SQLITE_FLOAT && MP_COLUMN_TEXT == SQLITE_TEXT && MP_COLUMN_BLOB == SQLITE_BLOB
        && MP_COLUMN_NULL == SQLITE_NULL,
    "the types are SQLite's");

static sqlite3 *in(mp_db *db) { return (sqlite3 *)db; }
static sqlite3_stmt *of(mp_statement *statement) { return (sqlite3_stmt *)statement; }

int mp_db_open(const char *path, int busy_timeout_ms, mp_db **db) {
    sqlite3 *opened = NULL;
    int code = sqlite3_open_v2(path, &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE, NULL);
    *db = (mp_db *)opened;
    if (code != SQLITE_OK) return code;
    sqlite3_busy_timeout(opened, busy_timeout_ms);
    sqlite3_db_config(opened, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(opened, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    sqlite3_db_config(opened, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
    sqlite3_db_config(opened, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
    return SQLITE_OK;
}

void mp_db_close(mp_db *db) { sqlite3_close_v2(in(db)); }

int mp_db_execute(mp_db *db, const char *sql) { return sqlite3_exec(in(db), sql, NULL, NULL, NULL); }

const char *mp_db_message(mp_db *db) { return sqlite3_errmsg(in(db)); }

int mp_statement_prepare(mp_db *db, const char *sql, mp_statement **statement) {
    return sqlite3_prepare_v3(in(db), sql, -1, SQLITE_PREPARE_PERSISTENT, (sqlite3_stmt **)statement, NULL);
}

void mp_statement_finalize(mp_statement *statement) { sqlite3_finalize(of(statement)); }

int mp_statement_step(mp_statement *statement) { return sqlite3_step(of(statement)); }

void mp_statement_reset(mp_statement *statement) {
    sqlite3_reset(of(statement));
    sqlite3_clear_bindings(of(statement));
}

int mp_statement_bind_null(mp_statement *statement, int index) { return sqlite3_bind_null(of(statement), index); }

int mp_statement_bind_integer(mp_statement *statement, int index, int64_t value) { return sqlite3_bind_int64(of(statement), index, value); }

int mp_statement_bind_real(mp_statement *statement, int index, double value) { return sqlite3_bind_double(of(statement), index, value); }

int mp_statement_bind_text(mp_statement *statement, int index, const char *text, size_t length) {
    return sqlite3_bind_text64(of(statement), index, text, length, SQLITE_TRANSIENT, SQLITE_UTF8);
}

int mp_statement_bind_blob(mp_statement *statement, int index, const void *bytes, size_t length) {
    return sqlite3_bind_blob64(of(statement), index, bytes, length, SQLITE_TRANSIENT);
}

int mp_statement_column_type(mp_statement *statement, int column) { return sqlite3_column_type(of(statement), column); }

int64_t mp_statement_column_integer(mp_statement *statement, int column) { return sqlite3_column_int64(of(statement), column); }

double mp_statement_column_real(mp_statement *statement, int column) { return sqlite3_column_double(of(statement), column); }

const uint8_t *mp_statement_column_bytes(mp_statement *statement, int column, size_t *length) {
    const uint8_t *bytes = sqlite3_column_blob(of(statement), column);
    *length = (size_t)sqlite3_column_bytes(of(statement), column);
    return bytes;
}
