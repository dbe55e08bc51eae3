/*
 * follow [OPTIONS] ROUTE FIXES - replays recorded fixes along a route and prints the progress of each as one JSON object a line.
 *
 * Navigation alone: no thread, no network, no clock. ROUTE is any file that milepost_route_load_file reads. FIXES holds gpsd's JSON
 * lines (of which the TPV objects count), or CSV under the header below; "-" reads it from standard input.
 *
 *   cc follow.c -o follow $(pkg-config --cflags --libs milepost)
 */
#define _POSIX_C_SOURCE 200809L

#include <errno.h>
#include <math.h>
#include <milepost.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

static const char csv_header[] = "time,lat,lon,accuracy_m,speed_mps,heading_deg";
enum { CSV_TIME, CSV_LAT, CSV_LON, CSV_ACCURACY, CSV_SPEED, CSV_HEADING, CSV_COLUMNS };

enum { EXIT_OK = 0, EXIT_ERROR = 1, EXIT_USAGE = 2 };

/* ------------------------------------------------------------------------------------------------------------------ times */

/* Reads so many digits and moves on; -1 when there are fewer. */
static long digits(const char **text, int count) {
    long value = 0;
    for (; count > 0; count--, (*text)++) {
        if (**text < '0' || **text > '9') return -1;
        value = value * 10 + (**text - '0');
    }
    return value;
}

/* Days from 1970-01-01 in the Gregorian calendar, counted in years that begin with March so that the leap day comes last. */
static int64_t days_since_1970(long year, long month, long day) {
    int64_t years = year - (month < 3), months = (month + 9) % 12;
    return years * 365 + years / 4 - years / 100 + years / 400 + (months * 153 + 2) / 5 + day - 1 - 719468;
}

/* The part after the seconds: a fraction and Z or an offset. Gives the milliseconds to add to the time as written; 0 when it is none. */
static int parse_fraction_and_zone(const char *text, int64_t *add_ms) {
    int64_t ms = 0, sign;
    if (*text == '.') {
        long scale = 100;
        text++;
        if (*text < '0' || *text > '9') return 0;
        for (; *text >= '0' && *text <= '9'; text++, scale /= 10) ms += (*text - '0') * scale;
    }
    if (*text == 'Z' || *text == 'z') {
        *add_ms = ms;
        return text[1] == '\0';
    }
    if (*text != '+' && *text != '-') return 0;
    sign = *text++ == '-' ? 1 : -1;
    long hours = digits(&text, 2);
    if (hours < 0 || hours > 23 || *text++ != ':') return 0;
    long minutes = digits(&text, 2);
    if (minutes < 0 || minutes > 59 || *text != '\0') return 0;
    *add_ms = ms + sign * (hours * 60 + minutes) * 60000;
    return 1;
}

/* An RFC 3339 time, such as 2026-05-04T12:00:00.250+02:00, in milliseconds since 1970 UTC. 0 when it is none. */
static int parse_time(const char *text, int64_t *unix_ms) {
    long year, month, day, hour, minute, second;
    int64_t add_ms;
    if ((year = digits(&text, 4)) < 1 || *text++ != '-') return 0;
    if ((month = digits(&text, 2)) < 1 || month > 12 || *text++ != '-') return 0;
    if ((day = digits(&text, 2)) < 1 || day > 31 || !strchr("Tt ", *text) || !*text++) return 0;
    if ((hour = digits(&text, 2)) < 0 || hour > 23 || *text++ != ':') return 0;
    if ((minute = digits(&text, 2)) < 0 || minute > 59 || *text++ != ':') return 0;
    if ((second = digits(&text, 2)) < 0 || second > 60) return 0;
    if (!parse_fraction_and_zone(text, &add_ms)) return 0;
    *unix_ms = ((days_since_1970(year, month, day) * 24 + hour) * 60 + minute) * 60000 + second * 1000 + add_ms;
    return 1;
}

static void print_time(int64_t unix_ms) {
    time_t seconds = (time_t)(unix_ms / 1000 - (unix_ms % 1000 < 0));
    int ms = (int)(unix_ms - (int64_t)seconds * 1000);
    struct tm utc;
    char text[40];
    if (!gmtime_r(&seconds, &utc) || !strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &utc)) {
        printf("null");
        return;
    }
    printf("\"%s.%03dZ\"", text, ms);
}

