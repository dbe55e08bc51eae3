/* Tracking, vehicle state, route and fixes of a reporter, and what its updates tell. */
#include "contract.h"

#include <math.h>

static void tracking_is_off_at_first_and_online_needs_it(void) {
    milepost_reporter *reporter = some_reporter(NULL);
    int32_t tracking = 7;
    milepost_vehicle_state state = 7;
    CHECK_OK(milepost_reporter_get_tracking(reporter, &tracking));
    CHECK_OK(milepost_reporter_get_vehicle_state(reporter, &state));
    CHECK(tracking == 0 && state == MILEPOST_VEHICLE_OFFLINE);
    CHECK_REFUSED(MILEPOST_ERROR_TRACKING_OFF, milepost_reporter_set_vehicle_state(reporter, MILEPOST_VEHICLE_ONLINE), "set_tracking");
    CHECK_REFUSED(MILEPOST_ERROR_ARGUMENT, milepost_reporter_set_vehicle_state(reporter, 3), "state is 3");
    CHECK_OK(milepost_reporter_set_tracking(reporter, 1));
    CHECK_OK(milepost_reporter_set_vehicle_state(reporter, MILEPOST_VEHICLE_ONLINE));
    CHECK_OK(milepost_reporter_get_vehicle_state(reporter, &state));
    CHECK(state == MILEPOST_VEHICLE_ONLINE);
    CHECK_OK(milepost_reporter_set_tracking(reporter, 0));
    CHECK_OK(milepost_reporter_get_vehicle_state(reporter, &state));
    CHECK_OK(milepost_reporter_get_tracking(reporter, &tracking));
    CHECK(state == MILEPOST_VEHICLE_OFFLINE && tracking == 0);
    CHECK_OK(milepost_reporter_destroy(reporter));
}

static void a_delivery_vehicle_has_no_state(void) {
    milepost_config *config = NULL;
    milepost_reporter *reporter = NULL;
    CHECK_OK(milepost_config_create(MILEPOST_SERVICE_DELIVERY, &config));
    CHECK_OK(milepost_config_set_provider_id(config, "p"));
    CHECK_OK(milepost_config_set_vehicle_id(config, "v"));
    CHECK_OK(milepost_config_set_token(config, "t"));
    CHECK_OK(milepost_reporter_create(config, &reporter));
    CHECK_OK(milepost_reporter_set_tracking(reporter, 1));
    CHECK_REFUSED(MILEPOST_ERROR_STATE, milepost_reporter_set_vehicle_state(reporter, MILEPOST_VEHICLE_ONLINE), "delivery");
    CHECK_REFUSED(MILEPOST_ERROR_STATE, milepost_reporter_set_vehicle_state(reporter, MILEPOST_VEHICLE_OFFLINE), "delivery");
    CHECK_OK(milepost_reporter_destroy(reporter));
    milepost_config_destroy(config);
}

static void implausible_pushed_fixes_are_refused(void) {
    milepost_reporter *reporter = some_reporter(NULL);
    milepost_fix fix = fix_at(0, 0), bad = fix;
    bad.latitude_deg = 91;
    CHECK_REFUSED(MILEPOST_ERROR_FIX, milepost_reporter_push_fix(reporter, &bad), "91");
    CHECK_OK(milepost_reporter_push_fix(reporter, &fix));
    CHECK_STATUS(MILEPOST_ERROR_FIX, milepost_reporter_push_fix(reporter, &fix)); /* not newer */
    CHECK_OK(milepost_reporter_destroy(reporter));
}

static void follow(milepost_reporter *reporter) {
    milepost_route *route = straight_route();
    CHECK_OK(milepost_reporter_set_route(reporter, route));
    milepost_route_destroy(route);
}

static void push(milepost_reporter *reporter, double north_deg, double time_s) {
    milepost_fix fix = fix_at(north_deg, time_s);
    CHECK_OK(milepost_reporter_push_fix(reporter, &fix));
}

