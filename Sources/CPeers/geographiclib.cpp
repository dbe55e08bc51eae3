#include "peers.h"

#include <GeographicLib/Geodesic.hpp>

double peer_geodesic_length(double latitude_1, double longitude_1, double latitude_2, double longitude_2) {
    double length;
    GeographicLib::Geodesic::WGS84().Inverse(latitude_1, longitude_1, latitude_2, longitude_2, length);
    return length;
}

void peer_geodesic_prefix_sum(const double *latitudes, const double *longitudes, size_t count, double *along) {
    const GeographicLib::Geodesic &earth = GeographicLib::Geodesic::WGS84();
    double total = 0;
    for (size_t i = 0; i < count; i++) {
        if (i > 0) {
            double length;
            earth.Inverse(latitudes[i - 1], longitudes[i - 1], latitudes[i], longitudes[i], length);
            total += length;
        }
        along[i] = total;
    }
}
