/* jansson behind a flat header: reading and writing JSON trees. Trees are reference counted by jansson; nodes reached from a tree live as
   long as the tree. */
#ifndef MP_CJANSSON_H
#define MP_CJANSSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct mp_json mp_json;

enum { MP_JSON_NULL, MP_JSON_BOOLEAN, MP_JSON_INTEGER, MP_JSON_REAL, MP_JSON_STRING, MP_JSON_ARRAY, MP_JSON_OBJECT };

typedef struct mp_json_error {
    int line;
    int column;
    char text[160];
} mp_json_error;

/* ---- reading ---- */

/* NULL and *error when the text is not JSON. Depth is limited by jansson (2048). */
mp_json *mp_json_parse(const void *bytes, size_t length, mp_json_error *error);
void mp_json_release(mp_json *tree);
int mp_json_kind(const mp_json *node);
/* NULL when there is no such member, or the node is no object. */
const mp_json *mp_json_member(const mp_json *node, const char *key);
/* Elements of an array; 0 for anything else. */
size_t mp_json_count(const mp_json *node);
const mp_json *mp_json_element(const mp_json *node, size_t index);
/* An integer or a real as a double; NaN for anything else. */
double mp_json_number(const mp_json *node);
int64_t mp_json_integer(const mp_json *node);
bool mp_json_boolean(const mp_json *node);
/* UTF-8 with its length in bytes; NULL for anything but a string. */
const char *mp_json_string(const mp_json *node, size_t *length);

/* ---- writing; setters take over the value ---- */

mp_json *mp_json_new_object(void);
mp_json *mp_json_new_array(void);
mp_json *mp_json_new_string(const char *utf8, size_t length);
mp_json *mp_json_new_integer(int64_t value);
/* NULL for NaN and infinities, which JSON does not have. */
mp_json *mp_json_new_real(double value);
mp_json *mp_json_new_boolean(bool value);
/* False when value is NULL or memory ran out; the object then lacks the member. */
bool mp_json_set(mp_json *object, const char *key, mp_json *value);
bool mp_json_append(mp_json *array, mp_json *value);
/* Compact text for mp_json_free_text, reals with so many significant digits. */
char *mp_json_write(const mp_json *tree, int significant_digits, size_t *length);
void mp_json_free_text(char *text);

#endif
