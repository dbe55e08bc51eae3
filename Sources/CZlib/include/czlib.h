/* zlib behind a flat header. */
#ifndef MP_CZLIB_H
#define MP_CZLIB_H

#include <stddef.h>
#include <stdint.h>

/* Packs as gzip, in about 40 KiB of memory meanwhile. The length, or 0 when it does not fit or memory ran out. */
size_t mp_gzip(const uint8_t *bytes, size_t length, uint8_t *into, size_t capacity);

#endif
