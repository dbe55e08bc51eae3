/* Tokens from the host's callback, whenever the answer comes, and from a file and a server. */
#include "contract.h"

#include <unistd.h>

typedef struct asked {
    recorder recorder;
    int completes_at_once;
} asked;

static void ask(void *user, milepost_token_request request, const milepost_token_context *context) {
    asked *a = user;
    CHECK(request != 0 && context->size == sizeof *context);
    CHECK(strcmp(context->provider_id, "test-project") == 0 && strcmp(context->vehicle_id, "van-1") == 0);
    CHECK(context->task_id == NULL && strcmp(context->trip_id, "trip-9") == 0);
    if (a->completes_at_once) CHECK_OK(milepost_token_complete(request, "inside-token", 3600));
    recorder_ask(&a->recorder, request, context);
}

static milepost_config *asking_config(const char *endpoint, asked *a) {
    recorder_init(&a->recorder);
    milepost_config *config = some_config(endpoint);
    CHECK_OK(milepost_config_set_trip_id(config, "trip-9"));
    CHECK_OK(milepost_config_set_token_callback(config, ask, a));
    return config;
}

static void a_token_may_be_given_inside_the_callback(void) {
    server *server = server_start(200);
    asked a = {.completes_at_once = 1};
    milepost_reporter *reporter = tracking_reporter(asking_config(server_url(server), &a), &a.recorder);
    CHECK_OK(milepost_reporter_start(reporter));
    AWAIT(&a.recorder, succeeded, 1);
    CHECK(server_heard(server, "Authorization: Bearer inside-token\r\n"));
    /* It is cached: the change of state goes out with the same one. */
    CHECK_OK(milepost_reporter_set_vehicle_state(reporter, MILEPOST_VEHICLE_ONLINE));
    AWAIT(&a.recorder, succeeded, 2);
    CHECK(recorder_get(&a.recorder, &a.recorder.tokens) == 1);
    CHECK_OK(milepost_reporter_destroy(reporter));
    server_stop(server);
}

static void *complete_from_here(void *user) {
    asked *a = user;
    CHECK_OK(milepost_token_complete(a->recorder.token_request, "late-token", 0));
    return NULL;
}

static void a_token_may_be_given_later_from_another_thread_but_only_once(void) {
    for (int threaded = 0; threaded <= 1; threaded++) {
        server *server = server_start(200);
        asked a = {.completes_at_once = 0};
        milepost_reporter *reporter = tracking_reporter(asking_config(server_url(server), &a), &a.recorder);
        if (threaded) CHECK_OK(milepost_reporter_start(reporter));
        if (threaded) AWAIT(&a.recorder, tokens, 1);
        else DRIVE(reporter, &a.recorder, tokens, 1);
        CHECK(server_requests(server) == 0);
        pthread_t thread;
        CHECK(pthread_create(&thread, NULL, complete_from_here, &a) == 0);
        pthread_join(thread, NULL);
        if (threaded) AWAIT(&a.recorder, succeeded, 1);
        else DRIVE(reporter, &a.recorder, succeeded, 1);
        CHECK(server_heard(server, "Bearer late-token\r\n"));
        CHECK_REFUSED(MILEPOST_ERROR_NOT_FOUND, milepost_token_complete(a.recorder.token_request, "again", 0), "answered");
        CHECK_STATUS(MILEPOST_ERROR_NOT_FOUND, milepost_token_fail(a.recorder.token_request, NULL));
        CHECK_OK(milepost_reporter_destroy(reporter));
        server_stop(server);
    }
    CHECK_STATUS(MILEPOST_ERROR_NOT_FOUND, milepost_token_complete(0, "x", 0));
    CHECK_STATUS(MILEPOST_ERROR_NOT_FOUND, milepost_token_complete(UINT64_MAX, "x", 0));
}

