// Without its assertions.
#define NDEBUG
#include "boost_enums.hpp"
#include "peer_line.hpp"

#include <algorithm>
#include <boost/geometry.hpp>
#include <boost/geometry/index/rtree.hpp>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

namespace {

using Point = boost::geometry::model::d2::point_xy<double>;
using Segment = boost::geometry::model::segment<Point>;
using Entry = std::pair<Segment, std::uint32_t>;
using Tree = boost::geometry::index::rtree<Entry, boost::geometry::index::rstar<16>>;

struct BoostRTree final : peer_line {
    BoostRTree(const double *latitudes, const double *longitudes, const double *along, size_t count) : along(along, along + count) {
        auto [lowest, highest] = std::minmax_element(latitudes, latitudes + count);
        shrinkage = std::cos((*lowest + *highest) / 2 * M_PI / 180);
        std::vector<Entry> entries;
        entries.reserve(count);
        for (size_t i = 0; i + 1 < count; i++) {
            entries.emplace_back(Segment(point(latitudes[i], longitudes[i]), point(latitudes[i + 1], longitudes[i + 1])), i);
        }
        tree = Tree(entries);
    }

    double locate(double latitude, double longitude) const override {
        Point place = point(latitude, longitude);
        auto found = tree.qbegin(boost::geometry::index::nearest(place, 1));
        const Segment &segment = found->first;
        double dx = segment.second.x() - segment.first.x(), dy = segment.second.y() - segment.first.y();
        double square = dx * dx + dy * dy;
        double projection = (place.x() - segment.first.x()) * dx + (place.y() - segment.first.y()) * dy;
        double fraction = square > 0 ? std::clamp(projection / square, 0.0, 1.0) : 0;
        return along[found->second] + (along[found->second + 1] - along[found->second]) * fraction;
    }

    Point point(double latitude, double longitude) const { return Point(longitude * shrinkage, latitude); }

    Tree tree;
    double shrinkage;
    std::vector<double> along;
};

}  // namespace

peer_line *peer_boost_rtree(const double *latitudes, const double *longitudes, const double *along, size_t count) {
    return new BoostRTree(latitudes, longitudes, along, count);
}
