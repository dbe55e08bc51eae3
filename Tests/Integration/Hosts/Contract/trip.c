/* Trip monitors: the consumer's side. */
#include "contract.h"

#include <math.h>
#include <poll.h>

typedef struct watcher {
    recorder recorder; /* succeeded counts answers */
    milepost_trip_info info;
    milepost_trip_waypoint waypoints[4];
    milepost_trip *trip;
    int tries_to_end;
} watcher;

static void updated(void *user, const milepost_trip_info *info) {
    watcher *w = user;
    if (w->tries_to_end) {
        CHECK_REFUSED(MILEPOST_ERROR_IN_CALLBACK, milepost_trip_dispatch(w->trip), "callback");
        CHECK_REFUSED(MILEPOST_ERROR_IN_CALLBACK, milepost_trip_stop(w->trip), "callback");
        CHECK_REFUSED(MILEPOST_ERROR_IN_CALLBACK, milepost_trip_destroy(w->trip), "callback");
    }
    pthread_mutex_lock(&w->recorder.lock);
    w->info = *info;
    for (size_t i = 0; i < info->waypoint_count && i < 4; i++) w->waypoints[i] = info->waypoints[i];
    w->recorder.succeeded++;
    pthread_cond_broadcast(&w->recorder.changed);
    pthread_mutex_unlock(&w->recorder.lock);
}

static void failed(void *user, const milepost_failure *failure) {
    watcher *w = user;
    milepost_listener listener = recorder_listener(&w->recorder);
    listener.update_failed(&w->recorder, failure);
}

static milepost_config *trip_config(const char *endpoint) {
    milepost_config *config = some_config(endpoint);
    CHECK_OK(milepost_config_set_trip_id(config, "trip-9"));
    CHECK_OK(milepost_config_set_interval(config, 5));
    return config;
}

static milepost_trip *watched(milepost_config *config, watcher *w) {
    milepost_trip_listener listener = MILEPOST_TRIP_LISTENER_INIT;
    milepost_listener_id id = 0;
    listener.user = w;
    listener.trip_updated = updated;
    listener.trip_failed = failed;
    recorder_init(&w->recorder);
    CHECK_OK(milepost_trip_create(config, &w->trip));
    milepost_config_destroy(config);
    CHECK_OK(milepost_trip_add_listener(w->trip, &listener, &id));
    CHECK(id != 0);
    return w->trip;
}

static void drive(watcher *w, const int *count, int at_least) {
    double end = seconds_now() + 30;
    struct pollfd wait = {milepost_trip_fd(w->trip), POLLIN, 0};
    while (recorder_get(&w->recorder, count) < at_least) {
        poll(&wait, 1, 1000);
        CHECK_OK(milepost_trip_dispatch(w->trip));
        CHECK(seconds_now() < end);
    }
}

static const char answer[] =
    "{\"name\":\"providers/test-project/trips/trip-9\",\"tripStatus\":\"ENROUTE_TO_DROPOFF\","
    "\"lastLocation\":{\"location\":{\"latitude\":48.5,\"longitude\":11},\"speed\":8,\"updateTime\":\"2026-01-31T11:58:00Z\","
    "\"serverTime\":\"2026-01-31T11:59:40Z\"},\"remainingDistanceMeters\":700,\"remainingTimeToFirstWaypoint\":\"60s\","
    "\"etaToFirstWaypoint\":\"2026-01-31T12:01:00Z\",\"remainingWaypoints\":["
    "{\"tripId\":\"trip-8\",\"waypointType\":\"DROP_OFF_WAYPOINT_TYPE\",\"location\":{\"point\":{\"latitude\":48.6,\"longitude\":11}}},"
    "{\"tripId\":\"trip-9\",\"waypointType\":\"DROP_OFF_WAYPOINT_TYPE\",\"location\":{\"point\":{\"latitude\":48.7,\"longitude\":11}},"
    "\"distanceMeters\":300,\"eta\":\"2026-01-31T12:03:00Z\"}]}";

