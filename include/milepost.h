/*
 * milepost.h - the whole public interface of libmilepost.
 *
 * Milepost takes fixes from gpsd (or from the host), follows a loaded route, works out the distance and time left to
 * every waypoint, and reports a vehicle to Google Fleet Engine.
 *
 * Conventions, true of every declaration below unless it says otherwise:
 *  - Threads: any function may be called from any thread, also from inside a callback. One handle of a
 *    milepost_config or a milepost_tracker must not be used by two threads at once; the other handles may.
 *  - Errors: functions return MILEPOST_OK (0) or a negative milepost_status. On failure results are left untouched
 *    and milepost_last_error() says, for the calling thread, what was wrong and what to do about it.
 *  - Ownership: whatever the host passes in is copied before the call returns. Strings are UTF-8, NUL-terminated.
 *    Pointers handed to a callback are valid until it returns.
 *  - Handles are opaque. NULL is refused with MILEPOST_ERROR_ARGUMENT; destroy functions accept it and do nothing.
 *  - Absence is never 0: a value is present when its bit is set in `fields`; absent doubles are NaN besides.
 *  - Units are in the names: _m metres, _s seconds, _mps metres a second, _deg degrees, _unix_ms milliseconds since
 *    1970 UTC. Positions are WGS84.
 *  - Structs begin with `size`. The host sets it (use the _INIT macros); structs only ever grow at their end.
 *
 * What it does to your process: one thread for each started reporter or trip monitor, named "milepost", with a stack of
 * 256 KiB (the host's callbacks run on it) and all signals blocked, and short-lived threads that resolve host names (ours
 * for gpsd, libcurl's own for servers). No signal handlers, no output, no exit(), no locale or directory change, no fork. After
 * fork() the child may only exec.
 */
#ifndef MILEPOST_H
#define MILEPOST_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define MILEPOST_VERSION_MAJOR 0
#define MILEPOST_VERSION_MINOR 1
#define MILEPOST_VERSION_PATCH 0
#define MILEPOST_VERSION "0.1.0"

/* The version of the library at run time, such as "0.1.0": compare it with MILEPOST_VERSION. Static, never NULL. */
const char *milepost_version(void);

/* ----------------------------------------------------------------------------------------------------------- errors */

typedef int32_t milepost_status;

enum {
    MILEPOST_OK = 0,
    MILEPOST_ERROR_ARGUMENT = -1,     /* a NULL, or a value out of its range */
    MILEPOST_ERROR_STATE = -2,        /* not possible now: for instance start when started */
    MILEPOST_ERROR_TRACKING_OFF = -3, /* ONLINE was asked for while tracking is off */
    MILEPOST_ERROR_FILE = -4,         /* a file cannot be read */
    MILEPOST_ERROR_ROUTE = -5,        /* a route's text or arrays cannot be followed */
    MILEPOST_ERROR_FIX = -6,          /* a pushed fix was not plausible and was dropped */
    MILEPOST_ERROR_NOT_FOUND = -7,    /* no such listener, or a token request already answered */
    MILEPOST_ERROR_TIMEOUT = -8,      /* the time given was not enough */
    MILEPOST_ERROR_IN_CALLBACK = -9,  /* not from inside a callback of the same reporter */
    MILEPOST_ERROR_SYSTEM = -10,      /* the operating system refused a thread, a descriptor or memory */
    MILEPOST_ERROR_LIBRARY = -11,     /* a library that Milepost stands on is not the one it was built against */
    MILEPOST_ERROR_UNCONFIRMED = -12, /* stopped, but the server has not confirmed the last update */
    MILEPOST_ERROR_SAVED = -13        /* saved bytes are damaged, of another version or of another route: start anew */
};

/* A short English name for a status, for instance "argument". Static, never NULL, also for unknown numbers. */
const char *milepost_status_string(milepost_status status);

/* What went wrong in the calling thread's last failed call, and what to do about it. "" before any failure. Valid
   until the thread's next failing call. Never NULL. */
const char *milepost_last_error(void);

/* ------------------------------------------------------------------------------------------------------------ fixes */

enum {
    MILEPOST_FIX_TIME = 1 << 0,
    MILEPOST_FIX_ACCURACY = 1 << 1,
    MILEPOST_FIX_SPEED = 1 << 2,
    MILEPOST_FIX_HEADING = 1 << 3,
    MILEPOST_FIX_ALTITUDE = 1 << 4,
    MILEPOST_FIX_SPEED_ACCURACY = 1 << 5,
    MILEPOST_FIX_HEADING_ACCURACY = 1 << 6,
    MILEPOST_FIX_ALTITUDE_ACCURACY = 1 << 7,
    MILEPOST_FIX_ESTIMATED = 1 << 8, /* a flag: dead reckoning contributed */
    MILEPOST_FIX_SIMULATED = 1 << 9  /* a flag: the receiver says it simulates */
};

/* One position measurement. Only the position is required. */
typedef struct milepost_fix {
    uint32_t size;              /* sizeof(milepost_fix) */
    uint32_t fields;            /* MILEPOST_FIX_* bits of what is present below */
    int64_t time_unix_ms;       /* of the measurement, 2017 or later; absent: the host's clock counts, and until that is
                                   set the fix is followed but not reported */
    double latitude_deg;        /* -90 to 90 */
    double longitude_deg;       /* -180 to 180 */
    double accuracy_m;          /* horizontal error (gpsd's eph), 0 or more */
    double speed_mps;           /* over ground, 0 to 100 */
    double heading_deg;         /* course over ground from true north, 0 to 360 */
    double altitude_m;          /* above the WGS84 ellipsoid */
    double speed_accuracy_mps;  /* 0 or more */
    double heading_accuracy_deg;/* 0 to 180 */
    double altitude_accuracy_m; /* 0 or more */
} milepost_fix;

#define MILEPOST_FIX_INIT {sizeof(milepost_fix), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}

/* ----------------------------------------------------------------------------------------------------------- routes */

/* A route: a line of points cut into legs by waypoints. Immutable and shared: a reporter or a tracker keeps what it
   needs, so the host may destroy its handle at once. */
typedef struct milepost_route milepost_route;

/* Loads a route from a file or from memory. The format is told from the content:
   - an answer of OSRM or Mapbox Directions v5 (or one of its route objects), Google Routes v2, Google Directions,
     Valhalla or GraphHopper; the first of several routes;
   - a Fleet Engine delivery vehicle, or a log entry of one, whose remainingVehicleJourneySegments have their path;
   - GeoJSON: lines that continue one another, in any container; Points beside them are waypoints, in driving order;
   - GPX (tracks, else routes) and KML (LineString, gx:Track); their single places are left out; no document types;
   - the text of a Google encoded polyline (precision 5; 6 where 5 would leave the earth).
   Waypoints and durations are kept; times of GPX, KML and GeoJSON where they can be a schedule. The seconds of a leg
   are those of its annotations, else of its steps, scaled to its total; a total alone is spread as it is driven, slower
   where the leg begins and ends and where it turns. Limits: 64 MiB, 4,000,000 points, 10,000 waypoints, 64 levels of
   nesting.
   MILEPOST_ERROR_FILE when the file cannot be read, MILEPOST_ERROR_ROUTE when the content cannot be followed;
   milepost_last_error() names what and where. Time grows with the size (about 0.1 s for 100,000 points): call it off
   the user-interface thread. */
milepost_status milepost_route_load_file(const char *path, milepost_route **route);
milepost_status milepost_route_load(const void *bytes, size_t length, milepost_route **route);

/* Loads an encoded polyline of known precision, 5 or 6. */
milepost_status milepost_route_load_polyline(const char *text, int precision, milepost_route **route);

/* Makes a route from a navigation engine's own arrays.
   points_deg: 2 * point_count doubles, latitude then longitude of each point, in driving order.
   waypoint_index: for each leg the index of the point it ends at, ascending; the last must be point_count - 1. NULL
   with waypoint_count 0 means a single leg.
   leg_s: the duration of each leg in seconds, or NULL where none are known.
   MILEPOST_ERROR_ROUTE names the first value that cannot be used. */
