#include "peer_line.hpp"

#include <algorithm>
#include <memory>
#include <s2/mutable_s2shape_index.h>
#include <s2/s2closest_edge_query.h>
#include <s2/s2edge_distances.h>
#include <s2/s2latlng.h>
#include <s2/s2lax_polyline_shape.h>
#include <vector>

namespace {

struct S2ClosestEdge final : peer_line {
    S2ClosestEdge(const double *latitudes, const double *longitudes, const double *along, size_t count) : along(along, along + count) {
        std::vector<S2Point> vertices(count);
        for (size_t i = 0; i < count; i++) vertices[i] = S2LatLng::FromDegrees(latitudes[i], longitudes[i]).ToPoint();
        index.Add(std::make_unique<S2LaxPolylineShape>(vertices));
        index.ForceBuild();
        query.Init(&index);
    }

    double locate(double latitude, double longitude) const override {
        S2Point place = S2LatLng::FromDegrees(latitude, longitude).ToPoint();
        S2ClosestEdgeQuery::PointTarget target(place);
        int edge = query.FindClosestEdge(&target).edge_id();
        S2Shape::Edge ends = index.shape(0)->edge(edge);
        double fraction = std::clamp(S2::GetDistanceFraction(S2::Project(place, ends.v0, ends.v1), ends.v0, ends.v1), 0.0, 1.0);
        return along[edge] + (along[edge + 1] - along[edge]) * fraction;
    }

    MutableS2ShapeIndex index;
    mutable S2ClosestEdgeQuery query;
    std::vector<double> along;
};

}  // namespace

peer_line *peer_s2_closest_edge(const double *latitudes, const double *longitudes, const double *along, size_t count) {
    return new S2ClosestEdge(latitudes, longitudes, along, count);
}