/* -------------------------------------------------------------------------------------------------------------- reading fixes */

/* Sets a value and its bit when it lies within what milepost.h allows; readings outside, and NaN, count as absent. */
static void set_value(milepost_fix *fix, uint32_t bit, double *field, double value, double least, double most) {
    if (!(value >= least && value <= most)) return;
    *field = value;
    fix->fields |= bit;
}

static void set_accuracy(milepost_fix *fix, double value) { set_value(fix, MILEPOST_FIX_ACCURACY, &fix->accuracy_m, value, 0, 1e9); }
static void set_speed(milepost_fix *fix, double value) { set_value(fix, MILEPOST_FIX_SPEED, &fix->speed_mps, value, 0, 100); }
static void set_heading(milepost_fix *fix, double value) { set_value(fix, MILEPOST_FIX_HEADING, &fix->heading_deg, value, 0, 360); }
static void set_altitude(milepost_fix *fix, double value) { set_value(fix, MILEPOST_FIX_ALTITUDE, &fix->altitude_m, value, -1e5, 1e5); }

/* The result of reading one line. */
typedef enum { LINE_FIX, LINE_WITHOUT_FIX, LINE_BAD } line_kind;

/* One CSV row. On LINE_BAD *bad names the column. */
static line_kind read_csv(char *line, milepost_fix *fix, const char **bad) {
    static const char *const names[] = {"time", "lat", "lon", "accuracy_m", "speed_mps", "heading_deg"};
    double values[CSV_COLUMNS];
    char *cell = line;
    for (int column = 0; column < CSV_COLUMNS; column++) {
        char *comma = cell + strcspn(cell, ","), *end;
        int is_last = *comma == '\0';
        *bad = names[column];
        if (is_last != (column == CSV_COLUMNS - 1)) return LINE_BAD;
        *comma = '\0';
        values[column] = NAN;
        if (column == CSV_TIME && *cell) {
            if (!parse_time(cell, &fix->time_unix_ms)) return LINE_BAD;
            fix->fields |= MILEPOST_FIX_TIME;
        } else if (*cell) {
            values[column] = strtod(cell, &end);
            if (end == cell || *end) return LINE_BAD;
        }
        cell = comma + 1;
    }
    fix->latitude_deg = values[CSV_LAT];
    fix->longitude_deg = values[CSV_LON];
    set_accuracy(fix, values[CSV_ACCURACY]);
    set_speed(fix, values[CSV_SPEED]);
    set_heading(fix, values[CSV_HEADING]);
    return isfinite(fix->latitude_deg) && isfinite(fix->longitude_deg) ? LINE_FIX : LINE_WITHOUT_FIX;
}

static const char *skip_space(const char *p) { return p + strspn(p, " \t"); }

/* From an opening quotation mark to the byte after the closing one; NULL when there is none. */
static const char *skip_string(const char *p) {
    for (p++; *p && *p != '"'; p++)
        if (*p == '\\' && p[1]) p++;
    return *p ? p + 1 : NULL;
}

/* To the byte after a JSON value; NULL when it does not end. */
static const char *skip_value(const char *p) {
    int depth = 0;
    while (*p) {
        if (*p == '"') {
            if (!(p = skip_string(p))) return NULL;
            if (depth == 0) return p;
            continue;
        }
        if (*p == '{' || *p == '[') depth++;
        if (depth == 0 && (*p == ',' || *p == '}' || *p == ']')) return p;
        if ((*p == '}' || *p == ']') && --depth == 0) return p + 1;
        p++;
    }
    return NULL;
}

/* Where the value of an object's own member begins; NULL when there is no such member. Members of members are passed over. */
static const char *json_member(const char *object, const char *key) {
    const char *p = skip_space(object);
    if (*p++ != '{') return NULL;
    while (p) {
        p = skip_space(p);
        if (*p != '"') return NULL;
        const char *name = p + 1, *after = skip_string(p);
        if (!after) return NULL;
        p = skip_space(after);
        if (*p++ != ':') return NULL;
        p = skip_space(p);
        size_t length = (size_t)(after - 1 - name);
        if (length == strlen(key) && memcmp(name, key, length) == 0) return p;
        p = skip_value(p);
        if (p) p = skip_space(p);
        if (p && *p++ != ',') return NULL;
    }
    return NULL;
}

