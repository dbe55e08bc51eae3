/*
 * telematics - a vehicle unit's whole job in one program: takes fixes from gpsd, follows a route, reports to Fleet Engine.
 *
 * What to copy: configure() sets the library up, the callbacks show what it tells, run() waits beside it, finish() ends it so that the
 * server knows. Callbacks come on the library's thread (with --own-loop on this one): they share a mutex with main() and wake it
 * through a pipe, as the signal handler does.
 *
 *   cc telematics.c -o telematics -pthread $(pkg-config --cflags --libs milepost)
 */
#define _POSIX_C_SOURCE 200809L

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <milepost.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { EXIT_OK = 0, EXIT_CONFIGURATION = 1, EXIT_USAGE = 2, EXIT_MISSING = 3, EXIT_UNCONFIRMED = 4 };
enum { STOP_TIMEOUT_MS = 5000 };

static const char help[] =
    "usage: telematics --provider ID --vehicle ID [options]\n"
    "\nVehicle\n"
    "  --provider ID            Google Cloud project\n"
    "  --vehicle ID             vehicle in Fleet Engine\n"
    "  --service NAME           ondemand or delivery (default: ondemand)\n"
    "  --trip ID, --task ID     what tokens are asked for besides the vehicle\n"
    "  --online                 set the vehicle ONLINE once tracking is on (ondemand)\n"
    "\nPosition and route\n"
    "  --gpsd HOST[:PORT]       default 127.0.0.1:2947; [ADDRESS]:PORT for IPv6\n"
    "  --device PATH            a receiver as gpsd names it (default: the first with a fix)\n"
    "  --route FILE             OSRM or Mapbox v5 answer, GeoJSON, or encoded polyline\n"
    "  --arrival-radius METRES  5 to 500, default 40\n"
    "  --speed METRES_A_SECOND  for routes without durations (default: none)\n"
    "  --adaptive-interval      60 s while parked, 5 s near a stop\n"
    "  --dead-reckoning         carry the position on along the route while no fix comes\n"
    "\nReporting\n"
    "  --endpoint URL           default https://fleetengine.googleapis.com\n"
    "  --interval SECONDS       5 to 60, default 10\n"
    "  --location FORM          both, supplemental or sensor (default: both)\n"
    "  --state-directory DIR    keep what is to survive a power cycle there (default: nothing is kept)\n"
    "  --backlog FIXES          most that wait for the server, 16 to 150000 (default with a state directory: 20000)\n"
    "  --no-route-sharing       send neither the route nor what is left of it\n"
    "  --compress-requests, --partial-responses\n"
    "                           fewer bytes; not documented for Fleet Engine (default: off)\n"
    "  --ca-file FILE           certificate authorities to trust instead of the system's\n"
    "  --client-certificate FILE, --client-key FILE\n"
    "                           for a server that wants one (default: none; the key in the same file)\n"
    "  --allow-http             plain http:// to any host: tokens and positions travel in the clear\n"
    "  --request-timeout MS     1000 to 120000, default 15000\n"
    "\nTokens: one of\n"
    "  --token TOKEN            for a desk: other users of the machine can see it\n"
    "  --token-file FILE        read again whenever a token is needed\n"
    "  --token-callback FILE    the same through the host's own callback, as an example of one\n"
    "  --token-command COMMAND  the same from what a shell command prints, such as a signed-in developer's own tool\n"
    "  --token-url URL          {provider}, {vehicle}, {task} and {trip} are replaced; with\n"
    "    --token-key NAME         member of the answer that holds the token (default: token)\n"
    "    --expiry-key NAME        member that holds its expiry (default: none)\n"
    "    --expiry-kind KIND       seconds (from now), unix-s or unix-ms (default: seconds)\n"
    "\nThis program\n"
    "  --own-loop               drive the library by its descriptor instead of by a thread\n"
    "  --exit-on-arrival        end once the server knows of the arrival; not arriving is a failure\n"
    "  --duration SECONDS       end after so long\n"
    "  --expect-updates N       fewer updates taken by the server are a failure\n"
    "  --log-level LEVEL        error, warning, info or debug, to standard error (default: none)\n"
    "  --quiet                  the summary and failures only\n"
    "  --help, --version\n"
    "\nExit status: 0 all well; 1 the configuration or a file is wrong; 2 usage; 3 expected updates or the\n"
    "arrival are missing; 4 the last update was not confirmed.\n";

