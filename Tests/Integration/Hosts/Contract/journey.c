/* What a host does to a tracker on the way: skip, wait, replace, save and restore, carry on through a gap. */
#include "contract.h"

#include <math.h>

static int is_near(double value, double wanted, double tolerance) { return fabs(value - wanted) <= tolerance; }

/* On a route of three legs of 40 s and 1,112 m each, due north. */
static milepost_tracker *three_legs(const double *legs_s) {
    const double points[] = {48.00, 11, 48.01, 11, 48.02, 11, 48.03, 11};
    const size_t waypoints[] = {1, 2, 3};
    milepost_route *route = NULL;
    milepost_tracker *tracker = NULL;
    CHECK_OK(milepost_route_create(points, 4, waypoints, legs_s, 3, &route));
    CHECK_OK(milepost_tracker_create(route, &tracker));
    milepost_route_destroy(route);
    return tracker;
}

static const double forty_s[] = {40, 40, 40};

static milepost_progress drive(milepost_tracker *tracker, int from_s, int to_s) {
    milepost_progress p = MILEPOST_PROGRESS_INIT;
    for (int s = from_s; s <= to_s; s++) {
        /* 27.8 m/s */
        milepost_fix fix = fix_at(0.00025 * s, s);
        fix.speed_mps = 27.8;
        CHECK_OK(milepost_tracker_update(tracker, &fix, &p));
    }
    return p;
}

static milepost_progress now(milepost_tracker *tracker) {
    milepost_progress p = MILEPOST_PROGRESS_INIT;
    CHECK_OK(milepost_tracker_get_progress(tracker, &p));
    return p;
}

static milepost_route_event event_of(const milepost_tracker *tracker, size_t index) {
    milepost_route_event event = MILEPOST_ROUTE_EVENT_INIT;
    CHECK_OK(milepost_tracker_get_event(tracker, index, &event));
    return event;
}

static void progress_is_there_before_the_first_fix(void) {
    milepost_tracker *tracker = three_legs(forty_s);
    milepost_progress p = now(tracker);
    CHECK(p.state == MILEPOST_ROUTE_ACQUIRING && !(p.fields & (MILEPOST_PROGRESS_TIME | MILEPOST_PROGRESS_ETA)));
    CHECK(is_near(p.remaining_m, 3335.7, 0.1) && is_near(p.remaining_s, 120, 0.01) && is_near(p.waypoint_remaining_s[0], 40, 0.01));
    milepost_tracker_destroy(tracker);
}

static void a_skipped_waypoint_is_left_out_at_once(void) {
    milepost_tracker *tracker = three_legs(forty_s);
    CHECK_OK(milepost_tracker_set_dwell(tracker, 0, 100));
    drive(tracker, 0, 20);
    CHECK_OK(milepost_tracker_skip_waypoint(tracker, 0));
    milepost_route_event event = event_of(tracker, 0);
    CHECK(event.kind == MILEPOST_ROUTE_EVENT_WAYPOINT_MISSED && event.reason == MILEPOST_REASON_REQUESTED && event.waypoint == 0);
    milepost_progress p = now(tracker);
    CHECK(p.leg == 1 && p.waypoint_remaining_m[0] == 0 && is_near(p.waypoint_remaining_s[1], 60, 0.1) && is_near(p.remaining_s, 100, 0.1));
    CHECK_REFUSED(MILEPOST_ERROR_STATE, milepost_tracker_skip_waypoint(tracker, 0), "already");
    CHECK_REFUSED(MILEPOST_ERROR_ARGUMENT, milepost_tracker_skip_waypoint(tracker, 2), "last");
    CHECK_REFUSED(MILEPOST_ERROR_ARGUMENT, milepost_tracker_skip_waypoint(tracker, 3), "3");
    CHECK_STATUS(MILEPOST_ERROR_ARGUMENT, milepost_tracker_skip_waypoint(tracker, UINT32_MAX));
    CHECK(drive(tracker, 21, 90).leg == 2);
    CHECK_REFUSED(MILEPOST_ERROR_STATE, milepost_tracker_skip_waypoint(tracker, 1), "passed");
    milepost_tracker_destroy(tracker);
}

