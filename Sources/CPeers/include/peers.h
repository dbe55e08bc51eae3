/* What the bench measures Milepost against, and how it counts allocations. Places are in degrees. */
#ifndef MP_PEERS_H
#define MP_PEERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A line to find places on: one of the peers' own indexes over it. */
typedef struct peer_line peer_line;

/* Boost's R-tree of segments, packed, in degrees with the longitudes shrunk to the middle latitude. along: metres from the start for each point. */
peer_line *peer_boost_rtree(const double *latitudes, const double *longitudes, const double *along, size_t count);

/* S2ClosestEdgeQuery over an S2LaxPolylineShape in a MutableS2ShapeIndex. */
peer_line *peer_s2_closest_edge(const double *latitudes, const double *longitudes, const double *along, size_t count);

/* GEOSProject on a LineString in degrees: it has no index, and measures in degrees, taken here for parts of the line's whole length. */
peer_line *peer_geos_project(const double *latitudes, const double *longitudes, const double *along, size_t count);

/* Metres from the start to the point of the line that is nearest to a place. */
double peer_line_locate(const peer_line *line, double latitude, double longitude);

void peer_line_free(peer_line *line);

/* GeographicLib's Geodesic::Inverse on WGS84: metres between two places. */
double peer_geodesic_length(double latitude_1, double longitude_1, double latitude_2, double longitude_2);

/* The same from point to point: metres from the start for each of count points into along. */
void peer_geodesic_prefix_sum(const double *latitudes, const double *longitudes, size_t count, double *along);

/* The decoding loop of an encoded polyline, unchecked: latitude and longitude of count points, for free(). */
double *peer_decode_polyline(const char *text, size_t length, double units_per_degree, size_t *count);

/* Reads a JSON text into jansson's tree and frees it. */
bool peer_jansson_read(const void *text, size_t length);

/* Calls of malloc and its kin in this process so far. The bench, which has one thread, replaces them with ones that count. */
uint64_t peer_allocation_count(void);

/* Bytes in use on the heap. */
size_t peer_heap_bytes(void);

#ifdef __cplusplus
}
#endif

#endif