static void a_trip_tells_what_a_consumer_may_know(void) {
    server *server = server_start(200);
    server_answer(server, 200, answer);
    watcher w = {.tries_to_end = 1};
    milepost_trip *trip = watched(trip_config(server_url(server)), &w);
    milepost_trip_info info = MILEPOST_TRIP_INFO_INIT;
    CHECK_REFUSED(MILEPOST_ERROR_STATE, milepost_trip_get(trip, &info), "not answered yet");
    drive(&w, &w.recorder.succeeded, 1);
    CHECK(server_heard(server, "GET /v1/providers/test-project/trips/trip-9?view=JOURNEY_SHARING_V1S") &&
          server_heard(server, "Authorization: Bearer a-token\r\n"));
    CHECK_OK(milepost_trip_get(trip, &info));
    CHECK(info.fields == (MILEPOST_TRIP_LOCATION | MILEPOST_TRIP_SPEED | MILEPOST_TRIP_LOCATION_TIME | MILEPOST_TRIP_LOCATION_AGE |
                          MILEPOST_TRIP_DISTANCE | MILEPOST_TRIP_DURATION | MILEPOST_TRIP_ETA));
    CHECK(info.status == MILEPOST_TRIP_ENROUTE_TO_DROPOFF && info.latitude_deg == 48.5 && info.longitude_deg == 11);
    CHECK(info.speed_mps == 8 && isnan(info.heading_deg) && info.location_time_unix_ms == 1769860680000);
    CHECK(info.answer_age_s >= 0 && info.answer_age_s < 30 && fabs(info.location_age_s - 20 - info.answer_age_s) < 1e-6);
    CHECK(info.remaining_m == 700 && fabs(info.remaining_s + info.answer_age_s - 60) < 1e-6 && info.eta_unix_ms == 1769860860000);
    CHECK(info.waypoint_count == 2 && info.waypoints[0].is_own == 0 && info.waypoints[1].is_own == 1);
    CHECK(info.waypoints[0].remaining_m == 700 && info.waypoints[1].remaining_m == 1000);
    CHECK(info.waypoints[0].eta_unix_ms == 1769860860000 && info.waypoints[1].eta_unix_ms == 1769860980000);
    CHECK(info.waypoints[1].kind == MILEPOST_TRIP_WAYPOINT_DROPOFF && info.waypoints[1].latitude_deg == 48.7);
    /* The listener was told the same. */
    CHECK(w.info.fields == info.fields && w.info.waypoint_count == 2 && w.waypoints[1].remaining_m == 1000);
    CHECK_OK(milepost_trip_destroy(trip));
    server_stop(server);
}

static void a_trip_is_watched_on_a_thread_and_another_in_its_place(void) {
    server *server = server_start(200);
    server_answer(server, 200, "{\"name\":\"n\",\"tripStatus\":\"COMPLETE\",\"remainingDistanceMeters\":267}");
    watcher w = {.tries_to_end = 0};
    milepost_trip *trip = watched(trip_config(server_url(server)), &w);
    CHECK_OK(milepost_trip_start(trip));
    CHECK_REFUSED(MILEPOST_ERROR_STATE, milepost_trip_start(trip), "already running");
    CHECK_STATUS(MILEPOST_ERROR_STATE, milepost_trip_dispatch(trip));
    AWAIT(&w.recorder, succeeded, 1);
    milepost_trip_info info = MILEPOST_TRIP_INFO_INIT;
    CHECK_OK(milepost_trip_get(trip, &info));
    CHECK(info.status == MILEPOST_TRIP_COMPLETE && info.fields == 0 && info.waypoint_count == 0 && isnan(info.remaining_m));
    CHECK_OK(milepost_trip_set_trip_id(trip, "trip-10"));
    CHECK_REFUSED(MILEPOST_ERROR_STATE, milepost_trip_get(trip, &info), "not answered yet");
    AWAIT(&w.recorder, succeeded, 2); /* after 5 s, for no two polls are nearer */
    CHECK(server_heard(server, "/trips/trip-10?") && server_requests(server) == 2);
    CHECK_OK(milepost_trip_stop(trip));
    CHECK_OK(milepost_trip_start(trip)); /* and goes on, which for a trip that is over means nothing */
    CHECK_OK(milepost_trip_destroy(trip));
    server_stop(server);
}

