/* A delivery vehicle's stops: what is refused, what is read back, what is sent and told. */
#include "contract.h"

static milepost_reporter *delivery_reporter(const char *endpoint, recorder *r) {
    milepost_config *config = NULL;
    milepost_reporter *reporter = NULL;
    milepost_listener_id id = 0;
    CHECK_OK(milepost_config_create(MILEPOST_SERVICE_DELIVERY, &config));
    CHECK_OK(milepost_config_set_provider_id(config, "test-project"));
    CHECK_OK(milepost_config_set_vehicle_id(config, "van-1"));
    CHECK_OK(milepost_config_set_token(config, "a-token"));
    if (endpoint) CHECK_OK(milepost_config_set_endpoint(config, endpoint));
    CHECK_OK(milepost_reporter_create(config, &reporter));
    milepost_config_destroy(config);
    recorder_init(r);
    milepost_listener listener = recorder_listener(r);
    CHECK_OK(milepost_reporter_add_listener(reporter, &listener, &id));
    return reporter;
}

static milepost_stop stop_at(double north_deg, const char *const *tasks, size_t count) {
    milepost_stop stop = MILEPOST_STOP_INIT;
    stop.latitude_deg = 48 + north_deg;
    stop.longitude_deg = 11;
    stop.task_ids = tasks;
    stop.task_count = count;
    return stop;
}

static size_t stops_left(const milepost_reporter *reporter) {
    size_t count = 77;
    CHECK_OK(milepost_reporter_get_stop_count(reporter, &count));
    return count;
}

#define CHECK_NULL(call) CHECK_REFUSED(MILEPOST_ERROR_ARGUMENT, call, "NULL")

static void null_is_refused_by_stops(void) {
    recorder r;
    milepost_reporter *reporter = delivery_reporter(NULL, &r);
    milepost_stop stop = stop_at(0, NULL, 0);
    size_t count = 0;
    char id[MILEPOST_ID_SIZE];
    const char *const tasks[] = {NULL};
    CHECK_NULL(milepost_reporter_set_stops(NULL, &stop, 1));
    CHECK_NULL(milepost_reporter_set_stops(reporter, NULL, 1));
    CHECK_NULL(milepost_reporter_enroute_to_next_stop(NULL));
    CHECK_NULL(milepost_reporter_arrived_at_stop(NULL));
    CHECK_NULL(milepost_reporter_completed_stop(NULL));
    CHECK_NULL(milepost_reporter_get_stop_count(NULL, &count));
    CHECK_NULL(milepost_reporter_get_stop_count(reporter, NULL));
    CHECK_NULL(milepost_reporter_get_stop(NULL, 0, &stop));
    CHECK_NULL(milepost_reporter_get_stop(reporter, 0, NULL));
    CHECK_NULL(milepost_reporter_get_stop_task(NULL, 0, 0, id, sizeof id));
    CHECK_NULL(milepost_reporter_get_stop_task(reporter, 0, 0, NULL, sizeof id));
    stop.task_ids = tasks;
    stop.task_count = 1;
    CHECK_NULL(milepost_reporter_set_stops(reporter, &stop, 1));
    CHECK_OK(milepost_reporter_destroy(reporter));
}

static void an_on_demand_vehicle_has_no_stops(void) {
    milepost_reporter *reporter = some_reporter(NULL);
    milepost_stop stop = stop_at(0, NULL, 0);
    CHECK_REFUSED(MILEPOST_ERROR_STATE, milepost_reporter_set_stops(reporter, &stop, 1), "on-demand");
    CHECK_REFUSED(MILEPOST_ERROR_STATE, milepost_reporter_enroute_to_next_stop(reporter), "on-demand");
    CHECK_REFUSED(MILEPOST_ERROR_STATE, milepost_reporter_arrived_at_stop(reporter), "on-demand");
    CHECK_REFUSED(MILEPOST_ERROR_STATE, milepost_reporter_completed_stop(reporter), "on-demand");
    CHECK(stops_left(reporter) == 0);
    CHECK_REFUSED(MILEPOST_ERROR_NOT_FOUND, milepost_reporter_get_stop(reporter, 0, &stop), "there is no 0");
    CHECK_OK(milepost_reporter_destroy(reporter));
}

