/* What a reporter counts, and what it says is broken. */
#include "contract.h"

#include <arpa/inet.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

static milepost_reporter *listened_to(milepost_config *config, recorder *r) {
    milepost_reporter *reporter = NULL;
    recorder_init(r);
    CHECK_OK(milepost_reporter_create(config, &reporter));
    milepost_config_destroy(config);
    milepost_listener listener = recorder_listener(r);
    milepost_listener_id id = 0;
    CHECK_OK(milepost_reporter_add_listener(reporter, &listener, &id));
    return reporter;
}

static void push(milepost_reporter *reporter, double time_s) {
    milepost_fix fix = fix_at(0.001, time_s);
    CHECK_OK(milepost_reporter_push_fix(reporter, &fix));
}

static void statistics_count_what_has_happened(void) {
    server *server = server_start(200);
    recorder r;
    milepost_reporter *reporter = listened_to(some_config(server_url(server)), &r);
    milepost_statistics s = MILEPOST_STATISTICS_INIT;
    CHECK_OK(milepost_reporter_get_statistics(reporter, &s));
    CHECK(s.size == sizeof s && s.fields == 0 && s.interval_s == 10 && s.updates_sent == 0 && s.bytes_sent == 0 && s.fixes_taken == 0);
    push(reporter, 0);
    milepost_fix same = fix_at(0.001, 0);
    CHECK_STATUS(MILEPOST_ERROR_FIX, milepost_reporter_push_fix(reporter, &same));
    CHECK_OK(milepost_reporter_set_tracking(reporter, 1));
    DRIVE(reporter, &r, succeeded, 1);
    CHECK_OK(milepost_reporter_get_statistics(reporter, &s));
    CHECK(s.updates_sent == 1 && s.updates_succeeded == 1 && s.updates_failed == 0 && s.back_offs == 0);
    CHECK(s.fixes_taken == 1 && s.fixes_dropped == 1 && s.tokens_fetched == 1 && s.tokens_failed == 0);
    CHECK(s.connections == 1 && s.bytes_sent > 300 && s.bytes_received > 50);
    if (s.fields & MILEPOST_STATISTICS_LAST_SUCCESS) CHECK(s.last_success_unix_ms > 1790000000000);
    const struct {
        int status;
        const uint64_t *count;
    } rows[] = {{503, &s.failed_transient}, {429, &s.failed_transient}, {404, &s.failed_gone}, {403, &s.failed_configuration}};
    for (int i = 0; i < 4; i++) {
        uint64_t before = *rows[i].count;
        server_answer(server, rows[i].status, "{}");
        /* A new state does not wait for a slot. */
        CHECK_OK(milepost_reporter_set_vehicle_state(reporter, i % 2 ? MILEPOST_VEHICLE_OFFLINE : MILEPOST_VEHICLE_ONLINE));
        DRIVE(reporter, &r, failed, i + 1);
        CHECK_OK(milepost_reporter_get_statistics(reporter, &s));
        CHECK(*rows[i].count == before + 1 && s.updates_failed == (uint64_t)i + 1 && s.back_offs == (uint64_t)i + 1);
    }
    CHECK(s.updates_sent == 5 && s.updates_succeeded == 1 && s.interval_s == 20 && s.failed_needs_token == 0);
    CHECK_OK(milepost_reporter_destroy(reporter));
    server_stop(server);
}

static milepost_diagnosis diagnosis_of(milepost_reporter *reporter) {
    milepost_diagnosis d = MILEPOST_DIAGNOSIS_INIT;
    CHECK_OK(milepost_reporter_diagnose(reporter, &d));
    CHECK(d.size == sizeof d && !(d.holding & d.failing) && *d.message && (d.broken == 0) == (d.failing == 0));
    return d;
}

static int holds(const milepost_diagnosis *d, milepost_link link) { return (d->holding & 1U << link) != 0; }

