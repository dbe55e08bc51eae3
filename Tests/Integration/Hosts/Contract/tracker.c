/* Progress along the straight route, value by value, and the fixes that are refused. */
#include "contract.h"

#include <math.h>

/* What a test sees of one fix: NaN where the field is absent. */
static milepost_progress update(milepost_tracker *tracker, milepost_fix fix) {
    milepost_progress progress = MILEPOST_PROGRESS_INIT;
    CHECK_OK(milepost_tracker_update(tracker, &fix, &progress));
    CHECK(progress.size == sizeof progress);
    return progress;
}

static int is_near(double value, double wanted, double tolerance) { return fabs(value - wanted) <= tolerance; }

static milepost_tracker *straight_tracker(void) {
    milepost_route *route = straight_route();
    milepost_tracker *tracker = NULL;
    CHECK_OK(milepost_tracker_create(route, &tracker));
    milepost_route_destroy(route); /* at once, as the header allows */
    return tracker;
}

static void progress_has_every_value_along_a_route(void) {
    milepost_tracker *tracker = straight_tracker();
    const uint32_t everything = MILEPOST_PROGRESS_TIME | MILEPOST_PROGRESS_POSITION | MILEPOST_PROGRESS_DISTANCE |
                                MILEPOST_PROGRESS_DURATION | MILEPOST_PROGRESS_ETA;
    for (int i = 0; i < 10; i++) {
        milepost_fix fix = fix_at(0.001 * i, 10 * i);
        fix.longitude_deg = 11.0001; /* 7.46 m right of the line */
        milepost_progress p = update(tracker, fix);
        CHECK(p.fields == everything && p.state == MILEPOST_ROUTE_ON && p.leg == 0 && p.waypoint_count == 2);
        CHECK(p.time_unix_ms == fix.time_unix_ms);
        CHECK(is_near(p.latitude_deg, fix.latitude_deg, 1e-6) && is_near(p.longitude_deg, 11, 1e-6));
        CHECK(is_near(p.cross_track_m, 7.46, 0.02));
        CHECK(is_near(p.along_m, 111.19 * i, 0.05) && is_near(p.remaining_m, 2223.81 - 111.19 * i, 0.05));
        CHECK(is_near(p.remaining_s, 100 - 4 * i, 0.01));
        CHECK(is_near(p.waypoint_remaining_m[0], 1111.90 - 111.19 * i, 0.05) && p.waypoint_remaining_m[1] == p.remaining_m);
        CHECK(is_near(p.waypoint_remaining_s[0], 40 - 4 * i, 0.01) && p.waypoint_remaining_s[1] == p.remaining_s);
        CHECK(is_near((double)(p.eta_unix_ms - fix.time_unix_ms), 1000 * p.remaining_s, 1));
        CHECK(is_near((double)(p.waypoint_eta_unix_ms[0] - fix.time_unix_ms), 1000 * p.waypoint_remaining_s[0], 1));
        CHECK(p.waypoint_eta_unix_ms[1] == p.eta_unix_ms);
    }
    milepost_tracker_destroy(tracker);
}

static void the_leg_changes_at_a_waypoint_and_the_last_is_the_arrival(void) {
    milepost_tracker *tracker = straight_tracker();
    milepost_progress p = MILEPOST_PROGRESS_INIT;
    for (int i = 0; i < 15; i++) p = update(tracker, fix_at(0.001 * i, 10 * i));
    CHECK(p.leg == 1 && p.state == MILEPOST_ROUTE_ON);
    CHECK(p.waypoint_remaining_m[0] == 0 && p.waypoint_remaining_s[0] == 0);
    CHECK(is_near(p.waypoint_remaining_s[1], 36, 0.01)); /* the second leg's own pace */
    for (int i = 15; i < 21; i++) p = update(tracker, fix_at(0.001 * i, 10 * i));
    CHECK(p.state == MILEPOST_ROUTE_ARRIVED && is_near(p.remaining_m, 0, 0.05) && is_near(p.remaining_s, 0, 0.01));
    milepost_tracker_destroy(tracker);
}

