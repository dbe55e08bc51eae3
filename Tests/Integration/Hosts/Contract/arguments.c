/* What every function does with NULL, with structs of other sizes, and with what it was given to fill. */
#include "contract.h"

#include <stdint.h>

static void version_is_the_headers(void) {
    CHECK(strcmp(milepost_version(), MILEPOST_VERSION) == 0);
    char made[32];
    snprintf(made, sizeof made, "%d.%d.%d", MILEPOST_VERSION_MAJOR, MILEPOST_VERSION_MINOR, MILEPOST_VERSION_PATCH);
    CHECK(strcmp(made, MILEPOST_VERSION) == 0);
}

static void every_status_has_a_name(void) {
    for (milepost_status status = MILEPOST_ERROR_SAVED; status <= MILEPOST_OK; status++) {
        const char *name = milepost_status_string(status);
        CHECK(name && *name && strcmp(name, milepost_status_string(1)) != 0);
        CHECK(name == milepost_status_string(status));
        for (milepost_status other = MILEPOST_ERROR_SAVED; other < status; other++)
            CHECK(strcmp(name, milepost_status_string(other)) != 0);
    }
    const milepost_status unknown[] = {1, -14, INT32_MAX, INT32_MIN};
    for (size_t i = 0; i < 4; i++) CHECK(strcmp(milepost_status_string(unknown[i]), "unknown status") == 0);
}

static void *fail_elsewhere(void *unused) {
    (void)unused;
    CHECK(strcmp(milepost_last_error(), "") == 0);
    CHECK_REFUSED(MILEPOST_ERROR_ARGUMENT, milepost_tracker_create(NULL, NULL), "tracker");
    return NULL;
}

static void last_error_is_each_threads_own(void) {
    CHECK(strcmp(milepost_last_error(), "") == 0);
    CHECK_REFUSED(MILEPOST_ERROR_ARGUMENT, milepost_config_create(99, NULL), "config");
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, fail_elsewhere, NULL) == 0);
    pthread_join(thread, NULL);
    CHECK_SAYS("config");
    milepost_config *config = some_config(NULL);
    CHECK_SAYS("config"); /* a call that works leaves it alone */
    milepost_config_destroy(config);
}

static void a_long_error_is_cut_between_characters(void) {
    for (int shift = 0; shift < 3; shift++) {
        char path[2048] = "/\n/";
        memset(path + 3, 'x', (size_t)shift);
        for (int i = 0; i < 600; i++) memcpy(path + 3 + shift + 3 * i, "\xe2\x82\xac", 4); /* the euro sign */
        milepost_route *route = NULL;
        CHECK_REFUSED(MILEPOST_ERROR_FILE, milepost_route_load_file(path, &route), "\xe2\x82\xac");
        const char *error = milepost_last_error();
        size_t length = strlen(error);
        CHECK(length > 500 && !strchr(error, '\n'));
        CHECK(memcmp(error + length - 3, "\xe2\x82\xac", 3) == 0);
    }
}

#define CHECK_NULL(call) CHECK_REFUSED(MILEPOST_ERROR_ARGUMENT, call, "NULL")

