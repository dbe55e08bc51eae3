/*
 * The most memory that loading a route takes, in every format: writes a file of each, loads it, and prints `format bytes points peak share` lines,
 * share being the peak as a part of 8 times the file's size and 64 bytes a point. What malloc and its kin give is counted by standing before
 * libc's, a block that moves in both its places.
 *
 *   loading FOLDER POINTS
 */
#define _GNU_SOURCE
#include <malloc.h>
#include <math.h>
#include <milepost.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *memory);

static size_t live, peak;

static void *taken(void *memory) {
    if (memory) live += malloc_usable_size(memory);
    if (live > peak) peak = live;
    return memory;
}

void *malloc(size_t size) { return taken(__libc_malloc(size)); }
void *calloc(size_t count, size_t size) { return taken(__libc_calloc(count, size)); }

void free(void *memory) {
    if (memory) live -= malloc_usable_size(memory);
    __libc_free(memory);
}

void *realloc(void *memory, size_t size) {
    void *moved = malloc(size);
    if (moved && memory) {
        size_t old = malloc_usable_size(memory);
        memcpy(moved, memory, old < size ? old : size);
        free(memory);
    }
    return moved;
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
    *memory = taken(__libc_memalign(alignment, size));
    return 0;
}

/* A road of short segments, its points in millionths of degrees, which fall on hundred-thousandths. */
static long latitude(int i) { return 40000000 + 120L * i + 10 * (i * 7L % 5); }
static long longitude(int i) { return 5000000 + 150L * i + 10 * (i * 3L % 7); }

static double length(int first, int last) {
    double metres = 0;
    for (int i = first + 1; i <= last; i++) {
        double north = (double)(latitude(i) - latitude(i - 1)) * 0.1112;
        double east = (double)(longitude(i) - longitude(i - 1)) * 0.1112 * cos((double)latitude(i) * 1e-6 * 0.017453);
        metres += sqrt(north * north + east * east);
    }
    return metres;
}

static void put_number(FILE *file, long difference, int escapes) {
    unsigned long bits = difference < 0 ? ~((unsigned long)difference << 1) : (unsigned long)difference << 1;
    for (;; bits >>= 5) {
        int character = (int)((bits & 31) | (bits >= 32 ? 32 : 0)) + 63;
        if (character == '\\' && escapes) fputc('\\', file);
        fputc(character, file);
        if (bits < 32) return;
    }
}

/* unit: millionths of degrees. */
static void put_polyline(FILE *file, int first, int last, long unit, int escapes) {
    for (int i = first; i <= last; i++) {
        put_number(file, (latitude(i) - (i > first ? latitude(i - 1) : 0)) / unit, escapes);
        put_number(file, (longitude(i) - (i > first ? longitude(i - 1) : 0)) / unit, escapes);
    }
}

static void put_list(FILE *file, const char *name, int count, const char *element) {
    fprintf(file, "\"%s\":[", name);
    for (int i = 0; i < count; i++) fprintf(file, "%s%s", i ? "," : "", element);
    fputc(']', file);
}

static void put_line_string(FILE *file, int points) {
    fputs("{\"type\":\"LineString\",\"coordinates\":[", file);
    for (int i = 0; i < points; i++) fprintf(file, "%s[%.5f,%.5f]", i ? "," : "", (double)longitude(i) / 1e6, (double)latitude(i) / 1e6);
    fputs("]}", file);
}

static void put_osrm(FILE *file, int points) {
    fputs("{\"code\":\"Ok\",\"routes\":[{\"geometry\":\"", file);
    put_polyline(file, 0, points - 1, 1, 1);
    fputs("\",\"legs\":[{\"steps\":[],\"annotation\":{", file);
    put_list(file, "duration", points - 1, "0.9");
    fputc(',', file);
    put_list(file, "distance", points - 1, "18.2");
    fputc(',', file);
    put_list(file, "speed", points - 1, "20");
    fprintf(file, "}}],\"distance\":%.1f,\"duration\":%.1f}]}", length(0, points - 1), points * 0.9);
}

/* Steps of so many segments, as many as there are whole. */
enum { STEP = 10 };

static void put_osrm_steps(FILE *file, int points) {
    fputs("{\"code\":\"Ok\",\"routes\":[{\"legs\":[{\"steps\":[", file);
    for (int i = 0; i + STEP < points; i += STEP) {
        fprintf(file, "%s{\"duration\":9,\"geometry\":\"", i ? "," : "");
        put_polyline(file, i, i + STEP, 10, 1);
        fputs("\"}", file);
    }
    fprintf(file, "]}],\"distance\":%.1f,\"duration\":%.1f}]}", length(0, points - 1), points * 0.9);
}

