/* stop() keeps its time whatever the network and the host's callbacks do, and afterwards all is quiet. */
#include "contract.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <sys/socket.h>
#include <unistd.h>

static milepost_reporter *online_reporter(const char *endpoint, recorder *r) {
    recorder_init(r);
    milepost_reporter *reporter = tracking_reporter(some_config(endpoint), r);
    CHECK_OK(milepost_reporter_set_vehicle_state(reporter, MILEPOST_VEHICLE_ONLINE));
    return reporter;
}

/* The header says timeout + 200 ms; a second on top for a loaded machine. */
static void stop_in_time(milepost_reporter *reporter, int32_t timeout_ms, milepost_status wanted) {
    double begin = seconds_now();
    CHECK_STATUS(wanted, milepost_reporter_stop(reporter, timeout_ms));
    double taken_ms = 1000 * (seconds_now() - begin);
    printf("stop(%d) took %.0f ms\n", (int)timeout_ms, taken_ms);
    CHECK(taken_ms < timeout_ms + 1000);
}

/* Runs the reporter until its first request is with the server. */
static void reach(milepost_reporter *reporter, server *server, int threaded) {
    if (threaded) CHECK_OK(milepost_reporter_start(reporter));
    double end = seconds_now() + 30;
    while (!threaded && server_requests(server) < 1 && seconds_now() < end) CHECK_OK(milepost_reporter_dispatch(reporter));
    SERVER_AWAIT(server, 1);
}

static void stop_waits_no_longer_than_told_for_a_mute_server(void) {
    for (int threaded = 0; threaded <= 1; threaded++) {
        server *server = server_start(SERVER_MUTE);
        recorder r;
        milepost_reporter *reporter = online_reporter(server_url(server), &r);
        reach(reporter, server, threaded);
        stop_in_time(reporter, 300, MILEPOST_ERROR_UNCONFIRMED);
        CHECK(r.failed > 0); /* what was under way is told as failed */
        int failed = r.failed, requests = server_requests(server);
        stop_in_time(reporter, 0, MILEPOST_ERROR_UNCONFIRMED); /* ONLINE is still to be told */
        CHECK(r.failed == failed && server_requests(server) == requests);
        CHECK_OK(milepost_reporter_destroy(reporter));
        server_stop(server);
    }
}

/* Tracking off while an update is under way: the OFFLINE waits behind it and must not go out after the stop. */
static void nothing_is_begun_after_the_time_of_a_stop(void) {
    for (int threaded = 0; threaded <= 1; threaded++) {
        server *server = server_start(SERVER_MUTE);
        recorder r;
        milepost_reporter *reporter = online_reporter(server_url(server), &r);
        reach(reporter, server, threaded);
        CHECK_OK(milepost_reporter_set_tracking(reporter, 0));
        stop_in_time(reporter, 0, MILEPOST_ERROR_UNCONFIRMED);
        int failed = recorder_get(&r, &r.failed);
        CHECK(failed > 0);
        CHECK_OK(milepost_reporter_destroy(reporter));
        CHECK(recorder_get(&r, &r.failed) == failed); /* told before stop returned, not while it was freed */
        CHECK(server_requests(server) == 1);
        server_stop(server);
    }
}

/* A listening socket whose queue of connections is full: further SYNs are dropped. */
static int deaf_socket(struct sockaddr_in *address, int *fillers, int *count) {
    socklen_t size = sizeof *address;
    memset(address, 0, sizeof *address);
    address->sin_family = AF_INET;
    address->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    CHECK(bind(listener, (struct sockaddr *)address, size) == 0 && listen(listener, 0) == 0);
    CHECK(getsockname(listener, (struct sockaddr *)address, &size) == 0);
    for (*count = 0; *count < 16;) {
        int fd = fillers[(*count)++] = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
        CHECK(connect(fd, (struct sockaddr *)address, size) == 0 || errno == EINPROGRESS);
        struct pollfd connected = {fd, POLLOUT, 0};
        if (poll(&connected, 1, 200) == 0) return listener;
    }
    CHECK(0 && "the queue is never full");
    return -1;
}

static void stop_waits_no_longer_than_told_for_an_unanswered_syn(void) {
    struct sockaddr_in address;
    int fillers[16], count = 0, listener = deaf_socket(&address, fillers, &count);
    char url[64];
    snprintf(url, sizeof url, "http://127.0.0.1:%d", ntohs(address.sin_port));
    recorder r;
    milepost_reporter *reporter = online_reporter(url, &r);
    CHECK_OK(milepost_reporter_start(reporter));
    AWAIT(&r, progress, 1);
    stop_in_time(reporter, 300, MILEPOST_ERROR_UNCONFIRMED);
    CHECK_OK(milepost_reporter_destroy(reporter));
    while (count > 0) close(fillers[--count]);
    close(listener);
}

/* A callback that does not return until it is let go. */
typedef struct held {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int inside, is_free, calls;
} held;

static void hold(void *user, const milepost_progress *progress) {
    held *h = user;
    (void)progress;
    pthread_mutex_lock(&h->lock);
    h->inside = 1;
    h->calls++;
    pthread_cond_broadcast(&h->changed);
    while (!h->is_free) pthread_cond_wait(&h->changed, &h->lock);
    pthread_mutex_unlock(&h->lock);
}