static void null_is_refused_by_routes_and_trackers(void) {
    milepost_route *route = straight_route(), *out = NULL;
    milepost_tracker *tracker = NULL;
    milepost_route_info info = MILEPOST_ROUTE_INFO_INIT;
    milepost_progress progress = MILEPOST_PROGRESS_INIT;
    milepost_fix fix = fix_at(0, 0);
    const double points[] = {48, 11, 48.1, 11};
    CHECK_NULL(milepost_route_load_file(NULL, &out));
    CHECK_NULL(milepost_route_load_file("x", NULL));
    CHECK_NULL(milepost_route_load(NULL, 1, &out));
    CHECK_NULL(milepost_route_load("x", 1, NULL));
    CHECK_NULL(milepost_route_load_polyline(NULL, 5, &out));
    CHECK_NULL(milepost_route_load_polyline("x", 5, NULL));
    CHECK_NULL(milepost_route_create(NULL, 2, NULL, NULL, 0, &out));
    CHECK_NULL(milepost_route_create(points, 2, NULL, NULL, 0, NULL));
    CHECK_NULL(milepost_route_get_info(NULL, &info));
    CHECK_NULL(milepost_route_get_info(route, NULL));
    CHECK_NULL(milepost_tracker_create(NULL, &tracker));
    CHECK_NULL(milepost_tracker_create(route, NULL));
    CHECK_OK(milepost_tracker_create(route, &tracker));
    CHECK_NULL(milepost_tracker_update(NULL, &fix, &progress));
    CHECK_NULL(milepost_tracker_update(tracker, NULL, &progress));
    CHECK_NULL(milepost_tracker_update(tracker, &fix, NULL));
    size_t size = 0;
    char bytes[8];
    CHECK_NULL(milepost_tracker_get_progress(NULL, &progress));
    CHECK_NULL(milepost_tracker_get_progress(tracker, NULL));
    CHECK_NULL(milepost_tracker_reckon(NULL, 0, &progress));
    CHECK_NULL(milepost_tracker_reckon(tracker, 0, NULL));
    CHECK_NULL(milepost_tracker_set_route(NULL, route));
    CHECK_NULL(milepost_tracker_set_route(tracker, NULL));
    CHECK_NULL(milepost_tracker_skip_waypoint(NULL, 0));
    CHECK_NULL(milepost_tracker_set_dwell(NULL, 0, 1));
    CHECK_NULL(milepost_tracker_set_speed(NULL, 10));
    CHECK_NULL(milepost_tracker_set_arrival_radius(NULL, 10));
    CHECK_NULL(milepost_tracker_set_waypoint_radius(NULL, 0, 10));
    CHECK_NULL(milepost_tracker_save(NULL, bytes, sizeof bytes, &size));
    CHECK_NULL(milepost_tracker_save(tracker, bytes, sizeof bytes, NULL));
    CHECK_NULL(milepost_tracker_save(tracker, NULL, 1000, &size));
    CHECK_NULL(milepost_tracker_restore(NULL, bytes, sizeof bytes));
    CHECK_NULL(milepost_tracker_restore(tracker, NULL, 0));
    milepost_tracker_destroy(tracker);
    milepost_route_destroy(route);
}

static void log_nothing(void *user, int32_t level, const char *message) {
    (void)user;
    (void)level;
    (void)message;
}

static void null_is_refused_by_configurations(void) {
    milepost_config *config = some_config(NULL);
    CHECK_NULL(milepost_config_create(MILEPOST_SERVICE_DELIVERY, NULL));
    CHECK_NULL(milepost_config_set_provider_id(NULL, "x"));
    CHECK_NULL(milepost_config_set_provider_id(config, NULL));
    CHECK_NULL(milepost_config_set_vehicle_id(NULL, "x"));
    CHECK_NULL(milepost_config_set_vehicle_id(config, NULL));
    CHECK_NULL(milepost_config_set_task_id(NULL, "x"));
    CHECK_NULL(milepost_config_set_trip_id(NULL, "x"));
    CHECK_NULL(milepost_config_set_endpoint(NULL, "https://x.org"));
    CHECK_NULL(milepost_config_set_endpoint(config, NULL));
    CHECK_NULL(milepost_config_set_ca_file(NULL, "/dev/null"));
    CHECK_NULL(milepost_config_set_ca_file(config, NULL));
    CHECK_NULL(milepost_config_set_allow_http(NULL, 1));
    CHECK_NULL(milepost_config_set_client_certificate(NULL, "/dev/null", NULL));
    CHECK_NULL(milepost_config_set_client_certificate(config, NULL, NULL));
    CHECK_NULL(milepost_config_set_compress_requests(NULL, 1));
    CHECK_NULL(milepost_config_set_partial_responses(NULL, 1));
    CHECK_NULL(milepost_config_set_request_timeout(NULL, 1000));
    CHECK_NULL(milepost_config_set_gpsd(NULL, "localhost", "2947", NULL));
    CHECK_NULL(milepost_config_set_gpsd(config, NULL, "2947", NULL));
    CHECK_NULL(milepost_config_set_gpsd(config, "localhost", NULL, NULL));
    CHECK_NULL(milepost_config_set_interval(NULL, 10));
    CHECK_NULL(milepost_config_set_share_route(NULL, 1));
    CHECK_NULL(milepost_config_set_location_form(NULL, MILEPOST_LOCATION_BOTH));
    CHECK_NULL(milepost_config_set_dead_reckoning(NULL, 1));
    CHECK_NULL(milepost_config_set_adaptive_interval(NULL, 1));
    CHECK_NULL(milepost_config_set_arrival_radius(NULL, 40));
    CHECK_NULL(milepost_config_set_speed(NULL, 10));
    CHECK_NULL(milepost_config_set_token_callback(NULL, recorder_ask, NULL));
    CHECK_NULL(milepost_config_set_token_callback(config, NULL, NULL));
    CHECK_NULL(milepost_config_set_token(NULL, "x"));
    CHECK_NULL(milepost_config_set_token(config, NULL));
    CHECK_NULL(milepost_config_set_token_file(NULL, "x"));
    CHECK_NULL(milepost_config_set_token_file(config, NULL));
    CHECK_NULL(milepost_config_set_token_url(NULL, "https://x.org", "token", NULL, 0));
    CHECK_NULL(milepost_config_set_token_url(config, NULL, "token", NULL, 0));
    CHECK_NULL(milepost_config_set_token_url(config, "https://x.org", NULL, NULL, 0));
    CHECK_NULL(milepost_config_set_log(NULL, MILEPOST_LOG_INFO, log_nothing, NULL));
    CHECK_NULL(milepost_config_set_log(config, MILEPOST_LOG_INFO, NULL, NULL));
    CHECK_NULL(milepost_token_complete(1, NULL, 0));
    CHECK_OK(milepost_config_set_task_id(config, NULL));
    CHECK_OK(milepost_config_set_trip_id(config, NULL));
    milepost_config_destroy(config);
}

