/* kills ENDPOINT DIRECTORY COUNT SEED: a vehicle that reports through a server with faults, killed COUNT times at any moment and started
   again in the same directory. After each kill it prints "kept T" for each fix found on disk (T: seconds since the epoch), and at last lets it
   report all that is left. The children tell of trouble on standard error.
   kills ENDPOINT DIRECTORY live RUN | drain RUN | leave | resume: one such child. */
#define _POSIX_C_SOURCE 200809L
#include <arpa/inet.h>
#include <milepost.h>
#include <poll.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { FIXES_A_RUN = 1000 };

static int taken, failed, had_past;

static void check(milepost_status status, const char *what) {
    if (status == MILEPOST_OK) return;
    fprintf(stderr, "%s: %s: %s\n", what, milepost_status_string(status), milepost_last_error());
    exit(1);
}

/* -- the vehicle -- */

static void on_taken(void *user, const milepost_update *update) {
    (void)user;
    taken++;
    had_past = strstr(update->update_mask, "pastLocations") != NULL;
}

static void on_failed(void *user, const milepost_failure *failure) {
    (void)user;
    (void)failure;
    failed++;
}

static void on_event(void *user, const milepost_reporter_event *event) {
    (void)user;
    fprintf(stderr, "event %d: %s\n", (int)event->kind, event->message);
}

static milepost_reporter *make(const char *endpoint, const char *directory) {
    milepost_config *config = NULL;
    milepost_reporter *reporter = NULL;
    milepost_listener listener = MILEPOST_LISTENER_INIT;
    milepost_listener_id id = 0;
    char tokens[256];
    snprintf(tokens, sizeof tokens, "%s/token/driver/{vehicle}", endpoint);
    check(milepost_config_create(MILEPOST_SERVICE_ON_DEMAND, &config), "create");
    check(milepost_config_set_provider_id(config, "demo-provider"), "provider");
    check(milepost_config_set_vehicle_id(config, "van-1"), "vehicle");
    check(milepost_config_set_endpoint(config, endpoint), "endpoint");
    check(milepost_config_set_token_url(config, tokens, "token", NULL, 0), "tokens");
    check(milepost_config_set_state_directory(config, directory), "directory");
    check(milepost_reporter_create(config, &reporter), "reporter");
    milepost_config_destroy(config);
    listener.update_succeeded = on_taken;
    listener.update_failed = on_failed;
    listener.reporter_event = on_event;
    check(milepost_reporter_add_listener(reporter, &listener, &id), "listener");
    return reporter;
}

/* Run r has the seconds from 1790000000 + 1000 r on, so a fix tells of which run it is. */
static void push(milepost_reporter *reporter, int run, int number) {
    milepost_fix fix = MILEPOST_FIX_INIT;
    fix.fields = MILEPOST_FIX_TIME;
    fix.time_unix_ms = 1000 * (1790000000 + (int64_t)FIXES_A_RUN * run + number);
    fix.latitude_deg = 48 + 0.0001 * number;
    fix.longitude_deg = 11;
    check(milepost_reporter_push_fix(reporter, &fix), "fix");
}

/* One fix and one update after the other: another vehicle state does not wait for the interval. */
static void drive(milepost_reporter *reporter, int run, int until_drained) {
    struct pollfd wait = {milepost_reporter_fd(reporter), POLLIN, 0};
    milepost_vehicle_state state = MILEPOST_VEHICLE_ONLINE;
    int without_past = 0;
    check(milepost_reporter_set_tracking(reporter, 1), "tracking");
    for (int number = 0; number < FIXES_A_RUN && without_past < 3; number++) {
        int answers = taken + failed;
        push(reporter, run, number);
        state = state == MILEPOST_VEHICLE_ONLINE ? MILEPOST_VEHICLE_OFFLINE : MILEPOST_VEHICLE_ONLINE;
        check(milepost_reporter_set_vehicle_state(reporter, state), "state");
        while (answers == taken + failed) {
            poll(&wait, 1, -1);
            check(milepost_reporter_dispatch(reporter), "dispatch");
        }
        if (until_drained) without_past = had_past ? 0 : without_past + 1;
    }
}

static int child(const char *endpoint, const char *directory, const char *mode, int run) {
    milepost_reporter *reporter = make(endpoint, directory);
    if (strcmp(mode, "live") == 0) {
        drive(reporter, run, 0);
        pause();
    } else if (strcmp(mode, "drain") == 0) {
        drive(reporter, run, 1);
    } else if (strcmp(mode, "leave") == 0) {
        /* Ends tracking where nothing gets through, and dies. */
        check(milepost_reporter_set_tracking(reporter, 0), "tracking off");
        check(milepost_reporter_dispatch(reporter), "dispatch");
        kill(getpid(), SIGKILL);
    } else {
        check(milepost_reporter_start(reporter), "start");
        check(milepost_reporter_stop(reporter, 30000), "the OFFLINE that was due");
    }
    check(milepost_reporter_destroy(reporter), "destroy");
    return 0;
}

