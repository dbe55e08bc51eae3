#define _GNU_SOURCE
#include "cemulator.h"

#include <jansson.h>
#include <stdio.h>

static const json_t *in(const emu_json *node) { return (const json_t *)node; }

emu_json *emu_json_parse(const void *bytes, size_t length, char **problem) {
    json_error_t error;
    json_t *document = json_loadb(bytes, length, JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL, &error);
    if (!document && asprintf(problem, "%s, line %d, column %d", error.text, error.line, error.column) < 0) *problem = NULL;
    return (emu_json *)document;
}

void emu_json_release(emu_json *document) { json_decref((json_t *)document); }

int emu_json_kind(const emu_json *node) {
    switch (json_typeof(in(node))) {
        case JSON_OBJECT: return EMU_JSON_OBJECT;
        case JSON_ARRAY: return EMU_JSON_ARRAY;
        case JSON_STRING: return EMU_JSON_STRING;
        case JSON_INTEGER: return EMU_JSON_INTEGER;
        case JSON_REAL: return EMU_JSON_REAL;
        case JSON_TRUE:
        case JSON_FALSE: return EMU_JSON_BOOLEAN;
        default: return EMU_JSON_NULL;
    }
}

bool emu_json_boolean(const emu_json *node) { return json_is_true(in(node)); }
int64_t emu_json_integer(const emu_json *node) { return json_integer_value(in(node)); }
double emu_json_real(const emu_json *node) { return json_real_value(in(node)); }

const char *emu_json_string(const emu_json *node, size_t *length) {
    *length = json_string_length(in(node));
    return json_string_value(in(node));
}

size_t emu_json_count(const emu_json *array) { return json_array_size(in(array)); }

const emu_json *emu_json_element(const emu_json *array, size_t index) { return (const emu_json *)json_array_get(in(array), index); }

void *emu_json_first_member(emu_json *object) { return json_object_iter((json_t *)object); }
void *emu_json_next_member(emu_json *object, void *member) { return json_object_iter_next((json_t *)object, member); }

const char *emu_json_member_key(void *member, size_t *length) {
    *length = json_object_iter_key_len(member);
    return json_object_iter_key(member);
}

emu_json *emu_json_member_value(void *member) { return (emu_json *)json_object_iter_value(member); }
