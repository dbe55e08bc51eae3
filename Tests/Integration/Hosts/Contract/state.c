/* What survives a power cycle: every case lets a reporter go without warning or ends it, and makes another in the same directory. */
#include "contract.h"

#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

/* A directory that nothing is in yet, inside one of the case's own. */
static void new_directory(char path[static 64]) {
    char folder[] = "/tmp/milepost-contract-XXXXXX";
    CHECK(mkdtemp(folder));
    snprintf(path, 64, "%s/state", folder);
}

static void remove_directory(const char *path) {
    const char *const names[] = {"milepost.db", "milepost.db-wal", "milepost.db-journal", "milepost.db.damaged", "lock"};
    char name[128];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(name, sizeof name, "%s/%s", path, names[i]);
        unlink(name);
    }
    CHECK(rmdir(path) == 0); /* nothing else is in it */
    snprintf(name, sizeof name, "%s/..", path);
    char parent[128];
    snprintf(parent, sizeof parent, "%.*s", (int)(strlen(path) - strlen("/state")), path);
    CHECK(rmdir(parent) == 0);
}

static milepost_reporter *reporter_in(const char *directory, const char *endpoint, milepost_service service, const char *vehicle) {
    milepost_config *config = NULL;
    milepost_reporter *reporter = NULL;
    CHECK_OK(milepost_config_create(service, &config));
    CHECK_OK(milepost_config_set_provider_id(config, "test-project"));
    CHECK_OK(milepost_config_set_vehicle_id(config, vehicle));
    CHECK_OK(milepost_config_set_token(config, "a-token"));
    if (endpoint) CHECK_OK(milepost_config_set_endpoint(config, endpoint));
    if (directory) CHECK_OK(milepost_config_set_state_directory(config, directory));
    CHECK_OK(milepost_reporter_create(config, &reporter));
    milepost_config_destroy(config);
    return reporter;
}

static milepost_reporter *van(const char *directory, const char *endpoint) {
    return reporter_in(directory, endpoint, MILEPOST_SERVICE_ON_DEMAND, "van-1");
}

static void listen_to(milepost_reporter *reporter, recorder *r) {
    milepost_listener listener = recorder_listener(r);
    milepost_listener_id id = 0;
    recorder_init(r);
    CHECK_OK(milepost_reporter_add_listener(reporter, &listener, &id));
}

static void push(milepost_reporter *reporter, double north_deg, double time_s) {
    milepost_fix fix = fix_at(north_deg, time_s);
    CHECK_OK(milepost_reporter_push_fix(reporter, &fix));
}

static void the_state_directory_and_limits_are_checked(void) {
    milepost_config *config = some_config(NULL);
    char *long_path = malloc(5000);
    memset(long_path, 'x', 4999);
    long_path[4999] = 0;
    CHECK_REFUSED(MILEPOST_ERROR_ARGUMENT, milepost_config_set_state_directory(config, ""), "empty");
    CHECK_REFUSED(MILEPOST_ERROR_ARGUMENT, milepost_config_set_state_directory(config, long_path), "longer");
    CHECK_OK(milepost_config_set_state_directory(config, "/tmp/never-made"));
    CHECK_OK(milepost_config_set_state_directory(config, NULL));
    free(long_path);
    CHECK_OK(milepost_config_set_backlog_limits(config, 16, 16384, 60));
    CHECK_OK(milepost_config_set_backlog_limits(config, 1000000, 48000000, 31536000));
    CHECK_REFUSED(MILEPOST_ERROR_ARGUMENT, milepost_config_set_backlog_limits(config, 15, 16384, 60), "count is 15");
    CHECK_REFUSED(MILEPOST_ERROR_ARGUMENT, milepost_config_set_backlog_limits(config, 1000001, 16384, 60), "count");
    CHECK_REFUSED(MILEPOST_ERROR_ARGUMENT, milepost_config_set_backlog_limits(config, 16, 16383, 60), "bytes is 16383");
    CHECK_REFUSED(MILEPOST_ERROR_ARGUMENT, milepost_config_set_backlog_limits(config, 16, INT64_MAX, 60), "bytes");
    CHECK_REFUSED(MILEPOST_ERROR_ARGUMENT, milepost_config_set_backlog_limits(config, 16, 16384, 59), "age_s is 59");
    CHECK_REFUSED(MILEPOST_ERROR_ARGUMENT, milepost_config_set_backlog_limits(config, 16, 16384, INT32_MAX), "age_s");
    CHECK_STATUS(MILEPOST_ERROR_ARGUMENT, milepost_config_set_state_directory(NULL, "/tmp"));
    CHECK_STATUS(MILEPOST_ERROR_ARGUMENT, milepost_config_set_backlog_limits(NULL, 16, 16384, 60));
    milepost_config_destroy(config);
}