/* ---------------------------------------------------------------------------------------------------------------- options */

struct options {
    const char *provider, *vehicle, *trip, *task, *gpsd, *device, *route, *endpoint, *ca_file, *client_certificate, *client_key,
        *state_directory;
    const char *token, *token_file, *token_callback, *token_command, *token_url, *token_key, *expiry_key;
    int32_t service, location_form, expiry_kind, interval_s, request_timeout_ms, log_level;      /* -1: the library's default */
    int32_t online, own_loop, exit_on_arrival, no_route_sharing, quiet, help, version;
    int32_t duration_s, expect_updates, arrival_radius_m, speed_mps, dead_reckoning, adaptive_interval, allow_http, compress_requests;
    int32_t partial_responses, backlog;
    char gpsd_host[256];
    const char *gpsd_port;
};

struct choice {
    const char *name;
    int32_t value;
};

static const struct choice services[] = {{"ondemand", MILEPOST_SERVICE_ON_DEMAND}, {"delivery", MILEPOST_SERVICE_DELIVERY}, {NULL, 0}};
static const struct choice forms[] = {
    {"both", MILEPOST_LOCATION_BOTH}, {"supplemental", MILEPOST_LOCATION_SUPPLEMENTAL}, {"sensor", MILEPOST_LOCATION_SENSOR}, {NULL, 0}};
static const struct choice expiries[] = {{"seconds", MILEPOST_TOKEN_EXPIRY_SECONDS_FROM_NOW},
                                         {"unix-s", MILEPOST_TOKEN_EXPIRY_UNIX_S}, {"unix-ms", MILEPOST_TOKEN_EXPIRY_UNIX_MS}, {NULL, 0}};
static const struct choice levels[] = {{"error", MILEPOST_LOG_ERROR}, {"warning", MILEPOST_LOG_WARNING},
                                       {"info", MILEPOST_LOG_INFO}, {"debug", MILEPOST_LOG_DEBUG}, {NULL, 0}};

enum option_kind { FLAG, TEXT, NUMBER, CHOICE };

static const struct option_spec {
    const char *name;
    enum option_kind kind;
    size_t offset; /* of the member it sets */
    const struct choice *choices;
} specs[] = {
#define SETS(member) offsetof(struct options, member)
    {"--provider", TEXT, SETS(provider), NULL}, {"--vehicle", TEXT, SETS(vehicle), NULL}, {"--service", CHOICE, SETS(service), services},
    {"--trip", TEXT, SETS(trip), NULL}, {"--task", TEXT, SETS(task), NULL}, {"--online", FLAG, SETS(online), NULL},
    {"--gpsd", TEXT, SETS(gpsd), NULL}, {"--device", TEXT, SETS(device), NULL}, {"--route", TEXT, SETS(route), NULL},
    {"--endpoint", TEXT, SETS(endpoint), NULL}, {"--interval", NUMBER, SETS(interval_s), NULL},
    {"--location", CHOICE, SETS(location_form), forms}, {"--no-route-sharing", FLAG, SETS(no_route_sharing), NULL},
    {"--ca-file", TEXT, SETS(ca_file), NULL}, {"--request-timeout", NUMBER, SETS(request_timeout_ms), NULL},
    {"--token", TEXT, SETS(token), NULL}, {"--token-file", TEXT, SETS(token_file), NULL},
    {"--token-callback", TEXT, SETS(token_callback), NULL}, {"--token-command", TEXT, SETS(token_command), NULL}, {"--token-url", TEXT, SETS(token_url), NULL},
    {"--token-key", TEXT, SETS(token_key), NULL}, {"--expiry-key", TEXT, SETS(expiry_key), NULL},
    {"--expiry-kind", CHOICE, SETS(expiry_kind), expiries}, {"--own-loop", FLAG, SETS(own_loop), NULL},
    {"--exit-on-arrival", FLAG, SETS(exit_on_arrival), NULL}, {"--duration", NUMBER, SETS(duration_s), NULL},
    {"--expect-updates", NUMBER, SETS(expect_updates), NULL}, {"--log-level", CHOICE, SETS(log_level), levels},
    {"--arrival-radius", NUMBER, SETS(arrival_radius_m), NULL}, {"--speed", NUMBER, SETS(speed_mps), NULL},
    {"--dead-reckoning", FLAG, SETS(dead_reckoning), NULL}, {"--adaptive-interval", FLAG, SETS(adaptive_interval), NULL},
    {"--client-certificate", TEXT, SETS(client_certificate), NULL}, {"--client-key", TEXT, SETS(client_key), NULL},
    {"--allow-http", FLAG, SETS(allow_http), NULL}, {"--compress-requests", FLAG, SETS(compress_requests), NULL},
    {"--partial-responses", FLAG, SETS(partial_responses), NULL}, {"--backlog", NUMBER, SETS(backlog), NULL},
    {"--state-directory", TEXT, SETS(state_directory), NULL},
    {"--quiet", FLAG, SETS(quiet), NULL}, {"--help", FLAG, SETS(help), NULL}, {"--version", FLAG, SETS(version), NULL},
#undef SETS
};
enum { SPEC_COUNT = sizeof specs / sizeof *specs };

