/* The two ways to run a reporter: on its own thread, and by descriptor and dispatch from any loop of the host's. */
#include "contract.h"

#include <arpa/inet.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

static void push(milepost_reporter *reporter, double time_s) {
    milepost_fix fix = fix_at(0.0001 * time_s, time_s);
    CHECK_OK(milepost_reporter_push_fix(reporter, &fix));
}

static void listen_with(milepost_reporter *reporter, recorder *r) {
    milepost_listener listener = recorder_listener(r);
    milepost_listener_id id = 0;
    recorder_init(r);
    CHECK_OK(milepost_reporter_add_listener(reporter, &listener, &id));
}

static void it_runs_once_at_a_time(void) {
    milepost_reporter *reporter = some_reporter(NULL);
    CHECK_OK(milepost_reporter_start(reporter));
    CHECK_REFUSED(MILEPOST_ERROR_STATE, milepost_reporter_start(reporter), "running");
    CHECK_REFUSED(MILEPOST_ERROR_STATE, milepost_reporter_dispatch(reporter), "thread");
    CHECK_OK(milepost_reporter_stop(reporter, 1000));
    CHECK_OK(milepost_reporter_stop(reporter, 1000)); /* already stopped */
    CHECK_OK(milepost_reporter_dispatch(reporter));   /* now the host may drive it */
    CHECK_REFUSED(MILEPOST_ERROR_ARGUMENT, milepost_reporter_stop(reporter, -1), "-1");
    CHECK_REFUSED(MILEPOST_ERROR_ARGUMENT, milepost_reporter_stop(reporter, 60001), "60001");
    CHECK_OK(milepost_reporter_destroy(reporter));
}

static void it_starts_again_after_a_stop(void) {
    server *server = server_start(200);
    milepost_reporter *reporter = some_reporter(server_url(server));
    recorder r;
    listen_with(reporter, &r);
    for (int round = 1; round <= 3; round++) {
        int before = r.succeeded;
        push(reporter, round);
        CHECK_OK(milepost_reporter_set_tracking(reporter, 1));
        CHECK_OK(milepost_reporter_set_vehicle_state(reporter, MILEPOST_VEHICLE_ONLINE));
        CHECK_OK(milepost_reporter_start(reporter));
        AWAIT(&r, succeeded, before + 1);
        CHECK_OK(milepost_reporter_set_tracking(reporter, 0));
        CHECK_OK(milepost_reporter_stop(reporter, 30000));
        CHECK(r.succeeded > before + 1 && r.update.vehicle_state == MILEPOST_VEHICLE_OFFLINE);
        CHECK(!(r.update.fields & MILEPOST_UPDATE_LOCATION)); /* the last word of each round */
    }
    CHECK_OK(milepost_reporter_destroy(reporter));
    server_stop(server);
}

/* A reporter, and the socket that it takes for gpsd. */
static milepost_reporter *reporter_of_gpsd(int *gpsd) {
    struct sockaddr_in address = {0};
    socklen_t size = sizeof address;
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    *gpsd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    CHECK(bind(*gpsd, (struct sockaddr *)&address, size) == 0 && listen(*gpsd, 4) == 0);
    CHECK(getsockname(*gpsd, (struct sockaddr *)&address, &size) == 0);
    char port[16];
    snprintf(port, sizeof port, "%d", ntohs(address.sin_port));
    milepost_config *config = some_config(NULL);
    milepost_reporter *reporter = NULL;
    CHECK_OK(milepost_config_set_gpsd(config, "127.0.0.1", port, NULL));
    CHECK_OK(milepost_reporter_create(config, &reporter));
    milepost_config_destroy(config);
    return reporter;
}

/* However long the stop would have waited. */
static void a_restart_connects_to_gpsd_at_once(void) {
    int gpsd = -1;
    milepost_reporter *reporter = reporter_of_gpsd(&gpsd);
    struct pollfd arrival = {gpsd, POLLIN, 0};
    for (int round = 0; round < 20; round++) { /* often enough for the thread to be found waiting */
        CHECK_OK(milepost_reporter_start(reporter));
        CHECK(poll(&arrival, 1, 30000) == 1);
        int connection = accept(gpsd, NULL, NULL);
        char watch[256];
        CHECK(recv(connection, watch, sizeof watch, 0) > 0);
        CHECK_OK(milepost_reporter_stop(reporter, 60000));
        close(connection);
    }
    CHECK_OK(milepost_reporter_destroy(reporter));
    close(gpsd);
}