static void put_osrm_geojson(FILE *file, int points) {
    fputs("{\"code\":\"Ok\",\"routes\":[{\"legs\":[{\"steps\":[]}],\"geometry\":", file);
    put_line_string(file, points);
    fprintf(file, ",\"distance\":%.1f,\"duration\":%.1f}]}", length(0, points - 1), points * 0.9);
}

static void put_valhalla(FILE *file, int points) {
    fputs("{\"trip\":{\"units\":\"kilometers\",\"legs\":[{\"maneuvers\":[", file);
    for (int i = 0; i + STEP < points; i += STEP)
        fprintf(file, "%s{\"begin_shape_index\":%d,\"end_shape_index\":%d,\"time\":9}", i ? "," : "", i, i + STEP);
    fprintf(file, "],\"summary\":{\"length\":%.3f,\"time\":%d},\"shape\":\"", length(0, points - 1) / 1000, points);
    put_polyline(file, 0, points - 1, 1, 1);
    fputs("\"}]}}", file);
}

static void put_graphhopper(FILE *file, int points) {
    fprintf(file, "{\"paths\":[{\"distance\":%.1f,\"time\":%d,\"details\":{\"time\":[", length(0, points - 1), points * 900);
    for (int i = 0; i < points - 1; i++) fprintf(file, "%s[%d,%d,900]", i ? "," : "", i, i + 1);
    fputs("]},\"points\":\"", file);
    put_polyline(file, 0, points - 1, 10, 1);
    fputs("\"}]}", file);
}

static void put_graphhopper_line(FILE *file, int points) {
    fprintf(file, "{\"paths\":[{\"distance\":%.1f,\"time\":%d,\"instructions\":[", length(0, points - 1), points * 900);
    for (int i = 0; i + STEP < points; i += STEP) fprintf(file, "%s{\"interval\":[%d,%d],\"time\":9000}", i ? "," : "", i, i + STEP);
    fputs("],\"points\":\"", file);
    put_polyline(file, 0, points - 1, 10, 1);
    fputs("\"}]}", file);
}

static void put_google_routes(FILE *file, int points) {
    fprintf(file, "{\"routes\":[{\"legs\":[{\"distanceMeters\":%.0f,\"duration\":\"%ds\",\"staticDuration\":\"%ds\",\"steps\":[",
            length(0, points - 1), points * 2, points);
    for (int i = 0; i + STEP < points; i += STEP) {
        fprintf(file, "%s{\"staticDuration\":\"9s\",\"polyline\":{\"encodedPolyline\":\"", i ? "," : "");
        put_polyline(file, i, i + STEP, 10, 1);
        fputs("\"}}", file);
    }
    fputs("],\"polyline\":{\"encodedPolyline\":\"", file);
    put_polyline(file, 0, points - 1, 10, 1);
    fprintf(file, "\"},\"travelAdvisory\":{\"speedReadingIntervals\":[{\"endPolylinePointIndex\":%d,\"speed\":\"SLOW\"}]}}]}]}", points / 2);
}

/* The whole line alone. */
static void put_google_overview(FILE *file, int points) {
    fputs("{\"routes\":[{\"polyline\":{\"encodedPolyline\":\"", file);
    put_polyline(file, 0, points - 1, 10, 1);
    fprintf(file, "\"},\"distanceMeters\":%.0f,\"duration\":\"%ds\"}]}", length(0, points - 1), points);
}

/* The whole line, to be cut where the first of two legs ends. */
static void put_google_cut(FILE *file, int points) {
    int middle = points / 2;
    fprintf(file, "{\"routes\":[{\"legs\":[{\"distanceMeters\":%.0f,\"duration\":\"9s\",\"endLocation\":{\"latLng\":{", length(0, middle));
    fprintf(file, "\"latitude\":%.5f,\"longitude\":%.5f}}},", (double)latitude(middle) / 1e6, (double)longitude(middle) / 1e6);
    fprintf(file, "{\"distanceMeters\":%.0f,\"duration\":\"9s\"}],\"polyline\":{\"encodedPolyline\":\"", length(middle, points - 1));
    put_polyline(file, 0, points - 1, 10, 1);
    fputs("\"}}]}", file);
}

static void put_google_directions(FILE *file, int points) {
    fprintf(file, "{\"status\":\"OK\",\"routes\":[{\"legs\":[{\"distance\":{\"value\":%.0f},\"duration\":{\"value\":%d},\"steps\":[",
            length(0, points - 1), points);
    for (int i = 0; i + STEP < points; i += STEP) {
        fprintf(file, "%s{\"duration\":{\"value\":9},\"polyline\":{\"points\":\"", i ? "," : "");
        put_polyline(file, i, i + STEP, 10, 1);
        fputs("\"}}", file);
    }
    fputs("]}]}]}", file);
}

