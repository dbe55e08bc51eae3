/* What a server that is broken or hostile can do to the vehicle: little. */
#include "contract.h"

#include <arpa/inet.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

/* Answers one request a connection as its script says, and then hangs up. */
typedef struct hostile {
    int listener, requests;
    void (*script)(struct hostile *, int fd);
    const char *location; /* for scripts that redirect */
    char url[64];
    pthread_t thread;
} hostile;

static void say(int fd, const char *text) {
    if (send(fd, text, strlen(text), MSG_NOSIGNAL) < 0) return; /* who hung up has heard enough */
}

static void *serve(void *argument) {
    hostile *h = argument;
    for (int fd; (fd = accept4(h->listener, NULL, NULL, SOCK_CLOEXEC)) >= 0; close(fd)) {
        char request[64 * 1024];
        if (recv(fd, request, sizeof request, 0) <= 0) continue;
        __atomic_add_fetch(&h->requests, 1, __ATOMIC_SEQ_CST);
        h->script(h, fd);
    }
    return NULL;
}

static void hostile_start(hostile *h, void (*script)(hostile *, int fd)) {
    struct sockaddr_in address;
    socklen_t size = sizeof address;
    memset(&address, 0, sizeof address);
    memset(h, 0, sizeof *h);
    h->script = script;
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    h->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    CHECK(bind(h->listener, (struct sockaddr *)&address, size) == 0 && listen(h->listener, 4) == 0);
    CHECK(getsockname(h->listener, (struct sockaddr *)&address, &size) == 0);
    snprintf(h->url, sizeof h->url, "http://127.0.0.1:%d", ntohs(address.sin_port));
    CHECK(pthread_create(&h->thread, NULL, serve, h) == 0);
}

static void hostile_stop(hostile *h) {
    shutdown(h->listener, SHUT_RDWR); /* ends accept */
    pthread_join(h->thread, NULL);
    close(h->listener);
}

/* Reports to a server of that script until an update has failed; what the failure says is in the recorder. */
static void meet(void (*script)(hostile *, int fd), recorder *r) {
    hostile h;
    hostile_start(&h, script);
    milepost_config *config = some_config(h.url);
    CHECK_OK(milepost_config_set_request_timeout(config, 1000));
    recorder_init(r);
    milepost_reporter *reporter = tracking_reporter(config, r);
    DRIVE(reporter, r, failed, 1);
    CHECK(r->succeeded == 0 && r->failure.will_retry);
    CHECK_OK(milepost_reporter_destroy(reporter));
    hostile_stop(&h);
}

static void redirect(hostile *h, int fd) {
    char answer[256];
    snprintf(answer, sizeof answer, "HTTP/1.1 307 x\r\nLocation: %s/stolen\r\nContent-Length: 0\r\n\r\n", h->location);
    say(fd, answer);
}

static void a_redirect_is_not_followed_with_a_token_or_for_one(void) {
    server *thief = server_start(200);
    server_answer(thief, 200, "{\"token\":\"forged\"}");
    for (int for_a_token = 0; for_a_token <= 1; for_a_token++) {
        hostile h;
        recorder r;
        hostile_start(&h, redirect);
        h.location = server_url(thief);
        milepost_config *config = some_config(h.url);
        if (for_a_token) CHECK_OK(milepost_config_set_token_url(config, h.url, "token", NULL, 0));
        recorder_init(&r);
        milepost_reporter *reporter = tracking_reporter(config, &r);
        DRIVE(reporter, &r, failed, 1);
        CHECK(strstr(r.message, for_a_token ? "token server answered 307" : ""));
        CHECK(r.failure.http_status == (for_a_token ? 0 : 307));
        CHECK_OK(milepost_reporter_destroy(reporter));
        CHECK(h.requests >= 1);
        hostile_stop(&h);
    }
    CHECK(server_requests(thief) == 0);
    server_stop(thief);
}

static void long_head(hostile *h, int fd) {
    (void)h;
    say(fd, "HTTP/1.1 200 OK\r\n");
    char line[1026];
    memset(line, 'x', sizeof line);
    memcpy(line, "X-Long: ", 8);
    memcpy(line + 1023, "\r\n", 3);
    for (int i = 0; i < 65; i++) say(fd, line);
    say(fd, "Content-Length: 2\r\n\r\n{}");
}

static void endless_head(hostile *h, int fd) {
    (void)h;
    say(fd, "HTTP/1.1 200 OK\r\n");
    while (send(fd, "X-More: yes\r\n", 13, MSG_NOSIGNAL) > 0) continue;
}

static void an_answer_with_too_long_a_head_is_refused(void) {
    recorder r;
    meet(long_head, &r);
    CHECK(strstr(r.message, "head is longer than 65536 bytes") && r.failure.http_status == 0);
    meet(endless_head, &r);
    CHECK(strstr(r.message, "head is longer than 65536 bytes") && r.failure.http_status == 0);
}