milepost_status milepost_route_create(const double *points_deg, size_t point_count, const size_t *waypoint_index,
                                      const double *leg_s, size_t waypoint_count, milepost_route **route);

enum { MILEPOST_ROUTE_INFO_DURATION = 1 << 0 };

typedef struct milepost_route_info {
    uint32_t size;         /* sizeof(milepost_route_info) */
    uint32_t fields;       /* MILEPOST_ROUTE_INFO_* bits */
    size_t point_count;
    size_t waypoint_count; /* one for each leg: the start is not counted */
    double length_m;       /* on the ellipsoid, or as the file declares it for its legs */
    double duration_s;
} milepost_route_info;

#define MILEPOST_ROUTE_INFO_INIT {sizeof(milepost_route_info), 0, 0, 0, 0, 0}

milepost_status milepost_route_get_info(const milepost_route *route, milepost_route_info *info);

void milepost_route_destroy(milepost_route *route);

/* --------------------------------------------------------------------------------------------------------- progress */

typedef int32_t milepost_route_state;

enum {
    MILEPOST_ROUTE_NONE = 0,      /* no route is loaded */
    MILEPOST_ROUTE_ACQUIRING = 1, /* not yet found on the route: remaining values are those of the whole route */
    MILEPOST_ROUTE_ON = 2,
    MILEPOST_ROUTE_OFF = 3,       /* off the route: remaining values are absent until it is rejoined */
    MILEPOST_ROUTE_ARRIVED = 4,   /* at the last waypoint, for good */
    MILEPOST_ROUTE_AMBIGUOUS = 5, /* on a road that the route takes more than once: the values are of the earliest */
    MILEPOST_ROUTE_UNCERTAIN = 6, /* about to be off, or fixes too poor to tell: the values are the last that fitted */
    MILEPOST_ROUTE_WRONG_WAY = 7, /* on the route's road, against its direction: as off the route */
    MILEPOST_ROUTE_STALE = 8      /* no fix for 10 s: the values are the last, or estimates; absent if it was off */
};

enum {
    MILEPOST_PROGRESS_TIME = 1 << 0,
    MILEPOST_PROGRESS_POSITION = 1 << 1, /* the snapped position, along_m and cross_track_m */
    MILEPOST_PROGRESS_DISTANCE = 1 << 2, /* remaining_m and waypoint_remaining_m */
    MILEPOST_PROGRESS_DURATION = 1 << 3, /* remaining_s and waypoint_remaining_s */
    MILEPOST_PROGRESS_ETA = 1 << 4,      /* eta_unix_ms and waypoint_eta_unix_ms: time_unix_ms plus the remaining seconds */
    MILEPOST_PROGRESS_ESTIMATED = 1 << 5 /* a flag: carried on without a fix (dead reckoning) */
};

typedef struct milepost_progress {
    uint32_t size;
    uint32_t fields;       /* MILEPOST_PROGRESS_* bits */
    milepost_route_state state;
    uint32_t leg;          /* the leg being driven, from 0: it ends at waypoint `leg` */
    int64_t time_unix_ms;  /* of the fix; of an estimate, when it holds */
    double latitude_deg;   /* snapped onto the route */
    double longitude_deg;
    double along_m;        /* from the start of the route */
    double cross_track_m;  /* from the route to the fix; negative: the fix is left of it */
    double remaining_m;    /* to the end */
    double remaining_s;
    int64_t eta_unix_ms;
    size_t waypoint_count;
    const double *waypoint_remaining_m; /* waypoint_count values each; 0 for a waypoint already passed */
    const double *waypoint_remaining_s;
    const int64_t *waypoint_eta_unix_ms;
    double remaining_low_s;  /* the band of remaining_s: its 10th and 90th percentile */
    double remaining_high_s;
    const double *waypoint_low_s; /* and of waypoint_remaining_s */
    const double *waypoint_high_s;
} milepost_progress;

#define MILEPOST_PROGRESS_INIT \
    {sizeof(milepost_progress), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, NULL, NULL, NULL, 0, 0, NULL, NULL}

typedef int32_t milepost_route_event_kind;

enum {
    MILEPOST_ROUTE_EVENT_ACQUIRED = 1,         /* found on the route, or decided which pass of a road it is */
    MILEPOST_ROUTE_EVENT_AMBIGUOUS = 2,
    MILEPOST_ROUTE_EVENT_UNCERTAIN = 3,
    MILEPOST_ROUTE_EVENT_CONFIRMED = 4,        /* fits again after uncertain */
    MILEPOST_ROUTE_EVENT_LEFT_ROUTE = 5,
    MILEPOST_ROUTE_EVENT_WRONG_WAY = 6,        /* distance_m: driven back */
    MILEPOST_ROUTE_EVENT_REJOINED = 7,         /* distance_m: of the route left out; negative when behind where it left */
    MILEPOST_ROUTE_EVENT_WAYPOINT_ARRIVED = 8, /* distance_m: of the nearest fix from it */
    MILEPOST_ROUTE_EVENT_WAYPOINT_PASSED = 9,  /* distance_m: missed by so much; absent in a gap */
    MILEPOST_ROUTE_EVENT_WAYPOINT_MISSED = 10, /* left out; distance_m: of the nearest fix from it */
    MILEPOST_ROUTE_EVENT_ARRIVED = 11,
    MILEPOST_ROUTE_EVENT_STALE = 12,
    MILEPOST_ROUTE_EVENT_ROUTE_REPLACED = 13,
    MILEPOST_ROUTE_EVENT_RESUMED = 14          /* fixes again after stale */
};

typedef int32_t milepost_route_event_reason;

enum {
    MILEPOST_REASON_NONE = 0,
    MILEPOST_REASON_ONLY_PLACE = 1,
    MILEPOST_REASON_HEADING_AGREES = 2,
    MILEPOST_REASON_SEVERAL_PASSES = 3,
    MILEPOST_REASON_OUTSIDE_CORRIDOR = 4,
    MILEPOST_REASON_FAR_AWAY = 5,
    MILEPOST_REASON_HEADING_DISAGREES = 6,
    MILEPOST_REASON_BESIDE_ROUTE = 7,
    MILEPOST_REASON_WRONG_ORDER = 8, /* on a part of the route that comes later */
    MILEPOST_REASON_DRIVING_BACK = 9,
    MILEPOST_REASON_POOR_ACCURACY = 10,
    MILEPOST_REASON_REACHED = 11,
    MILEPOST_REASON_STOOD = 12,      /* by standing near it */
    MILEPOST_REASON_DURING_GAP = 13, /* unseen: the time is interpolated */
    MILEPOST_REASON_LEFT_OUT = 14,
    MILEPOST_REASON_REQUESTED = 15,
    MILEPOST_REASON_NO_FIX = 16
};

enum {
    MILEPOST_ROUTE_EVENT_HAS_WAYPOINT = 1 << 0,
    MILEPOST_ROUTE_EVENT_HAS_DISTANCE = 1 << 1,
    MILEPOST_ROUTE_EVENT_HAS_TIME = 1 << 2
};

/* What a fix, a gap or a call changed: every change of state, and every waypoint, with its reason. */
typedef struct milepost_route_event {
    uint32_t size;
    uint32_t fields; /* MILEPOST_ROUTE_EVENT_HAS_* bits */
    milepost_route_event_kind kind;
    milepost_route_event_reason reason;
    uint32_t waypoint;
    double distance_m; /* as the kind says */
    int64_t time_unix_ms;
} milepost_route_event;

#define MILEPOST_ROUTE_EVENT_INIT {sizeof(milepost_route_event), 0, 0, 0, 0, 0, 0}

/* A tracker: navigation alone, for a screen, a replay or a test. A plain value behind a handle: no thread, no lock,
   no clock. */
typedef struct milepost_tracker milepost_tracker;

milepost_status milepost_tracker_create(const milepost_route *route, milepost_tracker **tracker);

/* Takes a fix and gives the progress. The arrays in *progress belong to the tracker and hold until its next update
   or destroy. Fixes that are implausible, or not newer than the last, are refused with MILEPOST_ERROR_FIX and change
   nothing. Allocates nothing. */