/* -- whoever kills it -- */

static unsigned long long seed;

static unsigned below(unsigned limit) {
    seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return (unsigned)(seed >> 33) % limit;
}

static void control(const char *endpoint, const char *method, const char *body) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    address.sin_port = htons((unsigned short)atoi(strrchr(endpoint, ':') + 1));
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    char text[1024];
    int length = snprintf(text, sizeof text, "%s /control/faults HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: %zu\r\n\r\n%s", method,
                          strlen(body), body);
    if (fd < 0 || connect(fd, (struct sockaddr *)&address, sizeof address) || send(fd, text, (size_t)length, 0) != length ||
        recv(fd, text, 12, MSG_WAITALL) != 12 || strncmp(text + 9, "200", 3) != 0) {
        fprintf(stderr, "the emulator does not take %s\n", body);
        exit(1);
    }
    while (recv(fd, text, sizeof text, 0) > 0) {}
    close(fd);
}

static void copy(const char *from, const char *to) {
    char bytes[65536];
    size_t count;
    FILE *in = fopen(from, "rb"), *out = fopen(to, "wb");
    if (!out) exit(1);
    while (in && (count = fread(bytes, 1, sizeof bytes, in)) > 0) fwrite(bytes, 1, count, out);
    if (in) fclose(in);
    fclose(out);
}

/* In a copy, so that the next run finds what the kill has left. */
static void print_kept(const char *directory) {
    static const char *const files[] = {"milepost.db", "milepost.db-wal"};
    char from[256], to[256];
    for (int i = 0; i < 2; i++) {
        snprintf(from, sizeof from, "%s/%s", directory, files[i]);
        snprintf(to, sizeof to, "%s-copy.%s", directory, files[i]);
        copy(from, to);
    }
    sqlite3 *db = NULL;
    sqlite3_stmt *rows = NULL;
    snprintf(to, sizeof to, "%s-copy.milepost.db", directory);
    /* Killed before the tables were made, it has kept nothing. */
    if (sqlite3_open(to, &db) == SQLITE_OK && sqlite3_prepare_v2(db, "SELECT time FROM fix", -1, &rows, NULL) == SQLITE_OK)
        while (sqlite3_step(rows) == SQLITE_ROW) printf("kept %lld\n", (long long)sqlite3_column_double(rows, 0));
    sqlite3_finalize(rows);
    sqlite3_close(db);
    unlink(to);
    snprintf(to, sizeof to, "%s-copy.milepost.db-wal", directory);
    unlink(to);
}

static pid_t spawn(const char *const *arguments, const char *mode, int run) {
    char number[16];
    snprintf(number, sizeof number, "%d", run);
    pid_t pid = fork();
    if (pid == 0) {
        execl(arguments[0], arguments[0], arguments[1], arguments[2], mode, number, (char *)NULL);
        _exit(127);
    }
    return pid;
}

static void finish(pid_t pid, int wanted, const char *mode) {
    int status = 0;
    if (waitpid(pid, &status, 0) != pid || status != wanted) {
        fprintf(stderr, "%s ended with %d\n", mode, status);
        exit(1);
    }
}

static void trouble(const char *endpoint) {
    static const char *const faults[] = {"{\"drop\":true,\"times\":2}", "{\"drop\":\"before\",\"times\":5}", "{\"status\":503}",
                                         "{\"drop\":true},{\"delayMs\":20}", "{\"drop\":true,\"times\":100}"};
    char list[256];
    snprintf(list, sizeof list, "[%s]", faults[below(5)]);
    control(endpoint, "DELETE", "");
    control(endpoint, "POST", list);
}

int main(int argc, char **argv) {
    if (argc == 5 && (strcmp(argv[3], "live") == 0 || strcmp(argv[3], "drain") == 0 || strcmp(argv[3], "leave") == 0 || strcmp(argv[3], "resume") == 0))
        return child(argv[1], argv[2], argv[3], atoi(argv[4]));
    if (argc != 5) return 2;
    const char *const arguments[] = {argv[0], argv[1], argv[2]};
    int count = atoi(argv[3]);
    seed = strtoull(argv[4], NULL, 10);
    for (int run = 0; run < count; run++) {
        trouble(argv[1]);
        pid_t pid = spawn(arguments, "live", run);
        struct timespec moment = {0, 1000L * (1000 + below(70000))};
        nanosleep(&moment, NULL);
        kill(pid, SIGKILL);
        finish(pid, SIGKILL, "live");
        print_kept(argv[2]);
    }
    control(argv[1], "DELETE", "");
    finish(spawn(arguments, "drain", count), 0, "drain");
    control(argv[1], "POST", "[{\"drop\":\"before\",\"times\":1000}]");
    finish(spawn(arguments, "leave", count), SIGKILL, "leave");
    control(argv[1], "DELETE", "");
    finish(spawn(arguments, "resume", count), 0, "resume");
    return 0;
}