static void without_a_state_directory_nothing_is_remembered(void) {
    int32_t tracking = 7;
    milepost_reporter *reporter = van(NULL, NULL);
    CHECK_OK(milepost_reporter_set_tracking(reporter, 1));
    CHECK_OK(milepost_reporter_destroy(reporter));
    reporter = van(NULL, NULL);
    CHECK_OK(milepost_reporter_get_tracking(reporter, &tracking));
    CHECK(tracking == 0);
    CHECK_OK(milepost_reporter_destroy(reporter));
}

static void what_was_set_goes_on_after_a_power_cycle(void) {
    char directory[64];
    new_directory(directory);
    server *server = server_start(200);
    milepost_reporter *reporter = van(directory, server_url(server));
    struct stat found;
    CHECK(stat(directory, &found) == 0 && (found.st_mode & 0777) == 0700);
    recorder r;
    listen_to(reporter, &r);
    CHECK_OK(milepost_reporter_set_tracking(reporter, 1));
    CHECK_OK(milepost_reporter_set_vehicle_state(reporter, MILEPOST_VEHICLE_ONLINE));
    CHECK_OK(milepost_reporter_set_interval(reporter, 25));
    CHECK_OK(milepost_reporter_set_vehicle_id(reporter, "van-2"));
    CHECK_OK(milepost_reporter_set_vehicle_state(reporter, MILEPOST_VEHICLE_ONLINE));
    milepost_route *route = straight_route();
    CHECK_OK(milepost_reporter_set_route(reporter, route));
    for (int s = 0; s < 60; s++) push(reporter, 0.00025 * s, s);
    DRIVE(reporter, &r, succeeded, 1);
    double along_m = r.last_progress.along_m;
    CHECK(along_m > 1500 && r.last_progress.leg == 1);
    CHECK_OK(milepost_reporter_destroy(reporter)); /* tracking stays on: no OFFLINE */
    CHECK(!server_heard(server, "OFFLINE"));

    reporter = van(directory, server_url(server));
    int32_t tracking = 0, interval = 0;
    milepost_vehicle_state state = 0;
    CHECK_OK(milepost_reporter_get_tracking(reporter, &tracking));
    CHECK_OK(milepost_reporter_get_interval(reporter, &interval));
    CHECK_OK(milepost_reporter_get_vehicle_state(reporter, &state));
    CHECK(tracking == 1 && interval == 25 && state == MILEPOST_VEHICLE_ONLINE);
    listen_to(reporter, &r);
    CHECK_OK(milepost_reporter_set_route(reporter, route)); /* the same: goes on */
    push(reporter, 0.00025 * 60, 60);
    DRIVE(reporter, &r, succeeded, 1);
    CHECK(r.update.vehicle_state == MILEPOST_VEHICLE_ONLINE && r.update.leg == 1);
    CHECK(r.last_progress.state == MILEPOST_ROUTE_ON && fabs(r.last_progress.along_m - along_m - 27.8) < 1);
    CHECK(server_heard(server, "/vehicles/van-2") && !server_heard(server, "/vehicles/van-1?"));
    CHECK_OK(milepost_reporter_set_route(reporter, NULL));
    CHECK_OK(milepost_reporter_destroy(reporter));

    reporter = van(directory, server_url(server));
    CHECK_STATUS(MILEPOST_ERROR_STATE, milepost_reporter_skip_waypoint(reporter, 0)); /* no route any more */
    CHECK_OK(milepost_reporter_destroy(reporter));
    milepost_route_destroy(route);
    server_stop(server);
    remove_directory(directory);
}