static void a_token_never_given_holds_up_neither_stop_nor_destroy(void) {
    asked a = {.completes_at_once = 0};
    milepost_reporter *reporter = tracking_reporter(asking_config("http://127.0.0.1:9", &a), &a.recorder);
    CHECK_OK(milepost_reporter_start(reporter));
    AWAIT(&a.recorder, tokens, 1);
    milepost_token_request first = a.recorder.token_request;
    CHECK_STATUS(MILEPOST_ERROR_UNCONFIRMED, milepost_reporter_stop(reporter, 0));
    CHECK_STATUS(MILEPOST_ERROR_NOT_FOUND, milepost_token_complete(first, "too-late", 0));
    CHECK_OK(milepost_reporter_destroy(reporter));
}

static void a_token_after_destroy_is_harmless(void) {
    asked a = {.completes_at_once = 0};
    milepost_reporter *reporter = tracking_reporter(asking_config("http://127.0.0.1:9", &a), &a.recorder);
    DRIVE(reporter, &a.recorder, tokens, 1);
    CHECK_OK(milepost_reporter_destroy(reporter));
    CHECK_STATUS(MILEPOST_ERROR_NOT_FOUND, milepost_token_complete(a.recorder.token_request, "too-late", 0));
    CHECK_STATUS(MILEPOST_ERROR_NOT_FOUND, milepost_token_fail(a.recorder.token_request, "too late"));
}

static void a_failed_token_is_told_in_the_hosts_words(void) {
    asked a = {.completes_at_once = 0};
    milepost_reporter *reporter = tracking_reporter(asking_config("http://127.0.0.1:9", &a), &a.recorder);
    DRIVE(reporter, &a.recorder, tokens, 1);
    CHECK_OK(milepost_token_fail(a.recorder.token_request, "the SIM is locked"));
    DRIVE(reporter, &a.recorder, failed, 1);
    CHECK_STATUS(MILEPOST_ERROR_NOT_FOUND, milepost_token_fail(a.recorder.token_request, ""));
    CHECK(strstr(a.recorder.message, "the SIM is locked") && a.recorder.failure.code == MILEPOST_CODE_UNAUTHENTICATED);
    CHECK(a.recorder.failure.http_status == 0 && *a.recorder.mask == 0 && a.recorder.failure.will_retry == 1);
    CHECK_OK(milepost_reporter_destroy(reporter));
}

/* Line breaks in a token would forge headers. */
static void a_token_that_cannot_be_a_header_is_never_sent(void) {
    server *server = server_start(200);
    asked a = {.completes_at_once = 0};
    milepost_reporter *reporter = tracking_reporter(asking_config(server_url(server), &a), &a.recorder);
    DRIVE(reporter, &a.recorder, tokens, 1);
    CHECK_REFUSED(MILEPOST_ERROR_ARGUMENT, milepost_token_complete(a.recorder.token_request, "bad\r\nX-Forged: 1", 0), "line break");
    CHECK(server_requests(server) == 0);
    CHECK_OK(milepost_token_complete(a.recorder.token_request, "good", 0)); /* the question is still open */
    DRIVE(reporter, &a.recorder, succeeded, 1);
    CHECK_OK(milepost_reporter_destroy(reporter));
    char *longest = malloc(16 * 1024 + 2);
    memset(longest, 't', 16 * 1024 + 1);
    longest[16 * 1024 + 1] = 0;
    CHECK_REFUSED(MILEPOST_ERROR_ARGUMENT, milepost_token_complete(1, longest, 0), "16384");
    free(longest);
    server_stop(server);
}

static void another_vehicle_asks_for_another_token(void) {
    server *server = server_start(200);
    recorder r;
    recorder_init(&r);
    milepost_config *config = some_config(server_url(server));
    CHECK_OK(milepost_config_set_token_callback(config, recorder_ask, &r));
    milepost_reporter *reporter = tracking_reporter(config, &r);
    DRIVE(reporter, &r, tokens, 1);
    milepost_token_request first = r.token_request;
    CHECK_OK(milepost_reporter_set_vehicle_id(reporter, "van-2"));
    DRIVE(reporter, &r, tokens, 2);
    CHECK(r.token_request != first);
    CHECK_STATUS(MILEPOST_ERROR_NOT_FOUND, milepost_token_complete(first, "for-van-1", 0));
    CHECK_OK(milepost_token_complete(r.token_request, "for-van-2", 0));
    DRIVE(reporter, &r, succeeded, 1);
    CHECK(server_heard(server, "/vehicles/van-2?") && server_heard(server, "Bearer for-van-2") && !server_heard(server, "for-van-1"));
    CHECK_OK(milepost_reporter_destroy(reporter));
    server_stop(server);
}