#define CHECK_BROKEN(reporter, link, words)                                                                                \
    do {                                                                                                                   \
        milepost_diagnosis found = diagnosis_of(reporter);                                                                 \
        if (found.broken != (link)) fprintf(stderr, "link %d: %s\n", (int)found.broken, found.message);                    \
        CHECK(found.broken == (link) && strstr(found.message, (words)));                                                   \
    } while (0)

/* Sends an update now, whatever the back-off. */
static void change_state(milepost_reporter *reporter) {
    milepost_vehicle_state state = 0;
    CHECK_OK(milepost_reporter_get_vehicle_state(reporter, &state));
    CHECK_OK(milepost_reporter_set_vehicle_state(
        reporter, state == MILEPOST_VEHICLE_ONLINE ? MILEPOST_VEHICLE_OFFLINE : MILEPOST_VEHICLE_ONLINE));
}

static void a_diagnosis_names_the_first_broken_link(void) {
    server *server = server_start(503);
    recorder r;
    milepost_config *config = some_config(server_url(server));
    /* Its claims are for vehicle "other". */
    CHECK_OK(milepost_config_set_token(config, "e30.eyJhdWQiOiJodHRwczovL2ZsZWV0ZW5naW5lLmdvb2dsZWFwaXMuY29tLyIsImF1dGhvcml6YXRpb24iOnsidmVoaWNsZWlkIjoib3RoZXIifX0.x"));
    milepost_reporter *reporter = listened_to(config, &r);
    CHECK_BROKEN(reporter, MILEPOST_LINK_FIX, "milepost_reporter_push_fix");
    push(reporter, 0);
    CHECK_BROKEN(reporter, MILEPOST_LINK_TRACKING, "milepost_reporter_set_tracking");
    CHECK_OK(milepost_reporter_set_tracking(reporter, 1));
    CHECK(diagnosis_of(reporter).broken == MILEPOST_LINK_NONE);
    DRIVE(reporter, &r, failed, 1);
    CHECK_BROKEN(reporter, MILEPOST_LINK_CLAIMS, "vehicleid is \"other\"");
    CHECK_OK(milepost_reporter_set_vehicle_id(reporter, "other"));
    DRIVE(reporter, &r, failed, 2);
    CHECK_BROKEN(reporter, MILEPOST_LINK_UPDATES, "HTTP 503");
    server_answer(server, 404, "{}");
    change_state(reporter);
    DRIVE(reporter, &r, failed, 3);
    CHECK_BROKEN(reporter, MILEPOST_LINK_VEHICLE, "backend");
    server_answer(server, 401, "{\"error\":{\"message\":\"stale\"}}");
    change_state(reporter);
    DRIVE(reporter, &r, failed, 5);
    CHECK_BROKEN(reporter, MILEPOST_LINK_TOKEN, "does not take the token: stale");
    server_answer(server, 200, "{}");
    change_state(reporter);
    DRIVE(reporter, &r, succeeded, 1);
    milepost_diagnosis fine = diagnosis_of(reporter);
    CHECK(fine.broken == MILEPOST_LINK_NONE && fine.failing == 0);
    for (milepost_link link = MILEPOST_LINK_TRACKING; link <= MILEPOST_LINK_UPDATES; link++)
        CHECK(holds(&fine, link) == (link != MILEPOST_LINK_CERTIFICATE)); /* http */
    server_stop(server);
    change_state(reporter);
    DRIVE(reporter, &r, failed, 6);
    CHECK_BROKEN(reporter, MILEPOST_LINK_SERVER, "does not answer");
    CHECK_OK(milepost_reporter_destroy(reporter));
}

static void fail_token(void *user, milepost_token_request request, const milepost_token_context *context) {
    (void)user;
    (void)context;
    CHECK_OK(milepost_token_fail(request, "the backend is down"));
}

