/*
 * How often the library allocates for a thousand fixes and an estimate after each, through its C interface: `tracker_update_allocations N count`.
 * malloc and its kin are counted by standing before libc's.
 */
#define _GNU_SOURCE
#include <milepost.h>
#include <stdio.h>
#include <stdlib.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static long allocations;

void *malloc(size_t size) {
    allocations++;
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
    allocations++;
    return __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size) {
    allocations++;
    return __libc_realloc(memory, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
    allocations++;
    *memory = __libc_memalign(alignment, size);
    return 0;
}

enum { FIXES = 1000 };

int main(void) {
    milepost_route *route = NULL;
    milepost_tracker *tracker = NULL;
    milepost_progress progress = MILEPOST_PROGRESS_INIT;
    milepost_fix fix = MILEPOST_FIX_INIT;
    long before = 0;
    const double points[] = {52.5, 13.4, 52.55, 13.4, 52.6, 13.4};
    const size_t ends[] = {1, 2};
    const double seconds[] = {600, 600};
    if (milepost_route_create(points, 3, ends, seconds, 2, &route) != MILEPOST_OK) return 1;
    if (milepost_tracker_create(route, &tracker) != MILEPOST_OK) return 1;
    fix.fields = MILEPOST_FIX_TIME | MILEPOST_FIX_SPEED | MILEPOST_FIX_ACCURACY;
    fix.longitude_deg = 13.4;
    fix.speed_mps = 10;
    fix.accuracy_m = 5;
    for (int i = 0; i < FIXES; i++) {
        if (i == 1) before = allocations; /* the first of either makes room */
        fix.time_unix_ms = 1700000000000 + 1000LL * i;
        fix.latitude_deg = 52.5 + 0.00009 * i;
        if (milepost_tracker_update(tracker, &fix, &progress) != MILEPOST_OK || progress.state != MILEPOST_ROUTE_ON) return 1;
        if (milepost_tracker_reckon(tracker, fix.time_unix_ms + 3000, &progress) != MILEPOST_OK) return 1;
    }
    printf("tracker_update_allocations %ld count\n", allocations - before);
    milepost_tracker_destroy(tracker);
    milepost_route_destroy(route);
    return 0;
}