static void an_update_tells_the_listener_what_was_sent(void) {
    server *server = server_start(200);
    recorder r;
    recorder_init(&r);
    milepost_reporter *reporter = some_reporter(server_url(server));
    milepost_listener listener = recorder_listener(&r);
    milepost_listener_id id = 0;
    CHECK_OK(milepost_reporter_add_listener(reporter, &listener, &id));
    follow(reporter);
    push(reporter, 0.001, 0);
    CHECK_OK(milepost_reporter_set_tracking(reporter, 1));
    CHECK_OK(milepost_reporter_start(reporter));
    AWAIT(&r, succeeded, 1);
    const uint32_t sent = MILEPOST_UPDATE_LOCATION | MILEPOST_UPDATE_SNAPPED | MILEPOST_UPDATE_DISTANCE | MILEPOST_UPDATE_DURATION |
                          MILEPOST_UPDATE_SEGMENT | MILEPOST_UPDATE_NAVIGATION_STATUS | MILEPOST_UPDATE_VEHICLE_STATE;
    CHECK(r.update.size == sizeof(milepost_update) && (r.update.fields & sent) == sent && r.update.http_status == 200);
    CHECK(r.update.navigation_status == MILEPOST_NAVIGATION_ENROUTE && r.update.leg == 0);
    CHECK(r.update.fix && r.fix.size == sizeof(milepost_fix) && r.fix.latitude_deg == 48.001 && r.fix.longitude_deg == 11);
    CHECK(r.fix.time_unix_ms == 1790000000000 && isnan(r.fix.altitude_m) && !(r.fix.fields & MILEPOST_FIX_ALTITUDE));
    CHECK(!(r.update.fields & MILEPOST_UPDATE_SERVER_ETA) && r.update.remaining_m > 990 && r.update.remaining_m < 1010);
    CHECK(fabs(r.update.waypoint_latitude_deg - 48.01) < 1e-6 && fabs(r.update.waypoint_longitude_deg - 11) < 1e-6);
    CHECK(r.update.vehicle_state == MILEPOST_VEHICLE_OFFLINE && r.update.route_point_count == 2);
    CHECK(!(r.update.fields & MILEPOST_UPDATE_STOPS) && !r.update.stops && r.update.stop_count == 0);
    CHECK(*r.segment && strstr(r.mask, "lastLocation") && server_heard(server, r.segment));
    CHECK(recorder_get(&r, &r.progress) == 1 && r.last_progress.state == MILEPOST_ROUTE_ON);
    CHECK(r.position_state == MILEPOST_POSITION_FIX && *r.detail);
    CHECK_OK(milepost_reporter_destroy(reporter));
    server_stop(server);
}

static void a_refused_update_tells_code_status_message_and_retry(void) {
    server *server = server_start(200);
    server_answer(server, 404, "{\"error\":{\"code\":404,\"status\":\"NOT_FOUND\",\"message\":\"no such\\nvan\"}}");
    recorder r;
    recorder_init(&r);
    milepost_reporter *reporter = some_reporter(server_url(server));
    milepost_listener listener = recorder_listener(&r);
    milepost_listener_id id = 0;
    CHECK_OK(milepost_reporter_add_listener(reporter, &listener, &id));
    push(reporter, 0.001, 0);
    CHECK_OK(milepost_reporter_set_tracking(reporter, 1));
    CHECK_OK(milepost_reporter_start(reporter));
    AWAIT(&r, failed, 1);
    CHECK(r.failure.size == sizeof(milepost_failure) && r.failure.code == MILEPOST_CODE_NOT_FOUND && r.failure.http_status == 404);
    CHECK(r.failure.meaning == MILEPOST_FAILURE_GONE && r.failure.retry_after_s == -1 && !*r.reason && !*r.details);
    CHECK(r.failure.will_retry == 1 && strcmp(r.message, "no such van") == 0 && strstr(r.mask, "lastLocation"));
    AWAIT(&r, reporter_events, 1);
    CHECK(r.reporter_event.size == sizeof(milepost_reporter_event) && r.reporter_event.kind == MILEPOST_REPORTER_EVENT_VEHICLE_NOT_FOUND);
    CHECK(r.reporter_event.fields == MILEPOST_REPORTER_EVENT_HAS_INTERVAL && r.reporter_event.interval_s == 60);
    CHECK(isnan(r.reporter_event.distance_m) && strstr(r.event_message, "create it through your backend"));
    CHECK_OK(milepost_reporter_destroy(reporter));
    server_stop(server);
}

static void reported_to(server *server, recorder *r) {
    recorder_init(r);
    milepost_reporter *reporter = some_reporter(server_url(server));
    milepost_listener listener = recorder_listener(r);
    milepost_listener_id id = 0;
    CHECK_OK(milepost_reporter_add_listener(reporter, &listener, &id));
    push(reporter, 0.001, 0);
    CHECK_OK(milepost_reporter_set_tracking(reporter, 1));
    DRIVE(reporter, r, failed, 1);
    CHECK_OK(milepost_reporter_destroy(reporter));
}

static void a_refusal_tells_googles_details_and_how_long_to_wait(void) {
    server *server = server_start(200);
    server_answer(server, 429,
                  "{\"error\":{\"status\":\"RESOURCE_EXHAUSTED\",\"message\":\"slow\",\"details\":["
                  "{\"@type\":\"type.googleapis.com/google.rpc.ErrorInfo\",\"reason\":\"RATE_LIMIT_EXCEEDED\",\"domain\":\"googleapis.com\"},"
                  "{\"@type\":\"type.googleapis.com/google.rpc.RetryInfo\",\"retryDelay\":\"12s\"}]}}");
    recorder r;
    reported_to(server, &r);
    CHECK(r.failure.code == MILEPOST_CODE_RESOURCE_EXHAUSTED && r.failure.meaning == MILEPOST_FAILURE_TRANSIENT);
    CHECK(strcmp(r.reason, "RATE_LIMIT_EXCEEDED") == 0 && strcmp(r.details, "RATE_LIMIT_EXCEEDED (googleapis.com)") == 0);
    CHECK(r.failure.retry_after_s == 12 && r.reporter_event.kind == MILEPOST_REPORTER_EVENT_INTERVAL_STRETCHED);
    CHECK(r.reporter_event.interval_s == 20 && strstr(r.event_message, "every 20 s"));
    server_head(server, "Retry-After: 34\r\n"); /* before what the body says */
    reported_to(server, &r);
    CHECK(r.failure.retry_after_s == 34);
    server_stop(server);
}

