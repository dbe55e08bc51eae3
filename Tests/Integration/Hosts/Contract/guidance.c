/* What a host does to a reporter's route on the way, and what a reporter does in a gap. */
#include "contract.h"

#include <math.h>

static int is_near(double value, double wanted, double tolerance) { return fabs(value - wanted) <= tolerance; }

static milepost_reporter *listened(milepost_config *config, recorder *r) {
    milepost_reporter *reporter = NULL;
    milepost_listener_id id = 0;
    recorder_init(r);
    milepost_listener listener = recorder_listener(r);
    CHECK_OK(milepost_reporter_create(config, &reporter));
    CHECK_OK(milepost_reporter_add_listener(reporter, &listener, &id));
    milepost_config_destroy(config);
    return reporter;
}

static void follow(milepost_reporter *reporter) {
    milepost_route *route = straight_route();
    CHECK_OK(milepost_reporter_set_route(reporter, route));
    milepost_route_destroy(route);
}

/* A fix each second at 11 m/s. */
static void push(milepost_reporter *reporter, recorder *r, int from_s, int to_s) {
    for (int s = from_s; s <= to_s; s++) {
        milepost_fix fix = fix_at(0.0001 * s, s);
        int before = recorder_get(r, &r->progress);
        CHECK_OK(milepost_reporter_push_fix(reporter, &fix));
        DRIVE(reporter, r, progress, before + 1);
    }
}

static void without_a_route_there_is_nothing_to_skip(void) {
    milepost_reporter *reporter = some_reporter(NULL);
    char bytes[256];
    size_t size = 0;
    CHECK_REFUSED(MILEPOST_ERROR_STATE, milepost_reporter_skip_waypoint(reporter, 0), "set_route");
    CHECK_REFUSED(MILEPOST_ERROR_STATE, milepost_reporter_set_dwell(reporter, 0, 1), "set_route");
    CHECK_REFUSED(MILEPOST_ERROR_STATE, milepost_reporter_set_waypoint_radius(reporter, 0, 10), "set_route");
    CHECK_REFUSED(MILEPOST_ERROR_STATE, milepost_reporter_save_progress(reporter, bytes, sizeof bytes, &size), "set_route");
    CHECK_REFUSED(MILEPOST_ERROR_STATE, milepost_reporter_restore_progress(reporter, bytes, 8), "set_route");
    follow(reporter);
    CHECK_REFUSED(MILEPOST_ERROR_ARGUMENT, milepost_reporter_skip_waypoint(reporter, 1), "last");
    CHECK_REFUSED(MILEPOST_ERROR_ARGUMENT, milepost_reporter_set_dwell(reporter, 2, 1), "waypoint is 2");
    CHECK_REFUSED(MILEPOST_ERROR_ARGUMENT, milepost_reporter_set_waypoint_radius(reporter, 0, 1), "radius_m");
    CHECK_OK(milepost_reporter_destroy(reporter));
}

static void what_a_host_changes_on_the_way_is_told_at_once(void) {
    recorder r;
    milepost_reporter *reporter = listened(some_config(NULL), &r);
    follow(reporter);
    push(reporter, &r, 0, 10);
    double left_s = r.last_progress.remaining_s;
    CHECK_OK(milepost_reporter_set_dwell(reporter, 0, 300));
    DRIVE(reporter, &r, progress, 12);
    CHECK(r.events == 1 && is_near(r.last_progress.remaining_s, left_s + 300, 0.1));
    CHECK_OK(milepost_reporter_skip_waypoint(reporter, 0));
    DRIVE(reporter, &r, progress, 13);
    CHECK(r.events == 2 && r.event.kind == MILEPOST_ROUTE_EVENT_WAYPOINT_MISSED && r.event.reason == MILEPOST_REASON_REQUESTED);
    CHECK(r.last_progress.leg == 1 && is_near(r.last_progress.remaining_s, left_s, 0.1));
    CHECK_STATUS(MILEPOST_ERROR_STATE, milepost_reporter_skip_waypoint(reporter, 0));
    follow(reporter);
    DRIVE(reporter, &r, progress, 14);
    CHECK(r.events == 3 && r.event.kind == MILEPOST_ROUTE_EVENT_ROUTE_REPLACED);
    CHECK(r.last_progress.state == MILEPOST_ROUTE_ACQUIRING && r.last_progress.leg == 0);
    push(reporter, &r, 11, 11);
    CHECK(r.last_progress.state == MILEPOST_ROUTE_ON && r.last_progress.leg == 0);
    CHECK_OK(milepost_reporter_destroy(reporter));
}

static void a_configured_speed_and_radius_count_for_its_routes(void) {
    const double points[] = {48, 11, 48.01, 11};
    milepost_route *route = NULL;
    recorder r;
    milepost_config *config = some_config(NULL);
    CHECK_OK(milepost_config_set_speed(config, 11.12));
    CHECK_OK(milepost_config_set_arrival_radius(config, 100));
    milepost_reporter *reporter = listened(config, &r);
    CHECK_OK(milepost_route_create(points, 2, NULL, NULL, 0, &route));
    CHECK_OK(milepost_reporter_set_route(reporter, route));
    milepost_route_destroy(route);
    push(reporter, &r, 0, 50);
    CHECK((r.last_progress.fields & MILEPOST_PROGRESS_DURATION) && is_near(r.last_progress.remaining_s, 50, 1));
    push(reporter, &r, 51, 92); /* 89 m before the end */
    CHECK(r.last_progress.state == MILEPOST_ROUTE_ARRIVED);
    CHECK_OK(milepost_reporter_destroy(reporter));
}