static int thread_count(void) {
    DIR *folder = opendir("/proc/self/task");
    int count = 0;
    CHECK(folder);
    while (readdir(folder)) count++;
    closedir(folder);
    return count - 2;
}

static void await_single_thread(void) {
    double end = seconds_now() + 30;
    while (thread_count() > 1) {
        CHECK(seconds_now() < end);
        sched_yield();
    }
}

static void stop_keeps_its_time_though_a_callback_blocks_and_none_comes_after(void) {
    milepost_reporter *reporter = some_reporter(NULL);
    held h = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, 0, 0};
    milepost_listener listener = MILEPOST_LISTENER_INIT;
    milepost_listener_id id = 0;
    listener.user = &h;
    listener.progress = hold;
    CHECK_OK(milepost_reporter_add_listener(reporter, &listener, &id));
    for (int i = 0; i < 3; i++) {
        milepost_fix fix = fix_at(0.0001 * i, i);
        CHECK_OK(milepost_reporter_push_fix(reporter, &fix));
    }
    CHECK_OK(milepost_reporter_start(reporter));
    pthread_mutex_lock(&h.lock);
    while (!h.inside) pthread_cond_wait(&h.changed, &h.lock);
    pthread_mutex_unlock(&h.lock);
    stop_in_time(reporter, 100, MILEPOST_ERROR_TIMEOUT);
    CHECK_SAYS("callback");
    CHECK_STATUS(MILEPOST_ERROR_STATE, milepost_reporter_start(reporter));
    CHECK_OK(milepost_reporter_destroy(reporter));
    pthread_mutex_lock(&h.lock);
    h.is_free = 1;
    pthread_cond_broadcast(&h.changed);
    pthread_mutex_unlock(&h.lock);
    await_single_thread();
    CHECK(h.calls == 1); /* two fixes were still to be told */
}

static void it_starts_again_once_a_blocked_callback_has_returned(void) {
    milepost_reporter *reporter = some_reporter(NULL);
    held h = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, 0, 0};
    milepost_listener listener = MILEPOST_LISTENER_INIT;
    milepost_listener_id id = 0;
    listener.user = &h;
    listener.progress = hold;
    CHECK_OK(milepost_reporter_add_listener(reporter, &listener, &id));
    milepost_fix fix = fix_at(0, 0);
    CHECK_OK(milepost_reporter_push_fix(reporter, &fix));
    CHECK_OK(milepost_reporter_start(reporter));
    pthread_mutex_lock(&h.lock);
    while (!h.inside) pthread_cond_wait(&h.changed, &h.lock);
    pthread_mutex_unlock(&h.lock);
    stop_in_time(reporter, 0, MILEPOST_ERROR_TIMEOUT);
    pthread_mutex_lock(&h.lock);
    h.is_free = 1;
    pthread_cond_broadcast(&h.changed);
    pthread_mutex_unlock(&h.lock);
    await_single_thread();
    recorder r;
    recorder_init(&r);
    listener = recorder_listener(&r);
    CHECK_OK(milepost_reporter_add_listener(reporter, &listener, &id));
    CHECK_OK(milepost_reporter_start(reporter));
    fix = fix_at(0.0001, 1);
    CHECK_OK(milepost_reporter_push_fix(reporter, &fix));
    AWAIT(&r, progress, 1);
    CHECK_OK(milepost_reporter_destroy(reporter));
}

static int open_descriptors(void) {
    DIR *folder = opendir("/proc/self/fd");
    int count = 0;
    CHECK(folder);
    while (readdir(folder)) count++;
    closedir(folder);
    return count - 3; /* . and .. and the folder's own */
}

static void destroy_while_gpsds_name_is_looked_up_leaves_nothing_behind(void) {
    int before = open_descriptors();
    for (int i = 0; i < 10; i++) {
        milepost_config *config = some_config(NULL);
        milepost_reporter *reporter = NULL;
        CHECK_OK(milepost_config_set_gpsd(config, "localhost", "9", NULL));
        CHECK_OK(milepost_reporter_create(config, &reporter));
        CHECK_OK(milepost_reporter_dispatch(reporter));
        CHECK_OK(milepost_reporter_destroy(reporter));
        milepost_config_destroy(config);
    }
    await_single_thread();
    CHECK(open_descriptors() == before);
}

const contract_case stop_cases[] = {
    {"stop_waits_no_longer_than_told_for_a_mute_server", stop_waits_no_longer_than_told_for_a_mute_server},
    {"nothing_is_begun_after_the_time_of_a_stop", nothing_is_begun_after_the_time_of_a_stop},
    {"stop_waits_no_longer_than_told_for_an_unanswered_syn", stop_waits_no_longer_than_told_for_an_unanswered_syn},
    {"stop_keeps_its_time_though_a_callback_blocks_and_none_comes_after",
     stop_keeps_its_time_though_a_callback_blocks_and_none_comes_after},
    {"it_starts_again_once_a_blocked_callback_has_returned", it_starts_again_once_a_blocked_callback_has_returned},
    {"destroy_while_gpsds_name_is_looked_up_leaves_nothing_behind", destroy_while_gpsds_name_is_looked_up_leaves_nothing_behind},
    {NULL, NULL}};