static void stops_that_cannot_be_are_refused_by_name(void) {
    recorder r;
    milepost_reporter *reporter = delivery_reporter(NULL, &r);
    const char *const tasks[] = {"a", "b/c"}, *const twice[] = {"a", "a"};
    milepost_stop good[] = {stop_at(0, tasks, 1), stop_at(0.01, NULL, 0)}, bad[2];
    CHECK_REFUSED(MILEPOST_ERROR_ARGUMENT, milepost_reporter_set_stops(reporter, good, 0), "count is 0");
    CHECK_REFUSED(MILEPOST_ERROR_ARGUMENT, milepost_reporter_set_stops(reporter, NULL, 0), "count is 0");
    CHECK_REFUSED(MILEPOST_ERROR_ARGUMENT, milepost_reporter_set_stops(reporter, good, 1001), "count is 1001");
    CHECK_REFUSED(MILEPOST_ERROR_ARGUMENT, milepost_reporter_set_stops(reporter, good, SIZE_MAX), "count");
    CHECK_OK(milepost_reporter_set_stops(reporter, good, 2));
#define REFUSED(change, part)                                                                        \
    do {                                                                                             \
        memcpy(bad, good, sizeof bad);                                                               \
        change;                                                                                      \
        CHECK_REFUSED(MILEPOST_ERROR_ARGUMENT, milepost_reporter_set_stops(reporter, bad, 2), part); \
    } while (0)
    REFUSED(bad[0].size = 4, "size");
    REFUSED(bad[0].size += 3, "size");
    REFUSED(bad[1].size -= 8, "stop 1: size");
    REFUSED(bad[1].state = MILEPOST_STOP_ENROUTE, "stop 1 is ENROUTE");
    REFUSED(bad[0].state = 0, "stop 0: state is 0");
    REFUSED(bad[1].latitude_deg = 91, "stop 1: latitude 91");
    REFUSED(bad[0].task_count = SIZE_MAX, "task_count");
    REFUSED((bad[1].task_ids = NULL, bad[1].task_count = 1), "task_count is 1");
    REFUSED(bad[0].task_count = 2, "b/c");
    REFUSED((bad[0].task_ids = twice, bad[0].task_count = 2), "\"a\" is given twice");
    CHECK(stops_left(reporter) == 2); /* as they were */
    CHECK_OK(milepost_reporter_destroy(reporter));
}

static void a_later_headers_stops_are_read(void) {
    recorder r;
    milepost_reporter *reporter = delivery_reporter(NULL, &r);
    struct {
        milepost_stop stop;
        double later;
    } stops[] = {{stop_at(0, NULL, 0), 1}, {stop_at(0.01, NULL, 0), 2}};
    stops[0].stop.size = stops[1].stop.size = sizeof stops[0];
    CHECK_OK(milepost_reporter_set_stops(reporter, &stops[0].stop, 2));
    milepost_stop stop = MILEPOST_STOP_INIT;
    CHECK_OK(milepost_reporter_get_stop(reporter, 1, &stop));
    CHECK(stop.latitude_deg == 48.01 && stop.state == MILEPOST_STOP_NEW && stop.task_count == 0);
    CHECK_OK(milepost_reporter_destroy(reporter));
}

