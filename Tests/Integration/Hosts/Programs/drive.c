/* drive ENDPOINT: a vehicle's whole day in small, on both services and in both loops: create, follow a route, report, stop, destroy.
   Run under valgrind against the emulator. */
#define _POSIX_C_SOURCE 200809L
#include <milepost.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int taken, failed;

static void check(milepost_status status, const char *what) {
    if (status == MILEPOST_OK) return;
    fprintf(stderr, "%s: %s: %s\n", what, milepost_status_string(status), milepost_last_error());
    exit(1);
}

static void on_taken(void *user, const milepost_update *update) {
    (void)user;
    printf("taken: %s\n", update->update_mask);
    pthread_mutex_lock(&lock);
    taken++;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

static void on_failed(void *user, const milepost_failure *failure) {
    (void)user;
    fprintf(stderr, "refused: HTTP %d, %s\n", (int)failure->http_status, failure->message);
    pthread_mutex_lock(&lock);
    failed++;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

static void on_progress(void *user, const milepost_progress *progress) {
    (void)user;
    for (size_t i = 0; i < progress->waypoint_count; i++)
        if (progress->waypoint_remaining_m[i] < 0) exit(1);
}

static void on_position(void *user, milepost_position_state state, const char *detail) {
    (void)user;
    printf("position %d: %s\n", (int)state, detail);
}

static milepost_reporter *make(const char *endpoint, milepost_service service) {
    const int is_delivery = service == MILEPOST_SERVICE_DELIVERY;
    milepost_config *config = NULL;
    milepost_reporter *reporter = NULL;
    char tokens[256];
    snprintf(tokens, sizeof tokens, "%s/token/%s/{vehicle}", endpoint, is_delivery ? "delivery-driver" : "driver");
    check(milepost_config_create(service, &config), "create");
    check(milepost_config_set_provider_id(config, "demo-provider"), "provider");
    check(milepost_config_set_vehicle_id(config, is_delivery ? "depot-1" : "van-1"), "vehicle");
    check(milepost_config_set_endpoint(config, endpoint), "endpoint");
    check(milepost_config_set_token_url(config, tokens, "token", "expiresInSeconds", MILEPOST_TOKEN_EXPIRY_SECONDS_FROM_NOW), "tokens");
    check(milepost_reporter_create(config, &reporter), "reporter");
    milepost_config_destroy(config);
    return reporter;
}

static void follow(milepost_reporter *reporter, double north_deg) {
    const double points[] = {48, 11, 48 + north_deg / 2, 11, 48 + north_deg, 11};
    const size_t waypoints[] = {1, 2};
    const double legs_s[] = {100, 100};
    milepost_route *route = NULL;
    check(milepost_route_create(points, 3, waypoints, legs_s, 2, &route), "route");
    check(milepost_reporter_set_route(reporter, route), "follow");
    milepost_route_destroy(route);
}

static void push(milepost_reporter *reporter, int second) {
    milepost_fix fix = MILEPOST_FIX_INIT;
    fix.fields = MILEPOST_FIX_TIME | MILEPOST_FIX_ACCURACY | MILEPOST_FIX_SPEED | MILEPOST_FIX_HEADING;
    fix.time_unix_ms = 1790000000000 + 1000 * (int64_t)second;
    fix.latitude_deg = 48 + 0.0001 * second;
    fix.longitude_deg = 11;
    fix.accuracy_m = 5;
    fix.speed_mps = 11;
    check(milepost_reporter_push_fix(reporter, &fix), "fix");
}

/* Waits for so many answers; drives the reporter itself where it has no thread. */
static void await(milepost_reporter *reporter, int is_threaded, int count) {
    pthread_mutex_lock(&lock);
    while (taken < count && failed == 0) {
        if (is_threaded) {
            pthread_cond_wait(&changed, &lock);
            continue;
        }
        pthread_mutex_unlock(&lock);
        struct pollfd wait = {milepost_reporter_fd(reporter), POLLIN, 0};
        poll(&wait, 1, -1);
        check(milepost_reporter_dispatch(reporter), "dispatch");
        pthread_mutex_lock(&lock);
    }
    pthread_mutex_unlock(&lock);
    if (failed) exit(1);
}

/* One stop and another: to the first, there, done, and the rest read back. */
static void make_stops(milepost_reporter *reporter, int is_threaded) {
    const char *const tasks[] = {"parcel-1", "parcel-2"};
    milepost_stop stops[] = {MILEPOST_STOP_INIT, MILEPOST_STOP_INIT}, left = MILEPOST_STOP_INIT;
    const int before = taken;
    stops[0].latitude_deg = 48.01;
    stops[1].latitude_deg = 48.02;
    stops[0].longitude_deg = stops[1].longitude_deg = 11;
    stops[0].task_ids = tasks;
    stops[0].task_count = 2;
    check(milepost_reporter_set_stops(reporter, stops, 2), "stops");
    await(reporter, is_threaded, before + 1);
    check(milepost_reporter_enroute_to_next_stop(reporter), "enroute");
    await(reporter, is_threaded, before + 2);
    check(milepost_reporter_arrived_at_stop(reporter), "arrived");
    await(reporter, is_threaded, before + 3);
    check(milepost_reporter_completed_stop(reporter), "completed");
    await(reporter, is_threaded, before + 4);
    check(milepost_reporter_get_stop(reporter, 0, &left), "the stop left");
    if (left.latitude_deg != stops[1].latitude_deg || left.state != MILEPOST_STOP_NEW) exit(1);
}

/* The host knows better for a while. */
static void guide(milepost_reporter *reporter, int is_threaded) {
    const double line[] = {48.002, 11, 48.004, 11.001, 48.01, 11};
    milepost_guidance guidance = MILEPOST_GUIDANCE_INIT;
    const int before = taken;
    guidance.fields = MILEPOST_GUIDANCE_DISTANCE | MILEPOST_GUIDANCE_DURATION;
    guidance.remaining_m = 1000;
    guidance.remaining_s = 90;
    guidance.points_deg = line;
    guidance.point_count = 3;
    check(milepost_reporter_set_guidance(reporter, &guidance), "guidance");
    await(reporter, is_threaded, before + 1);
    check(milepost_reporter_set_guidance(reporter, NULL), "no guidance");
    await(reporter, is_threaded, before + 2);
}

static void drive(const char *endpoint, milepost_service service, int is_threaded) {
    milepost_reporter *reporter = make(endpoint, service);
    milepost_listener listener = MILEPOST_LISTENER_INIT;
    milepost_listener_id id = 0;
    listener.update_succeeded = on_taken;
    listener.update_failed = on_failed;
    listener.progress = on_progress;
    listener.position_state = on_position;
    check(milepost_reporter_add_listener(reporter, &listener, &id), "listener");
    follow(reporter, 0.02);
    taken = 0;
    if (is_threaded) check(milepost_reporter_start(reporter), "start");
    for (int second = 0; second < 20; second++) push(reporter, second);
    check(milepost_reporter_set_tracking(reporter, 1), "tracking");
    await(reporter, is_threaded, 1);
    if (service == MILEPOST_SERVICE_ON_DEMAND) {
        check(milepost_reporter_set_vehicle_state(reporter, MILEPOST_VEHICLE_ONLINE), "online");
        await(reporter, is_threaded, 2);
    } else {
        make_stops(reporter, is_threaded);
    }
    guide(reporter, is_threaded);
    push(reporter, 20);
    int before = taken;
    follow(reporter, 0.04); /* another route goes out at once */
    push(reporter, 21);
    await(reporter, is_threaded, before + 1);
    check(milepost_reporter_remove_listener(reporter, id), "remove");
    check(milepost_reporter_set_tracking(reporter, 0), "tracking off");
    check(milepost_reporter_stop(reporter, 30000), "stop");
    check(milepost_reporter_destroy(reporter), "destroy");
}

int main(int argc, char **argv) {
    if (argc != 2) return 2;
    for (int is_threaded = 0; is_threaded <= 1; is_threaded++) {
        drive(argv[1], MILEPOST_SERVICE_ON_DEMAND, is_threaded);
        drive(argv[1], MILEPOST_SERVICE_DELIVERY, is_threaded);
    }
    return 0;
}