static void put_journey(FILE *file, int points) {
    fprintf(file, "{\"remainingVehicleJourneySegments\":[{\"drivingDistanceMeters\":%.0f,\"drivingDuration\":\"%ds\",\"path\":[",
            length(0, points - 1), points);
    for (int i = 0; i < points; i++)
        fprintf(file, "%s{\"latitude\":%.5f,\"longitude\":%.5f}", i ? "," : "", (double)latitude(i) / 1e6, (double)longitude(i) / 1e6);
    fputs("]}]}", file);
}

static void put_gpx(FILE *file, int points) {
    fputs("<gpx><trk><trkseg>", file);
    for (int i = 0; i < points; i++)
        fprintf(file, "<trkpt lat=\"%.5f\" lon=\"%.5f\"/>", (double)latitude(i) / 1e6, (double)longitude(i) / 1e6);
    fputs("</trkseg></trk></gpx>", file);
}

static void put_time(FILE *file, int second) {
    fprintf(file, "2026-05-%02dT%02d:%02d:%02dZ", 1 + second / 86400, second / 3600 % 24, second / 60 % 60, second % 60);
}

static void put_timed_gpx(FILE *file, int points) {
    fputs("<gpx><trk><trkseg>", file);
    for (int i = 0; i < points; i++) {
        fprintf(file, "<trkpt lat=\"%.5f\" lon=\"%.5f\"><time>", (double)latitude(i) / 1e6, (double)longitude(i) / 1e6);
        put_time(file, i);
        fputs("</time></trkpt>", file);
    }
    fputs("</trkseg></trk></gpx>", file);
}

static void put_kml(FILE *file, int points) {
    fputs("<kml><LineString><coordinates>", file);
    for (int i = 0; i < points; i++) fprintf(file, "%.5f,%.5f ", (double)longitude(i) / 1e6, (double)latitude(i) / 1e6);
    fputs("</coordinates></LineString></kml>", file);
}

static void put_kml_track(FILE *file, int points) {
    fputs("<kml><gx:Track>", file);
    for (int i = 0; i < points; i++) {
        fputs("<when>", file);
        put_time(file, i);
        fputs("</when>", file);
    }
    for (int i = 0; i < points; i++)
        fprintf(file, "<gx:coord>%.5f %.5f 0</gx:coord>", (double)longitude(i) / 1e6, (double)latitude(i) / 1e6);
    fputs("</gx:Track></kml>", file);
}

static void put_bare_polyline(FILE *file, int points) { put_polyline(file, 0, points - 1, 10, 0); }

static const struct {
    const char *name;
    void (*put)(FILE *file, int points);
} formats[] = {
    {"osrm_annotations", put_osrm},
    {"osrm_steps", put_osrm_steps},
    {"osrm_geojson", put_osrm_geojson},
    {"valhalla", put_valhalla},
    {"graphhopper_details", put_graphhopper},
    {"graphhopper_instructions", put_graphhopper_line},
    {"google_routes", put_google_routes},
    {"google_overview", put_google_overview},
    {"google_cut", put_google_cut},
    {"google_directions", put_google_directions},
    {"fleet_engine_journey", put_journey},
    {"geojson", put_line_string},
    {"gpx", put_gpx},
    {"gpx_with_times", put_timed_gpx},
    {"kml", put_kml},
    {"kml_track", put_kml_track},
    {"polyline", put_bare_polyline},
};

static long write_file(const char *path, size_t format, int points) {
    FILE *file = fopen(path, "w");
    if (!file) return -1;
    formats[format].put(file, points);
    long bytes = ftell(file);
    return fclose(file) == 0 ? bytes : -1;
}

int main(int argc, char **argv) {
    if (argc != 3) return 2;
    int points = atoi(argv[2]) / STEP * STEP + 1;
    char path[4096];
    snprintf(path, sizeof path, "%s/route", argv[1]);
    for (size_t format = 0; format < sizeof formats / sizeof *formats; format++) {
        long bytes = write_file(path, format, points);
        milepost_route *route = NULL;
        milepost_route_info info = MILEPOST_ROUTE_INFO_INIT;
        size_t before = live;
        peak = live;
        milepost_status status = bytes < 0 ? MILEPOST_ERROR_FILE : milepost_route_load_file(path, &route);
        size_t most = peak - before;
        if (status == MILEPOST_OK) status = milepost_route_get_info(route, &info);
        if (status != MILEPOST_OK || info.point_count != (size_t)points) {
            fprintf(stderr, "%s: %zu points: %s\n", formats[format].name, info.point_count, milepost_last_error());
            return 1;
        }
        milepost_route_destroy(route);
        printf("%s %ld %d %zu %.3f\n", formats[format].name, bytes, points, most, (double)most / (8.0 * (double)bytes + 64.0 * points));
    }
    remove(path);
    return 0;
}
