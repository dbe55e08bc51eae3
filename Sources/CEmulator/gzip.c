#include "cemulator.h"

#include <stdlib.h>
#include <zlib.h>

enum { GZIP_ONLY = 16 };

emu_gunzip_verdict emu_gunzip(const void *bytes, size_t length, size_t limit, uint8_t **body, size_t *body_length) {
    z_stream stream = {.next_in = (Bytef *)(uintptr_t)bytes, .avail_in = (uInt)length};
    if (inflateInit2(&stream, GZIP_ONLY + MAX_WBITS) != Z_OK) return EMU_GUNZIP_MALFORMED;
    uint8_t *buffer = malloc(limit + 1);
    stream.next_out = buffer;
    stream.avail_out = buffer ? (uInt)(limit + 1) : 0;
    int status = inflate(&stream, Z_FINISH);
    bool overflows = buffer && stream.avail_out == 0, whole = status == Z_STREAM_END && stream.avail_in == 0;
    *body_length = stream.total_out;
    inflateEnd(&stream);
    if (whole && !overflows) {
        *body = buffer;
        return EMU_GUNZIP_OK;
    }
    free(buffer);
    return overflows ? EMU_GUNZIP_TOO_LARGE : EMU_GUNZIP_MALFORMED;
}
