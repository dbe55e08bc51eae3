/* effects LIBRARY ENDPOINT: loads the library, uses it and lets it go, and compares the process before and after. Says what has changed and
   exits with 1; silent when nothing has. The library is loaded late, so that what loading does shows too. */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <locale.h>
#include <milepost.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

extern char **environ;

enum { LAST_SIGNAL = 64, TEXT = 64 * 1024 };

/* Everything of a process that the library must leave alone, as text. */
typedef struct snapshot {
    char signals[TEXT], descriptors[TEXT], threads[TEXT], rest[TEXT], environment[TEXT];
} snapshot;

static void add(char *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void add(char *text, const char *format, ...) {
    size_t length = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + length, TEXT - length, format, arguments);
    va_end(arguments);
}

static void add_mask(char *text, const sigset_t *set) {
    for (int i = 1; i <= LAST_SIGNAL; i++) add(text, "%d", sigismember(set, i) == 1);
}

static void take_signals(char *text) {
    for (int i = 1; i <= LAST_SIGNAL; i++) {
        struct sigaction action;
        if (sigaction(i, NULL, &action) != 0) continue;
        void *handler = NULL;
        memcpy(&handler, &action.sa_handler, sizeof handler);
        add(text, "signal %d: handler %p, flags %x, mask ", i, handler, (unsigned)action.sa_flags);
        add_mask(text, &action.sa_mask);
        add(text, "\n");
    }
    stack_t stack;
    sigaltstack(NULL, &stack);
    add(text, "alternate stack: %p, flags %x\nmask ", stack.ss_sp, (unsigned)stack.ss_flags);
    sigset_t mask;
    pthread_sigmask(SIG_SETMASK, NULL, &mask);
    add_mask(text, &mask);
    sigpending(&mask);
    add(text, "\npending ");
    add_mask(text, &mask);
    add(text, "\n");
}

static void take_folder(char *text, const char *path) {
    DIR *folder = opendir(path);
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        char link[512], target[256];
        if (entry->d_name[0] == '.' || atoi(entry->d_name) == dirfd(folder)) continue;
        snprintf(link, sizeof link, "%s/%s", path, entry->d_name);
        ssize_t length = readlink(link, target, sizeof target - 1);
        target[length > 0 ? length : 0] = 0;
        add(text, "%s %s\n", entry->d_name, target);
    }
    if (folder) closedir(folder);
}

static void take(snapshot *s) {
    char folder[4096];
    memset(s, 0, sizeof *s);
    take_signals(s->signals);
    take_folder(s->descriptors, "/proc/self/fd");
    take_folder(s->threads, "/proc/self/task");
    mode_t mask = umask(0);
    umask(mask);
    add(s->rest, "umask %o\nfolder %s\nlocale %s\n", (unsigned)mask, getcwd(folder, sizeof folder), setlocale(LC_ALL, NULL));
    for (char **variable = environ; *variable; variable++) add(s->environment, "%s\n", *variable);
}

static int differ(const char *what, const char *before, const char *after) {
    if (strcmp(before, after) == 0) return 0;
    fprintf(stderr, "%s have changed from\n%s\nto\n%s\n", what, before, after);
    return 1;
}

