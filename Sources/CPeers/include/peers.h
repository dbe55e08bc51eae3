/* What the bench measures Milepost against, and how it counts allocations. */
#ifndef MP_PEERS_H
#define MP_PEERS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* GeographicLib's Geodesic::Inverse on WGS84: metres between two places in degrees. */
double peer_geodesic_length(double latitude_1, double longitude_1, double latitude_2, double longitude_2);

/* The same from point to point: metres from the start for each of count points into along. */
void peer_geodesic_prefix_sum(const double *latitudes, const double *longitudes, size_t count, double *along);

/* Calls of malloc and its kin in this process so far. The bench replaces them with ones that count. */
uint64_t peer_allocation_count(void);

/* Bytes in use on the heap. */
size_t peer_heap_bytes(void);

#ifdef __cplusplus
}
#endif

#endif
