#include "contract.h"

#include <poll.h>
#include <time.h>

void check_that(int holds, const char *text, const char *file, int line) {
    if (holds) return;
    fprintf(stderr, "%s:%d: not so: %s (last error: \"%s\")\n", file, line, text, milepost_last_error());
    exit(1);
}

void check_status(milepost_status got, milepost_status wanted, const char *text, const char *file, int line) {
    if (got == wanted) return;
    fprintf(stderr, "%s:%d: %s gave %d (%s), not %d (%s); last error: \"%s\"\n", file, line, text, (int)got, milepost_status_string(got),
            (int)wanted, milepost_status_string(wanted), milepost_last_error());
    exit(1);
}

void check_says(const char *part, const char *file, int line) {
    if (strstr(milepost_last_error(), part)) return;
    fprintf(stderr, "%s:%d: the last error does not say \"%s\": \"%s\"\n", file, line, part, milepost_last_error());
    exit(1);
}

milepost_route *straight_route(void) {
    const double points[] = {48.00, 11, 48.01, 11, 48.02, 11};
    const size_t waypoints[] = {1, 2};
    const double legs_s[] = {40, 60};
    milepost_route *route = NULL;
    CHECK_OK(milepost_route_create(points, 3, waypoints, legs_s, 2, &route));
    return route;
}

milepost_fix fix_at(double north_deg, double time_s) {
    milepost_fix fix = MILEPOST_FIX_INIT;
    fix.fields = MILEPOST_FIX_TIME | MILEPOST_FIX_ACCURACY | MILEPOST_FIX_SPEED | MILEPOST_FIX_HEADING;
    fix.time_unix_ms = 1790000000000 + (int64_t)(time_s * 1000);
    fix.latitude_deg = 48 + north_deg;
    fix.longitude_deg = 11;
    fix.accuracy_m = 4;
    fix.speed_mps = 11.125;
    fix.heading_deg = 0;
    return fix;
}

milepost_config *some_config(const char *endpoint) {
    milepost_config *config = NULL;
    CHECK_OK(milepost_config_create(MILEPOST_SERVICE_ON_DEMAND, &config));
    CHECK_OK(milepost_config_set_provider_id(config, "test-project"));
    CHECK_OK(milepost_config_set_vehicle_id(config, "van-1"));
    CHECK_OK(milepost_config_set_token(config, "a-token"));
    if (endpoint) CHECK_OK(milepost_config_set_endpoint(config, endpoint));
    return config;
}

milepost_reporter *some_reporter(const char *endpoint) {
    milepost_config *config = some_config(endpoint);
    milepost_reporter *reporter = NULL;
    CHECK_OK(milepost_reporter_create(config, &reporter));
    milepost_config_destroy(config);
    return reporter;
}

double seconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* -- the recorder -- */

static void copy(char *into, size_t capacity, const char *text) { snprintf(into, capacity, "%s", text ? text : "(NULL)"); }

static void changed(recorder *recorder, int *count) {
    ++*count;
    pthread_cond_broadcast(&recorder->changed);
    pthread_mutex_unlock(&recorder->lock);
}

static void succeeded(void *user, const milepost_update *update) {
    recorder *r = user;
    pthread_mutex_lock(&r->lock);
    r->update = *update;
    if (update->fix) r->fix = *update->fix;
    copy(r->mask, sizeof r->mask, update->update_mask);
    copy(r->segment, sizeof r->segment, update->route_segment);
    changed(r, &r->succeeded);
}

static void failed(void *user, const milepost_failure *failure) {
    recorder *r = user;
    pthread_mutex_lock(&r->lock);
    r->failure = *failure;
    copy(r->mask, sizeof r->mask, failure->update_mask);
    copy(r->message, sizeof r->message, failure->message);
    copy(r->reason, sizeof r->reason, failure->reason);
    copy(r->details, sizeof r->details, failure->details);
    changed(r, &r->failed);
}