static void null_is_refused_by_reporters(void) {
    milepost_config *config = some_config(NULL);
    milepost_reporter *reporter = NULL;
    milepost_fix fix = fix_at(0, 0);
    milepost_listener listener = MILEPOST_LISTENER_INIT;
    milepost_listener_id id = 0;
    int32_t value = 0;
    CHECK_NULL(milepost_reporter_create(NULL, &reporter));
    CHECK_NULL(milepost_reporter_create(config, NULL));
    CHECK_NULL(milepost_reporter_start(NULL));
    CHECK(milepost_reporter_fd(NULL) == -1);
    CHECK_NULL(milepost_reporter_dispatch(NULL));
    CHECK_NULL(milepost_reporter_stop(NULL, 0));
    CHECK_NULL(milepost_reporter_set_tracking(NULL, 1));
    CHECK_NULL(milepost_reporter_get_tracking(NULL, &value));
    CHECK_NULL(milepost_reporter_set_interval(NULL, 10));
    CHECK_NULL(milepost_reporter_get_interval(NULL, &value));
    CHECK_NULL(milepost_reporter_set_vehicle_state(NULL, MILEPOST_VEHICLE_OFFLINE));
    CHECK_NULL(milepost_reporter_get_vehicle_state(NULL, &value));
    CHECK_NULL(milepost_reporter_set_vehicle_id(NULL, "x"));
    CHECK_NULL(milepost_reporter_set_route(NULL, NULL));
    char bytes[8];
    size_t size = 0;
    CHECK_NULL(milepost_reporter_skip_waypoint(NULL, 0));
    CHECK_NULL(milepost_reporter_set_dwell(NULL, 0, 1));
    CHECK_NULL(milepost_reporter_set_waypoint_radius(NULL, 0, 10));
    CHECK_NULL(milepost_reporter_save_progress(NULL, bytes, sizeof bytes, &size));
    CHECK_NULL(milepost_reporter_restore_progress(NULL, bytes, sizeof bytes));
    CHECK_NULL(milepost_reporter_push_fix(NULL, &fix));
    CHECK_NULL(milepost_reporter_add_listener(NULL, &listener, &id));
    CHECK_NULL(milepost_reporter_remove_listener(NULL, 1));
    CHECK_OK(milepost_reporter_create(config, &reporter));
    CHECK_NULL(milepost_reporter_get_tracking(reporter, NULL));
    CHECK_NULL(milepost_reporter_get_interval(reporter, NULL));
    CHECK_NULL(milepost_reporter_get_vehicle_state(reporter, NULL));
    CHECK_NULL(milepost_reporter_set_vehicle_id(reporter, NULL));
    CHECK_NULL(milepost_reporter_save_progress(reporter, bytes, sizeof bytes, NULL));
    CHECK_NULL(milepost_reporter_restore_progress(reporter, NULL, 0));
    CHECK_NULL(milepost_reporter_push_fix(reporter, NULL));
    CHECK_NULL(milepost_reporter_add_listener(reporter, NULL, &id));
    CHECK_NULL(milepost_reporter_add_listener(reporter, &listener, NULL));
    CHECK_OK(milepost_reporter_set_route(reporter, NULL));
    CHECK_OK(milepost_reporter_destroy(reporter));
    milepost_config_destroy(config);
}

