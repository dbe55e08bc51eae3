#define _GNU_SOURCE /* struct timespec under -std=c11, for gps.h */
#include "cgps.h"

#include <gps.h>
#include <math.h>
#include <stdlib.h>

#if GPSD_API_MAJOR_VERSION < 9
#error "libgps 3.20 or newer is needed: before it the time of a fix was a double"
#endif

#if GPSD_API_MAJOR_VERSION >= 10
#define FIX_STATUS(data) ((data)->fix.status)
#else
#define FIX_STATUS(data) ((data)->status)
#endif

/* Room behind gps_data_t, in case the libgps at run time has a larger one: the layout check runs before it is refused. */
enum { SLACK = 64 * 1024 };

/* Exported since 3.22. */
extern const char *gpsd_version __attribute__((weak));

static struct gps_data_t *data_of(mp_gps *gps) { return (struct gps_data_t *)(void *)gps; }

mp_gps *mp_gps_create(void) { return calloc(1, sizeof(struct gps_data_t) + SLACK); }

void mp_gps_destroy(mp_gps *gps) { free(gps); }

void mp_gps_parse_tpv(mp_gps *gps, const char *line, mp_tpv *tpv) {
    struct gps_data_t *data = data_of(gps);
    data->set = 0;
    data->dev.path[0] = '\0';
    /* Up to 3.24 the parameter is not const, though the text is only read. */
    (void)gps_unpack((char *)(uintptr_t)line, data);

    const struct gps_fix_t *fix = &data->fix;
    tpv->mode = fix->mode;
    tpv->status = FIX_STATUS(data);
    tpv->has_time = fix->time.tv_sec > 0;
    tpv->time_s = fix->time.tv_sec;
    tpv->time_ns = (int32_t)fix->time.tv_nsec;
    tpv->latitude_deg = fix->latitude;
    tpv->longitude_deg = fix->longitude;
    tpv->altitude_hae_m = fix->altHAE;
    tpv->speed_mps = fix->speed;
    tpv->track_deg = fix->track;
    tpv->eph_m = isfinite(fix->eph) ? fix->eph : hypot(fix->epx, fix->epy);
    tpv->eps_mps = fix->eps;
    tpv->epd_deg = fix->epd;
    tpv->epv_m = fix->epv;
    tpv->device = data->dev.path;
}

/* gps.h holds API numbers only, which several releases share; the size of gps_data_t (64-bit) tells those apart. */
const char *mp_gps_built_version(void) {
#if GPSD_API_MAJOR_VERSION == 9
    return "3.20";
#elif GPSD_API_MAJOR_VERSION == 10
    return "3.21";
#elif GPSD_API_MAJOR_VERSION == 11
    return "3.22";
#elif GPSD_API_MAJOR_VERSION == 12
    return "3.23";
#else
    switch (sizeof(struct gps_data_t)) {
        case 27368: return "3.24";
        case 29224: return "3.25";
        case 38456: return "3.26";
        case 38488: return "3.27";
        default: return "";
    }
#endif
}

const char *mp_gps_running_version(void) { return &gpsd_version && gpsd_version ? gpsd_version : ""; }