static void usage_error(const char *what, const char *value) {
    fprintf(stderr, "telematics: %s: %s (see --help)\n", what, value);
    exit(EXIT_USAGE);
}

static int32_t choose(const struct choice *choices, const char *value, const char *option) {
    for (; choices->name; choices++)
        if (strcmp(choices->name, value) == 0) return choices->value;
    usage_error(option, value);
    return 0;
}

static int32_t number(const char *value, const char *option) {
    char *end;
    errno = 0;
    long result = strtol(value, &end, 10);
    if (errno || end == value || *end || result < 0 || result > INT32_MAX) usage_error(option, value);
    return (int32_t)result;
}

static void set_option(struct options *options, const struct option_spec *spec, const char *value) {
    void *member = (char *)options + spec->offset;
    switch (spec->kind) {
        case FLAG: *(int32_t *)member = 1; break;
        case TEXT: *(const char **)member = value; break;
        case NUMBER: *(int32_t *)member = number(value, spec->name); break;
        case CHOICE: *(int32_t *)member = choose(spec->choices, value, spec->name); break;
    }
}

/* HOST, HOST:PORT, [ADDRESS] or [ADDRESS]:PORT; a bare IPv6 address has several colons and no port. */
static void split_gpsd(struct options *options) {
    const char *host = options->gpsd, *end = host + strlen(host), *colon = strrchr(host, ':');
    if (*host == '[') {
        const char *bracket = strchr(host, ']');
        if (!bracket || (bracket[1] && bracket[1] != ':')) usage_error("--gpsd", options->gpsd);
        host++;
        end = bracket;
        colon = bracket[1] ? bracket + 1 : NULL;
    } else if (colon && colon == strchr(host, ':')) {
        end = colon;
    } else {
        colon = NULL;
    }
    if (end == host || (size_t)(end - host) >= sizeof options->gpsd_host) usage_error("--gpsd", options->gpsd);
    memcpy(options->gpsd_host, host, (size_t)(end - host));
    options->gpsd_host[end - host] = '\0';
    options->gpsd_port = colon ? colon + 1 : "2947";
}