milepost_status milepost_tracker_update(milepost_tracker *tracker, const milepost_fix *fix, milepost_progress *progress);

/* The progress as it stands: as the last update or reckoning gave it, with what was set since taken in; before the first
   fix the whole route's, without a time. Arrays as above. */
milepost_status milepost_tracker_get_progress(milepost_tracker *tracker, milepost_progress *progress);

/* An event of the last update, reckoning, skipped waypoint or new route, by its place from 0. MILEPOST_ERROR_NOT_FOUND
   beyond the last; there are at most 8. */
milepost_status milepost_tracker_get_event(const milepost_tracker *tracker, size_t index, milepost_route_event *event);

/* Dead reckoning, for a host that wants it: gives the progress at a time without a fix, as in a tunnel. Call it about once
   a second. time_unix_ms: on the fixes' clock, not before the last fix. From 2 s after that fix the position is carried on
   along the route at the last pace and flagged MILEPOST_PROGRESS_ESTIMATED, for at most 60 s, 2,000 m and up to the next
   waypoint, which is never passed by guessing; not when the vehicle stood or is not on the route. From 10 s on the state
   is MILEPOST_ROUTE_STALE, with its event. The next update takes the estimate back and goes on from the last fix. Arrays as
   above. MILEPOST_ERROR_STATE while no fix with a time has come; MILEPOST_ERROR_ARGUMENT for a time before it. Allocates
   nothing. */
milepost_status milepost_tracker_reckon(milepost_tracker *tracker, int64_t time_unix_ms, milepost_progress *progress);

/* Follows another route from now on, from its start: the vehicle is looked for on it with the next fix. Skipped waypoints,
   dwell times and the waypoints' own radii end with the old one; the speed and the common radius stay. */
milepost_status milepost_tracker_set_route(milepost_tracker *tracker, const milepost_route *route);

/* Leaves a waypoint out, by its number from 0: nothing is told of it when it is passed, its dwell time is dropped, and when
   it is the next, the leg after it is the one being driven from now on, with a MILEPOST_ROUTE_EVENT_WAYPOINT_MISSED.
   MILEPOST_ERROR_ARGUMENT for the last one (set another route) or one that does not exist, MILEPOST_ERROR_STATE for one
   passed or left out already. */
milepost_status milepost_tracker_skip_waypoint(milepost_tracker *tracker, uint32_t waypoint);

/* How long the vehicle will stand at a waypoint, 0 to 86,400 s; 0 at first. It delays the waypoints after it, and runs down
   while the vehicle is there. At the last one, or one already passed, it changes nothing. MILEPOST_ERROR_ARGUMENT for one
   that does not exist. */
milepost_status milepost_tracker_set_dwell(milepost_tracker *tracker, uint32_t waypoint, double dwell_s);

/* The speed to begin with on a route without durations, 0.1 to 100 m/s; what is driven corrects it. Not set at first: then
   such a route has no remaining seconds. Routes with durations keep theirs. */
milepost_status milepost_tracker_set_speed(milepost_tracker *tracker, double speed_mps);

/* The arrival radius, 5 to 500 m; 40 m at first. Within it of a waypoint the vehicle has been there; and so far before the
   end, but at most in the last tenth of the route (or 10 m), it has arrived. Of all waypoints that have none of their own,
   or of one; MILEPOST_ERROR_ARGUMENT for one that does not exist. */
milepost_status milepost_tracker_set_arrival_radius(milepost_tracker *tracker, double radius_m);
milepost_status milepost_tracker_set_waypoint_radius(milepost_tracker *tracker, uint32_t waypoint, double radius_m);

/* Saving across a power cycle: where the vehicle is on the route, skipped waypoints, dwell times and the learned pace; not
   the speed and the radii. *size: the bytes needed, which the route alone decides: 152 and 8 for each waypoint. buffer:
   of `capacity` bytes; NULL with capacity 0 only asks for the size. MILEPOST_ERROR_ARGUMENT when it is too small. */
milepost_status milepost_tracker_save(const milepost_tracker *tracker, void *buffer, size_t capacity, size_t *size);

/* Goes on as it was saved, for a tracker of the same route; an estimate is not taken up again. Set the speed before.
   MILEPOST_ERROR_SAVED for bytes that are damaged, or were saved by another version of the library or along another route:
   nothing changes, and the next fix finds the vehicle. */
milepost_status milepost_tracker_restore(milepost_tracker *tracker, const void *bytes, size_t size);

void milepost_tracker_destroy(milepost_tracker *tracker);

/* ---------------------------------------------------------------------------------------------------- configuration */

typedef struct milepost_config milepost_config;

typedef int32_t milepost_service;

enum {
    MILEPOST_SERVICE_ON_DEMAND = 1, /* rides and on-demand deliveries: PUT .../vehicles/{vehicle} */
    MILEPOST_SERVICE_DELIVERY = 2   /* scheduled tasks: PATCH .../deliveryVehicles/{vehicle} */
};

milepost_status milepost_config_create(milepost_service service, milepost_config **config);
void milepost_config_destroy(milepost_config *config);

/* The Google Cloud project id, and the vehicle's id in Fleet Engine. Both required. At most 64 characters, without /
   : ? , #. */
milepost_status milepost_config_set_provider_id(milepost_config *config, const char *provider_id);
milepost_status milepost_config_set_vehicle_id(milepost_config *config, const char *vehicle_id);

/* The task or the trip that tokens are asked for besides the vehicle; NULL for none, which is the default. Same
   rules as above. */
milepost_status milepost_config_set_task_id(milepost_config *config, const char *task_id);
milepost_status milepost_config_set_trip_id(milepost_config *config, const char *trip_id);

/* Where updates go; default "https://fleetengine.googleapis.com". http:// is accepted for a loopback address only, unless
   milepost_config_set_allow_http was called before. Over https: TLS 1.2 or newer, the certificate and the name in it
   verified always. A redirect is not followed but is a failed update, so a token goes nowhere else. An answer of more than
   1 MiB, or with a head of more than 64 KiB, is a failed update. */
milepost_status milepost_config_set_endpoint(milepost_config *config, const char *url);

/* Whether addresses given from now on, the endpoint's and the token server's, may be http:// for any host. Default 0.
   WARNING: with 1 the token, the vehicle's id and every position can be read, kept and changed by anyone on the way, and
   the token be used by them until it expires. For a bench on a network of your own; never in a vehicle. */
milepost_status milepost_config_set_allow_http(milepost_config *config, int32_t allow);

/* A file of certificate authorities (PEM) to trust instead of the system's. */
milepost_status milepost_config_set_ca_file(milepost_config *config, const char *path);

/* A client certificate with its chain, and its private key, for an endpoint or a token server that wants one. PEM; the key
   not encrypted, in a file for the process alone to read; key_path NULL: in the certificate's file. Both are read again for
   each connection, so that another process may renew them. MILEPOST_ERROR_FILE when one cannot be read now; what else is
   wrong with them is told by the updates that fail. */
milepost_status milepost_config_set_client_certificate(milepost_config *config, const char *certificate_path,
                                                       const char *key_path);

/* For small data budgets; both 0 at first, because Google documents neither for Fleet Engine: try them on a vehicle before a
   fleet has them. compress_requests: bodies go out as gzip, a quarter to a half shorter. partial_responses: updates ask,
   with the parameter `fields`, for an answer with no more in it than what the library reads, instead of the whole vehicle. */
milepost_status milepost_config_set_compress_requests(milepost_config *config, int32_t compress);
milepost_status milepost_config_set_partial_responses(milepost_config *config, int32_t partial);

/* How long one request may take in all, in milliseconds, 1,000 to 120,000. Default 15,000. */
milepost_status milepost_config_set_request_timeout(milepost_config *config, int32_t timeout_ms);

/* Takes fixes from gpsd. host: name or address; port: "2947" or another, a number or a service name; device: a
   receiver's path as gpsd names it, or NULL for the first that has a fix. Without this call the host pushes fixes
   itself. */
