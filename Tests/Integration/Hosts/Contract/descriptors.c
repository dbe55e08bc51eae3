/* Descriptors and signals of the process: closed on exec, however many are open, and no SIGPIPE when the other side dies. Its default
   action ends the process, so the case fails by itself. */
#include "contract.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

enum { HIGHEST = 4096 };

/* A gpsd that hangs up: greets whoever connects, with a reset, so that the answer of the other side has nowhere to go. */
typedef struct gpsd {
    int listener, hangs_up, connections;
    char port[8];
    pthread_t thread;
} gpsd;

static void *greet(void *argument) {
    static const char version[] = "{\"class\":\"VERSION\",\"release\":\"3.22\",\"rev\":\"3.22\",\"proto_major\":3,\"proto_minor\":14}\r\n";
    gpsd *g = argument;
    for (int fd; (fd = accept4(g->listener, NULL, NULL, SOCK_CLOEXEC)) >= 0;) {
        struct linger reset = {1, 0};
        CHECK(send(fd, version, sizeof version - 1, MSG_NOSIGNAL) > 0);
        if (g->hangs_up) {
            CHECK(shutdown(fd, SHUT_WR) == 0 && setsockopt(fd, SOL_SOCKET, SO_LINGER, &reset, sizeof reset) == 0);
            close(fd);
        }
        __atomic_add_fetch(&g->connections, 1, __ATOMIC_SEQ_CST);
    }
    return NULL;
}

static void gpsd_start(gpsd *g, int hangs_up) {
    struct sockaddr_in address;
    socklen_t size = sizeof address;
    memset(&address, 0, sizeof address);
    memset(g, 0, sizeof *g);
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    g->hangs_up = hangs_up;
    g->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    CHECK(bind(g->listener, (struct sockaddr *)&address, size) == 0 && listen(g->listener, 4) == 0);
    CHECK(getsockname(g->listener, (struct sockaddr *)&address, &size) == 0);
    snprintf(g->port, sizeof g->port, "%d", ntohs(address.sin_port));
    CHECK(pthread_create(&g->thread, NULL, greet, g) == 0);
}

static void gpsd_stop(gpsd *g) {
    shutdown(g->listener, SHUT_RDWR); /* ends accept */
    pthread_join(g->thread, NULL);
    close(g->listener);
}

static int connections(gpsd *g) { return __atomic_load_n(&g->connections, __ATOMIC_SEQ_CST); }

/* libcurl wakes itself through a pair of its own, which Debian 12's leaves open on exec and gives no way to reach. */
static int is_local_socket(int fd) {
    int domain = 0;
    socklen_t size = sizeof domain;
    return getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &domain, &size) == 0 && domain == AF_UNIX;
}

static void say_what_it_is(int fd) {
    char link[64], target[256] = "";
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    if (readlink(link, target, sizeof target - 1) > 0) fprintf(stderr, "descriptor %d: %s\n", fd, target);
}

static void every_descriptor_is_closed_on_exec(void) {
    char was_open[HIGHEST];
    server *server = server_start(200);
    gpsd gpsd;
    recorder r;
    gpsd_start(&gpsd, 0);
    for (int fd = 0; fd < HIGHEST; fd++) was_open[fd] = fcntl(fd, F_GETFD) >= 0;
    milepost_config *config = some_config(server_url(server));
    CHECK_OK(milepost_config_set_gpsd(config, "127.0.0.1", gpsd.port, NULL));
    recorder_init(&r);
    milepost_reporter *reporter = tracking_reporter(config, &r);
    CHECK_OK(milepost_reporter_start(reporter));
    AWAIT(&r, succeeded, 1);
    double end = seconds_now() + 30;
    while (connections(&gpsd) < 1) CHECK(seconds_now() < end);
    int ours = 0;
    for (int fd = 0; fd < HIGHEST; fd++) {
        int flags = fcntl(fd, F_GETFD);
        if (flags < 0 || was_open[fd] || is_local_socket(fd)) continue;
        ours++;
        if (!(flags & FD_CLOEXEC)) say_what_it_is(fd);
        CHECK(flags & FD_CLOEXEC);
    }
    CHECK(ours >= 6); /* epoll, eventfd, timer, gpsd, server, and the two servers' ends */
    CHECK_OK(milepost_reporter_destroy(reporter));
    gpsd_stop(&gpsd);
    server_stop(server);
}