static void endless_body(hostile *h, int fd) {
    (void)h;
    say(fd, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
    while (send(fd, "4\r\nmore\r\n", 9, MSG_NOSIGNAL) > 0) continue;
}

static void huge_body(hostile *h, int fd) {
    (void)h;
    char bytes[4096];
    memset(bytes, ' ', sizeof bytes);
    say(fd, "HTTP/1.1 200 OK\r\nContent-Length: 1000000000000\r\n\r\n");
    while (send(fd, bytes, sizeof bytes, MSG_NOSIGNAL) > 0) continue;
}

static void an_answer_with_too_long_a_body_is_refused(void) {
    recorder r;
    meet(endless_body, &r);
    CHECK(strstr(r.message, "longer than 1048576 bytes") && r.failure.http_status == 0);
    meet(huge_body, &r);
    CHECK(strstr(r.message, "longer than 1048576 bytes") && r.failure.http_status == 0);
}

/* A byte now and then until the other side hangs up, or for half a minute. */
static void drip(int fd, const char *byte) {
    struct pollfd hung_up = {fd, POLLRDHUP, 0};
    for (int i = 0; i < 150 && poll(&hung_up, 1, 200) == 0; i++) say(fd, byte);
}

static void dripping_head(hostile *h, int fd) {
    (void)h;
    say(fd, "HTTP/1.1 200 OK\r\nX-Slow: ");
    drip(fd, "x");
}

static void dripping_body(hostile *h, int fd) {
    (void)h;
    say(fd, "HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n");
    drip(fd, " ");
}

static void an_answer_that_drips_ends_with_the_requests_time(void) {
    recorder r;
    double start = seconds_now();
    meet(dripping_head, &r);
    CHECK(r.failure.code == MILEPOST_CODE_DEADLINE_EXCEEDED && r.failure.http_status == 0);
    meet(dripping_body, &r);
    CHECK(r.failure.code == MILEPOST_CODE_DEADLINE_EXCEEDED && r.failure.http_status == 0);
    CHECK(seconds_now() - start >= 2);
}

/* 0.0.0.0 is this machine too, but not by a loopback address. */
static void plain_http_is_for_loopback_unless_the_host_says_otherwise(void) {
    server *server = server_start(200);
    recorder r;
    char url[64];
    snprintf(url, sizeof url, "http://0.0.0.0%s", strrchr(server_url(server), ':'));
    milepost_config *config = some_config(NULL);
    CHECK_REFUSED(MILEPOST_ERROR_ARGUMENT, milepost_config_set_endpoint(config, url), "in the clear");
    CHECK_OK(milepost_config_set_allow_http(config, 1));
    CHECK_OK(milepost_config_set_endpoint(config, url));
    CHECK_OK(milepost_config_set_token_url(config, url, "token", NULL, 0));
    CHECK_REFUSED(MILEPOST_ERROR_ARGUMENT, milepost_config_set_endpoint(config, "ftp://0.0.0.0"), "ftp");
    CHECK_OK(milepost_config_set_allow_http(config, 0));
    CHECK_REFUSED(MILEPOST_ERROR_ARGUMENT, milepost_config_set_endpoint(config, url), "in the clear");
    CHECK_REFUSED(MILEPOST_ERROR_ARGUMENT, milepost_config_set_token_url(config, url, "token", NULL, 0), "in the clear");
    CHECK_OK(milepost_config_set_token(config, "a-token"));
    recorder_init(&r);
    milepost_reporter *reporter = tracking_reporter(config, &r);
    DRIVE(reporter, &r, succeeded, 1);
    CHECK_OK(milepost_reporter_destroy(reporter));
    server_stop(server);
}

static void a_client_certificate_must_be_readable(void) {
    milepost_config *config = some_config(NULL);
    const char *none = "/nonexistent/client.pem";
    CHECK_REFUSED(MILEPOST_ERROR_FILE, milepost_config_set_client_certificate(config, none, NULL), none);
    CHECK_REFUSED(MILEPOST_ERROR_FILE, milepost_config_set_client_certificate(config, "/etc/passwd", none), none);
    CHECK_REFUSED(MILEPOST_ERROR_FILE, milepost_config_set_client_certificate(config, "/tmp", NULL), "/tmp");
    CHECK_OK(milepost_config_set_client_certificate(config, "/etc/passwd", NULL));
    milepost_config_destroy(config);
}

const contract_case security_cases[] = {
    {"a_redirect_is_not_followed_with_a_token_or_for_one", a_redirect_is_not_followed_with_a_token_or_for_one},
    {"an_answer_with_too_long_a_head_is_refused", an_answer_with_too_long_a_head_is_refused},
    {"an_answer_with_too_long_a_body_is_refused", an_answer_with_too_long_a_body_is_refused},
    {"an_answer_that_drips_ends_with_the_requests_time", an_answer_that_drips_ends_with_the_requests_time},
    {"plain_http_is_for_loopback_unless_the_host_says_otherwise", plain_http_is_for_loopback_unless_the_host_says_otherwise},
    {"a_client_certificate_must_be_readable", a_client_certificate_must_be_readable},
    {NULL, NULL}};