milepost_status milepost_config_set_gpsd(milepost_config *config, const char *host, const char *port, const char *device);

/* Seconds between updates. Default 10; a request outside 5 to 60 is clamped (milepost_reporter_get_interval reads it
   back). */
milepost_status milepost_config_set_interval(milepost_config *config, int32_t interval_s);

/* Whether the interval follows what the vehicle does: 60 s when it has not left a circle of 30 m for 2 min, 5 s within
   500 m of the next waypoint, otherwise as set. Default 0. */
milepost_status milepost_config_set_adaptive_interval(milepost_config *config, int32_t adaptive);

/* Whether the route segment, its end and the remaining distance and time are sent. Default 1. With 0 neither is. */
milepost_status milepost_config_set_share_route(milepost_config *config, int32_t share);

/* Whether the position is carried on along the route while no fix comes, as milepost_tracker_reckon does: every second from
   2 s after the last fix on, for at most 60 s, 2,000 m and up to the next waypoint. The progress is then flagged
   MILEPOST_PROGRESS_ESTIMATED, and what is reported MILEPOST_FIX_ESTIMATED: snapped, without a raw location, its error
   growing by a fifth of the way. Default 0. */
milepost_status milepost_config_set_dead_reckoning(milepost_config *config, int32_t reckon);

/* The arrival radius of waypoints, 5 to 500 m, as milepost_tracker_set_arrival_radius. Default 40. */
milepost_status milepost_config_set_arrival_radius(milepost_config *config, double radius_m);

/* The speed to begin with on routes without durations, 0.1 to 100 m/s, as milepost_tracker_set_speed. Default none. */
milepost_status milepost_config_set_speed(milepost_config *config, double speed_mps);

typedef int32_t milepost_location_form;

enum {
    MILEPOST_LOCATION_BOTH = 0,         /* supplementalLocation always; location and rawLocation too when snapped */
    MILEPOST_LOCATION_SUPPLEMENTAL = 1, /* supplementalLocation alone: Google's documented form for a device of one's own */
    MILEPOST_LOCATION_SENSOR = 2        /* location and rawLocation alone: as Google's SDK on a phone does */
};

/* How a position is put into lastLocation. Default MILEPOST_LOCATION_BOTH. */
milepost_status milepost_config_set_location_form(milepost_config *config, milepost_location_form form);

/* A directory for what is to survive a power cycle. Default none (NULL): nothing is written. It is made with mode 0700 unless
   it is there; its parent must exist; it must be this reporter's alone and writable by nobody else. In it: milepost.db, its
   log milepost.db-wal and lock, all 0600.

   Kept are tracking, vehicle state, interval, vehicle id and stops as set on the reporter, the route (up to 16 MiB: about 500,000
   points) with the progress on it, whether the OFFLINE at the end of tracking is still to be confirmed, and the fixes that
   the server has not got (milepost_config_set_backlog_limits). milepost_reporter_create takes them up: it reads, a few
   milliseconds a megabyte, and the reporter goes on as it was, tracking if it was tracking. An OFFLINE is then tried again
   until the server has taken or refused it, also in later runs.

   What was set on the reporter wins over the configuration; what the host sets after create wins over both. The same route set
   again after create keeps the restored progress, another begins anew. All of it belongs to the service, provider and vehicle
   that the configuration names: with another there, it is forgotten.

   What a call sets is safe from a power cut once the loop has turned (milepost_reporter_dispatch has returned, a few
   milliseconds later on a thread) and when milepost_reporter_stop has returned; the progress every 30 s, at each waypoint and
   at stop; a fix as it is kept.

   Where the directory cannot be used reporting goes on without it, and damage is set aside: see
   MILEPOST_REPORTER_EVENT_STORE_UNUSABLE and _STORE_DAMAGED. */
milepost_status milepost_config_set_state_directory(milepost_config *config, const char *path);

/* How many of the fixes that the server has not got are kept: at most count (16 to 1,000,000; default 20,000), in at most so
   many bytes of file (16,384 to 48,000,000; default 6,400,000; a fix counts as 320), none older than age_s than the newest (60
   to 31,536,000; default 604,800, a week). Beyond that they are thinned, every second one of the older half, down to one a
   minute; then the oldest go. With this call and without a state directory they are kept in memory; with neither, none is.

   While tracking, a fix is kept when an update was due and did not get through: one an interval, and those in updates that
   failed. Once an update with the newest fix has been taken, they follow as pastLocations in the next ones, oldest first, 100
   at a time, fewer when the server says that is too much, and are removed when it has taken them. A batch whose answer was
   lost is sent again as it was, so that the server can tell by the times. */
milepost_status milepost_config_set_backlog_limits(milepost_config *config, int32_t count, int64_t bytes, int32_t age_s);

/* Whether the waypoints the backend has for the vehicle are held against the route's, and how many metres each may lie beside
   its own: 1 to 10,000 (100 is a fair value), or 0 for no check, which is the default, because it costs a request for each route
   and wants the backend to have them by then. With it, once a route is set and tracking is on, the vehicle is read once (GetVehicle
   or GetDeliveryVehicle): its waypoints, or the stops of its remaining journey segments, must be the route's from the leg being
   driven on, as many and in that order, or MILEPOST_REPORTER_EVENT_WAYPOINTS_DIFFER names the first that is not. Waypoints left out
   with skip_waypoint still count. A vehicle that cannot be read is tried again every minute, five times in all. Updates go first.
   Setting the route anew checks again. */
milepost_status milepost_config_set_waypoint_check(milepost_config *config, double tolerance_m);

/* -- tokens: exactly one of the four must be set -- */

/* Names one outstanding question for a token. Never 0, never used twice in a process. */
typedef uint64_t milepost_token_request;

typedef struct milepost_token_context {
    uint32_t size;
    const char *provider_id;
    const char *vehicle_id; /* NULL: none, for a trip monitor */
    const char *task_id; /* NULL: none */
    const char *trip_id; /* NULL: none */
} milepost_token_context;

/* Called from the loop when a token is needed. Must not block: answer now or later, from any thread, with
   milepost_token_complete or milepost_token_fail. A question not answered within 30 s counts as failed. */
typedef void (*milepost_token_function)(void *user, milepost_token_request request, const milepost_token_context *context);

milepost_status milepost_config_set_token_callback(milepost_config *config, milepost_token_function function, void *user);

/* Answers a question. token: without "Bearer ", at most 16 KiB of visible ASCII; another is refused with
   MILEPOST_ERROR_ARGUMENT and leaves the question open. good_for_s: seconds from now for which it is good; 0 when
   unknown: then a JWT's own exp - iat counts, and an opaque token is used until the server refuses it. The token is
   cached until shortly before it expires. The library logs no token and overwrites the copies that are its own to
   overwrite (a file's, the request's header) after use; Swift's strings, libcurl's and the TLS library's buffers are only
   freed. MILEPOST_ERROR_NOT_FOUND when the question was answered before, timed out,
   or its reporter is gone: harmless. */
milepost_status milepost_token_complete(milepost_token_request request, const char *token, int64_t good_for_s);

/* Answers that there is no token now. message: for the failure listeners; may be NULL. */
milepost_status milepost_token_fail(milepost_token_request request, const char *message);

/* One token for good, for tests and desks. */
milepost_status milepost_config_set_token(milepost_config *config, const char *token);

/* A file that holds a token and nothing else; read again whenever one is needed, so another process may renew it. */
milepost_status milepost_config_set_token_file(milepost_config *config, const char *path);

typedef int32_t milepost_token_expiry;

enum {
    MILEPOST_TOKEN_EXPIRY_SECONDS_FROM_NOW = 1,
    MILEPOST_TOKEN_EXPIRY_UNIX_S = 2, /* an absolute time; one that has passed, by the host's clock, counts as unknown */
    MILEPOST_TOKEN_EXPIRY_UNIX_MS = 3
};

/* A server that answers GET with a JSON object. url: https (http for loopback only); {provider}, {vehicle}, {task}
   and {trip} in it are replaced by the percent-encoded ids. token_key: the member that holds the token. expiry_key:
   the member that holds the expiry, or NULL for none; expiry: what that number means. */