static void another_route_after_a_power_cycle_begins_anew(void) {
    char directory[64];
    new_directory(directory);
    milepost_reporter *reporter = van(directory, NULL);
    milepost_route *route = straight_route(), *other = NULL;
    const double points[] = {48.00, 11, 48.03, 11};
    CHECK_OK(milepost_route_create(points, 2, NULL, NULL, 0, &other));
    CHECK_OK(milepost_reporter_set_route(reporter, route));
    for (int s = 0; s < 60; s++) push(reporter, 0.00025 * s, s);
    CHECK_OK(milepost_reporter_destroy(reporter));
    reporter = van(directory, NULL);
    recorder r;
    listen_to(reporter, &r);
    CHECK_OK(milepost_reporter_set_route(reporter, other));
    DRIVE(reporter, &r, progress, 1);
    CHECK(r.last_progress.state == MILEPOST_ROUTE_ACQUIRING && r.last_progress.waypoint_count == 1);
    CHECK_OK(milepost_reporter_destroy(reporter));
    milepost_route_destroy(route);
    milepost_route_destroy(other);
    remove_directory(directory);
}

static void what_another_vehicle_left_is_forgotten(void) {
    char directory[64];
    new_directory(directory);
    milepost_reporter *reporter = van(directory, NULL);
    CHECK_OK(milepost_reporter_set_tracking(reporter, 1));
    CHECK_OK(milepost_reporter_destroy(reporter));
    const struct {
        milepost_service service;
        const char *vehicle;
    } others[] = {{MILEPOST_SERVICE_ON_DEMAND, "van-9"}, {MILEPOST_SERVICE_DELIVERY, "van-9"}};
    for (int i = 0; i < 2; i++) {
        int32_t tracking = 7;
        reporter = reporter_in(directory, NULL, others[i].service, others[i].vehicle);
        CHECK_OK(milepost_reporter_get_tracking(reporter, &tracking));
        CHECK(tracking == 0);
        CHECK_OK(milepost_reporter_set_tracking(reporter, 1));
        CHECK_OK(milepost_reporter_destroy(reporter));
    }
    remove_directory(directory);
}

static void an_offline_that_was_not_confirmed_is_sent_after_the_restart(void) {
    char directory[64];
    new_directory(directory);
    server *server = server_start(200);
    recorder r;
    milepost_reporter *reporter = van(directory, server_url(server));
    listen_to(reporter, &r);
    CHECK_OK(milepost_reporter_set_tracking(reporter, 1));
    CHECK_OK(milepost_reporter_set_vehicle_state(reporter, MILEPOST_VEHICLE_ONLINE));
    DRIVE(reporter, &r, succeeded, 1);
    server_answer(server, 503, "");
    CHECK_OK(milepost_reporter_set_tracking(reporter, 0));
    DRIVE(reporter, &r, failed, 1);
    CHECK(r.failure.will_retry == 1);
    CHECK_STATUS(MILEPOST_ERROR_UNCONFIRMED, milepost_reporter_stop(reporter, 0));
    CHECK_OK(milepost_reporter_destroy(reporter));

    server_answer(server, 200, "{}");
    int before = server_requests(server);
    reporter = van(directory, server_url(server));
    listen_to(reporter, &r);
    DRIVE(reporter, &r, succeeded, 1);
    CHECK(r.update.vehicle_state == MILEPOST_VEHICLE_OFFLINE && strcmp(r.mask, "vehicleState") == 0);
    CHECK(server_requests(server) == before + 1);
    CHECK_OK(milepost_reporter_stop(reporter, 0));
    CHECK_OK(milepost_reporter_destroy(reporter));

    reporter = van(directory, server_url(server)); /* confirmed: not again */
    CHECK_OK(milepost_reporter_dispatch(reporter));
    CHECK_OK(milepost_reporter_stop(reporter, 1000));
    CHECK_OK(milepost_reporter_destroy(reporter));
    CHECK(server_requests(server) == before + 1);
    server_stop(server);
    remove_directory(directory);
}