static void parse_options(struct options *options, int argc, char **argv) {
    struct option long_options[SPEC_COUNT + 1] = {{0, 0, 0, 0}};
    int index, found;
    for (index = 0; index < SPEC_COUNT; index++) {
        long_options[index].name = specs[index].name + strlen("--");
        long_options[index].has_arg = specs[index].kind == FLAG ? no_argument : required_argument;
    }
    *options = (struct options){.gpsd = "127.0.0.1", .token_key = "token", .service = MILEPOST_SERVICE_ON_DEMAND,
                                .location_form = -1, .expiry_kind = MILEPOST_TOKEN_EXPIRY_SECONDS_FROM_NOW, .interval_s = -1,
                                .request_timeout_ms = -1, .log_level = -1, .arrival_radius_m = -1, .speed_mps = -1, .backlog = -1};
    while ((found = getopt_long(argc, argv, "", long_options, &index)) != -1) {
        if (found != 0) exit(EXIT_USAGE); /* getopt_long has said why */
        set_option(options, &specs[index], optarg);
    }
    if (options->help || options->version) {
        if (options->help) fputs(help, stdout);
        else printf("telematics with milepost %s\n", milepost_version());
        exit(EXIT_OK);
    }
    if (optind < argc) usage_error("not an option", argv[optind]);
    if (!options->provider || !options->vehicle) usage_error("missing", "--provider and --vehicle");
    if (options->exit_on_arrival && !options->route) usage_error("missing", "--route, which --exit-on-arrival needs");
    if (options->client_key && !options->client_certificate) usage_error("missing", "--client-certificate, which --client-key needs");
    split_gpsd(options);
}

/* ---------------------------------------------------------------------------------------- what callbacks and main() share */

struct session {
    const struct options *options;
    int wake[2]; /* a byte written to [1] ends run() */
    pthread_mutex_t lock;
    /* under the lock: */
    unsigned long succeeded, failed;
    int arrived, arrival_reported;
    milepost_navigation_status navigation; /* as last sent: it goes out when it changes */
    double along_m, route_m; /* along_m < 0: not on the route yet */
};

static int wake_fd = -1; /* session.wake[1], for the signal handler */

static void wake(void) {
    int error = errno;
    if (write(wake_fd, "", 1) < 0) { /* the pipe is full: run() wakes anyway */
    }
    errno = error;
}

static void on_signal(int signal_number) {
    (void)signal_number;
    wake();
}

/* -------------------------------------------------------------------------------------------------------------- printing */

static const char *clock_text(int64_t unix_ms, char text[16]) {
    time_t seconds = (time_t)(unix_ms / 1000);
    struct tm utc;
    if (!gmtime_r(&seconds, &utc) || !strftime(text, 16, "%H:%M:%S", &utc)) strcpy(text, "-");
    return text;
}

static int64_t now_ms(void) { return (int64_t)time(NULL) * 1000; }

static const char *navigation_text(milepost_navigation_status status) {
    switch (status) {
        case MILEPOST_NAVIGATION_NO_GUIDANCE: return "no route";
        case MILEPOST_NAVIGATION_ENROUTE: return "en route";
        case MILEPOST_NAVIGATION_OFF_ROUTE: return "off route";
        case MILEPOST_NAVIGATION_ARRIVED: return "arrived";
        default: return "-";
    }
}

static void print_header(void) {
    printf("%-8s  %-22s  %-9s  %3s  %9s  %9s  %-8s  %s\n", "UTC", "POSITION", "STATE", "LEG", "LEFT", "TIME LEFT", "ETA", "SERVER");
}

/* One line for an update that the server has taken. Distance, time and ETA are those to the next waypoint; "~" is an estimate. */
static void print_update(const milepost_update *update, milepost_navigation_status navigation) {
    char time_text[16], position[32] = "-", leg[12] = "-", left[16] = "-", time_left[24] = "-", eta[16] = "-", server_eta[16];
    int has_location = (update->fields & MILEPOST_UPDATE_LOCATION) != 0;
    int has_fix_time = has_location && (update->fix->fields & MILEPOST_FIX_TIME);
    int64_t time_ms = has_fix_time ? update->fix->time_unix_ms : now_ms();
    if (has_location)
        snprintf(position, sizeof position, "%s%.5f,%.5f", update->fix->fields & MILEPOST_FIX_ESTIMATED ? "~" : "",
                 update->fix->latitude_deg, update->fix->longitude_deg);
    if (update->fields & MILEPOST_UPDATE_DISTANCE) {
        snprintf(leg, sizeof leg, "%u", (unsigned)update->leg);
        snprintf(left, sizeof left, "%d m", (int)update->remaining_m);
    }
    if (update->fields & MILEPOST_UPDATE_DURATION) {
        snprintf(time_left, sizeof time_left, "%d:%02d", (int)update->remaining_s / 60, (int)update->remaining_s % 60);
        clock_text(time_ms + (int64_t)update->remaining_s * 1000, eta);
    }
    printf("%-8s  %-22s  %-9s  %3s  %9s  %9s  %-8s  HTTP %d", clock_text(time_ms, time_text), position, navigation_text(navigation), leg, left,
           time_left, eta, (int)update->http_status);
    if (update->fields & MILEPOST_UPDATE_SERVER_ETA) printf(", ETA %s", clock_text(update->server_eta_unix_ms, server_eta));
    if (update->fields & MILEPOST_UPDATE_VEHICLE_STATE)
        printf(", %s", update->vehicle_state == MILEPOST_VEHICLE_ONLINE ? "ONLINE" : "OFFLINE");
    printf("\n");
    fflush(stdout);
}