static void a_failed_poll_is_told(void) {
    server *server = server_start(404);
    server_answer(server, 404, "{\"error\":{\"status\":\"NOT_FOUND\",\"message\":\"Resources not found: trips/trip-9\"}}");
    watcher w = {.tries_to_end = 0};
    milepost_trip *trip = watched(trip_config(server_url(server)), &w);
    drive(&w, &w.recorder.failed, 1);
    CHECK(w.recorder.failure.code == MILEPOST_CODE_NOT_FOUND && w.recorder.failure.http_status == 404);
    CHECK(w.recorder.failure.will_retry == 1 && *w.recorder.mask == 0 && strstr(w.recorder.message, "trips/trip-9"));
    CHECK_OK(milepost_trip_destroy(trip));
    server_stop(server);
}

static void ask_for_trip(void *user, milepost_token_request request, const milepost_token_context *context) {
    CHECK(strcmp(context->provider_id, "test-project") == 0 && strcmp(context->trip_id, "trip-9") == 0);
    CHECK(context->vehicle_id == NULL && context->task_id == NULL);
    recorder_ask(&((watcher *)user)->recorder, request, context);
}

static void a_trips_token_is_for_the_trip_alone(void) {
    server *server = server_start(200);
    watcher w = {.tries_to_end = 0};
    milepost_config *config = trip_config(server_url(server));
    CHECK_OK(milepost_config_set_task_id(config, "task-1"));
    CHECK_OK(milepost_config_set_token_callback(config, ask_for_trip, &w));
    milepost_trip *trip = watched(config, &w);
    drive(&w, &w.recorder.tokens, 1);
    CHECK_REFUSED(MILEPOST_ERROR_ARGUMENT, milepost_token_complete(w.recorder.token_request, "a\r\nb: c", 0), "line break");
    CHECK(server_requests(server) == 0);
    CHECK_OK(milepost_token_complete(w.recorder.token_request, "trip-token", 0));
    CHECK_STATUS(MILEPOST_ERROR_NOT_FOUND, milepost_token_complete(w.recorder.token_request, "twice", 0));
    drive(&w, &w.recorder.failed, 1); /* "{}" is no trip */
    CHECK(server_heard(server, "Bearer trip-token\r\n") && strstr(w.recorder.message, "no trip"));
    CHECK_OK(milepost_trip_destroy(trip));
    /* Never answered: that holds up nothing, and an answer after the end is harmless. */
    config = trip_config(server_url(server));
    CHECK_OK(milepost_config_set_token_callback(config, ask_for_trip, &w));
    trip = watched(config, &w);
    drive(&w, &w.recorder.tokens, 1);
    CHECK_OK(milepost_trip_destroy(trip));
    CHECK_STATUS(MILEPOST_ERROR_NOT_FOUND, milepost_token_complete(w.recorder.token_request, "too-late", 0));
    server_stop(server);
}