static void null_is_nothing_to_destroy(void) {
    milepost_route_destroy(NULL);
    milepost_tracker_destroy(NULL);
    milepost_config_destroy(NULL);
    CHECK_OK(milepost_reporter_destroy(NULL));
}

static void results_are_untouched_on_failure(void) {
    milepost_route *route = UNTOUCHED;
    CHECK_STATUS(MILEPOST_ERROR_FILE, milepost_route_load_file("/nonexistent/route.json", &route));
    CHECK_STATUS(MILEPOST_ERROR_ROUTE, milepost_route_load("{}", 2, &route));
    CHECK_STATUS(MILEPOST_ERROR_ARGUMENT, milepost_route_load("", 0, &route));
    CHECK_STATUS(MILEPOST_ERROR_ARGUMENT, milepost_route_load_polyline("??", 4, &route));
    const double one_point[] = {48, 11};
    CHECK_STATUS(MILEPOST_ERROR_ROUTE, milepost_route_create(one_point, 1, NULL, NULL, 0, &route));
    CHECK(route == UNTOUCHED);
    milepost_tracker *tracker = UNTOUCHED;
    CHECK_STATUS(MILEPOST_ERROR_ARGUMENT, milepost_tracker_create(NULL, &tracker));
    CHECK(tracker == UNTOUCHED);
    milepost_config *config = UNTOUCHED;
    CHECK_STATUS(MILEPOST_ERROR_ARGUMENT, milepost_config_create(3, &config));
    CHECK(config == UNTOUCHED);
    CHECK_OK(milepost_config_create(MILEPOST_SERVICE_DELIVERY, &config));
    milepost_reporter *reporter = UNTOUCHED;
    CHECK_STATUS(MILEPOST_ERROR_ARGUMENT, milepost_reporter_create(config, &reporter)); /* without ids and tokens */
    CHECK(reporter == UNTOUCHED);
    milepost_config_destroy(config);
    reporter = some_reporter(NULL);
    milepost_listener short_listener = {8, NULL, NULL, NULL, NULL, NULL, NULL, NULL};
    milepost_listener_id id = 0x5a5a;
    CHECK_STATUS(MILEPOST_ERROR_ARGUMENT, milepost_reporter_add_listener(reporter, &short_listener, &id));
    CHECK(id == 0x5a5a);
    CHECK_OK(milepost_reporter_destroy(reporter));
}

static void progress_is_untouched_when_a_fix_is_refused(void) {
    milepost_route *route = straight_route();
    milepost_tracker *tracker = NULL;
    CHECK_OK(milepost_tracker_create(route, &tracker));
    milepost_progress progress, pattern;
    memset(&pattern, 0x5a, sizeof pattern);
    pattern.size = sizeof pattern;
    progress = pattern;
    milepost_fix fix = fix_at(0, 0);
    fix.latitude_deg = 91;
    CHECK_STATUS(MILEPOST_ERROR_FIX, milepost_tracker_update(tracker, &fix, &progress));
    CHECK(memcmp(&progress, &pattern, sizeof pattern) == 0);
    milepost_tracker_destroy(tracker);
    milepost_route_destroy(route);
}

