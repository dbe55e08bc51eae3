#include "crapidjson.h"

#include <stdlib.h>

// Running out of memory, and what cannot be, ends the process as it does in Swift.
#define RAPIDJSON_ASSERT(condition) ((condition) ? (void)0 : __builtin_trap())
#include <rapidjson/error/en.h>
#include <rapidjson/reader.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

namespace {

// RapidJSON makes some of these with new, which must not be the C++ library's.
struct Heap {
    static void *operator new(size_t size) { return checked(malloc(size)); }
    static void operator delete(void *memory) { free(memory); }
    void *Malloc(size_t size) { return size ? checked(malloc(size)) : nullptr; }
    void *Realloc(void *memory, size_t, size_t size) {
        if (size) return checked(realloc(memory, size));
        free(memory);
        return nullptr;
    }
    static void Free(void *memory) { free(memory); }

  private:
    static void *checked(void *memory) { return memory ? memory : (__builtin_trap(), nullptr); }
};

typedef rapidjson::UTF8<> UTF8;

struct Forwarder {
    const mp_json_handlers *handlers;
    void *context;

    bool Null() { return handlers->null(context); }
    bool Bool(bool value) { return handlers->boolean(context, value); }
    bool RawNumber(const char *text, unsigned length, bool) { return handlers->number(context, text, length); }
    // Not called, because numbers are taken as text.
    bool Int(int) { return false; }
    bool Uint(unsigned) { return false; }
    bool Int64(int64_t) { return false; }
    bool Uint64(uint64_t) { return false; }
    bool Double(double) { return false; }
    bool String(const char *utf8, unsigned length, bool) { return handlers->string(context, utf8, length); }
    bool Key(const char *utf8, unsigned length, bool) { return handlers->string(context, utf8, length); }
    bool StartObject() { return handlers->start(context); }
    bool EndObject(unsigned members) { return handlers->end_object(context, members); }
    bool StartArray() { return handlers->start(context); }
    bool EndArray(unsigned elements) { return handlers->end_array(context, elements); }
};

}  // namespace

const char *mp_json_read(char *text, const mp_json_handlers *handlers, void *context, size_t *offset) {
    const unsigned flags = rapidjson::kParseInsituFlag | rapidjson::kParseIterativeFlag | rapidjson::kParseNumbersAsStringsFlag |
                           rapidjson::kParseValidateEncodingFlag;
    Forwarder forwarder = {handlers, context};
    rapidjson::GenericInsituStringStream<UTF8> stream(text);
    rapidjson::GenericReader<UTF8, UTF8, Heap> reader;
    rapidjson::ParseResult result = reader.Parse<flags>(stream, forwarder);
    *offset = result.IsError() ? result.Offset() : stream.Tell();
    return result.IsError() ? rapidjson::GetParseError_En(result.Code()) : nullptr;
}

typedef rapidjson::GenericStringBuffer<UTF8, Heap> Buffer;

struct mp_json_writer : Heap {
    Buffer buffer;
    rapidjson::Writer<Buffer, UTF8, UTF8, Heap> json;
    bool is_array;
    bool is_whole = false;

    explicit mp_json_writer(bool is_array) : json(buffer), is_array(is_array) { is_array ? json.StartArray() : json.StartObject(); }
};

mp_json_writer *mp_json_writer_create(bool is_array) { return new mp_json_writer(is_array); }
void mp_json_writer_destroy(mp_json_writer *writer) { delete writer; }
void mp_json_write_key(mp_json_writer *writer, const char *utf8, size_t length) { writer->json.Key(utf8, (unsigned)length); }
void mp_json_write_string(mp_json_writer *writer, const char *utf8, size_t length) { writer->json.String(utf8, (unsigned)length); }
void mp_json_write_integer(mp_json_writer *writer, int64_t value) { writer->json.Int64(value); }
void mp_json_write_real(mp_json_writer *writer, double value) { writer->json.Double(value); }
void mp_json_write_boolean(mp_json_writer *writer, bool value) { writer->json.Bool(value); }

void mp_json_write_part(mp_json_writer *writer, mp_json_writer *part) {
    size_t length = 0;
    const char *text = mp_json_written(part, &length);
    writer->json.RawValue(text, length, part->is_array ? rapidjson::kArrayType : rapidjson::kObjectType);
}

const char *mp_json_written(mp_json_writer *writer, size_t *length) {
    if (!writer->is_whole) writer->is_array ? writer->json.EndArray() : writer->json.EndObject();
    writer->is_whole = true;
    *length = writer->buffer.GetSize();
    return writer->buffer.GetString();
}