static double json_number(const char *object, const char *key) {
    const char *value = json_member(object, key);
    char *end;
    if (!value || (*value != '-' && (*value < '0' || *value > '9'))) return NAN;
    double number = strtod(value, &end);
    return strchr(",} \t", *end) && *end ? number : NAN;
}

/* One line of gpsd's. Anything but a TPV object with a position is passed over, also a line that is cut off. */
static line_kind read_tpv(const char *line, milepost_fix *fix) {
    const char *class_name = json_member(line, "class"), *time = json_member(line, "time");
    char text[40];
    if (!class_name || strncmp(class_name, "\"TPV\"", 5) != 0) return LINE_WITHOUT_FIX;
    if (!(json_number(line, "mode") >= 2)) return LINE_WITHOUT_FIX;
    fix->latitude_deg = json_number(line, "lat");
    fix->longitude_deg = json_number(line, "lon");
    if (!isfinite(fix->latitude_deg) || !isfinite(fix->longitude_deg)) return LINE_WITHOUT_FIX;
    if (time && sscanf(time, "\"%39[^\"]\"", text) == 1 && parse_time(text, &fix->time_unix_ms)) fix->fields |= MILEPOST_FIX_TIME;
    set_accuracy(fix, json_number(line, "eph"));
    set_speed(fix, json_number(line, "speed"));
    set_heading(fix, json_number(line, "track"));
    set_altitude(fix, json_number(line, "altHAE"));
    return LINE_FIX;
}

/* ----------------------------------------------------------------------------------------------------------- printing progress */

static const char *state_name(milepost_route_state state) {
    switch (state) {
        case MILEPOST_ROUTE_ACQUIRING: return "acquiring";
        case MILEPOST_ROUTE_ON: return "on_route";
        case MILEPOST_ROUTE_OFF: return "off_route";
        case MILEPOST_ROUTE_AMBIGUOUS: return "ambiguous";
        case MILEPOST_ROUTE_UNCERTAIN: return "uncertain";
        case MILEPOST_ROUTE_WRONG_WAY: return "wrong_way";
        case MILEPOST_ROUTE_STALE: return "stale";
        default: return "arrived";
    }
}

static const char *const event_names[] = {NULL, "acquired", "ambiguous", "uncertain", "confirmed", "left_route", "wrong_way", "rejoined",
                                          "waypoint_arrived", "waypoint_passed", "waypoint_missed", "arrived", "stale",
                                          "route_replaced", "resumed"};
static const char *const reason_names[] = {"none", "only_place", "heading_agrees", "several_passes", "outside_corridor", "far_away",
                                           "heading_disagrees", "beside_route", "wrong_order", "driving_back", "poor_accuracy", "reached",
                                           "stood", "during_gap", "left_out", "requested", "no_fix"};

/* A newer library may know more than this program. */
static const char *name_of(int32_t number, const char *const *names, size_t count) {
    return number >= 0 && (size_t)number < count && names[number] ? names[number] : "other";
}

static void print_number(const char *before, double value, int decimals, int is_known) {
    if (is_known && isfinite(value)) printf("%s%.*f", before, decimals, value);
    else printf("%snull", before);
}

static void print_events(const milepost_tracker *tracker) {
    milepost_route_event event = MILEPOST_ROUTE_EVENT_INIT;
    printf("],\"events\":[");
    for (size_t i = 0; milepost_tracker_get_event(tracker, i, &event) == MILEPOST_OK; i++) {
        printf("%s{\"kind\":\"%s\",\"reason\":\"%s\",\"waypoint\":", i ? "," : "",
               name_of(event.kind, event_names, sizeof event_names / sizeof *event_names),
               name_of(event.reason, reason_names, sizeof reason_names / sizeof *reason_names));
        if (event.fields & MILEPOST_ROUTE_EVENT_HAS_WAYPOINT) printf("%u", (unsigned)event.waypoint);
        else printf("null");
        print_number(",\"distance_m\":", event.distance_m, 1, (event.fields & MILEPOST_ROUTE_EVENT_HAS_DISTANCE) != 0);
        printf("}");
    }
    printf("]}\n");
}

