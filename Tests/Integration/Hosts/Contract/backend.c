/* What the backend knows of the vehicle: its waypoints, held against the route's, and the task that tokens are for. */
#include "contract.h"

#include <math.h>

static void the_first_waypoint_that_differs_is_an_event(void) {
    server *server = server_start(200);
    server_answer(server, 200,
                  "{\"name\":\"n\",\"waypoints\":[{\"location\":{\"point\":{\"latitude\":48.01,\"longitude\":11}}},"
                  "{\"location\":{\"point\":{\"latitude\":48.03,\"longitude\":11}}}]}");
    recorder r;
    recorder_init(&r);
    milepost_config *config = some_config(server_url(server));
    CHECK_OK(milepost_config_set_waypoint_check(config, 100));
    milepost_reporter *reporter = tracking_reporter(config, &r);
    milepost_route *route = straight_route();
    CHECK_OK(milepost_reporter_set_route(reporter, route));
    milepost_route_destroy(route);
    DRIVE(reporter, &r, reporter_events, 1);
    CHECK(server_heard(server, "GET /v1/providers/test-project/vehicles/van-1 HTTP/1.1\r\n"));
    CHECK(r.reporter_event.kind == MILEPOST_REPORTER_EVENT_WAYPOINTS_DIFFER);
    CHECK(r.reporter_event.fields == (MILEPOST_REPORTER_EVENT_HAS_DISTANCE | MILEPOST_REPORTER_EVENT_HAS_WAYPOINT |
                                      MILEPOST_REPORTER_EVENT_HAS_COUNT));
    CHECK(r.reporter_event.waypoint == 1 && r.reporter_event.count == 2 && fabs(r.reporter_event.distance_m - 1112) < 2);
    CHECK_OK(milepost_reporter_destroy(reporter));
    server_stop(server);
}

static void the_backend_is_not_asked_unless_the_host_says_so(void) {
    milepost_config *config = some_config(NULL);
    CHECK_STATUS(MILEPOST_ERROR_ARGUMENT, milepost_config_set_waypoint_check(NULL, 100));
    const double bad[] = {-1, 0.5, 10001, NAN, INFINITY};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        CHECK_REFUSED(MILEPOST_ERROR_ARGUMENT, milepost_config_set_waypoint_check(config, bad[i]), "tolerance_m");
    milepost_config_destroy(config);
    server *server = server_start(200);
    recorder r;
    recorder_init(&r);
    config = some_config(server_url(server));
    CHECK_OK(milepost_config_set_waypoint_check(config, 100));
    CHECK_OK(milepost_config_set_waypoint_check(config, 0));
    milepost_reporter *reporter = tracking_reporter(config, &r);
    milepost_route *route = straight_route();
    CHECK_OK(milepost_reporter_set_route(reporter, route));
    milepost_route_destroy(route);
    DRIVE(reporter, &r, succeeded, 1);
    CHECK_OK(milepost_reporter_set_vehicle_state(reporter, MILEPOST_VEHICLE_ONLINE));
    DRIVE(reporter, &r, succeeded, 2);
    CHECK(!server_heard(server, "GET "));
    CHECK_OK(milepost_reporter_destroy(reporter));
    server_stop(server);
}

static void ask(void *user, milepost_token_request request, const milepost_token_context *context) {
    recorder *r = user;
    int asked = recorder_get(r, &r->tokens);
    CHECK(strcmp(context->vehicle_id, "van-1") == 0 && context->trip_id == NULL);
    if (asked == 0) CHECK(strcmp(context->task_id, "task-1") == 0);
    if (asked == 1) CHECK(strcmp(context->task_id, "task-2") == 0);
    if (asked == 2) CHECK(context->task_id == NULL);
    recorder_ask(r, request, context);
}

static void another_task_asks_for_another_token(void) {
    server *server = server_start(200);
    recorder r;
    recorder_init(&r);
    milepost_config *config = some_config(server_url(server));
    CHECK_OK(milepost_config_set_task_id(config, "task-1"));
    CHECK_OK(milepost_config_set_token_callback(config, ask, &r));
    milepost_reporter *reporter = tracking_reporter(config, &r);
    CHECK_STATUS(MILEPOST_ERROR_ARGUMENT, milepost_reporter_set_task_id(NULL, "task-2"));
    CHECK_REFUSED(MILEPOST_ERROR_ARGUMENT, milepost_reporter_set_task_id(reporter, "a/b"), "a/b");
    DRIVE(reporter, &r, tokens, 1);
    milepost_token_request first = r.token_request;
    CHECK_OK(milepost_reporter_set_task_id(reporter, "task-2"));
    DRIVE(reporter, &r, tokens, 2);
    CHECK_STATUS(MILEPOST_ERROR_NOT_FOUND, milepost_token_complete(first, "for-task-1", 0));
    CHECK_OK(milepost_token_complete(r.token_request, "for-task-2", 0));
    DRIVE(reporter, &r, succeeded, 1);
    CHECK_OK(milepost_reporter_set_task_id(reporter, "task-2")); /* the same: the token stays */
    CHECK_OK(milepost_reporter_set_vehicle_state(reporter, MILEPOST_VEHICLE_ONLINE));
    DRIVE(reporter, &r, succeeded, 2);
    CHECK(recorder_get(&r, &r.tokens) == 2);
    CHECK_OK(milepost_reporter_set_task_id(reporter, NULL));
    CHECK_OK(milepost_reporter_set_vehicle_state(reporter, MILEPOST_VEHICLE_OFFLINE));
    DRIVE(reporter, &r, tokens, 3);
    CHECK_OK(milepost_token_complete(r.token_request, "for-no-task", 0));
    DRIVE(reporter, &r, succeeded, 3);
    CHECK(server_heard(server, "Bearer for-task-2\r\n") && server_heard(server, "Bearer for-no-task\r\n"));
    CHECK(!server_heard(server, "for-task-1"));
    CHECK_OK(milepost_reporter_destroy(reporter));
    server_stop(server);
}

const contract_case backend_cases[] = {
    {"the_first_waypoint_that_differs_is_an_event", the_first_waypoint_that_differs_is_an_event},
    {"the_backend_is_not_asked_unless_the_host_says_so", the_backend_is_not_asked_unless_the_host_says_so},
    {"another_task_asks_for_another_token", another_task_asks_for_another_token},
    {NULL, NULL}};
