/* A navigation engine of the host's in the place of Milepost's. */
#include "contract.h"

#include <math.h>

static milepost_guidance some_guidance(void) {
    static const double line[] = {48.001, 11, 48.004, 11.001, 48.01, 11};
    milepost_guidance guidance = MILEPOST_GUIDANCE_INIT;
    guidance.fields = MILEPOST_GUIDANCE_DISTANCE | MILEPOST_GUIDANCE_DURATION | MILEPOST_GUIDANCE_WAYPOINT;
    guidance.remaining_m = 1234.4;
    guidance.remaining_s = 99.5;
    guidance.waypoint_latitude_deg = 48.01;
    guidance.waypoint_longitude_deg = 11;
    guidance.points_deg = line;
    guidance.point_count = 3;
    return guidance;
}

static void guidance_that_cannot_be_is_refused_by_name(void) {
    milepost_reporter *reporter = some_reporter(NULL);
    const double bad_line[] = {48, 11, 91, 11};
    milepost_guidance good = some_guidance(), bad;
    CHECK_REFUSED(MILEPOST_ERROR_ARGUMENT, milepost_reporter_set_guidance(NULL, &good), "NULL");
    CHECK_OK(milepost_reporter_set_guidance(reporter, &good));
#define REFUSED(change, part)                                                                               \
    do {                                                                                                    \
        bad = good;                                                                                         \
        change;                                                                                             \
        CHECK_REFUSED(MILEPOST_ERROR_ARGUMENT, milepost_reporter_set_guidance(reporter, &bad), part); \
    } while (0)
    REFUSED(bad.size = 8, "size");
    REFUSED(bad.remaining_m = -1, "remaining_m is -1");
    REFUSED(bad.remaining_m = NAN, "remaining_m");
    REFUSED(bad.remaining_s = INFINITY, "remaining_s");
    REFUSED(bad.remaining_s = 3e9, "remaining_s");
    REFUSED(bad.waypoint_latitude_deg = 91, "the waypoint is at latitude 91");
    REFUSED(bad.waypoint_longitude_deg = NAN, "the waypoint");
    REFUSED((bad.fields |= MILEPOST_GUIDANCE_STATUS, bad.navigation_status = 5), "navigation_status is 5");
    REFUSED((bad.points_deg = bad_line, bad.point_count = 2), "point 1 is at latitude 91");
    REFUSED(bad.point_count = 0, "point_count is 0");
    REFUSED(bad.point_count = 100001, "point_count is 100001");
    REFUSED(bad.point_count = SIZE_MAX, "point_count");
    REFUSED(bad.polyline = "??", "give one");
    bad.points_deg = NULL;
    good.points_deg = NULL;
    REFUSED((bad.polyline = "", bad.polyline_precision = 5), "polyline is empty");
    REFUSED((bad.polyline = "??", bad.polyline_precision = 4), "polyline_precision is 4");
    REFUSED((bad.polyline = "_p~iF~ps|U_", bad.polyline_precision = 5), "polyline: byte");
    bad = good;
    bad.fields = 0; /* what has no bit is not read */
    bad.remaining_m = bad.remaining_s = bad.waypoint_latitude_deg = NAN;
    bad.navigation_status = 99;
    CHECK_OK(milepost_reporter_set_guidance(reporter, &bad));
    CHECK_OK(milepost_reporter_set_guidance(reporter, NULL));
    CHECK_OK(milepost_reporter_set_guidance(reporter, NULL));
    CHECK_OK(milepost_reporter_destroy(reporter));
}

typedef struct line {
    double degrees[64];
    size_t count;
} line;

static void note_line(void *user, const milepost_update *update) {
    line *l = user;
    l->count = update->route_point_count;
    CHECK(l->count <= 32 && (l->count == 0) == (update->route_points_deg == NULL));
    if (l->count) memcpy(l->degrees, update->route_points_deg, 2 * l->count * sizeof *l->degrees);
}