/* ------------------------------------------------------------------------------------------------------------- callbacks */

static void on_update(void *user, const milepost_update *update) {
    struct session *session = user;
    int arrived = (update->fields & MILEPOST_UPDATE_NAVIGATION_STATUS) && update->navigation_status == MILEPOST_NAVIGATION_ARRIVED;
    pthread_mutex_lock(&session->lock);
    session->succeeded++;
    if (arrived) session->arrival_reported = 1;
    if (update->fields & MILEPOST_UPDATE_NAVIGATION_STATUS) session->navigation = update->navigation_status;
    milepost_navigation_status navigation = session->navigation;
    pthread_mutex_unlock(&session->lock);
    if (!session->options->quiet) print_update(update, navigation);
    if (arrived && session->options->exit_on_arrival) wake();
}

static void on_failure(void *user, const milepost_failure *failure) {
    struct session *session = user;
    char text[16];
    pthread_mutex_lock(&session->lock);
    session->failed++;
    pthread_mutex_unlock(&session->lock);
    printf("%-8s  update failed: code %d, HTTP %d: %s (%s)\n", clock_text(now_ms(), text), (int)failure->code, (int)failure->http_status,
           failure->message, failure->will_retry ? "will be tried again" : "will not be tried again");
    fflush(stdout);
}

static void on_progress(void *user, const milepost_progress *progress) {
    struct session *session = user;
    pthread_mutex_lock(&session->lock);
    if ((progress->fields & MILEPOST_PROGRESS_POSITION) && (progress->fields & MILEPOST_PROGRESS_DISTANCE)) {
        session->along_m = progress->along_m;
        session->route_m = progress->along_m + progress->remaining_m;
    }
    if (progress->state == MILEPOST_ROUTE_ARRIVED) session->arrived = 1;
    pthread_mutex_unlock(&session->lock);
}

static void on_route_event(void *user, const milepost_route_event *event) {
    static const char *const names[] = {"changed", "acquired", "ambiguous", "uncertain", "confirmed", "left", "wrong way", "rejoined",
                                        "waypoint arrived", "waypoint passed", "waypoint missed", "arrived", "stale", "replaced",
                                        "resumed"};
    const struct session *session = user;
    char text[16];
    int is_known = event->kind > 0 && (size_t)event->kind < sizeof names / sizeof *names;
    if (session->options->quiet) return;
    printf("%-8s  route: %s\n", clock_text(event->fields & MILEPOST_ROUTE_EVENT_HAS_TIME ? event->time_unix_ms : now_ms(), text),
           names[is_known ? event->kind : 0]);
    fflush(stdout);
}

/* What somebody may have to do something about. */
static void on_reporter_event(void *user, const milepost_reporter_event *event) {
    char text[16];
    (void)user;
    printf("%-8s  event: %s\n", clock_text(now_ms(), text), event->message);
    fflush(stdout);
}

static void on_position_state(void *user, milepost_position_state state, const char *detail) {
    static const char *const names[] = {"unknown", "connecting", "no data", "no fix", "fix", "stale"};
    const struct session *session = user;
    char text[16];
    if (session->options->quiet) return;
    const char *name = state >= MILEPOST_POSITION_CONNECTING && state <= MILEPOST_POSITION_STALE ? names[state] : names[0];
    printf("%-8s  gpsd: %s: %s\n", clock_text(now_ms(), text), name, detail ? detail : "");
    fflush(stdout);
}