static void a_trips_arguments_are_checked(void) {
    milepost_trip *trip = UNTOUCHED;
    milepost_config *config = some_config(NULL);
    CHECK_REFUSED(MILEPOST_ERROR_ARGUMENT, milepost_trip_create(NULL, &trip), "config is NULL");
    CHECK_REFUSED(MILEPOST_ERROR_ARGUMENT, milepost_trip_create(config, NULL), "trip is NULL");
    CHECK_REFUSED(MILEPOST_ERROR_ARGUMENT, milepost_trip_create(config, &trip), "milepost_config_set_trip_id");
    CHECK(trip == UNTOUCHED);
    milepost_config_destroy(config);
    watcher w = {.tries_to_end = 0};
    milepost_trip_info info = MILEPOST_TRIP_INFO_INIT;
    milepost_trip_listener listener = MILEPOST_TRIP_LISTENER_INIT;
    milepost_listener_id id = 0;
    int32_t interval = 0;
    trip = watched(trip_config("http://127.0.0.1:9"), &w);
    CHECK_STATUS(MILEPOST_ERROR_ARGUMENT, milepost_trip_start(NULL));
    CHECK_STATUS(MILEPOST_ERROR_ARGUMENT, milepost_trip_dispatch(NULL));
    CHECK_STATUS(MILEPOST_ERROR_ARGUMENT, milepost_trip_stop(NULL));
    CHECK_OK(milepost_trip_destroy(NULL));
    CHECK(milepost_trip_fd(NULL) == -1 && milepost_trip_fd(trip) >= 0);
    CHECK_STATUS(MILEPOST_ERROR_ARGUMENT, milepost_trip_get(NULL, &info));
    CHECK_STATUS(MILEPOST_ERROR_ARGUMENT, milepost_trip_get(trip, NULL));
    info.size = 4;
    CHECK_REFUSED(MILEPOST_ERROR_ARGUMENT, milepost_trip_get(trip, &info), "size is 4");
    CHECK_STATUS(MILEPOST_ERROR_ARGUMENT, milepost_trip_set_trip_id(NULL, "t"));
    CHECK_STATUS(MILEPOST_ERROR_ARGUMENT, milepost_trip_set_trip_id(trip, NULL));
    CHECK_REFUSED(MILEPOST_ERROR_ARGUMENT, milepost_trip_set_trip_id(trip, "a/b"), "a/b");
    CHECK_STATUS(MILEPOST_ERROR_ARGUMENT, milepost_trip_set_interval(NULL, 10));
    CHECK_STATUS(MILEPOST_ERROR_ARGUMENT, milepost_trip_get_interval(NULL, &interval));
    CHECK_STATUS(MILEPOST_ERROR_ARGUMENT, milepost_trip_get_interval(trip, NULL));
    CHECK_OK(milepost_trip_set_interval(trip, 1));
    CHECK_OK(milepost_trip_get_interval(trip, &interval));
    CHECK(interval == 5);
    CHECK_OK(milepost_trip_set_interval(trip, 600));
    CHECK_OK(milepost_trip_get_interval(trip, &interval));
    CHECK(interval == 60);
    CHECK_STATUS(MILEPOST_ERROR_ARGUMENT, milepost_trip_add_listener(NULL, &listener, &id));
    CHECK_STATUS(MILEPOST_ERROR_ARGUMENT, milepost_trip_add_listener(trip, NULL, &id));
    CHECK_STATUS(MILEPOST_ERROR_ARGUMENT, milepost_trip_add_listener(trip, &listener, NULL));
    listener.size = 8;
    CHECK_REFUSED(MILEPOST_ERROR_ARGUMENT, milepost_trip_add_listener(trip, &listener, &id), "size is 8");
    listener.size = sizeof listener;
    CHECK_OK(milepost_trip_add_listener(trip, &listener, &id)); /* one without functions */
    CHECK_OK(milepost_trip_remove_listener(trip, id));
    CHECK_STATUS(MILEPOST_ERROR_NOT_FOUND, milepost_trip_remove_listener(trip, id));
    CHECK_STATUS(MILEPOST_ERROR_ARGUMENT, milepost_trip_remove_listener(NULL, id));
    CHECK_OK(milepost_trip_destroy(trip));
}

const contract_case trip_cases[] = {
    {"a_trip_tells_what_a_consumer_may_know", a_trip_tells_what_a_consumer_may_know},
    {"a_trip_is_watched_on_a_thread_and_another_in_its_place", a_trip_is_watched_on_a_thread_and_another_in_its_place},
    {"a_failed_poll_is_told", a_failed_poll_is_told},
    {"a_trips_token_is_for_the_trip_alone", a_trips_token_is_for_the_trip_alone},
    {"a_trips_arguments_are_checked", a_trips_arguments_are_checked},
    {NULL, NULL}};
