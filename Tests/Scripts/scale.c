/*
 * A depot in one process: many reporters, each with a route and a fix a second, against one emulator. Prints `name value unit` lines.
 *
 *   scale loop|threads REPORTERS SECONDS ENDPOINT TOKEN_URL PROVIDER
 *
 * loop: one epoll over every milepost_reporter_fd, all on this thread; threads: each reporter on its own. They begin one after the other
 * within an interval, as vehicles do that nobody started together.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <malloc.h>
#include <milepost.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum { INTERVAL_S = 5, READY = 64, SLICE_MS = 10, ENDING_S = 60 };

static const int64_t SECOND = 1000000000;

struct vehicle {
    milepost_reporter *reporter;
    int64_t next_fix; /* ns */
    int is_tracking;
};

static unsigned long succeeded, failed, offline; /* from callbacks of many threads */

static void check(milepost_status status, const char *what) {
    if (status == MILEPOST_OK) return;
    fprintf(stderr, "scale: %s: %s\n", what, milepost_last_error());
    exit(1);
}

static unsigned long count_of(unsigned long *counter) { return __atomic_load_n(counter, __ATOMIC_RELAXED); }

static int64_t now_ns(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return now.tv_sec * SECOND + now.tv_nsec;
}

static void on_update(void *user, const milepost_update *update) {
    (void)user;
    int is_last = (update->fields & MILEPOST_UPDATE_VEHICLE_STATE) && !(update->fields & MILEPOST_UPDATE_LOCATION);
    __atomic_add_fetch(&succeeded, 1, __ATOMIC_RELAXED);
    if (is_last && update->vehicle_state == MILEPOST_VEHICLE_OFFLINE) __atomic_add_fetch(&offline, 1, __ATOMIC_RELAXED);
}

static void on_failure(void *user, const milepost_failure *failure) {
    (void)user;
    if (__atomic_add_fetch(&failed, 1, __ATOMIC_RELAXED) <= 3) fprintf(stderr, "scale: HTTP %d: %s\n", (int)failure->http_status, failure->message);
}

/* 20 km north of an own place, in four legs of 2,500 points in all, at 11 m/s. */
static milepost_route *route_of(unsigned number) {
    enum { POINTS = 2500, WAYPOINTS = 4 };
    static double points[2 * POINTS];
    const size_t waypoints[WAYPOINTS] = {624, 1249, 1874, POINTS - 1};
    const double legs_s[WAYPOINTS] = {450, 450, 450, 450};
    milepost_route *route = NULL;
    for (int i = 0; i < POINTS; i++) {
        points[2 * i] = 48 + 0.18 * i / (POINTS - 1);
        points[2 * i + 1] = 11 + 0.001 * number;
    }
    check(milepost_route_create(points, POINTS, waypoints, legs_s, WAYPOINTS, &route), "route");
    return route;
}

static void push_fix(struct vehicle *vehicle, unsigned number, int64_t start, int64_t now) {
    milepost_fix fix = MILEPOST_FIX_INIT;
    double driven_s = (double)(now - start) / (double)SECOND;
    fix.fields = MILEPOST_FIX_TIME | MILEPOST_FIX_ACCURACY | MILEPOST_FIX_SPEED | MILEPOST_FIX_HEADING;
    fix.time_unix_ms = now_ns(CLOCK_REALTIME) / 1000000;
    fix.latitude_deg = 48 + driven_s * 11 / 111200;
    fix.longitude_deg = 11 + 0.001 * number;
    fix.accuracy_m = 4;
    fix.speed_mps = 11;
    fix.heading_deg = 0;
    check(milepost_reporter_push_fix(vehicle->reporter, &fix), "fix");
}

static milepost_reporter *reporter_of(unsigned number, char **argv) {
    milepost_config *config = NULL;
    milepost_reporter *reporter = NULL;
    milepost_listener listener = MILEPOST_LISTENER_INIT;
    milepost_listener_id id;
    char name[32];
    snprintf(name, sizeof name, "van-%u", number);
    check(milepost_config_create(MILEPOST_SERVICE_ON_DEMAND, &config), "config");
    check(milepost_config_set_endpoint(config, argv[4]), "endpoint");
    check(milepost_config_set_token_url(config, argv[5], "token", "expiresInSeconds", MILEPOST_TOKEN_EXPIRY_SECONDS_FROM_NOW), "token URL");
    check(milepost_config_set_provider_id(config, argv[6]), "provider");
    check(milepost_config_set_vehicle_id(config, name), "vehicle");
    check(milepost_config_set_interval(config, INTERVAL_S), "interval");
    check(milepost_reporter_create(config, &reporter), "reporter");
    milepost_config_destroy(config);
    listener.update_succeeded = on_update;
    listener.update_failed = on_failure;
    check(milepost_reporter_add_listener(reporter, &listener, &id), "listener");
    milepost_route *route = route_of(number);
    check(milepost_reporter_set_route(reporter, route), "route");
    milepost_route_destroy(route);
    return reporter;
}