static void events_say_what_each_fix_changed_and_why(void) {
    milepost_tracker *tracker = straight_tracker();
    milepost_route_event event = MILEPOST_ROUTE_EVENT_INIT;
    CHECK_STATUS(MILEPOST_ERROR_NOT_FOUND, milepost_tracker_get_event(tracker, 0, &event));
    milepost_fix first = fix_at(0, 0);
    update(tracker, first);
    CHECK_OK(milepost_tracker_get_event(tracker, 0, &event));
    CHECK(event.size == sizeof event && event.kind == MILEPOST_ROUTE_EVENT_ACQUIRED && event.reason == MILEPOST_REASON_HEADING_AGREES);
    CHECK(event.fields == MILEPOST_ROUTE_EVENT_HAS_TIME && event.time_unix_ms == first.time_unix_ms);
    CHECK_REFUSED(MILEPOST_ERROR_NOT_FOUND, milepost_tracker_get_event(tracker, 1, &event), "1 events");
    int reached = 0, arrived = 0;
    for (int i = 1; i < 21; i++) {
        update(tracker, fix_at(0.001 * i, 10 * i));
        for (size_t e = 0; milepost_tracker_get_event(tracker, e, &event) == MILEPOST_OK; e++) {
            if (event.kind == MILEPOST_ROUTE_EVENT_WAYPOINT_ARRIVED && event.waypoint == 0) reached++;
            if (event.kind == MILEPOST_ROUTE_EVENT_ARRIVED && event.waypoint == 1) arrived++;
            CHECK(event.fields & MILEPOST_ROUTE_EVENT_HAS_WAYPOINT);
        }
    }
    CHECK(reached == 1 && arrived == 1);
    milepost_tracker_destroy(tracker);
}

static void the_band_holds_the_remaining_seconds(void) {
    milepost_tracker *tracker = straight_tracker();
    for (int i = 0; i < 8; i++) {
        milepost_progress p = update(tracker, fix_at(0.001 * i, 10 * i));
        CHECK(0 < p.remaining_low_s && p.remaining_low_s < p.remaining_s && p.remaining_s < p.remaining_high_s);
        CHECK(p.waypoint_low_s[1] == p.remaining_low_s && p.waypoint_high_s[1] == p.remaining_high_s);
        CHECK(p.waypoint_low_s[0] < p.waypoint_remaining_s[0] && p.waypoint_remaining_s[0] < p.waypoint_high_s[0]);
    }
    milepost_tracker_destroy(tracker);
}

static void off_the_route_remaining_values_are_absent_until_it_is_rejoined(void) {
    milepost_tracker *tracker = straight_tracker();
    milepost_progress p = MILEPOST_PROGRESS_INIT;
    int i = 0;
    for (; i < 3; i++) p = update(tracker, fix_at(0.001 * i, 10 * i));
    /* Turns off to the east, 150 m from fix to fix. */
    for (int east = 1; east <= 8; east++, i++) {
        milepost_fix fix = fix_at(0.002, 10 * i);
        fix.longitude_deg = 11 + 0.002 * east;
        fix.heading_deg = 90;
        fix.speed_mps = 15;
        p = update(tracker, fix);
    }
    CHECK(p.state == MILEPOST_ROUTE_OFF);
    CHECK((p.fields & (MILEPOST_PROGRESS_DISTANCE | MILEPOST_PROGRESS_DURATION | MILEPOST_PROGRESS_ETA)) == 0);
    CHECK(isnan(p.remaining_m) && isnan(p.remaining_s) && isnan(p.waypoint_remaining_m[1]) && isnan(p.waypoint_remaining_s[1]));
    CHECK(p.fields & MILEPOST_PROGRESS_TIME);
    /* Back, and on along the route. */
    for (int east = 7; east >= 0; east--, i++) {
        milepost_fix fix = fix_at(0.002, 10 * i);
        fix.longitude_deg = 11 + 0.002 * east;
        fix.heading_deg = 270;
        fix.speed_mps = 15;
        p = update(tracker, fix);
    }
    for (int north = 3; north <= 8; north++, i++) p = update(tracker, fix_at(0.001 * north, 10 * i));
    CHECK(p.state == MILEPOST_ROUTE_ON && is_near(p.along_m, 889.5, 0.1) && (p.fields & MILEPOST_PROGRESS_DISTANCE));
    milepost_tracker_destroy(tracker);
}