milepost_status milepost_config_set_token_url(milepost_config *config, const char *url, const char *token_key,
                                              const char *expiry_key, milepost_token_expiry expiry);

/* -- logging: silent unless set -- */

enum { MILEPOST_LOG_ERROR = 1, MILEPOST_LOG_WARNING = 2, MILEPOST_LOG_INFO = 3, MILEPOST_LOG_DEBUG = 4 };

/* Called from the loop with one line of at most 1,000 bytes, without newline. Never holds tokens; coordinates only
   at DEBUG. */
typedef void (*milepost_log_function)(void *user, int32_t level, const char *message);

/* level: the least urgent that is wanted. */
milepost_status milepost_config_set_log(milepost_config *config, int32_t level, milepost_log_function function, void *user);

/* --------------------------------------------------------------------------------------------------------- reporter */

typedef struct milepost_reporter milepost_reporter;

/* Makes a reporter from a configuration, which is copied. Nothing runs until start or the first dispatch. */
milepost_status milepost_reporter_create(const milepost_config *config, milepost_reporter **reporter);

/* Runs the reporter on a thread of its own. */
milepost_status milepost_reporter_start(milepost_reporter *reporter);

/* Instead of start: one descriptor that becomes readable when there is something to do, for poll, epoll or a main
   loop of any kind. It stays the reporter's: do not read or close it. -1 for NULL. */
int milepost_reporter_fd(const milepost_reporter *reporter);

/* Does what is due and returns without blocking. Callbacks run inside. MILEPOST_ERROR_STATE after start;
   MILEPOST_ERROR_IN_CALLBACK from inside a callback of the same reporter. */
milepost_status milepost_reporter_dispatch(milepost_reporter *reporter);

/* Ends reporting: waits until the updates already due (such as the OFFLINE after tracking was switched off) are
   answered, at most timeout_ms (0 to 60,000), then ends the thread. A host-driven loop is driven inside this call
   meanwhile. Returns within timeout_ms + 200 ms whatever the network does. MILEPOST_ERROR_UNCONFIRMED: stopped, but
   the last update failed or was not answered in time. MILEPOST_ERROR_TIMEOUT: a callback of the host has not
   returned; its thread calls no other and ends once it does, until when start gives MILEPOST_ERROR_STATE. Otherwise
   it may be started again at once. */
milepost_status milepost_reporter_stop(milepost_reporter *reporter, int32_t timeout_ms);

/* Stops at once if still running and frees it; what was under way is told to the listeners as failed, on the calling
   thread when the host drives the loop. A callback that has not returned after 0.2 s is left behind: its `user` must
   stay valid until it returns; no other callback comes. From inside one of its own callbacks it is refused with
   MILEPOST_ERROR_IN_CALLBACK. The handle must not be used by any other thread any more. NULL does nothing. */
milepost_status milepost_reporter_destroy(milepost_reporter *reporter);

/* Tracking switch, off at first. On: updates go out at the interval. Off: they stop, and an on-demand vehicle gets
   one last update that sets it OFFLINE, without a location. */
milepost_status milepost_reporter_set_tracking(milepost_reporter *reporter, int32_t tracking);
milepost_status milepost_reporter_get_tracking(const milepost_reporter *reporter, int32_t *tracking);

/* Seconds between updates, clamped to 5 to 60; get gives the clamped value. What is in force may differ for a while: see
   milepost_config_set_adaptive_interval and MILEPOST_REPORTER_EVENT_INTERVAL_STRETCHED. */
milepost_status milepost_reporter_set_interval(milepost_reporter *reporter, int32_t interval_s);
milepost_status milepost_reporter_get_interval(const milepost_reporter *reporter, int32_t *interval_s);

typedef int32_t milepost_vehicle_state;

enum { MILEPOST_VEHICLE_OFFLINE = 1, MILEPOST_VEHICLE_ONLINE = 2 };

/* On-demand only (MILEPOST_ERROR_STATE for delivery). OFFLINE at first, and again after tracking was switched off.
   Another state sends an update at once; its outcome goes to the listeners, and a failure is tried again only while
   tracking is on. ONLINE needs tracking on: MILEPOST_ERROR_TRACKING_OFF. */
milepost_status milepost_reporter_set_vehicle_state(milepost_reporter *reporter, milepost_vehicle_state state);
milepost_status milepost_reporter_get_vehicle_state(const milepost_reporter *reporter, milepost_vehicle_state *state);

/* Reports for another vehicle from now on: the token held is dropped, and an on-demand vehicle starts OFFLINE. Whether
   the former vehicle's last update arrives is not told: where that matters, stop the reporter first. */
milepost_status milepost_reporter_set_vehicle_id(milepost_reporter *reporter, const char *vehicle_id);

/* Asks for tokens with another task from now on, or with none (NULL): the token held is dropped. */
milepost_status milepost_reporter_set_task_id(milepost_reporter *reporter, const char *task_id);

/* Follows a route from now on, or none (NULL). One in the place of another begins anew (MILEPOST_ROUTE_EVENT_ROUTE_REPLACED):
   what was skipped, dwell times and the waypoints' own radii end with the old one. While a route is followed and no fix has
   come for 10 s the state becomes MILEPOST_ROUTE_STALE, with its event, until fixes are back. */
milepost_status milepost_reporter_set_route(milepost_reporter *reporter, const milepost_route *route);

/* On the route being followed, as the milepost_tracker functions of these names do, with the same ranges and errors; the
   listeners get the progress at once, and the server a new leg. MILEPOST_ERROR_STATE without a route. A waypoint's number
   is that of the route set last: do not let another thread replace it meanwhile. */
milepost_status milepost_reporter_skip_waypoint(milepost_reporter *reporter, uint32_t waypoint);
milepost_status milepost_reporter_set_dwell(milepost_reporter *reporter, uint32_t waypoint, double dwell_s);
milepost_status milepost_reporter_set_waypoint_radius(milepost_reporter *reporter, uint32_t waypoint, double radius_m);

/* Saves the progress on the route and restores it after a power cycle, as milepost_tracker_save and _restore do. Set the
   route first. MILEPOST_ERROR_STATE without one; MILEPOST_ERROR_SAVED, and nothing changes, for bytes that are damaged, or
   of another version or route. Not needed with a state directory, where the library does so itself. */
milepost_status milepost_reporter_save_progress(const milepost_reporter *reporter, void *buffer, size_t capacity, size_t *size);
milepost_status milepost_reporter_restore_progress(milepost_reporter *reporter, const void *bytes, size_t size);

/* Hands in a fix of the host's own. It goes through the same checks as gpsd's: MILEPOST_ERROR_FIX says why it was
   dropped. */
milepost_status milepost_reporter_push_fix(milepost_reporter *reporter, const milepost_fix *fix);

/* ---------------------------------------------------------------------------------------------------- delivery stops */

/* Delivery vehicles only (MILEPOST_ERROR_STATE for on-demand): the stops ahead, in order. Fleet Engine detects none of
   this by itself: tell it of every departure, arrival and completion. Each call sends the whole list in a request of
   its own, at once and with tracking off as well; its outcome goes to the listeners. A failed one is tried again until
   the server has it, with the newest list; one that the server calls invalid is not, until stops are set or moved on
   again (MILEPOST_ERROR_UNCONFIRMED from stop). A token may be good for positions and not for stops: that holds only
   the stops up. Use one writer for a vehicle's stops, this or your backend. */

typedef int32_t milepost_stop_state;

enum { MILEPOST_STOP_NEW = 1, MILEPOST_STOP_ENROUTE = 2, MILEPOST_STOP_ARRIVED = 3 };

/* Bytes that any id of Fleet Engine fits into: 64 characters and NUL. */
#define MILEPOST_ID_SIZE 257

typedef struct milepost_stop {
    uint32_t size;               /* sizeof(milepost_stop), the same in every one of an array */
    milepost_stop_state state;
    double latitude_deg;
    double longitude_deg;
    const char *const *task_ids; /* Fleet Engine's ids of the tasks carried out there; NULL for none */
    size_t task_count;
} milepost_stop;