/* Pushes the fixes that are due, and starts those whose turn it is. */
static void drive(struct vehicle *vehicles, unsigned count, int threaded, int64_t start) {
    int64_t now = now_ns(CLOCK_MONOTONIC);
    for (unsigned i = 0; i < count; i++) {
        struct vehicle *v = &vehicles[i];
        if (v->next_fix > now) continue;
        push_fix(v, i, start, now);
        v->next_fix += SECOND;
        if (v->is_tracking) continue;
        v->is_tracking = 1;
        check(milepost_reporter_set_tracking(v->reporter, 1), "tracking");
        if (threaded) check(milepost_reporter_start(v->reporter), "start");
    }
}

static void turn(int epoll) {
    struct epoll_event ready[READY];
    int count = epoll < 0 ? (usleep(SLICE_MS * 1000), 0) : epoll_wait(epoll, ready, READY, SLICE_MS);
    for (int i = 0; i < count; i++) check(milepost_reporter_dispatch(ready[i].data.ptr), "dispatch");
}

static long resident_kb(void) {
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file || fscanf(file, "%*s %ld", &pages) != 1) pages = 0;
    if (file) fclose(file);
    return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

static long descriptors(void) {
    long count = 0;
    DIR *folder = opendir("/proc/self/fd");
    while (folder && readdir(folder)) count++;
    if (folder) closedir(folder);
    return count;
}

static double cpu_s(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) + (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

int main(int argc, char **argv) {
    if (argc != 7) return fprintf(stderr, "usage: scale loop|threads REPORTERS SECONDS ENDPOINT TOKEN_URL PROVIDER\n"), 2;
    int threaded = strcmp(argv[1], "threads") == 0;
    unsigned count = (unsigned)strtoul(argv[2], NULL, 10);
    int64_t seconds = strtol(argv[3], NULL, 10);
    struct rlimit files;
    getrlimit(RLIMIT_NOFILE, &files);
    files.rlim_cur = files.rlim_max;
    setrlimit(RLIMIT_NOFILE, &files);
    struct vehicle *vehicles = calloc(count, sizeof *vehicles);
    int epoll = threaded ? -1 : epoll_create1(EPOLL_CLOEXEC);
    long before_kb = resident_kb(), before_descriptors = descriptors();
    if (!vehicles || !count) return 2;

    for (unsigned i = 0; i < count; i++) vehicles[i].reporter = reporter_of(i, argv);
    long made_kb = resident_kb();
    int64_t start = now_ns(CLOCK_MONOTONIC);
    for (unsigned i = 0; i < count; i++) {
        struct epoll_event event = {.events = EPOLLIN, .data.ptr = vehicles[i].reporter};
        vehicles[i].next_fix = start + INTERVAL_S * SECOND * i / count;
        if (!threaded && epoll_ctl(epoll, EPOLL_CTL_ADD, milepost_reporter_fd(vehicles[i].reporter), &event) != 0) return perror("epoll_ctl"), 1;
    }
    /* Two intervals to begin in, which the figures leave out. */
    int64_t settled = start + 2 * INTERVAL_S * SECOND, end = settled + seconds * SECOND;
    double cpu = 0;
    unsigned long taken = 0;
    for (int64_t now = start; now < end; now = now_ns(CLOCK_MONOTONIC)) {
        if (cpu == 0 && now >= settled) cpu = cpu_s(), taken = count_of(&succeeded);
        drive(vehicles, count, threaded, start);
        turn(epoll);
    }
    cpu = cpu_s() - cpu;
    taken = count_of(&succeeded) - taken;
    long reporting_kb = resident_kb(), open_descriptors = descriptors();

    for (unsigned i = 0; i < count; i++) check(milepost_reporter_set_tracking(vehicles[i].reporter, 0), "tracking");
    for (end = now_ns(CLOCK_MONOTONIC) + ENDING_S * SECOND; count_of(&offline) < count && now_ns(CLOCK_MONOTONIC) < end;) turn(epoll);
    for (unsigned i = 0; i < count; i++) check(milepost_reporter_destroy(vehicles[i].reporter), "destroy");

    printf("scale_%s_taken %lu updates\n", argv[1], succeeded);
    printf("scale_%s_failed %lu updates\n", argv[1], failed);
    printf("scale_%s_last_confirmed %lu vehicles\n", argv[1], offline);
    printf("scale_%s_memory_made %.1f kB\n", argv[1], (double)(made_kb - before_kb) / count);
    printf("scale_%s_memory_reporting %.1f kB\n", argv[1], (double)(reporting_kb - before_kb) / count);
    printf("scale_%s_descriptors %.1f descriptors\n", argv[1], (double)(open_descriptors - before_descriptors) / count);
    printf("scale_%s_cpu %.0f us/s\n", argv[1], cpu / (double)seconds / count * 1e6);
    printf("scale_%s_cpu_per_update %.0f us\n", argv[1], taken ? cpu / (double)taken * 1e6 : 0);
    free(vehicles);
    return 0;
}
