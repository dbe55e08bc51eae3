/*
 * What the library costs a process in memory, printed as `name value unit` lines: resident and private dirty kB added by loading it, on top of
 * the C libraries that it stands on, and by a reporter that has reported for a while.
 *
 *   footprint LIBMILEPOST ENDPOINT TOKEN_URL PROVIDER VEHICLE
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <malloc.h>
#include <milepost.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIXES = 2000 };

struct memory {
    long resident_kb;
    long private_dirty_kb;
};

static struct memory memory_now(void) {
    struct memory now = {0, 0};
    char line[256];
    malloc_trim(0);
    FILE *file = fopen("/proc/self/smaps_rollup", "r");
    if (!file) return now;
    while (fgets(line, sizeof line, file)) {
        sscanf(line, "Rss: %ld", &now.resident_kb);
        sscanf(line, "Private_Dirty: %ld", &now.private_dirty_kb);
    }
    fclose(file);
    return now;
}

static void print_growth(const char *name, struct memory before) {
    struct memory now = memory_now();
    printf("%s_resident %ld kB\n", name, now.resident_kb - before.resident_kb);
    printf("%s_private_dirty %ld kB\n", name, now.private_dirty_kb - before.private_dirty_kb);
}

static void *need(void *found, const char *what) {
    if (found) return found;
    fprintf(stderr, "footprint: %s: %s\n", what, dlerror());
    exit(1);
}

static void check(milepost_status status, const char *what, const char *(*last_error)(void)) {
    if (status == MILEPOST_OK) return;
    fprintf(stderr, "footprint: %s: %s\n", what, last_error());
    exit(1);
}

static int taken;

static void count(void *user, const milepost_update *update) {
    (void)user;
    (void)update;
    taken++;
}

/* Every call goes through dlsym, so that memory can be read before the library is there. */
#define SYMBOL(name) __typeof__(&name) p_##name = (__typeof__(&name))need(dlsym(library, #name), #name)
#define CALL(name, ...) check(p_##name(__VA_ARGS__), #name, p_milepost_last_error)

int main(int argc, char **argv) {
    if (argc != 6) return 2;
    const char *others[] = {"libcurl.so.4", "libgps.so", "libexpat.so.1", "libstdc++.so.6"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) need(dlopen(others[i], RTLD_NOW | RTLD_GLOBAL), others[i]);
    struct memory before = memory_now();
    void *library = need(dlopen(argv[1], RTLD_NOW), argv[1]);
    print_growth("memory_loaded", before);

    SYMBOL(milepost_last_error);
    SYMBOL(milepost_config_create);
    SYMBOL(milepost_config_set_provider_id);
    SYMBOL(milepost_config_set_vehicle_id);
    SYMBOL(milepost_config_set_endpoint);
    SYMBOL(milepost_config_set_token_url);
    SYMBOL(milepost_reporter_create);
    SYMBOL(milepost_reporter_add_listener);
    SYMBOL(milepost_reporter_set_tracking);
    SYMBOL(milepost_reporter_push_fix);
    SYMBOL(milepost_reporter_dispatch);
    SYMBOL(milepost_reporter_fd);

    milepost_config *config = NULL;
    milepost_reporter *reporter = NULL;
    milepost_listener_id id;
    milepost_listener listener = MILEPOST_LISTENER_INIT;
    listener.update_succeeded = count;
    CALL(milepost_config_create, MILEPOST_SERVICE_ON_DEMAND, &config);
    CALL(milepost_config_set_endpoint, config, argv[2]);
    CALL(milepost_config_set_token_url, config, argv[3], "token", "expiresInSeconds", MILEPOST_TOKEN_EXPIRY_SECONDS_FROM_NOW);
    CALL(milepost_config_set_provider_id, config, argv[4]);
    CALL(milepost_config_set_vehicle_id, config, argv[5]);
    CALL(milepost_reporter_create, config, &reporter);
    CALL(milepost_reporter_add_listener, reporter, &listener, &id);
    CALL(milepost_reporter_set_tracking, reporter, 1);

    milepost_fix fix = MILEPOST_FIX_INIT;
    fix.fields = MILEPOST_FIX_TIME | MILEPOST_FIX_SPEED;
    fix.longitude_deg = 13.4;
    fix.speed_mps = 10;
    for (int i = 0; i < FIXES || taken == 0; i++) {
        fix.time_unix_ms = 1700000000000 + 1000LL * i;
        fix.latitude_deg = 52.5 + 0.00009 * i;
        CALL(milepost_reporter_push_fix, reporter, &fix);
        struct pollfd ready = {p_milepost_reporter_fd(reporter), POLLIN, 0};
        poll(&ready, 1, i < FIXES ? 0 : 100);
        CALL(milepost_reporter_dispatch, reporter);
        if (i > 10 * FIXES) return 1;
    }
    print_growth("memory_reporting", before);
    return 0;
}