static void progress(void *user, const milepost_progress *progress) {
    recorder *r = user;
    pthread_mutex_lock(&r->lock);
    r->last_progress = *progress;
    if (progress->fields & MILEPOST_PROGRESS_ESTIMATED) r->estimated++;
    if (progress->state == MILEPOST_ROUTE_STALE) r->stale++;
    changed(r, &r->progress);
}

static void route_event(void *user, const milepost_route_event *event) {
    recorder *r = user;
    pthread_mutex_lock(&r->lock);
    r->event = *event;
    changed(r, &r->events);
}

static void reporter_event(void *user, const milepost_reporter_event *event) {
    recorder *r = user;
    pthread_mutex_lock(&r->lock);
    r->reporter_event = *event;
    copy(r->event_message, sizeof r->event_message, event->message);
    changed(r, &r->reporter_events);
}

static void position_state(void *user, milepost_position_state state, const char *detail) {
    recorder *r = user;
    pthread_mutex_lock(&r->lock);
    r->position_state = state;
    copy(r->detail, sizeof r->detail, detail);
    changed(r, &r->position);
}

void recorder_ask(void *user, milepost_token_request request, const milepost_token_context *context) {
    recorder *r = user;
    (void)context;
    pthread_mutex_lock(&r->lock);
    r->token_request = request;
    changed(r, &r->tokens);
}

void recorder_init(recorder *recorder) {
    memset(recorder, 0, sizeof *recorder);
    pthread_mutex_init(&recorder->lock, NULL);
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&recorder->changed, &monotonic);
    pthread_condattr_destroy(&monotonic);
}

milepost_listener recorder_listener(recorder *recorder) {
    milepost_listener listener = MILEPOST_LISTENER_INIT;
    listener.user = recorder;
    listener.update_succeeded = succeeded;
    listener.update_failed = failed;
    listener.progress = progress;
    listener.position_state = position_state;
    listener.route_event = route_event;
    listener.reporter_event = reporter_event;
    return listener;
}

milepost_reporter *tracking_reporter(milepost_config *config, recorder *recorder) {
    milepost_reporter *reporter = NULL;
    milepost_listener listener = recorder_listener(recorder);
    milepost_listener_id id = 0;
    CHECK_OK(milepost_reporter_create(config, &reporter));
    milepost_config_destroy(config);
    CHECK_OK(milepost_reporter_add_listener(reporter, &listener, &id));
    milepost_fix fix = fix_at(0.001, 0);
    CHECK_OK(milepost_reporter_push_fix(reporter, &fix));
    CHECK_OK(milepost_reporter_set_tracking(reporter, 1));
    return reporter;
}

int recorder_get(recorder *recorder, const int *count) {
    pthread_mutex_lock(&recorder->lock);
    int value = *count;
    pthread_mutex_unlock(&recorder->lock);
    return value;
}

void recorder_await(recorder *recorder, const int *count, int at_least, const char *file, int line) {
    struct timespec end;
    clock_gettime(CLOCK_MONOTONIC, &end);
    end.tv_sec += 30;
    pthread_mutex_lock(&recorder->lock);
    int expired = 0;
    while (*count < at_least && !expired) expired = pthread_cond_timedwait(&recorder->changed, &recorder->lock, &end) != 0;
    int value = *count;
    pthread_mutex_unlock(&recorder->lock);
    if (value >= at_least) return;
    fprintf(stderr, "%s:%d: %d callbacks came, not %d (last failure: \"%s\")\n", file, line, value, at_least, recorder->message);
    exit(1);
}

void drive_until(milepost_reporter *reporter, recorder *recorder, const int *count, int at_least, const char *file, int line) {
    double end = seconds_now() + 30;
    struct pollfd wait = {milepost_reporter_fd(reporter), POLLIN, 0};
    while (recorder_get(recorder, count) < at_least) {
        poll(&wait, 1, 1000);
        check_status(milepost_reporter_dispatch(reporter), MILEPOST_OK, "dispatch", file, line);
        check_that(seconds_now() < end, "the callback comes", file, line);
    }
}