static void stops_are_copied_and_read_back(void) {
    recorder r;
    milepost_reporter *reporter = delivery_reporter(NULL, &r);
    char first[] = "task-1", second[] = "t\xc3\xa4sk 2", id[MILEPOST_ID_SIZE];
    const char *tasks[] = {first, second};
    milepost_stop stops[] = {stop_at(0, tasks, 2), stop_at(0.01, NULL, 0)}, stop = MILEPOST_STOP_INIT;
    stops[0].state = MILEPOST_STOP_ARRIVED;
    CHECK_OK(milepost_reporter_set_stops(reporter, stops, 2));
    memset(first, 'x', sizeof first - 1);
    memset(second, 'x', sizeof second - 1);
    memset(tasks, 0, sizeof tasks);
    memset(stops, 0, sizeof stops);
    CHECK(stops_left(reporter) == 2);
    CHECK_OK(milepost_reporter_get_stop(reporter, 0, &stop));
    CHECK(stop.size == sizeof stop && stop.state == MILEPOST_STOP_ARRIVED && stop.latitude_deg == 48 && stop.longitude_deg == 11);
    CHECK(stop.task_count == 2 && !stop.task_ids);
    CHECK_OK(milepost_reporter_get_stop_task(reporter, 0, 1, id, sizeof id));
    CHECK(strcmp(id, "t\xc3\xa4sk 2") == 0);
    CHECK_OK(milepost_reporter_get_stop_task(reporter, 0, 0, id, sizeof "task-1"));
    CHECK(strcmp(id, "task-1") == 0);
    CHECK_REFUSED(MILEPOST_ERROR_ARGUMENT, milepost_reporter_get_stop_task(reporter, 0, 0, id, sizeof "task-1" - 1), "needs 7");
    CHECK_REFUSED(MILEPOST_ERROR_NOT_FOUND, milepost_reporter_get_stop_task(reporter, 0, 2, id, sizeof id), "there is no 2");
    CHECK_REFUSED(MILEPOST_ERROR_NOT_FOUND, milepost_reporter_get_stop_task(reporter, 2, 0, id, sizeof id), "there is no 2");
    CHECK_REFUSED(MILEPOST_ERROR_NOT_FOUND, milepost_reporter_get_stop(reporter, 2, &stop), "there is no 2");
    CHECK_STATUS(MILEPOST_ERROR_NOT_FOUND, milepost_reporter_get_stop(reporter, SIZE_MAX, &stop));
    CHECK_OK(milepost_reporter_set_vehicle_id(reporter, "van-2"));
    CHECK(stops_left(reporter) == 0); /* they were the other's */
    CHECK_OK(milepost_reporter_destroy(reporter));
}

static void stops_go_in_order_and_nothing_else_does(void) {
    recorder r;
    milepost_reporter *reporter = delivery_reporter(NULL, &r);
    milepost_stop stops[] = {stop_at(0, NULL, 0), stop_at(0.01, NULL, 0)}, stop = MILEPOST_STOP_INIT;
    CHECK_REFUSED(MILEPOST_ERROR_STATE, milepost_reporter_enroute_to_next_stop(reporter), "no stop is left");
    CHECK_REFUSED(MILEPOST_ERROR_STATE, milepost_reporter_arrived_at_stop(reporter), "no stop is left");
    CHECK_REFUSED(MILEPOST_ERROR_STATE, milepost_reporter_completed_stop(reporter), "no stop is left");
    CHECK_OK(milepost_reporter_set_stops(reporter, stops, 2));
    for (size_t left = 2; left > 0; left--) {
        CHECK(stops_left(reporter) == left);
        CHECK_REFUSED(MILEPOST_ERROR_STATE, milepost_reporter_arrived_at_stop(reporter), "is NEW, not ENROUTE");
        CHECK_REFUSED(MILEPOST_ERROR_STATE, milepost_reporter_completed_stop(reporter), "is NEW, not ARRIVED");
        CHECK_OK(milepost_reporter_enroute_to_next_stop(reporter));
        CHECK_REFUSED(MILEPOST_ERROR_STATE, milepost_reporter_enroute_to_next_stop(reporter), "is ENROUTE, not NEW");
        CHECK_OK(milepost_reporter_arrived_at_stop(reporter));
        CHECK_REFUSED(MILEPOST_ERROR_STATE, milepost_reporter_arrived_at_stop(reporter), "is ARRIVED, not ENROUTE");
        CHECK_OK(milepost_reporter_get_stop(reporter, 0, &stop));
        CHECK(stop.state == MILEPOST_STOP_ARRIVED);
        CHECK_OK(milepost_reporter_completed_stop(reporter));
    }
    CHECK(stops_left(reporter) == 0);
    CHECK_REFUSED(MILEPOST_ERROR_STATE, milepost_reporter_completed_stop(reporter), "no stop is left");
    CHECK_OK(milepost_reporter_destroy(reporter));
}

typedef struct told {
    int count;
    size_t stop_count, task_count;
    milepost_stop_state state;
    char task[MILEPOST_ID_SIZE];
} told;