static void dwell_delays_the_waypoints_after_at_once(void) {
    milepost_tracker *tracker = three_legs(forty_s);
    drive(tracker, 0, 20);
    CHECK_OK(milepost_tracker_set_dwell(tracker, 1, 300));
    milepost_progress p = now(tracker);
    CHECK(is_near(p.waypoint_remaining_s[1], 60, 0.1) && is_near(p.remaining_s, 400, 0.1) && p.eta_unix_ms > p.time_unix_ms + 399000);
    CHECK_OK(milepost_tracker_set_dwell(tracker, 1, 0));
    CHECK(is_near(now(tracker).remaining_s, 100, 0.1));
    CHECK_OK(milepost_tracker_set_dwell(tracker, 2, 300)); /* at the end: nothing comes after */
    CHECK(is_near(now(tracker).remaining_s, 100, 0.1));
    const double refused[] = {-1, 86401, NAN, INFINITY};
    for (size_t i = 0; i < 4; i++) CHECK_REFUSED(MILEPOST_ERROR_ARGUMENT, milepost_tracker_set_dwell(tracker, 1, refused[i]), "dwell_s");
    CHECK_REFUSED(MILEPOST_ERROR_ARGUMENT, milepost_tracker_set_dwell(tracker, 3, 1), "waypoint is 3");
    milepost_tracker_destroy(tracker);
}

static void a_speed_gives_times_to_a_route_without(void) {
    milepost_tracker *tracker = three_legs(NULL);
    CHECK(!(drive(tracker, 0, 20).fields & MILEPOST_PROGRESS_DURATION));
    CHECK_OK(milepost_tracker_set_speed(tracker, 27.8));
    milepost_progress p = now(tracker);
    CHECK((p.fields & (MILEPOST_PROGRESS_DURATION | MILEPOST_PROGRESS_ETA)) && is_near(p.remaining_s, 100, 0.1));
    const double refused[] = {0, 0.05, 101, -5, NAN};
    for (size_t i = 0; i < 5; i++) CHECK_REFUSED(MILEPOST_ERROR_ARGUMENT, milepost_tracker_set_speed(tracker, refused[i]), "speed_mps");
    milepost_tracker_destroy(tracker);
    tracker = three_legs(forty_s);
    CHECK_OK(milepost_tracker_set_speed(tracker, 1));
    CHECK(is_near(now(tracker).remaining_s, 120, 0.01));
    milepost_tracker_destroy(tracker);
}

/* Drives 15 m beside the line; gives the kinds of what is told of waypoints. */
static void told_beside_the_line(milepost_tracker *tracker, milepost_route_event_kind *kinds) {
    int count = 0;
    for (int s = 0; s <= 110; s++) {
        milepost_progress p = MILEPOST_PROGRESS_INIT;
        milepost_fix fix = fix_at(0.00025 * s, s);
        milepost_route_event event = MILEPOST_ROUTE_EVENT_INIT;
        fix.longitude_deg += 0.0002;
        fix.speed_mps = 27.8;
        CHECK_OK(milepost_tracker_update(tracker, &fix, &p));
        for (size_t i = 0; milepost_tracker_get_event(tracker, i, &event) == MILEPOST_OK; i++)
            if (event.fields & MILEPOST_ROUTE_EVENT_HAS_WAYPOINT && count < 2) kinds[count++] = event.kind;
    }
    CHECK(count == 2);
}

static void the_radius_is_for_all_and_for_each_waypoint(void) {
    milepost_tracker *tracker = three_legs(forty_s);
    milepost_route_event_kind kinds[2];
    told_beside_the_line(tracker, kinds);
    CHECK(kinds[0] == MILEPOST_ROUTE_EVENT_WAYPOINT_ARRIVED && kinds[1] == MILEPOST_ROUTE_EVENT_WAYPOINT_ARRIVED);
    milepost_tracker_destroy(tracker);
    tracker = three_legs(forty_s);
    CHECK_OK(milepost_tracker_set_arrival_radius(tracker, 5));
    CHECK_OK(milepost_tracker_set_waypoint_radius(tracker, 1, 500));
    told_beside_the_line(tracker, kinds);
    CHECK(kinds[0] == MILEPOST_ROUTE_EVENT_WAYPOINT_PASSED && kinds[1] == MILEPOST_ROUTE_EVENT_WAYPOINT_ARRIVED);
    const double refused[] = {0, 4.9, 500.1, NAN};
    for (size_t i = 0; i < 4; i++) {
        CHECK_REFUSED(MILEPOST_ERROR_ARGUMENT, milepost_tracker_set_arrival_radius(tracker, refused[i]), "radius_m");
        CHECK_REFUSED(MILEPOST_ERROR_ARGUMENT, milepost_tracker_set_waypoint_radius(tracker, 0, refused[i]), "radius_m");
    }
    CHECK_REFUSED(MILEPOST_ERROR_ARGUMENT, milepost_tracker_set_waypoint_radius(tracker, 3, 40), "waypoint is 3");
    milepost_tracker_destroy(tracker);
}

