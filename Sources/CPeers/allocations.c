#include "peers.h"

#include <errno.h>
#include <malloc.h>

/* glibc's own, under the names that a replacement calls. */
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

/* Plain: a locked addition would slow down the peers that allocate. */
static uint64_t calls;

__attribute__((visibility("default"))) void *malloc(size_t size) {
    calls++;
    return __libc_malloc(size);
}

__attribute__((visibility("default"))) void *calloc(size_t count, size_t size) {
    calls++;
    return __libc_calloc(count, size);
}

__attribute__((visibility("default"))) void *realloc(void *memory, size_t size) {
    calls++;
    return __libc_realloc(memory, size);
}

__attribute__((visibility("default"))) int posix_memalign(void **memory, size_t alignment, size_t size) {
    calls++;
    *memory = __libc_memalign(alignment, size);
    return *memory ? 0 : ENOMEM;
}

uint64_t peer_allocation_count(void) { return calls; }

size_t peer_heap_bytes(void) {
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}