static void note_stops(void *user, const milepost_update *update) {
    told *t = user;
    CHECK((update->fields & MILEPOST_UPDATE_STOPS) && update->fields == MILEPOST_UPDATE_STOPS && !update->fix);
    CHECK(strcmp(update->update_mask, "remainingVehicleJourneySegments") == 0);
    t->count++;
    t->stop_count = update->stop_count;
    if (update->stop_count == 0) return;
    CHECK(update->stops[0].size == sizeof(milepost_stop) && update->stops[update->stop_count - 1].task_count == 0);
    CHECK(!update->stops[update->stop_count - 1].task_ids);
    t->state = update->stops[0].state;
    t->task_count = update->stops[0].task_count;
    if (t->task_count) snprintf(t->task, sizeof t->task, "%s", update->stops[0].task_ids[t->task_count - 1]);
}

static void each_change_of_stops_is_sent_and_told(void) {
    server *server = server_start(200);
    recorder r;
    milepost_reporter *reporter = delivery_reporter(server_url(server), &r);
    told t = {0, 0, 0, 0, ""};
    milepost_listener listener = MILEPOST_LISTENER_INIT;
    milepost_listener_id id = 0;
    listener.user = &t;
    listener.update_succeeded = note_stops;
    CHECK_OK(milepost_reporter_add_listener(reporter, &listener, &id));
    const char *const tasks[] = {"task-1", "task-2"};
    milepost_stop stops[] = {stop_at(0, tasks, 2), stop_at(0.01, NULL, 0)};
    CHECK_OK(milepost_reporter_set_stops(reporter, stops, 2));
    DRIVE(reporter, &r, succeeded, 1);
    CHECK(t.count == 1 && t.stop_count == 2 && t.state == MILEPOST_STOP_NEW && t.task_count == 2 && strcmp(t.task, "task-2") == 0);
    CHECK_OK(milepost_reporter_enroute_to_next_stop(reporter));
    DRIVE(reporter, &r, succeeded, 2);
    CHECK(t.stop_count == 2 && t.state == MILEPOST_STOP_ENROUTE);
    CHECK_OK(milepost_reporter_arrived_at_stop(reporter));
    CHECK_OK(milepost_reporter_completed_stop(reporter)); /* before the other is sent: one request for both */
    DRIVE(reporter, &r, succeeded, 3);
    CHECK(t.stop_count == 1 && t.state == MILEPOST_STOP_NEW && t.task_count == 0);
    CHECK(server_requests(server) == 3);
    CHECK(server_heard(server, "PATCH /v1/providers/test-project/deliveryVehicles/van-1?updateMask=remainingVehicleJourneySegments"));
    CHECK(server_heard(server, "\"tasks\":[{\"taskId\":\"task-1\"},{\"taskId\":\"task-2\"}],\"state\":\"ENROUTE\""));
    server_answer(server, 403, "{\"error\":{\"status\":\"PERMISSION_DENIED\",\"message\":\"not for this role\"}}");
    CHECK_OK(milepost_reporter_enroute_to_next_stop(reporter));
    DRIVE(reporter, &r, failed, 1);
    CHECK(r.failure.code == MILEPOST_CODE_PERMISSION_DENIED && r.failure.will_retry == 1);
    CHECK(strcmp(r.mask, "remainingVehicleJourneySegments") == 0);
    CHECK_REFUSED(MILEPOST_ERROR_UNCONFIRMED, milepost_reporter_stop(reporter, 100), "confirmed");
    server_answer(server, 200, "{}");
    CHECK_OK(milepost_reporter_arrived_at_stop(reporter));
    CHECK_OK(milepost_reporter_completed_stop(reporter));
    CHECK_OK(milepost_reporter_stop(reporter, 30000)); /* waits for them */
    CHECK(t.count == 4 && t.stop_count == 0 && server_heard(server, "{\"remainingVehicleJourneySegments\":[]}"));
    CHECK_OK(milepost_reporter_destroy(reporter));
    server_stop(server);
}

const contract_case stop_list_cases[] = {
    {"null_is_refused_by_stops", null_is_refused_by_stops},
    {"an_on_demand_vehicle_has_no_stops", an_on_demand_vehicle_has_no_stops},
    {"stops_that_cannot_be_are_refused_by_name", stops_that_cannot_be_are_refused_by_name},
    {"a_later_headers_stops_are_read", a_later_headers_stops_are_read},
    {"stops_are_copied_and_read_back", stops_are_copied_and_read_back},
    {"stops_go_in_order_and_nothing_else_does", stops_go_in_order_and_nothing_else_does},
    {"each_change_of_stops_is_sent_and_told", each_change_of_stops_is_sent_and_told},
    {NULL, NULL}};