static void a_new_route_begins_anew(void) {
    milepost_tracker *tracker = three_legs(forty_s);
    milepost_route *route = straight_route();
    drive(tracker, 0, 50);
    CHECK_OK(milepost_tracker_set_route(tracker, route));
    milepost_route_destroy(route);
    milepost_route_event event = event_of(tracker, 0);
    CHECK(event.kind == MILEPOST_ROUTE_EVENT_ROUTE_REPLACED && event.reason == MILEPOST_REASON_REQUESTED);
    milepost_progress p = now(tracker);
    CHECK(p.state == MILEPOST_ROUTE_ACQUIRING && p.leg == 0 && p.waypoint_count == 2 && is_near(p.remaining_s, 100, 0.01));
    p = drive(tracker, 51, 51);
    CHECK(p.state == MILEPOST_ROUTE_ON && p.leg == 1 && is_near(p.along_m, 51 * 27.8, 1));
    milepost_tracker_destroy(tracker);
}

static void a_saved_tracker_goes_on_after_a_power_cycle(void) {
    milepost_tracker *tracker = three_legs(forty_s);
    size_t size = 0, again = 0;
    CHECK_OK(milepost_tracker_set_dwell(tracker, 1, 300));
    drive(tracker, 0, 50);
    CHECK_OK(milepost_tracker_save(tracker, NULL, 0, &size));
    CHECK(size == 152 + 8 * 3);
    unsigned char *bytes = malloc(size);
    CHECK(bytes != NULL);
    again = 7;
    CHECK_REFUSED(MILEPOST_ERROR_ARGUMENT, milepost_tracker_save(tracker, bytes, size - 1, &again), "bytes are needed");
    CHECK(again == 7);
    CHECK_OK(milepost_tracker_save(tracker, bytes, size, &again));
    CHECK(again == size);
    milepost_progress before = now(tracker);
    double before_s = before.remaining_s, before_m = before.remaining_m;
    milepost_tracker_destroy(tracker);

    tracker = three_legs(forty_s);
    CHECK_OK(milepost_tracker_restore(tracker, bytes, size));
    milepost_progress p = now(tracker);
    CHECK(p.state == MILEPOST_ROUTE_ON && p.leg == 1 && !(p.fields & MILEPOST_PROGRESS_TIME));
    CHECK(p.remaining_m == before_m && is_near(p.remaining_s, before_s, 0.01));
    CHECK_STATUS(MILEPOST_ERROR_STATE, milepost_tracker_reckon(tracker, 1790000060000, &p));
    CHECK(drive(tracker, 51, 60).state == MILEPOST_ROUTE_ON);
    milepost_tracker_destroy(tracker);
    free(bytes);
}

static void saved_bytes_that_are_not_right_change_nothing(void) {
    milepost_tracker *tracker = three_legs(forty_s), *other = NULL;
    milepost_route *route = straight_route();
    unsigned char bytes[256];
    size_t size = 0;
    drive(tracker, 0, 50);
    CHECK_OK(milepost_tracker_save(tracker, bytes, sizeof bytes, &size));
    drive(tracker, 51, 55);
    const double along_m = now(tracker).along_m;
    for (size_t i = 0; i < size; i++) {
        bytes[i] ^= 0x40;
        CHECK_STATUS(MILEPOST_ERROR_SAVED, milepost_tracker_restore(tracker, bytes, size));
        bytes[i] ^= 0x40;
        CHECK_STATUS(MILEPOST_ERROR_SAVED, milepost_tracker_restore(tracker, bytes, i));
    }
    CHECK_STATUS(MILEPOST_ERROR_SAVED, milepost_tracker_restore(tracker, bytes, SIZE_MAX));
    CHECK_SAYS("start anew");
    CHECK(now(tracker).along_m == along_m);
    CHECK_OK(milepost_tracker_create(route, &other));
    CHECK_REFUSED(MILEPOST_ERROR_SAVED, milepost_tracker_restore(other, bytes, size), "another route");
    CHECK(now(other).state == MILEPOST_ROUTE_ACQUIRING);
    milepost_tracker_destroy(other);
    milepost_tracker_destroy(tracker);
    milepost_route_destroy(route);
}

