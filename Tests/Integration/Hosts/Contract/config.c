/* What a configuration takes, what it refuses, and that its messages name the value. */
#include "contract.h"

#include <sys/stat.h>
#include <unistd.h>

static void numbers_out_of_range_are_named(void) {
    milepost_config *config = some_config(NULL);
    CHECK_OK(milepost_config_set_request_timeout(config, 1000));
    CHECK_OK(milepost_config_set_request_timeout(config, 120000));
    CHECK_REFUSED(MILEPOST_ERROR_ARGUMENT, milepost_config_set_request_timeout(config, 999), "999");
    CHECK_REFUSED(MILEPOST_ERROR_ARGUMENT, milepost_config_set_request_timeout(config, 120001), "120001");
    for (milepost_location_form form = MILEPOST_LOCATION_BOTH; form <= MILEPOST_LOCATION_SENSOR; form++)
        CHECK_OK(milepost_config_set_location_form(config, form));
    CHECK_REFUSED(MILEPOST_ERROR_ARGUMENT, milepost_config_set_location_form(config, 3), "form is 3");
    CHECK_REFUSED(MILEPOST_ERROR_ARGUMENT, milepost_config_set_location_form(config, -1), "form is -1");
    CHECK_OK(milepost_config_set_arrival_radius(config, 5));
    CHECK_REFUSED(MILEPOST_ERROR_ARGUMENT, milepost_config_set_arrival_radius(config, 4), "radius_m is 4");
    CHECK_OK(milepost_config_set_speed(config, 0.1));
    CHECK_REFUSED(MILEPOST_ERROR_ARGUMENT, milepost_config_set_speed(config, 0), "speed_mps is 0");
    milepost_config *none = NULL;
    CHECK_REFUSED(MILEPOST_ERROR_ARGUMENT, milepost_config_create(0, &none), "service is 0");
    CHECK_REFUSED(MILEPOST_ERROR_ARGUMENT, milepost_config_set_token_url(config, "https://x.org", "t", "e", 4), "expiry is 4");
    CHECK_REFUSED(MILEPOST_ERROR_ARGUMENT, milepost_token_complete(1, "x", -7), "-7");
    milepost_config_destroy(config);
}

static void ids_are_checked_as_fleet_engine_does(void) {
    milepost_config *config = some_config(NULL);
    const char *const refused[] = {"a/b", "a:b", "a?b", "a,b", "a#b", "a\x01" "b", "\xff\xfe"};
    char longest[66];
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        CHECK_REFUSED(MILEPOST_ERROR_ARGUMENT, milepost_config_set_vehicle_id(config, refused[i]), "vehicle_id");
        CHECK_REFUSED(MILEPOST_ERROR_ARGUMENT, milepost_config_set_provider_id(config, refused[i]), "provider_id");
        CHECK_REFUSED(MILEPOST_ERROR_ARGUMENT, milepost_config_set_task_id(config, refused[i]), "task_id");
        CHECK_REFUSED(MILEPOST_ERROR_ARGUMENT, milepost_config_set_trip_id(config, refused[i]), "trip_id");
    }
    CHECK_REFUSED(MILEPOST_ERROR_ARGUMENT, milepost_config_set_vehicle_id(config, ""), "empty");
    memset(longest, 'v', 64);
    longest[64] = 0;
    CHECK_OK(milepost_config_set_vehicle_id(config, longest));
    memset(longest, 'v', 65);
    longest[65] = 0;
    CHECK_REFUSED(MILEPOST_ERROR_ARGUMENT, milepost_config_set_vehicle_id(config, longest), "64");
    milepost_config_destroy(config);
}

static void an_endpoint_is_https_or_loopback(void) {
    milepost_config *config = some_config(NULL);
    const char *const taken[] = {"https://fleetengine.googleapis.com", "https://127.evil.com", "http://127.0.0.1:8080",
                                 "http://localhost:8080/", "http://[::1]:8080"};
    const char *const refused[] = {"http://fleetengine.googleapis.com", "http://127.evil.com", "http://127.0.0.1.evil.com",
                                   "http://localhost.evil.com", "http://127.0.0.1@evil.com", "ftp://127.0.0.1", "no url", "https://"};
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++) CHECK_OK(milepost_config_set_endpoint(config, taken[i]));
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        CHECK_REFUSED(MILEPOST_ERROR_ARGUMENT, milepost_config_set_endpoint(config, refused[i]), refused[i]);
        CHECK_REFUSED(MILEPOST_ERROR_ARGUMENT, milepost_config_set_token_url(config, refused[i], "t", NULL, 0), refused[i]);
    }
    milepost_config_destroy(config);
}