#define MILEPOST_STOP_INIT {sizeof(milepost_stop), MILEPOST_STOP_NEW, 0, 0, NULL, 0}

/* Sets what is ahead, in place of what was: 1 to 1,000 stops, 5,000 tasks in all, none twice. All but the first must be
   NEW. MILEPOST_ERROR_ARGUMENT names the first stop that cannot be, and refuses an empty list: complete the stops, or
   put others in their place. Another vehicle id empties the list. */
milepost_status milepost_reporter_set_stops(milepost_reporter *reporter, const milepost_stop *stops, size_t count);

/* The first stop: NEW becomes ENROUTE, ENROUTE becomes ARRIVED, and ARRIVED leaves the list, which closes its tasks.
   MILEPOST_ERROR_STATE in another order, and when no stop is left. */
milepost_status milepost_reporter_enroute_to_next_stop(milepost_reporter *reporter);
milepost_status milepost_reporter_arrived_at_stop(milepost_reporter *reporter);
milepost_status milepost_reporter_completed_stop(milepost_reporter *reporter);

/* The stops left, as the host has set them and moved on: 0 for on-demand. */
milepost_status milepost_reporter_get_stop_count(const milepost_reporter *reporter, size_t *count);

/* One of them, by its place from 0; task_ids stays NULL, task_count tells how many there are. The second copies the id
   of one of its tasks. MILEPOST_ERROR_NOT_FOUND when there is none; MILEPOST_ERROR_ARGUMENT when capacity is too small. */
milepost_status milepost_reporter_get_stop(const milepost_reporter *reporter, size_t index, milepost_stop *stop);
milepost_status milepost_reporter_get_stop_task(const milepost_reporter *reporter, size_t index, size_t task, char *buffer,
                                                size_t capacity);

/* --------------------------------------------------------------------------------------------- statistics, diagnosis */

enum { MILEPOST_STATISTICS_LAST_SUCCESS = 1 << 0 };

/* Counts since the reporter was made. */
typedef struct milepost_statistics {
    uint32_t size;
    uint32_t fields;             /* MILEPOST_STATISTICS_* bits */
    uint64_t updates_sent;
    uint64_t updates_succeeded;
    uint64_t updates_failed;     /* the next four together; those included that failed before one was sent, for want of a token */
    uint64_t failed_transient;   /* by milepost_failure_meaning */
    uint64_t failed_needs_token;
    uint64_t failed_configuration;
    uint64_t failed_gone;
    uint64_t positions_rejected; /* see MILEPOST_REPORTER_EVENT_POSITION_REJECTED */
    uint64_t back_offs;          /* waits after failures */
    uint64_t tokens_fetched;
    uint64_t tokens_failed;      /* answers without a token */
    uint64_t fixes_taken;
    uint64_t fixes_dropped;      /* implausible, or not newer than the last */
    uint64_t gpsd_reconnects;
    uint64_t connections;        /* to the server and the token server, attempts included */
    uint64_t bytes_sent;         /* over them as TCP carried them, TLS included, up to the last answer */
    uint64_t bytes_received;
    int64_t last_success_unix_ms;/* when an update was last taken; absent while the host's clock is not set */
    int32_t interval_s;          /* seconds between updates, in force */
} milepost_statistics;

#define MILEPOST_STATISTICS_INIT {sizeof(milepost_statistics), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}

/* Cheap: takes a lock for a moment. */
milepost_status milepost_reporter_get_statistics(const milepost_reporter *reporter, milepost_statistics *statistics);

typedef int32_t milepost_link;

/* The chain from the receiver to the server, in its order. */
enum {
    MILEPOST_LINK_NONE = 0,
    MILEPOST_LINK_GPSD = 1,        /* gpsd is reached; not known where the host pushes fixes */
    MILEPOST_LINK_FIX = 2,         /* there is a fix, with a time */
    MILEPOST_LINK_ROUTE = 3,       /* the vehicle is on its route; not known without one */
    MILEPOST_LINK_TRACKING = 4,    /* tracking is on */
    MILEPOST_LINK_TOKEN = 5,       /* there is a token, and the server has not refused it */
    MILEPOST_LINK_CLAIMS = 6,      /* the token's claims are for this vehicle; not known of a token that is no JWT */
    MILEPOST_LINK_SERVER = 7,      /* the server answers */
    MILEPOST_LINK_CERTIFICATE = 8, /* TLS trusts it, and it trusts us */
    MILEPOST_LINK_VEHICLE = 9,     /* Fleet Engine has the vehicle */
    MILEPOST_LINK_UPDATES = 10     /* the last update was taken */
};

typedef struct milepost_diagnosis {
    uint32_t size;
    milepost_link broken; /* the first link that is broken; MILEPOST_LINK_NONE when none is known to be */
    uint32_t holding;     /* 1 << link for each link that holds; one neither here nor below is not known */
    uint32_t failing;     /* 1 << link for each link that is broken */
    char message[512];    /* of the first: what is wrong and what to do about it, on one line */
} milepost_diagnosis;

#define MILEPOST_DIAGNOSIS_INIT {sizeof(milepost_diagnosis), 0, 0, 0, {0}}

/* What keeps the vehicle from being reported, from what the reporter knows: nothing is tried and nothing is waited for, so
   ask again some seconds after a change. */
milepost_status milepost_reporter_diagnose(const milepost_reporter *reporter, milepost_diagnosis *diagnosis);

/* -------------------------------------------------------------------------------------------------------- listeners */

typedef int32_t milepost_navigation_status;

enum {
    MILEPOST_NAVIGATION_UNKNOWN = 0,
    MILEPOST_NAVIGATION_NO_GUIDANCE = 1,
    MILEPOST_NAVIGATION_ENROUTE = 2,
    MILEPOST_NAVIGATION_OFF_ROUTE = 3,
    MILEPOST_NAVIGATION_ARRIVED = 4
};

enum {
    MILEPOST_UPDATE_VEHICLE_STATE = 1 << 0,
    MILEPOST_UPDATE_NAVIGATION_STATUS = 1 << 1,
    MILEPOST_UPDATE_LOCATION = 1 << 2,  /* fix */
    MILEPOST_UPDATE_SNAPPED = 1 << 3,   /* snapped_latitude_deg and snapped_longitude_deg */
    MILEPOST_UPDATE_DISTANCE = 1 << 4,
    MILEPOST_UPDATE_DURATION = 1 << 5,
    MILEPOST_UPDATE_SEGMENT = 1 << 6,   /* route_segment and the waypoint it ends at */
    MILEPOST_UPDATE_SERVER_ETA = 1 << 7,
    MILEPOST_UPDATE_STOPS = 1 << 8
};

/* An update that the server has taken, with what was sent in it. */
typedef struct milepost_update {
    uint32_t size;
    uint32_t fields;               /* MILEPOST_UPDATE_* bits of what was sent or came back */
    int32_t http_status;
    milepost_vehicle_state vehicle_state;
    milepost_navigation_status navigation_status;
    uint32_t leg;                  /* of the route, from 0 */
    const milepost_fix *fix;       /* the fix that was reported; NULL when none was */
    double snapped_latitude_deg;
    double snapped_longitude_deg;
    int32_t remaining_m;           /* to the next waypoint, as sent */
    int32_t remaining_s;
    const char *route_segment;     /* as sent: base64url of a compressed S2 polyline; "" clears the route */
    double waypoint_latitude_deg;  /* where the segment ends */
    double waypoint_longitude_deg;
    int64_t server_eta_unix_ms;    /* the arrival time at the next waypoint that the server answered */
    const char *update_mask;       /* the field mask, comma-separated */
    const milepost_stop *stops;    /* all stops that were ahead, with their task_ids; they go alone */
    size_t stop_count;
    const double *route_points_deg; /* what route_segment holds, about: latitude then longitude of each point; at most 500 */
    size_t route_point_count;       /* 0: none, or it clears the route */
} milepost_update;

