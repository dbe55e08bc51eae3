/* libgps behind a flat header: one TPV line of gpsd's JSON into a plain struct. libgps opens nothing, prints nothing and changes no state
   of the process here: gps_unpack works on memory alone. */
#ifndef MP_CGPS_H
#define MP_CGPS_H

#include <stdbool.h>
#include <stdint.h>

/* A parser: libgps's gps_data_t, whose size and layout differ from release to release. For one thread at a time. */
typedef struct mp_gps mp_gps;

/* What a TPV says. Absent doubles are NaN. Values are as sent: nothing is checked for its range. */
typedef struct mp_tpv {
    int32_t mode;             /* 0 unknown, 1 no fix, 2 2D, 3 3D */
    int32_t status;           /* 5 dead reckoning, 6 GNSS with dead reckoning, 8 simulated; see gpsd_json(5) */
    bool has_time;
    int64_t time_s;           /* since 1970 UTC */
    int32_t time_ns;
    double latitude_deg;
    double longitude_deg;
    double altitude_hae_m;    /* above the WGS84 ellipsoid */
    double speed_mps;
    double track_deg;         /* from true north */
    double eph_m;             /* horizontal error; from epx and epy where gpsd gives no eph */
    double eps_mps;
    double epd_deg;
    double epv_m;
    const char *device;       /* "" when unknown, at most 127 bytes; the parser's, until it parses again */
} mp_tpv;

/* NULL when there is no memory. */
mp_gps *mp_gps_create(void);
void mp_gps_destroy(mp_gps *gps);
/* Parses one NUL-terminated object of class TPV. It must be whole, flat and without white space, with no second class member: gps_unpack
   may not return from others. Values after one of a wrong type are absent. */
void mp_gps_parse_tpv(mp_gps *gps, const char *line, mp_tpv *tpv);

/* The release series of the gps.h compiled against, such as "3.22"; "" when it is newer than those known here. */
const char *mp_gps_built_version(void);
/* The release of the libgps in use, such as "3.22"; "" for those before 3.22, which do not say. */
const char *mp_gps_running_version(void);

#endif