static void a_token_file_is_read_again_when_a_token_is_needed(void) {
    server *server = server_start(401);
    recorder r;
    recorder_init(&r);
    char path[] = "/tmp/milepost-contract-XXXXXX";
    int fd = mkstemp(path);
    CHECK(fd >= 0 && write(fd, "  first-token\n", 14) == 14);
    milepost_config *config = some_config(server_url(server));
    CHECK_OK(milepost_config_set_token_file(config, path));
    milepost_reporter *reporter = tracking_reporter(config, &r);
    DRIVE(reporter, &r, failed, 1); /* the server refuses the first: it is read again at once */
    CHECK(pwrite(fd, "  other-token\n", 14, 0) == 14);
    DRIVE(reporter, &r, failed, 2);
    CHECK(server_heard(server, "Bearer first-token\r\n"));
    server_answer(server, 200, "{}");
    CHECK_OK(milepost_reporter_set_vehicle_id(reporter, "van-3"));
    DRIVE(reporter, &r, succeeded, 1);
    CHECK(server_heard(server, "Bearer other-token\r\n"));
    close(fd);
    unlink(path);
    CHECK_OK(milepost_reporter_set_vehicle_id(reporter, "van-4"));
    DRIVE(reporter, &r, failed, 3);
    CHECK(strstr(r.message, path));
    CHECK_OK(milepost_reporter_destroy(reporter));
    server_stop(server);
}

static void a_token_server_is_asked_with_percent_encoded_ids(void) {
    server *server = server_start(200), *tokens = server_start(200);
    recorder r;
    recorder_init(&r);
    char url[128];
    snprintf(url, sizeof url, "%s/for/{provider}/{vehicle}/{trip}/", server_url(tokens));
    server_answer(tokens, 200, "{\"jwt\":\"served-token\",\"life\":3600}");
    milepost_config *config = some_config(server_url(server));
    CHECK_OK(milepost_config_set_vehicle_id(config, "van 1%"));
    CHECK_OK(milepost_config_set_token_url(config, url, "jwt", "life", MILEPOST_TOKEN_EXPIRY_SECONDS_FROM_NOW));
    milepost_reporter *reporter = tracking_reporter(config, &r);
    DRIVE(reporter, &r, succeeded, 1);
    CHECK(server_heard(tokens, "GET /for/test-project/van%201%25// HTTP/1.1\r\n"));
    CHECK(!server_heard(tokens, "Authorization") && server_heard(server, "Bearer served-token\r\n"));
    CHECK_OK(milepost_reporter_destroy(reporter));
    server_stop(tokens);
    server_stop(server);
}

const contract_case token_cases[] = {
    {"a_token_may_be_given_inside_the_callback", a_token_may_be_given_inside_the_callback},
    {"a_token_may_be_given_later_from_another_thread_but_only_once", a_token_may_be_given_later_from_another_thread_but_only_once},
    {"a_token_never_given_holds_up_neither_stop_nor_destroy", a_token_never_given_holds_up_neither_stop_nor_destroy},
    {"a_token_after_destroy_is_harmless", a_token_after_destroy_is_harmless},
    {"a_failed_token_is_told_in_the_hosts_words", a_failed_token_is_told_in_the_hosts_words},
    {"a_token_that_cannot_be_a_header_is_never_sent", a_token_that_cannot_be_a_header_is_never_sent},
    {"another_vehicle_asks_for_another_token", another_vehicle_asks_for_another_token},
    {"a_token_file_is_read_again_when_a_token_is_needed", a_token_file_is_read_again_when_a_token_is_needed},
    {"a_token_server_is_asked_with_percent_encoded_ids", a_token_server_is_asked_with_percent_encoded_ids},
    {NULL, NULL}};
