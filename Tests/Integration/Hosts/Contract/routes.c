/* Where routes come from, and what is said of those that cannot be followed. */
#include "contract.h"

#include <unistd.h>

static const char geojson[] = "{\"type\":\"LineString\",\"coordinates\":[[11,48],[11,48.01],[11,48.02]]}";

static milepost_route_info info_of(milepost_route *route) {
    milepost_route_info info = MILEPOST_ROUTE_INFO_INIT;
    CHECK_OK(milepost_route_get_info(route, &info));
    milepost_route_destroy(route);
    return info;
}

/* The straight route is 2 * 1112.0 m on the ellipsoid. */
static int is_straight(const milepost_route_info *info) {
    return info->point_count == 3 && info->length_m > 2223 && info->length_m < 2225;
}

static void a_route_comes_from_arrays_memory_a_file_or_a_polyline(void) {
    milepost_route_info info = info_of(straight_route());
    CHECK(is_straight(&info) && info.waypoint_count == 2 && info.duration_s == 100 && info.fields == MILEPOST_ROUTE_INFO_DURATION);

    milepost_route *route = NULL;
    CHECK_OK(milepost_route_load(geojson, strlen(geojson), &route));
    info = info_of(route);
    CHECK(is_straight(&info) && info.waypoint_count == 1 && info.fields == 0);
    CHECK(info.duration_s != info.duration_s); /* absent: NaN besides */

    char path[] = "/tmp/milepost-contract-XXXXXX";
    int fd = mkstemp(path);
    CHECK(fd >= 0 && write(fd, geojson, strlen(geojson)) == (ssize_t)strlen(geojson));
    milepost_status status = milepost_route_load_file(path, &route);
    close(fd);
    unlink(path);
    CHECK_OK(status);
    info = info_of(route);
    CHECK(is_straight(&info));

    /* 48,11 48.01,11 48.02,11 in five and in six decimals. */
    CHECK_OK(milepost_route_load_polyline("__~cH_mcbAo}@?o}@?", 5, &route));
    info = info_of(route);
    CHECK(is_straight(&info));
    CHECK_OK(milepost_route_load_polyline("__upzA_kk~S_pR?_pR?", 6, &route));
    info = info_of(route);
    CHECK(is_straight(&info));
    const double two_points[] = {48, 11, 48.01, 11};
    CHECK_OK(milepost_route_create(two_points, 2, NULL, NULL, 0, &route));
    info = info_of(route);
    CHECK(info.waypoint_count == 1 && info.point_count == 2 && info.fields == 0);
}

static void a_bad_route_is_refused_with_what_and_where(void) {
    milepost_route *route = UNTOUCHED;
    CHECK_REFUSED(MILEPOST_ERROR_FILE, milepost_route_load_file("/nonexistent/r.json", &route), "/nonexistent/r.json");
    CHECK_REFUSED(MILEPOST_ERROR_FILE, milepost_route_load_file("/tmp", &route), "/tmp");
    const char *const broken = "{\"type\":\"LineString\",\"coordinates\":[[11,48],[11,\"x\"]]}";
    CHECK_REFUSED(MILEPOST_ERROR_ROUTE, milepost_route_load(broken, strlen(broken), &route), "coordinates[1]");
    const char *const cut = "{\"type\":\"LineString\",";
    CHECK_REFUSED(MILEPOST_ERROR_ROUTE, milepost_route_load(cut, strlen(cut), &route), "line 1");
    CHECK_REFUSED(MILEPOST_ERROR_ROUTE, milepost_route_load_polyline("__~cH", 5, &route), "");
    CHECK_REFUSED(MILEPOST_ERROR_ARGUMENT, milepost_route_load_polyline("__~cH_mcbA", 7, &route), "7");
    CHECK_REFUSED(MILEPOST_ERROR_ARGUMENT, milepost_route_load(geojson, SIZE_MAX, &route), "length");
    char path[] = "/tmp/milepost-contract-XXXXXX";
    int fd = mkstemp(path);
    CHECK(fd >= 0 && write(fd, broken, strlen(broken)) == (ssize_t)strlen(broken));
    milepost_status status = milepost_route_load_file(path, &route);
    close(fd);
    unlink(path);
    CHECK_STATUS(MILEPOST_ERROR_ROUTE, status);
    CHECK_SAYS(path);
    CHECK_SAYS("coordinates[1]");
    CHECK(route == UNTOUCHED);
}

static void arrays_that_make_no_route_are_refused_by_the_first_bad_value(void) {
    const double points[] = {48, 11, 48.01, 11, 48.02, 11}, outside[] = {48, 11, 91, 11}, nothing[] = {48, 11, 0.0 / 0.0, 11};
    const double negative_s[] = {-1};
    const size_t backwards[] = {2, 1}, beyond[] = {3}, early[] = {1}, last[] = {2};
    milepost_route *route = UNTOUCHED;
    CHECK_REFUSED(MILEPOST_ERROR_ROUTE, milepost_route_create(outside, 2, NULL, NULL, 0, &route), "91");
    CHECK_REFUSED(MILEPOST_ERROR_ROUTE, milepost_route_create(nothing, 2, NULL, NULL, 0, &route), "1");
    CHECK_REFUSED(MILEPOST_ERROR_ROUTE, milepost_route_create(points, 1, NULL, NULL, 0, &route), "point_count is 1");
    CHECK_REFUSED(MILEPOST_ERROR_ROUTE, milepost_route_create(points, 4000001, NULL, NULL, 0, &route), "4000001");
    CHECK_STATUS(MILEPOST_ERROR_ROUTE, milepost_route_create(points, SIZE_MAX, NULL, NULL, 0, &route));
    CHECK_STATUS(MILEPOST_ERROR_ROUTE, milepost_route_create(points, 3, backwards, NULL, 2, &route));
    CHECK_STATUS(MILEPOST_ERROR_ROUTE, milepost_route_create(points, 3, beyond, NULL, 1, &route));
    CHECK_STATUS(MILEPOST_ERROR_ROUTE, milepost_route_create(points, 3, early, NULL, 1, &route));
    CHECK_STATUS(MILEPOST_ERROR_ROUTE, milepost_route_create(points, 3, last, negative_s, 1, &route));
    CHECK_REFUSED(MILEPOST_ERROR_ROUTE, milepost_route_create(points, 3, NULL, NULL, 1, &route), "waypoint_count");
    CHECK_REFUSED(MILEPOST_ERROR_ROUTE, milepost_route_create(points, 3, last, NULL, 10001, &route), "10001");
    CHECK_REFUSED(MILEPOST_ERROR_ROUTE, milepost_route_create(points, 3, NULL, points, 0, &route), "leg_s");
    CHECK(route == UNTOUCHED);
}

const contract_case route_cases[] = {
    {"a_route_comes_from_arrays_memory_a_file_or_a_polyline", a_route_comes_from_arrays_memory_a_file_or_a_polyline},
    {"a_bad_route_is_refused_with_what_and_where", a_bad_route_is_refused_with_what_and_where},
    {"arrays_that_make_no_route_are_refused_by_the_first_bad_value", arrays_that_make_no_route_are_refused_by_the_first_bad_value},
    {NULL, NULL}};