static void stops_and_whether_the_server_knows_them_survive(void) {
    char directory[64];
    new_directory(directory);
    server *server = server_start(503);
    recorder r;
    milepost_reporter *reporter = reporter_in(directory, server_url(server), MILEPOST_SERVICE_DELIVERY, "van-1");
    milepost_stop stops[] = {MILEPOST_STOP_INIT, MILEPOST_STOP_INIT}, stop = MILEPOST_STOP_INIT;
    const char *const tasks[] = {"task-1", "task-2"};
    size_t count = 0;
    stops[0].latitude_deg = 48.01;
    stops[1].latitude_deg = 48.02;
    stops[0].task_ids = tasks;
    stops[0].task_count = 2;
    listen_to(reporter, &r);
    CHECK_OK(milepost_reporter_set_stops(reporter, stops, 2));
    CHECK_OK(milepost_reporter_enroute_to_next_stop(reporter));
    DRIVE(reporter, &r, failed, 1);
    CHECK_OK(milepost_reporter_destroy(reporter));

    server_answer(server, 200, "{}");
    reporter = reporter_in(directory, server_url(server), MILEPOST_SERVICE_DELIVERY, "van-1");
    CHECK_OK(milepost_reporter_get_stop_count(reporter, &count));
    CHECK_OK(milepost_reporter_get_stop(reporter, 0, &stop));
    CHECK(count == 2 && stop.state == MILEPOST_STOP_ENROUTE && stop.latitude_deg == 48.01 && stop.task_count == 2);
    listen_to(reporter, &r);
    DRIVE(reporter, &r, succeeded, 1);
    CHECK(strcmp(r.mask, "remainingVehicleJourneySegments") == 0);
    CHECK_OK(milepost_reporter_destroy(reporter));

    int before = server_requests(server);
    reporter = reporter_in(directory, server_url(server), MILEPOST_SERVICE_DELIVERY, "van-1"); /* it knows them */
    CHECK_OK(milepost_reporter_dispatch(reporter));
    CHECK_OK(milepost_reporter_stop(reporter, 1000));
    CHECK(server_requests(server) == before);
    server_answer(server, 503, "");
    listen_to(reporter, &r);
    CHECK_OK(milepost_reporter_arrived_at_stop(reporter));
    CHECK_OK(milepost_reporter_completed_stop(reporter));
    CHECK_OK(milepost_reporter_enroute_to_next_stop(reporter));
    CHECK_OK(milepost_reporter_arrived_at_stop(reporter));
    CHECK_OK(milepost_reporter_completed_stop(reporter));
    DRIVE(reporter, &r, failed, 1);
    CHECK_OK(milepost_reporter_destroy(reporter));

    server_answer(server, 200, "{}");
    reporter = reporter_in(directory, server_url(server), MILEPOST_SERVICE_DELIVERY, "van-1"); /* it is still to hear of the last */
    listen_to(reporter, &r);
    DRIVE(reporter, &r, succeeded, 1);
    CHECK(strcmp(r.mask, "remainingVehicleJourneySegments") == 0 && server_heard(server, "{\"remainingVehicleJourneySegments\":[]}"));
    CHECK_OK(milepost_reporter_destroy(reporter));
    server_stop(server);
    remove_directory(directory);
}

static void what_could_not_be_told_goes_out_after_the_restart(void) {
    char directory[64];
    new_directory(directory);
    server *server = server_start(503);
    recorder r;
    milepost_reporter *reporter = van(directory, server_url(server));
    listen_to(reporter, &r);
    CHECK_OK(milepost_reporter_set_tracking(reporter, 1));
    push(reporter, 0.001, 0);
    DRIVE(reporter, &r, failed, 1);
    push(reporter, 0.002, 1); /* the former was tried: it is kept */
    CHECK_OK(milepost_reporter_destroy(reporter)); /* and the last */
    server_answer(server, 200, "{}");
    reporter = van(directory, server_url(server));
    listen_to(reporter, &r);
    push(reporter, 0.003, 100);
    DRIVE(reporter, &r, succeeded, 1);
    CHECK(strstr(r.mask, "lastLocation") && strstr(r.mask, ",pastLocations"));
    CHECK(r.fix.latitude_deg == 48.003);
    const char *past = "\"pastLocations\":[{\"supplementalLocation\":{\"latitude\":48.001,\"longitude\":11.0}";
    CHECK(server_heard(server, past) && server_heard(server, "{\"supplementalLocation\":{\"latitude\":48.002,"));
    CHECK_OK(milepost_reporter_destroy(reporter));
    int before = server_requests(server);
    reporter = van(directory, server_url(server));
    listen_to(reporter, &r);
    push(reporter, 0.004, 200);
    DRIVE(reporter, &r, succeeded, 1);
    CHECK(!strstr(r.mask, "pastLocations") && server_requests(server) == before + 1);
    CHECK_OK(milepost_reporter_destroy(reporter));
    server_stop(server);
    remove_directory(directory);
}