static void it_works_beyond_1024_descriptors(void) {
    struct rlimit limit;
    CHECK(getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_max >= 2048);
    limit.rlim_cur = limit.rlim_max < HIGHEST ? limit.rlim_max : HIGHEST;
    CHECK(setrlimit(RLIMIT_NOFILE, &limit) == 0);
    server *server = server_start(200);
    recorder r;
    int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
    for (int i = 0; i < 1100; i++) CHECK(fcntl(null, F_DUPFD_CLOEXEC, 0) >= 0);
    recorder_init(&r);
    milepost_reporter *reporter = tracking_reporter(some_config(server_url(server)), &r);
    CHECK(milepost_reporter_fd(reporter) > 1024);
    DRIVE(reporter, &r, succeeded, 1);
    CHECK_OK(milepost_reporter_set_tracking(reporter, 0));
    CHECK_OK(milepost_reporter_stop(reporter, 30000));
    CHECK_OK(milepost_reporter_destroy(reporter));
    server_stop(server);
}

static void without_descriptors_create_says_so(void) {
    struct rlimit limit;
    CHECK(getrlimit(RLIMIT_NOFILE, &limit) == 0);
    milepost_config *config = some_config(NULL);
    milepost_reporter *reporter = UNTOUCHED;
    int next = open("/dev/null", O_RDONLY | O_CLOEXEC);
    for (int spare = 0; spare < 3; spare++) { /* not enough for the three that it needs */
        limit.rlim_cur = (rlim_t)(next + spare + 1);
        CHECK(setrlimit(RLIMIT_NOFILE, &limit) == 0);
        CHECK_REFUSED(MILEPOST_ERROR_SYSTEM, milepost_reporter_create(config, &reporter), "descriptor");
        CHECK(reporter == UNTOUCHED);
    }
    milepost_config_destroy(config);
}

static void no_sigpipe_comes_when_the_server_dies(void) {
    for (int threaded = 0; threaded <= 1; threaded++) {
        server *server = server_start(200);
        recorder r;
        recorder_init(&r);
        milepost_reporter *reporter = tracking_reporter(some_config(server_url(server)), &r);
        if (threaded) CHECK_OK(milepost_reporter_start(reporter));
        if (threaded) AWAIT(&r, succeeded, 1);
        else DRIVE(reporter, &r, succeeded, 1);
        server_stop(server); /* with the connection kept alive */
        CHECK_OK(milepost_reporter_set_vehicle_state(reporter, MILEPOST_VEHICLE_ONLINE));
        if (threaded) AWAIT(&r, failed, 1);
        else DRIVE(reporter, &r, failed, 1);
        CHECK(r.failure.code == MILEPOST_CODE_UNAVAILABLE && r.failure.http_status == 0 && *r.message);
        CHECK_OK(milepost_reporter_destroy(reporter));
    }
}

static void no_sigpipe_comes_when_gpsd_dies(void) {
    gpsd gpsd;
    recorder r;
    gpsd_start(&gpsd, 1);
    milepost_config *config = some_config(NULL);
    CHECK_OK(milepost_config_set_gpsd(config, "127.0.0.1", gpsd.port, NULL));
    milepost_reporter *reporter = NULL;
    milepost_listener listener = recorder_listener(&r);
    milepost_listener_id id = 0;
    recorder_init(&r);
    CHECK_OK(milepost_reporter_create(config, &reporter));
    milepost_config_destroy(config);
    CHECK_OK(milepost_reporter_add_listener(reporter, &listener, &id));
    double end = seconds_now() + 30;
    while (connections(&gpsd) < 2) { /* it comes back */
        CHECK_OK(milepost_reporter_dispatch(reporter));
        CHECK(seconds_now() < end);
    }
    CHECK(r.position > 0 && r.position_state == MILEPOST_POSITION_CONNECTING && *r.detail);
    CHECK_OK(milepost_reporter_destroy(reporter));
    gpsd_stop(&gpsd);
}

const contract_case descriptor_cases[] = {
    {"every_descriptor_is_closed_on_exec", every_descriptor_is_closed_on_exec},
    {"it_works_beyond_1024_descriptors", it_works_beyond_1024_descriptors},
    {"without_descriptors_create_says_so", without_descriptors_create_says_so},
    {"no_sigpipe_comes_when_the_server_dies", no_sigpipe_comes_when_the_server_dies},
    {"no_sigpipe_comes_when_gpsd_dies", no_sigpipe_comes_when_gpsd_dies},
    {NULL, NULL}};