static void on_log(void *user, int32_t level, const char *message) {
    (void)user;
    fprintf(stderr, "milepost %s: %s\n", level >= 1 && level <= 4 ? levels[level - 1].name : "log", message);
}

/* Asked for a token: here from a file, at once. A host that must ask a server returns first and answers later, from any thread. */
static void on_token(void *user, milepost_token_request request, const milepost_token_context *context) {
    const struct session *session = user;
    char token[16385];
    (void)context; /* the vehicle, and the trip or task, that the token is for */
    FILE *file = fopen(session->options->token_callback, "r");
    size_t length = file ? fread(token, 1, sizeof token - 1, file) : 0;
    if (file) fclose(file);
    token[length] = '\0';
    token[strcspn(token, " \r\n")] = '\0';
    if (*token) milepost_token_complete(request, token, 0); /* 0: how long it is good stands in the token */
    else milepost_token_fail(request, "the token file cannot be read or is empty");
}

/* What one question of on_token_command takes along. */
struct token_question {
    milepost_token_request request;
    const char *command;
};

static pthread_mutex_t command_lock = PTHREAD_MUTEX_INITIALIZER;
static int command_runs;

static void *run_token_command(void *argument) {
    struct token_question *question = argument;
    char token[16385];
    FILE *output = popen(question->command, "r");
    size_t length = output ? fread(token, 1, sizeof token - 1, output) : 0;
    int status = output ? pclose(output) : -1;
    token[length] = '\0';
    token[strcspn(token, " \r\n")] = '\0';
    if (status != 0) milepost_token_fail(question->request, "the token command failed");
    else if (!*token || milepost_token_complete(question->request, token, 0) == MILEPOST_ERROR_ARGUMENT)
        milepost_token_fail(question->request, "the token command printed no token");
    free(question);
    pthread_mutex_lock(&command_lock);
    command_runs = 0;
    pthread_mutex_unlock(&command_lock);
    return NULL;
}

/* Asked for a token, as above: the command runs on a thread of its own, because the library waits for this to return. */
static void on_token_command(void *user, milepost_token_request request, const milepost_token_context *context) {
    const struct session *session = user;
    struct token_question *question = malloc(sizeof *question);
    pthread_t thread;
    (void)context;
    pthread_mutex_lock(&command_lock);
    int begins = question && !command_runs;
    if (begins) {
        *question = (struct token_question){request, session->options->token_command};
        begins = command_runs = pthread_create(&thread, NULL, run_token_command, question) == 0;
    }
    pthread_mutex_unlock(&command_lock);
    if (begins) pthread_detach(thread);
    else {
        free(question);
        milepost_token_fail(request, "the token command still runs, or no thread can be had for it");
    }
}

/* ------------------------------------------------------------------------------------------------- setting the library up */

/* Ends the program when a call failed; `what` is what the user can change. */
static void check(milepost_status status, const char *what) {
    if (status == MILEPOST_OK) return;
    fprintf(stderr, "telematics: %s: %s\n", what, milepost_last_error());
    exit(EXIT_CONFIGURATION);
}

static void set_token_source(milepost_config *config, const struct options *options, struct session *session) {
    if (options->token) check(milepost_config_set_token(config, options->token), "--token");
    if (options->token_file) check(milepost_config_set_token_file(config, options->token_file), "--token-file");
    if (options->token_callback) check(milepost_config_set_token_callback(config, on_token, session), "--token-callback");
    if (options->token_command) check(milepost_config_set_token_callback(config, on_token_command, session), "--token-command");
    if (options->token_url)
        check(milepost_config_set_token_url(config, options->token_url, options->token_key, options->expiry_key, options->expiry_kind),
              "--token-url");
}