static void a_diagnosis_tells_of_gpsd_and_of_tokens_that_do_not_come(void) {
    recorder r;
    milepost_config *config = some_config(NULL);
    CHECK_OK(milepost_config_set_token_callback(config, fail_token, NULL));
    milepost_reporter *pushed = listened_to(config, &r);
    push(pushed, 0);
    CHECK_OK(milepost_reporter_set_tracking(pushed, 1));
    DRIVE(pushed, &r, failed, 1);
    CHECK_BROKEN(pushed, MILEPOST_LINK_TOKEN, "there is no token: the backend is down");
    CHECK_OK(milepost_reporter_destroy(pushed));

    /* A port where nobody listens. */
    struct sockaddr_in address = {0};
    socklen_t size = sizeof address;
    char port[16];
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    CHECK(bind(fd, (struct sockaddr *)&address, size) == 0 && getsockname(fd, (struct sockaddr *)&address, &size) == 0);
    snprintf(port, sizeof port, "%d", ntohs(address.sin_port));
    config = some_config(NULL);
    CHECK_OK(milepost_config_set_gpsd(config, "127.0.0.1", port, NULL));
    milepost_reporter *reporter = listened_to(config, &r);
    CHECK_BROKEN(reporter, MILEPOST_LINK_GPSD, "milepost_reporter_start");
    struct pollfd wait = {milepost_reporter_fd(reporter), POLLIN, 0};
    while (!strstr(diagnosis_of(reporter).message, "refused")) {
        CHECK_OK(milepost_reporter_dispatch(reporter));
        poll(&wait, 1, 1000);
    }
    CHECK_BROKEN(reporter, MILEPOST_LINK_GPSD, "gpsd is not reached");
    CHECK(diagnosis_of(reporter).failing == (1U << MILEPOST_LINK_GPSD | 1U << MILEPOST_LINK_TRACKING));
    CHECK_OK(milepost_reporter_destroy(reporter));
    close(fd);
}

static void statistics_and_diagnosis_fit_older_headers(void) {
    milepost_reporter *reporter = some_reporter(NULL);
    milepost_statistics s = MILEPOST_STATISTICS_INIT;
    milepost_diagnosis d = MILEPOST_DIAGNOSIS_INIT;
    CHECK_REFUSED(MILEPOST_ERROR_ARGUMENT, milepost_reporter_get_statistics(NULL, &s), "reporter is NULL");
    CHECK_REFUSED(MILEPOST_ERROR_ARGUMENT, milepost_reporter_get_statistics(reporter, NULL), "statistics is NULL");
    CHECK_REFUSED(MILEPOST_ERROR_ARGUMENT, milepost_reporter_diagnose(NULL, &d), "reporter is NULL");
    CHECK_REFUSED(MILEPOST_ERROR_ARGUMENT, milepost_reporter_diagnose(reporter, NULL), "diagnosis is NULL");
    s.size = 0;
    CHECK_REFUSED(MILEPOST_ERROR_ARGUMENT, milepost_reporter_get_statistics(reporter, &s), "size");
    d.size = offsetof(milepost_diagnosis, holding);
    d.failing = 0x5a5a;
    CHECK_OK(milepost_reporter_diagnose(reporter, &d));
    CHECK(d.broken == MILEPOST_LINK_FIX && d.failing == 0x5a5a && !*d.message);
    CHECK_OK(milepost_reporter_destroy(reporter));
}

const contract_case statistics_cases[] = {
    {"statistics_count_what_has_happened", statistics_count_what_has_happened},
    {"a_diagnosis_names_the_first_broken_link", a_diagnosis_names_the_first_broken_link},
    {"a_diagnosis_tells_of_gpsd_and_of_tokens_that_do_not_come", a_diagnosis_tells_of_gpsd_and_of_tokens_that_do_not_come},
    {"statistics_and_diagnosis_fit_older_headers", statistics_and_diagnosis_fit_older_headers},
    {NULL, NULL}};
