/* RapidJSON behind a flat header: reading as a stream of values, writing as text. It calls nothing but malloc, realloc, free and the string
   functions of libc, throws nothing, and neither reads nor sets a locale. */
#ifndef MP_CRAPIDJSON_H
#define MP_CRAPIDJSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- reading ---- */

/* Called in the order of the text; false ends the reading. Keys are strings. The ends tell how many members or elements there were. */
typedef struct mp_json_handlers {
    bool (*null)(void *context);
    bool (*boolean)(void *context, bool value);
    /* As written: RapidJSON 1.1 reads beyond its table of powers when it converts numbers with exponents below -348 to full precision. */
    bool (*number)(void *context, const char *text, size_t length);
    /* UTF-8, except that a lone second half of a surrogate pair may have been escaped. */
    bool (*string)(void *context, const char *text, size_t length);
    bool (*start)(void *context);
    bool (*end_object)(void *context, size_t members);
    bool (*end_array)(void *context, size_t elements);
} mp_json_handlers;

/* Reads a text up to its first zero byte. Numbers and strings lie in it, the strings' values written over what they are values of. However deep
   it is nested, the stack does not grow. *offset is where reading ended. NULL when all of it was JSON, else why not. */
const char *mp_json_read(char *text, const mp_json_handlers *handlers, void *context, size_t *offset);

/* ---- writing ---- */

typedef struct mp_json_writer mp_json_writer;

/* A compact text in the making: an object or an array. */
mp_json_writer *mp_json_writer_create(bool is_array);
void mp_json_writer_destroy(mp_json_writer *writer);
/* Of the next value, in an object. */
void mp_json_write_key(mp_json_writer *writer, const char *utf8, size_t length);
void mp_json_write_string(mp_json_writer *writer, const char *utf8, size_t length);
void mp_json_write_integer(mp_json_writer *writer, int64_t value);
/* A finite number, in the few digits that read back as the same. */
void mp_json_write_real(mp_json_writer *writer, double value);
void mp_json_write_boolean(mp_json_writer *writer, bool value);
/* Ends the part and writes it as the next value. */
void mp_json_write_part(mp_json_writer *writer, mp_json_writer *part);
/* Ends the text. It lives as long as the writer. */
const char *mp_json_written(mp_json_writer *writer, size_t *length);

#ifdef __cplusplus
}
#endif

#endif