static milepost_reporter *configure(const struct options *options, struct session *session) {
    milepost_config *config;
    milepost_reporter *reporter;
    check(milepost_config_create(options->service, &config), "--service");
    check(milepost_config_set_provider_id(config, options->provider), "--provider");
    check(milepost_config_set_vehicle_id(config, options->vehicle), "--vehicle");
    if (options->trip) check(milepost_config_set_trip_id(config, options->trip), "--trip");
    if (options->task) check(milepost_config_set_task_id(config, options->task), "--task");
    check(milepost_config_set_gpsd(config, options->gpsd_host, options->gpsd_port, options->device), "--gpsd");
    if (options->allow_http) check(milepost_config_set_allow_http(config, 1), "--allow-http");
    if (options->endpoint) check(milepost_config_set_endpoint(config, options->endpoint), "--endpoint");
    if (options->interval_s >= 0) check(milepost_config_set_interval(config, options->interval_s), "--interval");
    if (options->ca_file) check(milepost_config_set_ca_file(config, options->ca_file), "--ca-file");
    if (options->client_certificate)
        check(milepost_config_set_client_certificate(config, options->client_certificate, options->client_key), "--client-certificate");
    if (options->request_timeout_ms >= 0)
        check(milepost_config_set_request_timeout(config, options->request_timeout_ms), "--request-timeout");
    if (options->compress_requests) check(milepost_config_set_compress_requests(config, 1), "--compress-requests");
    if (options->partial_responses) check(milepost_config_set_partial_responses(config, 1), "--partial-responses");
    if (options->location_form >= 0) check(milepost_config_set_location_form(config, options->location_form), "--location");
    if (options->no_route_sharing) check(milepost_config_set_share_route(config, 0), "--no-route-sharing");
    if (options->arrival_radius_m >= 0) check(milepost_config_set_arrival_radius(config, options->arrival_radius_m), "--arrival-radius");
    if (options->speed_mps >= 0) check(milepost_config_set_speed(config, options->speed_mps), "--speed");
    if (options->adaptive_interval) check(milepost_config_set_adaptive_interval(config, 1), "--adaptive-interval");
    if (options->dead_reckoning) check(milepost_config_set_dead_reckoning(config, 1), "--dead-reckoning");
    if (options->state_directory) check(milepost_config_set_state_directory(config, options->state_directory), "--state-directory");
    if (options->backlog >= 0) check(milepost_config_set_backlog_limits(config, options->backlog, 48000000, 604800), "--backlog");
    set_token_source(config, options, session);
    if (options->log_level >= 0) check(milepost_config_set_log(config, options->log_level, on_log, NULL), "--log-level");
    check(milepost_reporter_create(config, &reporter), "configuration");
    milepost_config_destroy(config);
    return reporter;
}

static void listen_to(milepost_reporter *reporter, struct session *session) {
    milepost_listener listener = MILEPOST_LISTENER_INIT;
    milepost_listener_id id;
    listener.user = session;
    listener.update_succeeded = on_update;
    listener.update_failed = on_failure;
    listener.progress = on_progress;
    listener.position_state = on_position_state;
    listener.route_event = on_route_event;
    listener.reporter_event = on_reporter_event;
    check(milepost_reporter_add_listener(reporter, &listener, &id), "listener");
}

static void load_route(milepost_reporter *reporter, const struct options *options) {
    const char *path = options->route;
    milepost_route *route;
    milepost_route_info info = MILEPOST_ROUTE_INFO_INIT;
    check(milepost_route_load_file(path, &route), "--route"); /* the message names the file */
    check(milepost_route_get_info(route, &info), "--route");
    if (!options->quiet) printf("route: %zu points, %zu waypoints, %.0f m\n", info.point_count, info.waypoint_count, info.length_m);
    check(milepost_reporter_set_route(reporter, route), "--route");
    milepost_route_destroy(route);
}

/* ------------------------------------------------------------------------------------------------------- running and ending */