static void what_gpsd_names_is_told_in_one_line(void) {
    static const char report[] = "{\"class\":\"TPV\",\"device\":\"/dev/\\nforged \\u001b[31m\",\"mode\":1}\n";
    int gpsd = -1;
    milepost_reporter *reporter = reporter_of_gpsd(&gpsd);
    recorder r;
    listen_with(reporter, &r);
    CHECK_OK(milepost_reporter_start(reporter));
    int connection = accept(gpsd, NULL, NULL);
    CHECK(send(connection, report, sizeof report - 1, 0) > 0);
    AWAIT(&r, position, 3); /* connecting, no data, no fix */
    CHECK_OK(milepost_reporter_destroy(reporter));
    CHECK(r.position_state == MILEPOST_POSITION_NO_FIX && strstr(r.detail, "forged"));
    for (const char *c = r.detail; *c; c++) CHECK((unsigned char)*c >= 0x20);
    close(connection);
    close(gpsd);
}

static void a_host_drives_it_with_poll(void) {
    server *server = server_start(200);
    milepost_reporter *reporter = some_reporter(server_url(server));
    recorder r;
    listen_with(reporter, &r);
    push(reporter, 0);
    CHECK_OK(milepost_reporter_set_tracking(reporter, 1));
    struct pollfd wait = {milepost_reporter_fd(reporter), POLLIN, 0};
    CHECK(wait.fd >= 0 && poll(&wait, 1, 0) == 1); /* there is something to do at once */
    DRIVE(reporter, &r, succeeded, 1);
    CHECK(r.progress == 1 && server_requests(server) == 1);
    /* Nothing to do until the interval is over: the descriptor says so. */
    while (poll(&wait, 1, 0) == 1) CHECK_OK(milepost_reporter_dispatch(reporter));
    CHECK_OK(milepost_reporter_set_tracking(reporter, 0));
    CHECK(poll(&wait, 1, 0) == 1);
    CHECK_OK(milepost_reporter_stop(reporter, 30000)); /* drives it meanwhile */
    CHECK(r.succeeded == 2);
    CHECK_OK(milepost_reporter_destroy(reporter));
    server_stop(server);
}

enum { VEHICLES = 3 };

static void a_host_drives_several_with_epoll(void) {
    server *server = server_start(200);
    milepost_reporter *reporters[VEHICLES];
    recorder recorders[VEHICLES];
    int epoll = epoll_create1(EPOLL_CLOEXEC);
    for (uint32_t i = 0; i < VEHICLES; i++) {
        char vehicle[16];
        snprintf(vehicle, sizeof vehicle, "van-%u", (unsigned)i + 10);
        reporters[i] = some_reporter(server_url(server));
        CHECK_OK(milepost_reporter_set_vehicle_id(reporters[i], vehicle));
        listen_with(reporters[i], &recorders[i]);
        push(reporters[i], i);
        CHECK_OK(milepost_reporter_set_tracking(reporters[i], 1));
        struct epoll_event event = {EPOLLIN, {.u32 = i}};
        CHECK(epoll_ctl(epoll, EPOLL_CTL_ADD, milepost_reporter_fd(reporters[i]), &event) == 0);
    }
    double end = seconds_now() + 30;
    for (int done = 0; done < VEHICLES;) {
        struct epoll_event ready[VEHICLES];
        int count = epoll_wait(epoll, ready, VEHICLES, 1000);
        for (int i = 0; i < count; i++) CHECK_OK(milepost_reporter_dispatch(reporters[ready[i].data.u32]));
        done = 0;
        for (int i = 0; i < VEHICLES; i++) done += recorders[i].succeeded > 0;
        CHECK(seconds_now() < end);
    }
    close(epoll);
    CHECK(server_heard(server, "/van-10?") && server_heard(server, "/van-11?") && server_heard(server, "/van-12?"));
    for (int i = 0; i < VEHICLES; i++) CHECK_OK(milepost_reporter_destroy(reporters[i]));
    server_stop(server);
}

static void several_run_on_their_own_threads(void) {
    server *server = server_start(200);
    milepost_reporter *reporters[VEHICLES];
    recorder recorders[VEHICLES];
    for (int i = 0; i < VEHICLES; i++) {
        reporters[i] = some_reporter(server_url(server));
        listen_with(reporters[i], &recorders[i]);
        push(reporters[i], i);
        CHECK_OK(milepost_reporter_start(reporters[i]));
        CHECK_OK(milepost_reporter_set_tracking(reporters[i], 1));
    }
    for (int i = 0; i < VEHICLES; i++) AWAIT(&recorders[i], succeeded, 1);
    for (int i = 0; i < VEHICLES; i++) CHECK_OK(milepost_reporter_destroy(reporters[i]));
    server_stop(server);
}