static milepost_progress reckon(milepost_tracker *tracker, double time_s) {
    milepost_progress p = MILEPOST_PROGRESS_INIT;
    CHECK_OK(milepost_tracker_reckon(tracker, fix_at(0, time_s).time_unix_ms, &p));
    return p;
}

static void a_gap_is_bridged_by_estimates_that_say_so(void) {
    milepost_tracker *tracker = three_legs(forty_s);
    milepost_progress p = MILEPOST_PROGRESS_INIT;
    milepost_route_event event = MILEPOST_ROUTE_EVENT_INIT;
    CHECK_REFUSED(MILEPOST_ERROR_STATE, milepost_tracker_reckon(tracker, 1790000000000, &p), "no fix");
    CHECK(!(drive(tracker, 0, 45).fields & MILEPOST_PROGRESS_ESTIMATED));
    CHECK_REFUSED(MILEPOST_ERROR_ARGUMENT, milepost_tracker_reckon(tracker, fix_at(0, 44).time_unix_ms, &p), "before");
    p = reckon(tracker, 46); /* not late yet */
    CHECK(!(p.fields & MILEPOST_PROGRESS_ESTIMATED) && is_near(p.along_m, 45 * 27.8, 1));
    p = reckon(tracker, 50);
    CHECK((p.fields & MILEPOST_PROGRESS_ESTIMATED) && p.state == MILEPOST_ROUTE_ON && is_near(p.along_m, 50 * 27.8, 5));
    CHECK(p.time_unix_ms == fix_at(0, 50).time_unix_ms && is_near((double)(p.eta_unix_ms - p.time_unix_ms), 1000 * p.remaining_s, 1));
    p = reckon(tracker, 56);
    CHECK(p.state == MILEPOST_ROUTE_STALE && is_near(p.along_m, 56 * 27.8, 5));
    event = event_of(tracker, 0);
    CHECK(event.kind == MILEPOST_ROUTE_EVENT_STALE && event.reason == MILEPOST_REASON_NO_FIX);
    p = reckon(tracker, 120);
    CHECK(p.leg == 1 && is_near(p.waypoint_remaining_m[1], 0, 0.01)); /* up to the waypoint, not past it */
    p = drive(tracker, 60, 60);
    CHECK(p.state == MILEPOST_ROUTE_ON && !(p.fields & MILEPOST_PROGRESS_ESTIMATED) && is_near(p.along_m, 60 * 27.8, 1));
    event = event_of(tracker, 0);
    CHECK(event.kind == MILEPOST_ROUTE_EVENT_RESUMED);
    milepost_tracker_destroy(tracker);
}

const contract_case journey_cases[] = {
    {"progress_is_there_before_the_first_fix", progress_is_there_before_the_first_fix},
    {"a_skipped_waypoint_is_left_out_at_once", a_skipped_waypoint_is_left_out_at_once},
    {"dwell_delays_the_waypoints_after_at_once", dwell_delays_the_waypoints_after_at_once},
    {"a_speed_gives_times_to_a_route_without", a_speed_gives_times_to_a_route_without},
    {"the_radius_is_for_all_and_for_each_waypoint", the_radius_is_for_all_and_for_each_waypoint},
    {"a_new_route_begins_anew", a_new_route_begins_anew},
    {"a_saved_tracker_goes_on_after_a_power_cycle", a_saved_tracker_goes_on_after_a_power_cycle},
    {"saved_bytes_that_are_not_right_change_nothing", saved_bytes_that_are_not_right_change_nothing},
    {"a_gap_is_bridged_by_estimates_that_say_so", a_gap_is_bridged_by_estimates_that_say_so},
    {NULL, NULL}};
