#include "cjansson.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const json_t *in(const mp_json *node) { return (const json_t *)node; }
static mp_json *out(const json_t *node) { return (mp_json *)(uintptr_t)node; }

mp_json *mp_json_parse(const void *bytes, size_t length, mp_json_error *error) {
    json_error_t detail;
    json_t *tree = json_loadb(bytes, length, JSON_ALLOW_NUL, &detail);
    if (!tree && error) {
        error->line = detail.line;
        error->column = detail.column;
        memset(error->text, 0, sizeof error->text);
        strncpy(error->text, detail.text, sizeof error->text - 1);
    }
    return out(tree);
}

void mp_json_release(mp_json *tree) { json_decref((json_t *)tree); }

int mp_json_kind(const mp_json *node) {
    switch (json_typeof(in(node))) {
        case JSON_TRUE:
        case JSON_FALSE: return MP_JSON_BOOLEAN;
        case JSON_INTEGER: return MP_JSON_INTEGER;
        case JSON_REAL: return MP_JSON_REAL;
        case JSON_STRING: return MP_JSON_STRING;
        case JSON_ARRAY: return MP_JSON_ARRAY;
        case JSON_OBJECT: return MP_JSON_OBJECT;
        default: return MP_JSON_NULL;
    }
}

const mp_json *mp_json_member(const mp_json *node, const char *key) { return out(json_object_get(in(node), key)); }

size_t mp_json_count(const mp_json *node) { return json_array_size(in(node)); }

const mp_json *mp_json_element(const mp_json *node, size_t index) { return out(json_array_get(in(node), index)); }

double mp_json_number(const mp_json *node) { return json_is_number(in(node)) ? json_number_value(in(node)) : (double)NAN; }

int64_t mp_json_integer(const mp_json *node) { return json_integer_value(in(node)); }

bool mp_json_boolean(const mp_json *node) { return json_is_true(in(node)); }

const char *mp_json_string(const mp_json *node, size_t *length) {
    if (!json_is_string(in(node))) return NULL;
    *length = json_string_length(in(node));
    return json_string_value(in(node));
}

mp_json *mp_json_new_object(void) { return out(json_object()); }
mp_json *mp_json_new_array(void) { return out(json_array()); }
mp_json *mp_json_new_string(const char *utf8, size_t length) { return out(json_stringn(utf8, length)); }
mp_json *mp_json_new_integer(int64_t value) { return out(json_integer(value)); }
mp_json *mp_json_new_real(double value) { return out(json_real(value)); }
mp_json *mp_json_new_boolean(bool value) { return out(json_boolean(value)); }

bool mp_json_set(mp_json *object, const char *key, mp_json *value) {
    return value && json_object_set_new((json_t *)object, key, (json_t *)value) == 0;
}

bool mp_json_append(mp_json *array, mp_json *value) { return value && json_array_append_new((json_t *)array, (json_t *)value) == 0; }

char *mp_json_write(const mp_json *tree, int significant_digits, size_t *length) {
    char *text = json_dumps(in(tree), JSON_COMPACT | JSON_REAL_PRECISION(significant_digits));
    if (text) *length = strlen(text);
    return text;
}

void mp_json_free_text(char *text) { free(text); }