static void guidance_of_the_hosts_is_sent_until_it_is_withdrawn(void) {
    server *server = server_start(200);
    recorder r;
    recorder_init(&r);
    milepost_reporter *reporter = some_reporter(server_url(server));
    milepost_listener listener = recorder_listener(&r), lines = MILEPOST_LISTENER_INIT;
    milepost_listener_id id = 0;
    line l = {{0}, 0};
    lines.user = &l;
    lines.update_succeeded = note_line;
    CHECK_OK(milepost_reporter_add_listener(reporter, &lines, &id));
    CHECK_OK(milepost_reporter_add_listener(reporter, &listener, &id));
    milepost_fix fix = fix_at(0.001, 0);
    CHECK_OK(milepost_reporter_push_fix(reporter, &fix));
    milepost_guidance guidance = some_guidance();
    CHECK_OK(milepost_reporter_set_guidance(reporter, &guidance));
    memset(&guidance, 0x5a, sizeof guidance); /* copied */
    CHECK_OK(milepost_reporter_set_tracking(reporter, 1));
    DRIVE(reporter, &r, succeeded, 1);
    CHECK(r.update.remaining_m == 1234 && r.update.remaining_s == 100 && r.update.navigation_status == MILEPOST_NAVIGATION_ENROUTE);
    CHECK((r.update.fields & MILEPOST_UPDATE_SEGMENT) && *r.segment && r.update.waypoint_latitude_deg == 48.01);
    CHECK(l.count == 3 && l.degrees[0] == 48.001 && l.degrees[3] == 11.001 && l.degrees[4] == 48.01);
    CHECK(server_heard(server, r.segment) && server_heard(server, "\"remainingDistanceMeters\":1234"));
    char segment[sizeof r.segment];
    snprintf(segment, sizeof segment, "%s", r.segment);

    /* The same line as a polyline, on another route, at the end of it. */
    guidance = some_guidance();
    guidance.fields = MILEPOST_GUIDANCE_STATUS | MILEPOST_GUIDANCE_DISTANCE;
    guidance.navigation_status = MILEPOST_NAVIGATION_ARRIVED;
    guidance.route = 2;
    guidance.remaining_m = 0;
    guidance.points_deg = NULL;
    guidance.polyline = "ge~cH_mcbAwQgEod@fE";
    guidance.polyline_precision = 5;
    CHECK_OK(milepost_reporter_set_guidance(reporter, &guidance));
    DRIVE(reporter, &r, succeeded, 2);
    CHECK(r.update.navigation_status == MILEPOST_NAVIGATION_ARRIVED && r.update.remaining_m == 0);
    CHECK(!(r.update.fields & MILEPOST_UPDATE_DURATION) && l.count == 3 && fabs(l.degrees[0] - 48.001) < 1e-9);
    CHECK(*r.segment && strcmp(r.segment, segment) == 0 && fabs(r.update.waypoint_latitude_deg - 48.01) < 1e-9);

    CHECK_OK(milepost_reporter_set_guidance(reporter, NULL));
    DRIVE(reporter, &r, succeeded, 3);
    CHECK(r.update.navigation_status == MILEPOST_NAVIGATION_NO_GUIDANCE && !*r.segment && l.count == 0);
    CHECK((r.update.fields & MILEPOST_UPDATE_SEGMENT) && !(r.update.fields & MILEPOST_UPDATE_DISTANCE));
    CHECK_OK(milepost_reporter_destroy(reporter));
    server_stop(server);
}

const contract_case host_guidance_cases[] = {
    {"guidance_that_cannot_be_is_refused_by_name", guidance_that_cannot_be_is_refused_by_name},
    {"guidance_of_the_hosts_is_sent_until_it_is_withdrawn", guidance_of_the_hosts_is_sent_until_it_is_withdrawn},
    {NULL, NULL}};