static int compare(const char *when, const snapshot *before) {
    static snapshot after;
    take(&after);
    int changes = differ("signals", before->signals, after.signals) + differ("descriptors", before->descriptors, after.descriptors) +
                  differ("threads", before->threads, after.threads) + differ("umask, folder or locale", before->rest, after.rest) +
                  differ("variables", before->environment, after.environment);
    if (changes) fprintf(stderr, "(%s)\n", when);
    return changes;
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int answers, mask_is_full;
static char thread_name[32];

static void on_taken(void *user, const milepost_update *update) {
    (void)user;
    (void)update;
    sigset_t mask;
    pthread_sigmask(SIG_SETMASK, NULL, &mask);
    pthread_mutex_lock(&lock);
    mask_is_full = sigismember(&mask, SIGTERM) && sigismember(&mask, SIGPIPE) && sigismember(&mask, SIGUSR1);
    pthread_getname_np(pthread_self(), thread_name, sizeof thread_name);
    answers++;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

static void on_failed(void *user, const milepost_failure *failure) {
    (void)user;
    fprintf(stderr, "refused: %s\n", failure->message);
    exit(1);
}

/* A function of the library as the header declares it. */
#define FUNCTION(name)                                                       \
    static __typeof__(&name) name##_function(void *library) {                \
        void *address = dlsym(library, #name);                               \
        __typeof__(&name) function;                                          \
        memcpy(&function, &address, sizeof function);                        \
        return function;                                                     \
    }
FUNCTION(milepost_config_create)
FUNCTION(milepost_config_destroy)
FUNCTION(milepost_config_set_provider_id)
FUNCTION(milepost_config_set_vehicle_id)
FUNCTION(milepost_config_set_endpoint)
FUNCTION(milepost_config_set_gpsd)
FUNCTION(milepost_config_set_token_url)
FUNCTION(milepost_reporter_create)
FUNCTION(milepost_reporter_add_listener)
FUNCTION(milepost_reporter_set_tracking)
FUNCTION(milepost_reporter_push_fix)
FUNCTION(milepost_reporter_start)
FUNCTION(milepost_reporter_stop)
FUNCTION(milepost_reporter_destroy)
#define CALL(name) (name##_function(library))

static void check(milepost_status status, int line) {
    if (status == MILEPOST_OK) return;
    fprintf(stderr, "line %d: status %d\n", line, (int)status);
    exit(1);
}
#define CHECK(call) check((call), __LINE__)

static void use(void *library, const char *endpoint) {
    milepost_config *config = NULL;
    milepost_reporter *reporter = NULL;
    milepost_listener listener = MILEPOST_LISTENER_INIT;
    milepost_listener_id id = 0;
    milepost_fix fix = MILEPOST_FIX_INIT;
    char tokens[256];
    snprintf(tokens, sizeof tokens, "%s/token/driver/{vehicle}", endpoint);
    listener.update_succeeded = on_taken;
    listener.update_failed = on_failed;
    fix.fields = MILEPOST_FIX_TIME;
    fix.time_unix_ms = 1790000000000;
    fix.latitude_deg = 48;
    fix.longitude_deg = 11;
    CHECK(CALL(milepost_config_create)(MILEPOST_SERVICE_ON_DEMAND, &config));
    CHECK(CALL(milepost_config_set_provider_id)(config, "demo-provider"));
    CHECK(CALL(milepost_config_set_vehicle_id)(config, "van-1"));
    CHECK(CALL(milepost_config_set_endpoint)(config, endpoint));
    CHECK(CALL(milepost_config_set_gpsd)(config, "127.0.0.1", "9", NULL)); /* nobody listens there */
    CHECK(CALL(milepost_config_set_token_url)(config, tokens, "token", NULL, 0));
    CHECK(CALL(milepost_reporter_create)(config, &reporter));
    CALL(milepost_config_destroy)(config);
    CHECK(CALL(milepost_reporter_add_listener)(reporter, &listener, &id));
    CHECK(CALL(milepost_reporter_push_fix)(reporter, &fix));
    CHECK(CALL(milepost_reporter_set_tracking)(reporter, 1));
    CHECK(CALL(milepost_reporter_start)(reporter));
    pthread_mutex_lock(&lock);
    while (answers == 0) pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    CHECK(CALL(milepost_reporter_set_tracking)(reporter, 0));
    CHECK(CALL(milepost_reporter_stop)(reporter, 30000));
    CHECK(CALL(milepost_reporter_destroy)(reporter));
}

int main(int argc, char **argv) {
    static snapshot before;
    if (argc != 3) return 2;
    alarm(60);
    take(&before);
    void *library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        fprintf(stderr, "%s\n", dlerror());
        return 1;
    }
    int changes = compare("after loading", &before);
    use(library, argv[2]);
    changes += compare("after use", &before);
    dlclose(library);
    changes += compare("after unloading", &before);
    if (!mask_is_full || strcmp(thread_name, "milepost") != 0) {
        fprintf(stderr, "the thread \"%s\" is not as promised\n", thread_name);
        changes++;
    }
    return changes > 0;
}