static void a_ca_file_must_be_readable(void) {
    milepost_config *config = some_config(NULL);
    CHECK_REFUSED(MILEPOST_ERROR_FILE, milepost_config_set_ca_file(config, "/nonexistent/ca.pem"), "/nonexistent/ca.pem");
    CHECK_REFUSED(MILEPOST_ERROR_FILE, milepost_config_set_ca_file(config, "/tmp"), "/tmp");
    /* A FIFO must not hold the caller. */
    char folder[] = "/tmp/milepost-contract-XXXXXX", path[64];
    CHECK(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/fifo", folder);
    CHECK(mkfifo(path, 0600) == 0);
    milepost_status status = milepost_config_set_ca_file(config, path);
    unlink(path);
    rmdir(folder);
    CHECK_STATUS(MILEPOST_ERROR_FILE, status);
    milepost_config_destroy(config);
}

static void what_is_required_is_asked_for_by_name(void) {
    milepost_config *config = NULL;
    milepost_reporter *reporter = NULL;
    CHECK_OK(milepost_config_create(MILEPOST_SERVICE_DELIVERY, &config));
    CHECK_REFUSED(MILEPOST_ERROR_ARGUMENT, milepost_reporter_create(config, &reporter), "set_provider_id");
    CHECK_OK(milepost_config_set_provider_id(config, "p"));
    CHECK_REFUSED(MILEPOST_ERROR_ARGUMENT, milepost_reporter_create(config, &reporter), "set_vehicle_id");
    CHECK_OK(milepost_config_set_vehicle_id(config, "v"));
    CHECK_REFUSED(MILEPOST_ERROR_ARGUMENT, milepost_reporter_create(config, &reporter), "token");
    CHECK_OK(milepost_config_set_token(config, "x"));
    CHECK_OK(milepost_reporter_create(config, &reporter));
    CHECK_OK(milepost_reporter_destroy(reporter));
    milepost_config_destroy(config);
}

static void the_interval_is_clamped_and_read_back(void) {
    const struct {
        int32_t asked, in_force;
    } intervals[] = {{1, 5}, {5, 5}, {10, 10}, {60, 60}, {100, 60}, {0, 5}, {-1, 5}, {INT32_MAX, 60}, {INT32_MIN, 5}};
    for (size_t i = 0; i < sizeof intervals / sizeof *intervals; i++) {
        milepost_config *config = some_config(NULL);
        milepost_reporter *reporter = NULL;
        int32_t value = 0;
        CHECK_OK(milepost_config_set_interval(config, intervals[i].asked));
        CHECK_OK(milepost_reporter_create(config, &reporter));
        CHECK_OK(milepost_reporter_get_interval(reporter, &value));
        CHECK(value == intervals[i].in_force);
        CHECK_OK(milepost_reporter_set_interval(reporter, 20));
        CHECK_OK(milepost_reporter_set_interval(reporter, intervals[i].asked));
        CHECK_OK(milepost_reporter_get_interval(reporter, &value));
        CHECK(value == intervals[i].in_force);
        CHECK_OK(milepost_reporter_destroy(reporter));
        milepost_config_destroy(config);
    }
    milepost_reporter *reporter = some_reporter(NULL);
    int32_t value = 0;
    CHECK_OK(milepost_reporter_get_interval(reporter, &value));
    CHECK(value == 10);
    CHECK_OK(milepost_reporter_destroy(reporter));
}

static void the_host_may_reuse_and_free_what_it_passed_in(void) {
    server *server = server_start(200);
    recorder recorder;
    recorder_init(&recorder);
    milepost_config *config = some_config(server_url(server));
    char *vehicle = strdup("van-copied"), *token = strdup("token-copied");
    CHECK_OK(milepost_config_set_vehicle_id(config, vehicle));
    CHECK_OK(milepost_config_set_token(config, token));
    memset(vehicle, 'x', strlen(vehicle));
    memset(token, 'x', strlen(token));
    free(vehicle);
    free(token);
    milepost_reporter *reporter = NULL;
    CHECK_OK(milepost_reporter_create(config, &reporter));
    CHECK_OK(milepost_config_set_vehicle_id(config, "van-later")); /* no longer the reporter's */
    milepost_config_destroy(config);
    milepost_listener *listener = malloc(sizeof *listener);
    milepost_listener_id id = 0;
    *listener = recorder_listener(&recorder);
    CHECK_OK(milepost_reporter_add_listener(reporter, listener, &id));
    memset(listener, 0x5a, sizeof *listener);
    free(listener);
    milepost_route *route = straight_route();
    CHECK_OK(milepost_reporter_set_route(reporter, route));
    milepost_route_destroy(route);
    CHECK_OK(milepost_reporter_set_tracking(reporter, 1));
    milepost_fix fix = fix_at(0.001, 0);
    CHECK_OK(milepost_reporter_push_fix(reporter, &fix));
    CHECK_OK(milepost_reporter_start(reporter));
    AWAIT(&recorder, succeeded, 1);
    CHECK(server_heard(server, "/v1/providers/test-project/vehicles/van-copied") && server_heard(server, "Bearer token-copied"));
    CHECK(!server_heard(server, "van-later"));
    CHECK_OK(milepost_reporter_destroy(reporter));
    server_stop(server);
}

static void what_saves_data_is_off_unless_asked_for(void) {
    for (int saves = 0; saves <= 1; saves++) {
        server *server = server_start(200);
        recorder recorder;
        recorder_init(&recorder);
        server_answer(server, 200, "{\"etaToFirstWaypoint\":\"2026-10-01T00:00:00Z\"}");
        milepost_config *config = some_config(server_url(server));
        milepost_reporter *reporter = NULL;
        milepost_listener listener = recorder_listener(&recorder);
        milepost_listener_id id = 0;
        if (saves) CHECK_OK(milepost_config_set_compress_requests(config, 1));
        if (saves) CHECK_OK(milepost_config_set_partial_responses(config, 1));
        CHECK_OK(milepost_reporter_create(config, &reporter));
        milepost_config_destroy(config);
        CHECK_OK(milepost_reporter_add_listener(reporter, &listener, &id));
        CHECK_OK(milepost_reporter_set_tracking(reporter, 1));
        milepost_fix fix = fix_at(0.001, 0);
        CHECK_OK(milepost_reporter_push_fix(reporter, &fix));
        DRIVE(reporter, &recorder, succeeded, 1);
        CHECK(recorder.update.fields & MILEPOST_UPDATE_SERVER_ETA);
        CHECK(server_heard(server, "Content-Encoding: gzip\r\n") == saves);
        CHECK(server_heard(server, "&fields=etaToFirstWaypoint,lastLocation/location HTTP") == saves);
        CHECK(server_heard(server, "supplementalLocation") == !saves);
        CHECK_OK(milepost_reporter_destroy(reporter));
        server_stop(server);
    }
}

const contract_case config_cases[] = {
    {"numbers_out_of_range_are_named", numbers_out_of_range_are_named},
    {"ids_are_checked_as_fleet_engine_does", ids_are_checked_as_fleet_engine_does},
    {"an_endpoint_is_https_or_loopback", an_endpoint_is_https_or_loopback},
    {"a_ca_file_must_be_readable", a_ca_file_must_be_readable},
    {"what_is_required_is_asked_for_by_name", what_is_required_is_asked_for_by_name},
    {"the_interval_is_clamped_and_read_back", the_interval_is_clamped_and_read_back},
    {"the_host_may_reuse_and_free_what_it_passed_in", the_host_may_reuse_and_free_what_it_passed_in},
    {"what_saves_data_is_off_unless_asked_for", what_saves_data_is_off_unless_asked_for},
    {NULL, NULL}};