static void saved_progress_is_restored_after_a_power_cycle(void) {
    recorder r;
    unsigned char bytes[256];
    size_t size = 0;
    milepost_reporter *reporter = listened(some_config(NULL), &r);
    follow(reporter);
    push(reporter, &r, 0, 110);
    double left_s = r.last_progress.remaining_s;
    CHECK(r.last_progress.leg == 1);
    CHECK_OK(milepost_reporter_save_progress(reporter, NULL, 0, &size));
    CHECK_REFUSED(MILEPOST_ERROR_ARGUMENT, milepost_reporter_save_progress(reporter, bytes, size - 1, &size), "needed");
    CHECK_OK(milepost_reporter_save_progress(reporter, bytes, sizeof bytes, &size));
    CHECK_OK(milepost_reporter_destroy(reporter));

    server *server = server_start(200);
    reporter = listened(some_config(server_url(server)), &r);
    follow(reporter);
    bytes[20] ^= 1;
    CHECK_STATUS(MILEPOST_ERROR_SAVED, milepost_reporter_restore_progress(reporter, bytes, size));
    bytes[20] ^= 1;
    CHECK_OK(milepost_reporter_restore_progress(reporter, bytes, size));
    DRIVE(reporter, &r, progress, 1);
    CHECK(r.last_progress.state == MILEPOST_ROUTE_ON && r.last_progress.leg == 1 && is_near(r.last_progress.remaining_s, left_s, 0.1));
    CHECK(!(r.last_progress.fields & (MILEPOST_PROGRESS_TIME | MILEPOST_PROGRESS_ETA)) && r.events == 0);
    CHECK_OK(milepost_reporter_set_tracking(reporter, 1));
    push(reporter, &r, 140, 140);
    DRIVE(reporter, &r, succeeded, 1);
    CHECK((r.update.fields & MILEPOST_UPDATE_DISTANCE) && r.update.leg == 1);
    CHECK_OK(milepost_reporter_destroy(reporter));
    server_stop(server);
}

static void in_a_gap_it_goes_on_by_itself_and_says_so(void) {
    recorder r;
    milepost_config *config = some_config(NULL);
    CHECK_OK(milepost_config_set_dead_reckoning(config, 1));
    milepost_reporter *reporter = listened(config, &r);
    follow(reporter);
    push(reporter, &r, 0, 20);
    double along_m = r.last_progress.along_m;
    DRIVE(reporter, &r, estimated, 1);
    CHECK(r.last_progress.along_m > along_m + 15 && r.last_progress.state == MILEPOST_ROUTE_ON);
    CHECK(r.last_progress.time_unix_ms >= fix_at(0, 22).time_unix_ms);
    DRIVE(reporter, &r, stale, 1);
    CHECK((r.last_progress.fields & MILEPOST_PROGRESS_ESTIMATED) && r.last_progress.along_m > along_m + 100);
    CHECK(r.event.kind == MILEPOST_ROUTE_EVENT_STALE && r.event.reason == MILEPOST_REASON_NO_FIX);
    push(reporter, &r, 30, 30);
    CHECK(r.last_progress.state == MILEPOST_ROUTE_ON && !(r.last_progress.fields & MILEPOST_PROGRESS_ESTIMATED));
    CHECK(r.event.kind == MILEPOST_ROUTE_EVENT_RESUMED && is_near(r.last_progress.along_m, 30 * 11.12, 1));
    CHECK_OK(milepost_reporter_destroy(reporter));
}

static void it_goes_stale_by_itself(void) {
    recorder r;
    milepost_reporter *reporter = listened(some_config(NULL), &r);
    follow(reporter);
    push(reporter, &r, 0, 5);
    DRIVE(reporter, &r, stale, 1);
    CHECK(r.estimated == 0 && r.event.kind == MILEPOST_ROUTE_EVENT_STALE && recorder_get(&r, &r.progress) == 7);
    push(reporter, &r, 15, 15);
    CHECK(r.last_progress.state == MILEPOST_ROUTE_ON && r.event.kind == MILEPOST_ROUTE_EVENT_RESUMED);
    CHECK_OK(milepost_reporter_destroy(reporter));
}

const contract_case guidance_cases[] = {
    {"without_a_route_there_is_nothing_to_skip", without_a_route_there_is_nothing_to_skip},
    {"what_a_host_changes_on_the_way_is_told_at_once", what_a_host_changes_on_the_way_is_told_at_once},
    {"a_configured_speed_and_radius_count_for_its_routes", a_configured_speed_and_radius_count_for_its_routes},
    {"saved_progress_is_restored_after_a_power_cycle", saved_progress_is_restored_after_a_power_cycle},
    {"in_a_gap_it_goes_on_by_itself_and_says_so", in_a_gap_it_goes_on_by_itself_and_says_so},
    {"it_goes_stale_by_itself", it_goes_stale_by_itself},
    {NULL, NULL}};