static void print_progress(const milepost_tracker *tracker, const milepost_progress *progress) {
    int has_position = (progress->fields & MILEPOST_PROGRESS_POSITION) != 0;
    int has_distance = (progress->fields & MILEPOST_PROGRESS_DISTANCE) != 0;
    int has_duration = (progress->fields & MILEPOST_PROGRESS_DURATION) != 0;
    printf("{\"time\":");
    if (progress->fields & MILEPOST_PROGRESS_TIME) print_time(progress->time_unix_ms);
    else printf("null");
    printf(",\"state\":\"%s\",\"leg\":%u", state_name(progress->state), (unsigned)progress->leg);
    printf(",\"estimated\":%s", progress->fields & MILEPOST_PROGRESS_ESTIMATED ? "true" : "false");
    print_number(",\"along_m\":", progress->along_m, 2, has_position);
    print_number(",\"remaining_m\":", progress->remaining_m, 2, has_distance);
    print_number(",\"remaining_s\":", progress->remaining_s, 1, has_duration);
    print_number(",\"low_s\":", progress->remaining_low_s, 1, has_duration);
    print_number(",\"high_s\":", progress->remaining_high_s, 1, has_duration);
    print_number(",\"cross_track_m\":", progress->cross_track_m, 2, has_position);
    print_number(",\"lat\":", progress->latitude_deg, 7, has_position);
    print_number(",\"lon\":", progress->longitude_deg, 7, has_position);
    printf(",\"waypoints\":[");
    for (size_t i = 0; i < progress->waypoint_count; i++) {
        double metres = has_distance ? progress->waypoint_remaining_m[i] : NAN;
        double seconds = has_duration ? progress->waypoint_remaining_s[i] : NAN;
        print_number(i ? ",{\"remaining_m\":" : "{\"remaining_m\":", metres, 2, has_distance);
        print_number(",\"remaining_s\":", seconds, 1, has_duration);
        print_number(",\"low_s\":", has_duration ? progress->waypoint_low_s[i] : NAN, 1, has_duration);
        print_number(",\"high_s\":", has_duration ? progress->waypoint_high_s[i] : NAN, 1, has_duration);
        printf("}");
    }
    print_events(tracker);
}

/* ---------------------------------------------------------------------------------------------------------------- following */

typedef enum { FORMAT_UNKNOWN, FORMAT_GPSD, FORMAT_CSV } fix_format;

typedef struct {
    milepost_tracker *tracker;
    fix_format format;
    int reckons;                /* --reckon */
    int64_t next_ms, last_ms;   /* when to reckon, while no fix comes */
    unsigned long followed, refused;
} replay;

/* Tells the format from the first line that is not empty. */
static fix_format tell_format(const char *line) {
    if (strcasecmp(line, csv_header) == 0) return FORMAT_CSV;
    /* A log of gpsd's may begin with the receiver's own sentences or a comment. */
    return strchr("{$!#", *skip_space(line)) ? FORMAT_GPSD : FORMAT_UNKNOWN;
}

/* A line for each second of a gap before a fix of that time, from two seconds after the last for a minute. */
static void bridge_gap(replay *replay, int64_t until_ms) {
    milepost_progress progress = MILEPOST_PROGRESS_INIT;
    for (; replay->next_ms < until_ms && replay->next_ms <= replay->last_ms; replay->next_ms += 1000)
        if (milepost_tracker_reckon(replay->tracker, replay->next_ms, &progress) == MILEPOST_OK) print_progress(replay->tracker, &progress);
}