/* The unit's clock has no part in it: it may not be set. */
static void a_retry_after_date_counts_from_the_servers_clock(void) {
    server *server = server_start(503);
    recorder r;
    server_head(server, "Retry-After: Sat, 31 Jan 2026 12:01:23 GMT\r\n"); /* the server's Date says noon */
    reported_to(server, &r);
    CHECK(r.failure.retry_after_s == 83);
    server_head(server, "Retry-After: Sat, 31 Jan 2026 11:59:00 GMT\r\n");
    reported_to(server, &r);
    CHECK(r.failure.retry_after_s == -1);
    server_head(server, "Retry-After: soon\r\n");
    reported_to(server, &r);
    CHECK(r.failure.retry_after_s == -1);
    server_stop(server);
}

static void a_bad_route_leaves_the_running_one_in_place(void) {
    recorder r;
    recorder_init(&r);
    milepost_reporter *reporter = some_reporter(NULL);
    milepost_listener listener = recorder_listener(&r);
    milepost_listener_id id = 0;
    CHECK_OK(milepost_reporter_add_listener(reporter, &listener, &id));
    follow(reporter);
    milepost_route *bad = NULL;
    CHECK_STATUS(MILEPOST_ERROR_ROUTE, milepost_route_load("{", 1, &bad));
    push(reporter, 0.001, 0);
    DRIVE(reporter, &r, progress, 1);
    CHECK(r.last_progress.state == MILEPOST_ROUTE_ON && r.last_progress.waypoint_count == 2);
    CHECK_OK(milepost_reporter_set_route(reporter, NULL));
    push(reporter, 0.002, 10);
    DRIVE(reporter, &r, progress, 2);
    CHECK(r.last_progress.state == MILEPOST_ROUTE_NONE && r.last_progress.waypoint_count == 0);
    CHECK(r.last_progress.fields == MILEPOST_PROGRESS_TIME && isnan(r.last_progress.remaining_m));
    CHECK_OK(milepost_reporter_destroy(reporter));
}

static void tracking_off_sends_one_last_update_without_location(void) {
    server *server = server_start(200);
    recorder r;
    recorder_init(&r);
    milepost_reporter *reporter = some_reporter(server_url(server));
    milepost_listener listener = recorder_listener(&r);
    milepost_listener_id id = 0;
    CHECK_OK(milepost_reporter_add_listener(reporter, &listener, &id));
    push(reporter, 0.001, 0);
    CHECK_OK(milepost_reporter_set_tracking(reporter, 1));
    CHECK_OK(milepost_reporter_set_vehicle_state(reporter, MILEPOST_VEHICLE_ONLINE));
    CHECK_OK(milepost_reporter_start(reporter));
    AWAIT(&r, succeeded, 1);
    CHECK((r.update.fields & MILEPOST_UPDATE_VEHICLE_STATE) && r.update.vehicle_state == MILEPOST_VEHICLE_ONLINE);
    CHECK_OK(milepost_reporter_set_tracking(reporter, 0));
    CHECK_OK(milepost_reporter_stop(reporter, 30000));
    CHECK(r.succeeded == 2 && r.update.vehicle_state == MILEPOST_VEHICLE_OFFLINE);
    CHECK(!(r.update.fields & MILEPOST_UPDATE_LOCATION) && !r.update.fix);
    CHECK(server_requests(server) == 2 && server_heard(server, "OFFLINE"));
    CHECK_OK(milepost_reporter_destroy(reporter));
    server_stop(server);
}

const contract_case reporter_cases[] = {
    {"tracking_is_off_at_first_and_online_needs_it", tracking_is_off_at_first_and_online_needs_it},
    {"a_delivery_vehicle_has_no_state", a_delivery_vehicle_has_no_state},
    {"implausible_pushed_fixes_are_refused", implausible_pushed_fixes_are_refused},
    {"an_update_tells_the_listener_what_was_sent", an_update_tells_the_listener_what_was_sent},
    {"a_refused_update_tells_code_status_message_and_retry", a_refused_update_tells_code_status_message_and_retry},
    {"a_refusal_tells_googles_details_and_how_long_to_wait", a_refusal_tells_googles_details_and_how_long_to_wait},
    {"a_retry_after_date_counts_from_the_servers_clock", a_retry_after_date_counts_from_the_servers_clock},
    {"a_bad_route_leaves_the_running_one_in_place", a_bad_route_leaves_the_running_one_in_place},
    {"tracking_off_sends_one_last_update_without_location", tracking_off_sends_one_last_update_without_location},
    {NULL, NULL}};
