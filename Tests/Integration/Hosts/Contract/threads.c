/* One reporter, called from many threads at once. */
#include "contract.h"

enum { THREADS = 4 };

typedef struct worker {
    milepost_reporter *reporter;
    int number;
    int taken;
} worker;

static void run_on_threads(milepost_reporter *reporter, worker *workers, void *(*body)(void *)) {
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++) {
        workers[i] = (worker){reporter, i, 0};
        CHECK(pthread_create(&threads[i], NULL, body, &workers[i]) == 0);
    }
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
}

static void *push_fixes(void *argument) {
    worker *w = argument;
    for (int i = 0; i < 500; i++) {
        milepost_fix fix = fix_at(0.00001 * i, i + 0.2 * w->number);
        fix.speed_mps = 1;
        milepost_status status = milepost_reporter_push_fix(w->reporter, &fix);
        CHECK(status == MILEPOST_OK || status == MILEPOST_ERROR_FIX); /* another thread was ahead */
        w->taken += status == MILEPOST_OK;
    }
    return NULL;
}

static void fixes_are_pushed_from_many_threads(void) {
    milepost_reporter *reporter = some_reporter(NULL);
    worker workers[THREADS];
    milepost_route *route = straight_route();
    CHECK_OK(milepost_reporter_set_route(reporter, route));
    milepost_route_destroy(route);
    CHECK_OK(milepost_reporter_start(reporter));
    run_on_threads(reporter, workers, push_fixes);
    int taken = 0;
    for (int i = 0; i < THREADS; i++) taken += workers[i].taken;
    CHECK(taken >= 500);
    CHECK_OK(milepost_reporter_destroy(reporter));
}

static void *call_everything(void *argument) {
    worker *w = argument;
    milepost_reporter *reporter = w->reporter;
    for (int i = 0; i < 200; i++) {
        int32_t value;
        milepost_fix fix = fix_at(0.00001 * i, i + 0.2 * w->number);
        milepost_route *route = straight_route();
        CHECK_OK(milepost_reporter_set_route(reporter, i % 5 ? route : NULL));
        milepost_route_destroy(route);
        milepost_reporter_push_fix(reporter, &fix);
        CHECK_OK(milepost_reporter_set_tracking(reporter, (i + w->number) % 3 != 0));
        milepost_status status = milepost_reporter_set_vehicle_state(reporter, MILEPOST_VEHICLE_ONLINE);
        CHECK(status == MILEPOST_OK || status == MILEPOST_ERROR_TRACKING_OFF);
        CHECK_OK(milepost_reporter_set_interval(reporter, 5 + i % 50));
        CHECK_OK(milepost_reporter_get_interval(reporter, &value));
        CHECK(value >= 5 && value < 60);
        CHECK_OK(milepost_reporter_get_tracking(reporter, &value));
        CHECK_OK(milepost_reporter_get_vehicle_state(reporter, &value));
        CHECK_OK(milepost_reporter_set_vehicle_id(reporter, i % 2 ? "van-1" : "van-2"));
        CHECK(milepost_reporter_fd(reporter) >= 0);
        CHECK_STATUS(MILEPOST_ERROR_STATE, milepost_reporter_dispatch(reporter));
    }
    return NULL;
}

static void every_call_may_come_from_any_thread(void) {
    server *server = server_start(200);
    milepost_reporter *reporter = some_reporter(server_url(server));
    worker workers[THREADS];
    CHECK_OK(milepost_reporter_start(reporter));
    run_on_threads(reporter, workers, call_everything);
    milepost_reporter_stop(reporter, 5000);
    CHECK_OK(milepost_reporter_destroy(reporter));
    server_stop(server);
}

static void *start_and_stop(void *argument) {
    worker *w = argument;
    for (int i = 0; i < 50; i++) {
        milepost_status status = milepost_reporter_start(w->reporter);
        CHECK(status == MILEPOST_OK || status == MILEPOST_ERROR_STATE);
        status = milepost_reporter_stop(w->reporter, 5000);
        CHECK(status == MILEPOST_OK || status == MILEPOST_ERROR_STATE);
    }
    return NULL;
}

static void starts_and_stops_may_meet(void) {
    milepost_reporter *reporter = some_reporter(NULL);
    worker workers[THREADS];
    run_on_threads(reporter, workers, start_and_stop);
    CHECK_OK(milepost_reporter_start(reporter));
    CHECK_OK(milepost_reporter_stop(reporter, 5000));
    CHECK_OK(milepost_reporter_destroy(reporter));
}

static void *dispatch_often(void *argument) {
    worker *w = argument;
    for (int i = 0; i < 200; i++) {
        milepost_status status = milepost_reporter_dispatch(w->reporter);
        CHECK(status == MILEPOST_OK || status == MILEPOST_ERROR_STATE); /* another thread is inside */
        w->taken += status == MILEPOST_OK;
    }
    return NULL;
}

static void only_one_thread_at_a_time_dispatches(void) {
    milepost_reporter *reporter = some_reporter(NULL);
    worker workers[THREADS];
    run_on_threads(reporter, workers, dispatch_often);
    CHECK(workers[0].taken + workers[1].taken + workers[2].taken + workers[3].taken > 0);
    CHECK_OK(milepost_reporter_destroy(reporter));
}

const contract_case thread_cases[] = {
    {"fixes_are_pushed_from_many_threads", fixes_are_pushed_from_many_threads},
    {"every_call_may_come_from_any_thread", every_call_may_come_from_any_thread},
    {"starts_and_stops_may_meet", starts_and_stops_may_meet},
    {"only_one_thread_at_a_time_dispatches", only_one_thread_at_a_time_dispatches},
    {NULL, NULL}};