/* Follows one line's fix. 0: an error, already told. */
static int follow_line(replay *replay, char *line, unsigned long number) {
    milepost_fix fix = MILEPOST_FIX_INIT;
    milepost_progress progress = MILEPOST_PROGRESS_INIT;
    const char *bad = NULL;
    if (replay->format == FORMAT_UNKNOWN) {
        fprintf(stderr, "follow: line %lu is neither gpsd's JSON nor the CSV header %s\n", number, csv_header);
        return 0;
    }
    line_kind kind = replay->format == FORMAT_CSV ? read_csv(line, &fix, &bad) : read_tpv(line, &fix);
    if (kind == LINE_BAD) {
        fprintf(stderr, "follow: line %lu: column %s cannot be read: rows are %s\n", number, bad, csv_header);
        return 0;
    }
    if (kind == LINE_WITHOUT_FIX) return 1;
    int has_time = (fix.fields & MILEPOST_FIX_TIME) != 0;
    if (replay->reckons && has_time) bridge_gap(replay, fix.time_unix_ms);
    milepost_status status = milepost_tracker_update(replay->tracker, &fix, &progress);
    if (status == MILEPOST_ERROR_FIX) {
        replay->refused++;
        return 1;
    }
    if (status != MILEPOST_OK) {
        fprintf(stderr, "follow: line %lu: %s\n", number, milepost_last_error());
        return 0;
    }
    replay->followed++;
    replay->next_ms = has_time ? fix.time_unix_ms + 2000 : 0;
    replay->last_ms = has_time ? fix.time_unix_ms + 60000 : -1;
    print_progress(replay->tracker, &progress);
    return 1;
}

static int follow(replay *replay, FILE *fixes) {
    unsigned long number = 0;
    char *line = NULL;
    size_t capacity = 0;
    int is_well = 1;
    while (is_well && getline(&line, &capacity, fixes) >= 0) {
        char *text = line;
        if (number++ == 0 && strncmp(text, "\xEF\xBB\xBF", 3) == 0) text += 3;
        text[strcspn(text, "\r\n")] = '\0';
        if (*skip_space(text) == '\0') continue;
        if (replay->format == FORMAT_UNKNOWN) {
            replay->format = tell_format(text);
            if (replay->format == FORMAT_CSV) continue; /* the header is used up */
        }
        is_well = follow_line(replay, text, number);
    }
    free(line);
    if (is_well && ferror(fixes)) {
        perror("follow: reading the fixes");
        is_well = 0;
    }
    if (fflush(stdout) != 0 || ferror(stdout)) {
        perror("follow: writing");
        is_well = 0;
    }
    fprintf(stderr, "follow: %lu fixes followed, %lu refused\n", replay->followed, replay->refused);
    return is_well ? EXIT_OK : EXIT_ERROR;
}

/* ------------------------------------------------------------------------------------------------------------------- options */

static const char help[] =
    "usage: follow [OPTIONS] ROUTE FIXES\n"
    "Prints one JSON object for each fix in FIXES (gpsd JSON lines or CSV; - for standard input).\n"
    "  --skip N           leave waypoint N out, from 0\n"
    "  --dwell N=SECONDS  the time at waypoint N\n"
    "  --radius METRES    of arrival, 5 to 500; N=METRES for waypoint N alone\n"
    "  --speed MPS        for a route without durations\n"
    "  --reckon           carry the position on through gaps, a line for each second\n"
    "  --restore FILE     go on as saved\n"
    "  --save FILE        save at the end\n";

enum { SAVED_MAX = 128 * 1024 }; /* more than 10,000 waypoints need */

static milepost_status restore(milepost_tracker *tracker, const char *path) {
    static unsigned char bytes[SAVED_MAX];
    FILE *file = fopen(path, "rb");
    if (!file) return MILEPOST_ERROR_FILE;
    size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    return milepost_tracker_restore(tracker, bytes, size);
}

/* A unit that may lose its power writes another file, syncs it and renames it. */
static int save(const milepost_tracker *tracker, const char *path) {
    static unsigned char bytes[SAVED_MAX];
    size_t size;
    FILE *file = fopen(path, "wb");
    int is_saved = file && milepost_tracker_save(tracker, bytes, sizeof bytes, &size) == MILEPOST_OK;
    if (is_saved && fwrite(bytes, 1, size, file) != size) is_saved = 0;
    if (file && fclose(file) != 0) is_saved = 0;
    if (!is_saved) fprintf(stderr, "follow: --save %s: %s\n", path, strerror(errno));
    return is_saved;
}

