#include "peer_line.hpp"

#include <geos_c.h>

namespace {

struct GEOSLine final : peer_line {
    GEOSLine(const double *latitudes, const double *longitudes, const double *along, size_t count) : length(along[count - 1]) {
        GEOSCoordSequence *vertices = GEOSCoordSeq_copyFromArrays_r(context, longitudes, latitudes, nullptr, nullptr, count);
        line = GEOSGeom_createLineString_r(context, vertices);
    }

    ~GEOSLine() override {
        GEOSGeom_destroy_r(context, line);
        GEOS_finish_r(context);
    }

    double locate(double latitude, double longitude) const override {
        GEOSGeometry *place = GEOSGeom_createPointFromXY_r(context, longitude, latitude);
        double degrees = GEOSProject_r(context, line, place);
        GEOSGeom_destroy_r(context, place);
        return degrees / whole * length;
    }

    GEOSContextHandle_t context = GEOS_init_r();
    GEOSGeometry *line;
    double length;
    double whole = 0;
};

}  // namespace

peer_line *peer_geos_project(const double *latitudes, const double *longitudes, const double *along, size_t count) {
    auto line = new GEOSLine(latitudes, longitudes, along, count);
    GEOSLength_r(line->context, line->line, &line->whole);
    return line;
}