static void what_a_route_does_not_tell_is_absent(void) {
    const double points[] = {48, 11, 48.01, 11};
    milepost_route *route = NULL;
    milepost_tracker *tracker = NULL;
    CHECK_OK(milepost_route_create(points, 2, NULL, NULL, 0, &route));
    CHECK_OK(milepost_tracker_create(route, &tracker));
    milepost_progress p = update(tracker, fix_at(0.001, 0));
    CHECK((p.fields & MILEPOST_PROGRESS_DISTANCE) && !(p.fields & (MILEPOST_PROGRESS_DURATION | MILEPOST_PROGRESS_ETA)));
    CHECK(isnan(p.remaining_s) && isnan(p.waypoint_remaining_s[0]));
    milepost_tracker_destroy(tracker);
    CHECK_OK(milepost_tracker_create(route, &tracker));
    milepost_fix timeless = fix_at(0.001, 0);
    timeless.fields &= ~(uint32_t)MILEPOST_FIX_TIME;
    p = update(tracker, timeless);
    CHECK(!(p.fields & (MILEPOST_PROGRESS_TIME | MILEPOST_PROGRESS_ETA)) && (p.fields & MILEPOST_PROGRESS_DISTANCE));
    milepost_tracker_destroy(tracker);
    milepost_route_destroy(route);
}

static void an_absent_value_is_not_read(void) {
    milepost_tracker *tracker = straight_tracker();
    milepost_fix fix = fix_at(0.001, 0);
    fix.fields = MILEPOST_FIX_TIME;
    fix.accuracy_m = -1;
    fix.speed_mps = 1e300;
    fix.heading_deg = -5;
    fix.altitude_m = fix.speed_accuracy_mps = fix.heading_accuracy_deg = fix.altitude_accuracy_m = NAN;
    CHECK(update(tracker, fix).state != MILEPOST_ROUTE_OFF);
    milepost_tracker_destroy(tracker);
}

static void refuse(milepost_tracker *tracker, milepost_fix fix) {
    milepost_progress progress = MILEPOST_PROGRESS_INIT;
    CHECK_STATUS(MILEPOST_ERROR_FIX, milepost_tracker_update(tracker, &fix, &progress));
    CHECK(*milepost_last_error());
}

static void implausible_and_old_fixes_are_refused_and_change_nothing(void) {
    milepost_tracker *tracker = straight_tracker();
    for (int i = 0; i < 5; i++) update(tracker, fix_at(0.001 * i, 10 * i));
    const struct {
        double latitude_deg, longitude_deg;
    } nowhere[] = {{91, 11}, {-91, 11}, {48, 181}, {48, -181}, {NAN, 11}, {48, INFINITY}, {0, 0}};
    for (size_t i = 0; i < sizeof nowhere / sizeof *nowhere; i++) {
        milepost_fix fix = fix_at(0, 50);
        fix.latitude_deg = nowhere[i].latitude_deg;
        fix.longitude_deg = nowhere[i].longitude_deg;
        refuse(tracker, fix);
    }
    refuse(tracker, fix_at(0.004, 40)); /* the last again */
    refuse(tracker, fix_at(0.003, 35)); /* an older one */
    refuse(tracker, fix_at(0.5, 50));   /* 55 km in 10 s */
    milepost_progress p = update(tracker, fix_at(0.005, 50));
    CHECK(p.state == MILEPOST_ROUTE_ON && is_near(p.along_m, 555.95, 0.05));
    milepost_tracker_destroy(tracker);
}

const contract_case tracker_cases[] = {
    {"progress_has_every_value_along_a_route", progress_has_every_value_along_a_route},
    {"the_leg_changes_at_a_waypoint_and_the_last_is_the_arrival", the_leg_changes_at_a_waypoint_and_the_last_is_the_arrival},
    {"events_say_what_each_fix_changed_and_why", events_say_what_each_fix_changed_and_why},
    {"the_band_holds_the_remaining_seconds", the_band_holds_the_remaining_seconds},
    {"off_the_route_remaining_values_are_absent_until_it_is_rejoined", off_the_route_remaining_values_are_absent_until_it_is_rejoined},
    {"what_a_route_does_not_tell_is_absent", what_a_route_does_not_tell_is_absent},
    {"an_absent_value_is_not_read", an_absent_value_is_not_read},
    {"implausible_and_old_fixes_are_refused_and_change_nothing", implausible_and_old_fixes_are_refused_and_change_nothing},
    {NULL, NULL}};