static void a_damaged_store_is_set_aside_and_told(void) {
    char directory[64], path[128];
    new_directory(directory);
    milepost_reporter *reporter = van(directory, NULL);
    CHECK_OK(milepost_reporter_set_tracking(reporter, 1));
    CHECK_OK(milepost_reporter_destroy(reporter));
    snprintf(path, sizeof path, "%s/milepost.db", directory);
    FILE *file = fopen(path, "w");
    CHECK(file && fputs("This is no database, however long one reads it.", file) >= 0 && fclose(file) == 0);
    recorder r;
    reporter = van(directory, NULL);
    listen_to(reporter, &r);
    DRIVE(reporter, &r, reporter_events, 1);
    CHECK(r.reporter_event.kind == MILEPOST_REPORTER_EVENT_STORE_DAMAGED && strstr(r.event_message, "milepost.db.damaged"));
    int32_t tracking = 7;
    CHECK_OK(milepost_reporter_get_tracking(reporter, &tracking));
    CHECK(tracking == 0);
    CHECK_OK(milepost_reporter_set_tracking(reporter, 1));
    CHECK_OK(milepost_reporter_destroy(reporter));
    reporter = van(directory, NULL);
    CHECK_OK(milepost_reporter_get_tracking(reporter, &tracking));
    CHECK(tracking == 1);
    CHECK_OK(milepost_reporter_destroy(reporter));
    remove_directory(directory);
}

static void a_directory_that_cannot_be_used_is_told_and_reporting_goes_on(void) {
    char directory[64];
    new_directory(directory);
    server *server = server_start(200);
    milepost_reporter *first = van(directory, NULL);
    recorder r;
    milepost_reporter *reporter = van(directory, server_url(server)); /* in use */
    listen_to(reporter, &r);
    CHECK_OK(milepost_reporter_set_tracking(reporter, 1));
    push(reporter, 0.001, 0);
    DRIVE(reporter, &r, succeeded, 1);
    CHECK(r.reporter_events == 1 && r.reporter_event.kind == MILEPOST_REPORTER_EVENT_STORE_UNUSABLE);
    CHECK(strstr(r.event_message, "another reporter uses it"));
    CHECK_OK(milepost_reporter_destroy(reporter));
    CHECK_OK(milepost_reporter_destroy(first));
    remove_directory(directory);
    reporter = van("/nonexistent/milepost/state", server_url(server));
    listen_to(reporter, &r);
    CHECK_OK(milepost_reporter_set_tracking(reporter, 1));
    push(reporter, 0.001, 0);
    DRIVE(reporter, &r, succeeded, 1);
    CHECK(r.reporter_events == 1 && strstr(r.event_message, "/nonexistent/milepost/state"));
    CHECK_OK(milepost_reporter_destroy(reporter));
    server_stop(server);
}

const contract_case state_cases[] = {
    {"the_state_directory_and_limits_are_checked", the_state_directory_and_limits_are_checked},
    {"without_a_state_directory_nothing_is_remembered", without_a_state_directory_nothing_is_remembered},
    {"what_was_set_goes_on_after_a_power_cycle", what_was_set_goes_on_after_a_power_cycle},
    {"another_route_after_a_power_cycle_begins_anew", another_route_after_a_power_cycle_begins_anew},
    {"what_another_vehicle_left_is_forgotten", what_another_vehicle_left_is_forgotten},
    {"an_offline_that_was_not_confirmed_is_sent_after_the_restart", an_offline_that_was_not_confirmed_is_sent_after_the_restart},
    {"stops_and_whether_the_server_knows_them_survive", stops_and_whether_the_server_knows_them_survive},
    {"what_could_not_be_told_goes_out_after_the_restart", what_could_not_be_told_goes_out_after_the_restart},
    {"a_damaged_store_is_set_aside_and_told", a_damaged_store_is_set_aside_and_told},
    {"a_directory_that_cannot_be_used_is_told_and_reporting_goes_on", a_directory_that_cannot_be_used_is_told_and_reporting_goes_on},
    {NULL, NULL}};