static void make_wake_pipe(struct session *session) {
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    if (pipe(session->wake) != 0) {
        perror("telematics: pipe");
        exit(EXIT_CONFIGURATION);
    }
    for (int i = 0; i < 2; i++) {
        fcntl(session->wake[i], F_SETFL, O_NONBLOCK);
        fcntl(session->wake[i], F_SETFD, FD_CLOEXEC);
    }
    wake_fd = session->wake[1];
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

static int64_t monotonic_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Waits for a signal, for the arrival, or until the time is up. With --own-loop this is the loop that drives the library as well. */
static void run(milepost_reporter *reporter, const struct session *session) {
    const struct options *options = session->options;
    struct pollfd fds[2] = {{session->wake[0], POLLIN, 0}, {milepost_reporter_fd(reporter), POLLIN, 0}};
    int64_t end_ms = monotonic_ms() + (int64_t)options->duration_s * 1000;
    for (;;) {
        if (options->own_loop) check(milepost_reporter_dispatch(reporter), "dispatch");
        int64_t left_ms = options->duration_s ? end_ms - monotonic_ms() : -1;
        if (options->duration_s && left_ms <= 0) return;
        int ready = poll(fds, options->own_loop ? 2 : 1, left_ms > 60000 ? 60000 : (int)left_ms);
        if (ready < 0 && errno != EINTR) return;
        if (ready > 0 && fds[0].revents) return;
    }
}

/* What came of it, and what is wrong now if anything is. */
static void print_statistics(const milepost_reporter *reporter, const milepost_diagnosis *diagnosis) {
    milepost_statistics s = MILEPOST_STATISTICS_INIT;
    if (milepost_reporter_get_statistics(reporter, &s) != MILEPOST_OK) return;
    printf("%llu sent, %llu taken, %llu failed; %llu fixes, %llu dropped; %llu tokens; %llu bytes out, %llu in\n",
           (unsigned long long)s.updates_sent, (unsigned long long)s.updates_succeeded, (unsigned long long)s.updates_failed,
           (unsigned long long)s.fixes_taken, (unsigned long long)s.fixes_dropped, (unsigned long long)s.tokens_fetched,
           (unsigned long long)s.bytes_sent, (unsigned long long)s.bytes_received);
    if (diagnosis->broken != MILEPOST_LINK_NONE) printf("diagnosis: %s\n", diagnosis->message);
}

/* Tells the server that the vehicle is gone, waits for its answer, sums up. */
static int finish(milepost_reporter *reporter, struct session *session) {
    const struct options *options = session->options;
    milepost_diagnosis diagnosis = MILEPOST_DIAGNOSIS_INIT;
    check(milepost_reporter_diagnose(reporter, &diagnosis), "diagnosis");
    check(milepost_reporter_set_tracking(reporter, 0), "tracking");
    milepost_status stopped = milepost_reporter_stop(reporter, STOP_TIMEOUT_MS);
    if (stopped != MILEPOST_OK) fprintf(stderr, "telematics: %s\n", milepost_last_error());
    if (!options->quiet) print_statistics(reporter, &diagnosis);
    milepost_reporter_destroy(reporter); /* no callback comes any more: the lock is not needed below */

    printf("%lu updates taken, %lu failed; ", session->succeeded, session->failed);
    if (session->along_m >= 0) printf("%.0f of %.0f m along the route, ", session->along_m, session->route_m);
    printf("%s; last update %s\n", session->arrived ? "arrived" : "not arrived", stopped == MILEPOST_OK ? "confirmed" : "not confirmed");
    if (session->succeeded < (unsigned long)options->expect_updates) return EXIT_MISSING;
    if (options->exit_on_arrival && !session->arrival_reported) return EXIT_MISSING;
    return stopped == MILEPOST_OK ? EXIT_OK : EXIT_UNCONFIRMED;
}

int main(int argc, char **argv) {
    struct options options;
    parse_options(&options, argc, argv);
    struct session session = {.options = &options, .along_m = -1};
    pthread_mutex_init(&session.lock, NULL);
    make_wake_pipe(&session);

    milepost_reporter *reporter = configure(&options, &session);
    listen_to(reporter, &session);
    if (options.route) load_route(reporter, &options);
    if (!options.quiet) print_header();
    fflush(stdout);
    if (!options.own_loop) check(milepost_reporter_start(reporter), "start");
    check(milepost_reporter_set_tracking(reporter, 1), "tracking");
    if (options.online) check(milepost_reporter_set_vehicle_state(reporter, MILEPOST_VEHICLE_ONLINE), "--online");

    run(reporter, &session);
    int code = finish(reporter, &session);
    pthread_mutex_destroy(&session.lock);
    return code;
}