/* Canonical error codes of google.rpc.Code. */
enum {
    MILEPOST_CODE_UNKNOWN = 2,
    MILEPOST_CODE_INVALID_ARGUMENT = 3,
    MILEPOST_CODE_DEADLINE_EXCEEDED = 4,
    MILEPOST_CODE_NOT_FOUND = 5,
    MILEPOST_CODE_PERMISSION_DENIED = 7,
    MILEPOST_CODE_RESOURCE_EXHAUSTED = 8,
    MILEPOST_CODE_FAILED_PRECONDITION = 9,
    MILEPOST_CODE_INTERNAL = 13,
    MILEPOST_CODE_UNAVAILABLE = 14,
    MILEPOST_CODE_UNAUTHENTICATED = 16
};

typedef int32_t milepost_failure_meaning;

/* What a failure means for the reporter. */
enum {
    MILEPOST_FAILURE_TRANSIENT = 1,     /* passes by itself: no network, a busy server, too many requests */
    MILEPOST_FAILURE_NEEDS_TOKEN = 2,   /* there is no token, or the server does not take it */
    MILEPOST_FAILURE_CONFIGURATION = 3, /* lasts until something is set otherwise: the token's claims or role, the endpoint, the CA */
    MILEPOST_FAILURE_GONE = 4           /* Fleet Engine has no such vehicle: see MILEPOST_REPORTER_EVENT_VEHICLE_NOT_FOUND */
};

/* An update that failed. While tracking, the next is made of the newest data after 1, 2, 4 … intervals (40 s or one
   interval at most), after a minute for GONE and PERMISSION_DENIED, and not before the server allows it; each wait is up to
   half longer at random. After the first UNAUTHENTICATED a fresh token is tried at once, and once. */
typedef struct milepost_failure {
    uint32_t size;
    int32_t code;            /* of google.rpc.Code, 1 to 16 */
    int32_t http_status;     /* 0: no answer came */
    int32_t will_retry;      /* 1: tried again without the host's doing */
    const char *message;     /* one line: the server's words, or ours when there were none */
    const char *update_mask; /* of the update that failed; "" when it failed before one was made, for want of a token */
    milepost_failure_meaning meaning;
    int32_t retry_after_s;   /* so long the server asked to wait (Retry-After or RetryInfo); -1: it did not. An hour at most is waited */
    const char *reason;      /* of Google's ErrorInfo, for instance "RATE_LIMIT_EXCEEDED"; "" when there is none */
    const char *details;     /* the reason, its domain, and what is wrong with which field, on one line; "" when there are none */
} milepost_failure;

typedef int32_t milepost_position_state;

enum {
    MILEPOST_POSITION_CONNECTING = 1, /* to gpsd: not connected, trying */
    MILEPOST_POSITION_NO_DATA = 2,    /* connected, nothing from a receiver */
    MILEPOST_POSITION_NO_FIX = 3,     /* a receiver speaks, without a position */
    MILEPOST_POSITION_FIX = 4,
    MILEPOST_POSITION_STALE = 5       /* there was a fix; none has come for a while */
};

typedef int32_t milepost_reporter_event_kind;

enum {
    /* Fleet Engine has no such vehicle, as is normal 7 days after its last update: create it through your backend, the
       device's token may not. Told once; tried again every interval_s; when it is there, updates go on by themselves. */
    MILEPOST_REPORTER_EVENT_VEHICLE_NOT_FOUND = 1,
    MILEPOST_REPORTER_EVENT_VEHICLE_FOUND = 2,
    /* The server's answer shows the vehicle distance_m from where it was reported, more than 100 m and three times the error:
       it discards what it does not believe, such as a jump. Told once until a position is taken again. */
    MILEPOST_REPORTER_EVENT_POSITION_REJECTED = 3,
    /* HTTP 429: the interval is doubled, 60 s at most, to interval_s. After each five updates taken in a row it is halved
       again, until it is as you set it. */
    MILEPOST_REPORTER_EVENT_INTERVAL_STRETCHED = 4,
    MILEPOST_REPORTER_EVENT_INTERVAL_RESTORED = 5,
    /* What was kept in the state directory was damaged: it was renamed to milepost.db.damaged, and keeping begins anew. */
    MILEPOST_REPORTER_EVENT_STORE_DAMAGED = 20,
    /* Nothing can be written to the state directory; the message says why. What is to be kept stays in memory. */
    MILEPOST_REPORTER_EVENT_STORE_UNUSABLE = 21,
    MILEPOST_REPORTER_EVENT_STORE_USABLE = 22,
    /* `count` kept fixes went before the server had them, by the limits or because it refuses them. At most once a minute. */
    MILEPOST_REPORTER_EVENT_FIXES_DROPPED = 23,
    /* The backend has the vehicle stop elsewhere than the route does (milepost_config_set_waypoint_check). waypoint: the first
       of the route's that differs, or how many it has when the backend has more; distance_m: how far the two are apart, absent when
       one of them is missing; count: how many the backend has. */
    MILEPOST_REPORTER_EVENT_WAYPOINTS_DIFFER = 10
};

enum {
    MILEPOST_REPORTER_EVENT_HAS_INTERVAL = 1 << 0,
    MILEPOST_REPORTER_EVENT_HAS_DISTANCE = 1 << 1,
    MILEPOST_REPORTER_EVENT_HAS_WAYPOINT = 1 << 2,
    MILEPOST_REPORTER_EVENT_HAS_COUNT = 1 << 3
};

/* Something that a host may want to act on and no other function tells. More kinds will come: leave those you do not
   know alone. */
typedef struct milepost_reporter_event {
    uint32_t size;
    uint32_t fields;     /* MILEPOST_REPORTER_EVENT_HAS_* bits */
    milepost_reporter_event_kind kind;
    int32_t interval_s;  /* as the kind says, like the numbers below */
    double distance_m;
    uint64_t count;
    uint32_t waypoint;
    const char *message; /* one line for a person: what has happened and what to do */
} milepost_reporter_event;

/* What a host wants to hear of. Any function may stay NULL. Called from the loop, one at a time, with no lock held;
   they must not throw or longjmp. */
typedef struct milepost_listener {
    uint32_t size; /* sizeof(milepost_listener) */
    void *user;    /* handed back as the first argument */
    void (*update_succeeded)(void *user, const milepost_update *update);
    void (*update_failed)(void *user, const milepost_failure *failure);
    void (*progress)(void *user, const milepost_progress *progress);
    /* detail: one line for a person, for instance "connection refused by 127.0.0.1 port 2947". */
    void (*position_state)(void *user, milepost_position_state state, const char *detail);
    /* What a fix, a gap or a call changed on the route, before the progress that came of it. */
    void (*route_event)(void *user, const milepost_route_event *event);
    void (*reporter_event)(void *user, const milepost_reporter_event *event);
} milepost_listener;

#define MILEPOST_LISTENER_INIT {sizeof(milepost_listener), NULL, NULL, NULL, NULL, NULL, NULL, NULL}

typedef uint64_t milepost_listener_id;

/* Any number of listeners, at any time, also from inside a callback. */
milepost_status milepost_reporter_add_listener(milepost_reporter *reporter, const milepost_listener *listener,
                                               milepost_listener_id *listener_id);

/* After this returns the listener is not called again. When it is being called on another thread, waits for that
   call: do not hold a lock that the callback takes. */
milepost_status milepost_reporter_remove_listener(milepost_reporter *reporter, milepost_listener_id listener_id);

/* ----------------------------------------------------------------------------------------------- guidance of the host's */

enum {
    MILEPOST_GUIDANCE_STATUS = 1 << 0,   /* navigation_status; absent: MILEPOST_NAVIGATION_ENROUTE */
    MILEPOST_GUIDANCE_DISTANCE = 1 << 1, /* remaining_m */
    MILEPOST_GUIDANCE_DURATION = 1 << 2, /* remaining_s */
    MILEPOST_GUIDANCE_WAYPOINT = 1 << 3  /* the waypoint's position */
};

/* What a navigation engine of the host's own knows. Only what has its bit, or is no NULL, is told. Fleet Engine takes the
   remaining values for nothing unless there is a line. */
