/* SQLite behind a flat header. A connection and its statements are used by one thread at a time. Codes are SQLite's primary ones. */
#ifndef MP_CSQLITE_H
#define MP_CSQLITE_H

#include <stddef.h>
#include <stdint.h>

enum {
    MP_DB_OK = 0,
    MP_DB_ERROR = 1,
    MP_DB_PERMISSION = 3,
    MP_DB_BUSY = 5,
    MP_DB_READ_ONLY = 8,
    MP_DB_IO = 10,
    MP_DB_CORRUPT = 11,
    MP_DB_FULL = 13,
    MP_DB_CANNOT_OPEN = 14,
    MP_DB_TOO_BIG = 18,
    MP_DB_NOT_A_DATABASE = 26,
    MP_DB_ROW = 100,
    MP_DB_DONE = 101
};

/* ---- connections ---- */

typedef struct mp_db mp_db;

/* Opens a file for reading and writing. No triggers, views or functions of the file's own making run. *db is to be closed whatever comes back; NULL
   when there is no memory. */
int mp_db_open(const char *path, int busy_timeout_ms, mp_db **db);
/* After the last statement has been finalized. */
void mp_db_close(mp_db *db);
/* One or more statements without results that matter. */
int mp_db_execute(mp_db *db, const char *sql);
/* Of the last call that failed; valid until the next call. */
const char *mp_db_message(mp_db *db);

/* ---- statements; parameters count from 1, columns from 0 ---- */

typedef struct mp_statement mp_statement;

int mp_statement_prepare(mp_db *db, const char *sql, mp_statement **statement);
void mp_statement_finalize(mp_statement *statement);
/* MP_DB_ROW, MP_DB_DONE or an error. */
int mp_statement_step(mp_statement *statement);
/* Makes it ready to run again, all parameters NULL. */
void mp_statement_reset(mp_statement *statement);

int mp_statement_bind_null(mp_statement *statement, int index);
int mp_statement_bind_integer(mp_statement *statement, int index, int64_t value);
/* NaN becomes NULL. */
int mp_statement_bind_real(mp_statement *statement, int index, double value);
/* Copied. */
int mp_statement_bind_text(mp_statement *statement, int index, const char *text, size_t length);
int mp_statement_bind_blob(mp_statement *statement, int index, const void *bytes, size_t length);

enum { MP_COLUMN_INTEGER = 1, MP_COLUMN_REAL = 2, MP_COLUMN_TEXT = 3, MP_COLUMN_BLOB = 4, MP_COLUMN_NULL = 5 };

int mp_statement_column_type(mp_statement *statement, int column);
int64_t mp_statement_column_integer(mp_statement *statement, int column);
double mp_statement_column_real(mp_statement *statement, int column);
/* Of a text (UTF-8) or a blob; valid until the next step or reset. NULL when it is empty. */
const uint8_t *mp_statement_column_bytes(mp_statement *statement, int column, size_t *length);

#endif