/* "SECOND" or "FIRST=SECOND"; 0 when it is neither. *first is -1 where there is none. */
static int parse_numbers(const char *text, long *first, double *second) {
    char *end;
    const char *equals = strchr(text, '=');
    *first = -1;
    if (equals) {
        *first = strtol(text, &end, 10);
        if (end == text || end != equals || *first < 0 || *first > 1000000) return 0;
        text = equals + 1;
    }
    *second = strtod(text, &end);
    return end != text && *end == '\0';
}

/* Does what an option says, before the first fix. */
static int apply(replay *replay, const char *option, const char *value) {
    milepost_tracker *tracker = replay->tracker;
    long waypoint = -1;
    double number = NAN;
    int is_number = parse_numbers(value, &waypoint, &number), is_one = is_number && waypoint >= 0, is_plain = is_number && waypoint < 0;
    milepost_status status = MILEPOST_OK;
    if (strcmp(option, "--save") == 0) return EXIT_OK;
    if (strcmp(option, "--restore") == 0) status = restore(tracker, value);
    else if (strcmp(option, "--speed") == 0 && is_plain) status = milepost_tracker_set_speed(tracker, number);
    else if (strcmp(option, "--radius") == 0 && is_plain) status = milepost_tracker_set_arrival_radius(tracker, number);
    else if (strcmp(option, "--radius") == 0 && is_one) status = milepost_tracker_set_waypoint_radius(tracker, (uint32_t)waypoint, number);
    else if (strcmp(option, "--dwell") == 0 && is_one) status = milepost_tracker_set_dwell(tracker, (uint32_t)waypoint, number);
    else if (strcmp(option, "--skip") == 0 && is_plain && number >= 0 && number <= 1000000)
        status = milepost_tracker_skip_waypoint(tracker, (uint32_t)number);
    else {
        fprintf(stderr, "follow: %s %s (see --help)\n", option, value);
        return EXIT_USAGE;
    }
    if (status == MILEPOST_OK) return EXIT_OK;
    fprintf(stderr, "follow: %s %s: %s\n", option, value, status == MILEPOST_ERROR_FILE ? strerror(errno) : milepost_last_error());
    return EXIT_ERROR;
}

/* The options in argv[1] up to argv[end]. */
static int run(replay *replay, char **argv, int end, FILE *fixes) {
    const char *saved = NULL;
    for (int i = 1; i < end; i++) {
        if (strcmp(argv[i], "--reckon") == 0) {
            replay->reckons = 1;
            continue;
        }
        if (strcmp(argv[i], "--save") == 0) saved = argv[i + 1];
        int code = apply(replay, argv[i], argv[i + 1]);
        if (code != EXIT_OK) return code;
        i++;
    }
    int code = follow(replay, fixes);
    return saved && !save(replay->tracker, saved) ? EXIT_ERROR : code;
}

int main(int argc, char **argv) {
    milepost_route *route = NULL;
    replay replay = {NULL, FORMAT_UNKNOWN, 0, 0, -1, 0, 0};
    int end = 1;
    if (argc == 2 && strcmp(argv[1], "--help") == 0) {
        fputs(help, stdout);
        return EXIT_OK;
    }
    while (end < argc && strncmp(argv[end], "--", 2) == 0) end += strcmp(argv[end], "--reckon") == 0 ? 1 : 2;
    if (argc - end != 2) {
        fprintf(stderr, "usage: follow [OPTIONS] ROUTE FIXES (see --help)\n");
        return EXIT_USAGE;
    }
    const char *route_path = argv[end], *fixes_path = argv[end + 1];
    FILE *fixes = strcmp(fixes_path, "-") == 0 ? stdin : fopen(fixes_path, "r");
    if (!fixes) {
        fprintf(stderr, "follow: %s: %s\n", fixes_path, strerror(errno));
        return EXIT_ERROR;
    }
    int code = EXIT_ERROR;
    if (milepost_route_load_file(route_path, &route) != MILEPOST_OK || milepost_tracker_create(route, &replay.tracker) != MILEPOST_OK)
        fprintf(stderr, "follow: %s\n", milepost_last_error());
    else
        code = run(&replay, argv, end, fixes);
    milepost_tracker_destroy(replay.tracker);
    milepost_route_destroy(route);
    if (fixes != stdin) fclose(fixes);
    return code;
}