typedef struct milepost_guidance {
    uint32_t size;                  /* sizeof(milepost_guidance) */
    uint32_t fields;                /* MILEPOST_GUIDANCE_* bits */
    milepost_navigation_status navigation_status;
    uint32_t route;                 /* any number, another for each new route */
    double remaining_m;             /* to the next waypoint, 0 or more */
    double remaining_s;
    double waypoint_latitude_deg;   /* the next one; absent: where the line ends */
    double waypoint_longitude_deg;
    const double *points_deg;       /* the line from the vehicle to the next waypoint: latitude then longitude of each of */
    size_t point_count;             /* 1 to 100,000 points; or else */
    const char *polyline;           /* as a Google encoded polyline, at most 1 MiB */
    int32_t polyline_precision;     /* 5 or 6 */
} milepost_guidance;

#define MILEPOST_GUIDANCE_INIT {sizeof(milepost_guidance), 0, 0, 0, 0, 0, 0, 0, NULL, 0, NULL, 0}

/* Tells the server this guidance in the place of Milepost's own, until it is withdrawn (NULL) or stale: when it has not
   been set again for 30 s, by the clock that runs on in suspend and that nobody sets. Set it about once a second. A new status, waypoint or route number goes out at once; what is left with each update, the line about once a
   minute. Without a route of Milepost's, its end clears the route and tells NO_GUIDANCE. The listeners' progress stays
   Milepost's. MILEPOST_ERROR_ARGUMENT names the value that cannot be, and what was set before stays. */
milepost_status milepost_reporter_set_guidance(milepost_reporter *reporter, const milepost_guidance *guidance);

/* ------------------------------------------------------------------------------------------------------------- trips */

/* A trip monitor: the consumer's side, for a rear-seat display or a depot's gate. Reads one on-demand trip from Fleet Engine
   again and again (GetTrip) with a token for that trip, and ends by itself once the trip is complete or cancelled. Nothing is
   reported. */
typedef struct milepost_trip milepost_trip;

/* Makes a monitor from a configuration, which is copied. Of it count provider and trip id (both required; MILEPOST_ERROR_ARGUMENT
   without, and for MILEPOST_SERVICE_DELIVERY), endpoint, CA file, request timeout, interval, token source and log. Tokens are
   asked for with the provider and the trip alone. Nothing runs until start or the first dispatch. */
milepost_status milepost_trip_create(const milepost_config *config, milepost_trip **trip);

/* As the milepost_reporter functions of these names. stop ends at once: a poll under way is told as failed; start goes on. */
milepost_status milepost_trip_start(milepost_trip *trip);
int milepost_trip_fd(const milepost_trip *trip);
milepost_status milepost_trip_dispatch(milepost_trip *trip);
milepost_status milepost_trip_stop(milepost_trip *trip);
milepost_status milepost_trip_destroy(milepost_trip *trip);

/* Watches another trip from now on: what is known of the former and the token for it are dropped. */
milepost_status milepost_trip_set_trip_id(milepost_trip *trip, const char *trip_id);

/* Seconds between polls, clamped to 5 to 60; get gives the value in force. There are never less than 5 s between two polls,
   whatever is called and whatever the server answers; after failures there are more, up to 60 s, or as the server asks. */
milepost_status milepost_trip_set_interval(milepost_trip *trip, int32_t interval_s);
milepost_status milepost_trip_get_interval(const milepost_trip *trip, int32_t *interval_s);

typedef int32_t milepost_trip_status;

/* google.maps.fleetengine.v1.TripStatus. */
enum {
    MILEPOST_TRIP_UNKNOWN = 0,
    MILEPOST_TRIP_NEW = 1,
    MILEPOST_TRIP_ENROUTE_TO_PICKUP = 2,
    MILEPOST_TRIP_ARRIVED_AT_PICKUP = 3,
    MILEPOST_TRIP_ENROUTE_TO_DROPOFF = 4,
    MILEPOST_TRIP_COMPLETE = 5, /* no poll follows */
    MILEPOST_TRIP_CANCELED = 6, /* no poll follows */
    MILEPOST_TRIP_ARRIVED_AT_INTERMEDIATE_DESTINATION = 7,
    MILEPOST_TRIP_ENROUTE_TO_INTERMEDIATE_DESTINATION = 8
};

enum {
    MILEPOST_TRIP_WAYPOINT_UNKNOWN = 0,
    MILEPOST_TRIP_WAYPOINT_PICKUP = 1,
    MILEPOST_TRIP_WAYPOINT_DROPOFF = 2,
    MILEPOST_TRIP_WAYPOINT_INTERMEDIATE = 3
};

/* Where the vehicle stops. This struct stays as it is, for it comes in arrays. */
typedef struct milepost_trip_waypoint {
    int32_t kind;        /* MILEPOST_TRIP_WAYPOINT_* */
    int32_t is_own;      /* 1: this trip's; 0: another trip's, in the same vehicle */
    double latitude_deg;
    double longitude_deg;
    double remaining_m;  /* from the vehicle, along its way; NaN when not known */
    int64_t eta_unix_ms; /* by the server's clock; 0 when not known */
} milepost_trip_waypoint;

enum {
    MILEPOST_TRIP_LOCATION = 1 << 0,      /* latitude_deg and longitude_deg */
    MILEPOST_TRIP_HEADING = 1 << 1,
    MILEPOST_TRIP_SPEED = 1 << 2,
    MILEPOST_TRIP_LOCATION_TIME = 1 << 3,
    MILEPOST_TRIP_LOCATION_AGE = 1 << 4,
    MILEPOST_TRIP_DISTANCE = 1 << 5,      /* remaining_m */
    MILEPOST_TRIP_DURATION = 1 << 6,      /* remaining_s */
    MILEPOST_TRIP_ETA = 1 << 7
};

/* A trip as the server answered it last. Of one that is over there is no distance, time or waypoint. */
typedef struct milepost_trip_info {
    uint32_t size;
    uint32_t fields;               /* MILEPOST_TRIP_* bits */
    milepost_trip_status status;
    int64_t location_time_unix_ms; /* by the vehicle's clock */
    double latitude_deg;           /* of the vehicle */
    double longitude_deg;
    double heading_deg;
    double speed_mps;
    double location_age_s;         /* since the server received the location, by its own clock, to about 1 s; no clock of the
                                      host or the vehicle counts. Absent when the answer has no Date header. */
    double answer_age_s;           /* since that answer: grows while the server is out of reach */
    double remaining_m;            /* to the first waypoint below, as reported by the vehicle */
    double remaining_s;            /* the same, counted down since the answer */
    int64_t eta_unix_ms;           /* the same, by the server's clock */
    size_t waypoint_count;         /* stops up to this trip's last one, in order */
    const milepost_trip_waypoint *waypoints;
} milepost_trip_info;

#define MILEPOST_TRIP_INFO_INIT {sizeof(milepost_trip_info), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, NULL}

/* The last answer, with the ages of this moment. The waypoints belong to the monitor and hold until its next get or destroy: one
   thread at a time. MILEPOST_ERROR_STATE while no answer has come. */
milepost_status milepost_trip_get(milepost_trip *trip, milepost_trip_info *info);

/* As milepost_listener. Any function may stay NULL. */
typedef struct milepost_trip_listener {
    uint32_t size; /* sizeof(milepost_trip_listener) */
    void *user;
    /* Each answer, changed or not. */
    void (*trip_updated)(void *user, const milepost_trip_info *info);
    /* A poll, or the question for its token, has failed; it is repeated. update_mask is "". */
    void (*trip_failed)(void *user, const milepost_failure *failure);
} milepost_trip_listener;

#define MILEPOST_TRIP_LISTENER_INIT {sizeof(milepost_trip_listener), NULL, NULL, NULL}

/* As milepost_reporter_add_listener and _remove_listener. */
milepost_status milepost_trip_add_listener(milepost_trip *trip, const milepost_trip_listener *listener,
                                           milepost_listener_id *listener_id);
milepost_status milepost_trip_remove_listener(milepost_trip *trip, milepost_listener_id listener_id);

#ifdef __cplusplus
}
#endif

#endif