/* One reporter's callback may do anything with another one. */
static void destroy_the_other(void *user, const milepost_progress *progress) {
    milepost_reporter **other = user;
    (void)progress;
    if (!*other) return;
    CHECK_OK(milepost_reporter_destroy(*other));
    *other = NULL;
}

static void a_callback_may_destroy_another_reporter(void) {
    milepost_reporter *reporter = some_reporter(NULL), *other = some_reporter(NULL);
    CHECK_OK(milepost_reporter_start(other));
    milepost_listener listener = MILEPOST_LISTENER_INIT;
    milepost_listener_id id = 0;
    listener.user = &other;
    listener.progress = destroy_the_other;
    CHECK_OK(milepost_reporter_add_listener(reporter, &listener, &id));
    push(reporter, 0);
    CHECK_OK(milepost_reporter_dispatch(reporter));
    CHECK(other == NULL);
    CHECK_OK(milepost_reporter_destroy(reporter));
}

static void log_line(void *user, int32_t level, const char *message) {
    recorder *r = user;
    pthread_mutex_lock(&r->lock);
    CHECK(level >= MILEPOST_LOG_ERROR && level <= MILEPOST_LOG_DEBUG);
    CHECK(strlen(message) <= 1000 && !strchr(message, '\n') && !strstr(message, "a-token"));
    r->lines++;
    pthread_cond_broadcast(&r->changed);
    pthread_mutex_unlock(&r->lock);
}

static milepost_reporter *logging_reporter(milepost_config *config, recorder *log, recorder *r) {
    milepost_reporter *reporter = NULL;
    recorder_init(log);
    CHECK_OK(milepost_config_set_log(config, MILEPOST_LOG_DEBUG, log_line, log));
    CHECK_OK(milepost_reporter_create(config, &reporter));
    milepost_config_destroy(config);
    listen_with(reporter, r);
    push(reporter, 0);
    CHECK_OK(milepost_reporter_set_tracking(reporter, 1));
    return reporter;
}

static void the_log_is_one_line_a_message_without_tokens(void) {
    server *server = server_start(500);
    char body[3000];
    memset(body, 'x', sizeof body);
    memcpy(body, "<p>\na-\n", 7);
    body[sizeof body - 1] = 0;
    server_answer(server, 500, body);
    recorder log, r;
    milepost_reporter *reporter = logging_reporter(some_config(server_url(server)), &log, &r);
    DRIVE(reporter, &r, failed, 1);
    CHECK(log.lines > 0);
    CHECK_OK(milepost_reporter_destroy(reporter));
    server_stop(server);

    recorder asked;
    recorder_init(&asked);
    milepost_config *config = some_config(NULL);
    CHECK_REFUSED(MILEPOST_ERROR_ARGUMENT, milepost_config_set_log(config, 5, log_line, &log), "level is 5");
    CHECK_OK(milepost_config_set_token_callback(config, recorder_ask, &asked));
    reporter = logging_reporter(config, &log, &r);
    DRIVE(reporter, &asked, tokens, 1);
    CHECK_OK(milepost_token_fail(asked.token_request, "words of the host's\non two lines"));
    DRIVE(reporter, &r, failed, 1);
    CHECK(log.lines > 0);
    CHECK_OK(milepost_reporter_destroy(reporter));
}

const contract_case loop_cases[] = {
    {"it_runs_once_at_a_time", it_runs_once_at_a_time},
    {"it_starts_again_after_a_stop", it_starts_again_after_a_stop},
    {"a_restart_connects_to_gpsd_at_once", a_restart_connects_to_gpsd_at_once},
    {"what_gpsd_names_is_told_in_one_line", what_gpsd_names_is_told_in_one_line},
    {"a_host_drives_it_with_poll", a_host_drives_it_with_poll},
    {"a_host_drives_several_with_epoll", a_host_drives_several_with_epoll},
    {"several_run_on_their_own_threads", several_run_on_their_own_threads},
    {"a_callback_may_destroy_another_reporter", a_callback_may_destroy_another_reporter},
    {"the_log_is_one_line_a_message_without_tokens", the_log_is_one_line_a_message_without_tokens},
    {NULL, NULL}};
