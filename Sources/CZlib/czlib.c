#include "czlib.h"

#include <string.h>
#include <zlib.h>

/* A window of 4 KiB and small tables: bodies are hardly longer. */
enum { GZIP = 16, WINDOW_BITS = 12, MEMORY_LEVEL = 5 };

size_t mp_gzip(const uint8_t *bytes, size_t length, uint8_t *into, size_t capacity) {
    z_stream stream;
    memset(&stream, 0, sizeof stream);
    if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, GZIP + WINDOW_BITS, MEMORY_LEVEL, Z_DEFAULT_STRATEGY) != Z_OK) return 0;
    stream.next_in = (Bytef *)(uintptr_t)bytes;
    stream.avail_in = (uInt)length;
    stream.next_out = into;
    stream.avail_out = (uInt)capacity;
    int status = deflate(&stream, Z_FINISH);
    size_t packed = stream.total_out;
    deflateEnd(&stream);
    return status == Z_STREAM_END ? packed : 0;
}