static void structs_taken_in_must_be_whole(void) {
    milepost_reporter *reporter = some_reporter(NULL);
    struct {
        milepost_fix fix;
        char later[64];
    } longer;
    memset(&longer, 0x5a, sizeof longer);
    longer.fix = fix_at(0, 0);
    const uint32_t refused[] = {0, 4, sizeof(milepost_fix) - 1};
    for (size_t i = 0; i < 3; i++) {
        longer.fix.size = refused[i];
        CHECK_REFUSED(MILEPOST_ERROR_ARGUMENT, milepost_reporter_push_fix(reporter, &longer.fix), "size");
    }
    longer.fix.size = sizeof longer; /* a later header's */
    CHECK_OK(milepost_reporter_push_fix(reporter, &longer.fix));
    milepost_listener listener = MILEPOST_LISTENER_INIT;
    milepost_listener_id id = 0;
    listener.size = 0;
    CHECK_REFUSED(MILEPOST_ERROR_ARGUMENT, milepost_reporter_add_listener(reporter, &listener, &id), "size");
    /* An older header's, which ends after position_state: what lies behind is not the library's. */
    listener.size = offsetof(milepost_listener, route_event);
    listener.route_event = (void (*)(void *, const milepost_route_event *))(uintptr_t)UNTOUCHED;
    CHECK_OK(milepost_reporter_add_listener(reporter, &listener, &id));
    milepost_route *route = straight_route();
    CHECK_OK(milepost_reporter_set_route(reporter, route));
    CHECK_OK(milepost_reporter_set_route(reporter, route)); /* an event */
    milepost_route_destroy(route);
    CHECK_OK(milepost_reporter_dispatch(reporter));
    CHECK_OK(milepost_reporter_destroy(reporter));
}

static void structs_filled_in_may_be_shorter_or_longer(void) {
    milepost_route *route = straight_route();
    union {
        milepost_route_info info;
        unsigned char bytes[sizeof(milepost_route_info) + 64];
    } room;
    const uint32_t refused[] = {0, 4, 7};
    for (size_t i = 0; i < 3; i++) {
        memset(&room, 0x5a, sizeof room);
        room.info.size = refused[i];
        CHECK_REFUSED(MILEPOST_ERROR_ARGUMENT, milepost_route_get_info(route, &room.info), "size");
        CHECK(room.bytes[4] == 0x5a && room.info.size == refused[i]);
    }
    /* An older header's, which ends after point_count. */
    memset(&room, 0x5a, sizeof room);
    room.info.size = offsetof(milepost_route_info, waypoint_count);
    CHECK_OK(milepost_route_get_info(route, &room.info));
    CHECK(room.info.point_count == 3);
    CHECK(room.bytes[offsetof(milepost_route_info, waypoint_count)] == 0x5a);
    CHECK(room.info.size == offsetof(milepost_route_info, waypoint_count));
    /* A later header's: ours is filled in, and its size tells so. */
    memset(&room, 0x5a, sizeof room);
    room.info.size = sizeof room;
    CHECK_OK(milepost_route_get_info(route, &room.info));
    CHECK(room.info.size == sizeof(milepost_route_info) && room.info.waypoint_count == 2);
    CHECK(room.bytes[sizeof(milepost_route_info)] == 0x5a);
    milepost_route_destroy(route);
}

const contract_case argument_cases[] = {
    {"version_is_the_headers", version_is_the_headers},
    {"every_status_has_a_name", every_status_has_a_name},
    {"last_error_is_each_threads_own", last_error_is_each_threads_own},
    {"a_long_error_is_cut_between_characters", a_long_error_is_cut_between_characters},
    {"null_is_refused_by_routes_and_trackers", null_is_refused_by_routes_and_trackers},
    {"null_is_refused_by_configurations", null_is_refused_by_configurations},
    {"null_is_refused_by_reporters", null_is_refused_by_reporters},
    {"null_is_nothing_to_destroy", null_is_nothing_to_destroy},
    {"results_are_untouched_on_failure", results_are_untouched_on_failure},
    {"progress_is_untouched_when_a_fix_is_refused", progress_is_untouched_when_a_fix_is_refused},
    {"structs_taken_in_must_be_whole", structs_taken_in_must_be_whole},
    {"structs_filled_in_may_be_shorter_or_longer", structs_filled_in_may_be_shorter_or_longer},
    {NULL, NULL}};
