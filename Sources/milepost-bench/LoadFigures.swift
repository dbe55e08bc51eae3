import CPeers
import Foundation
import Navigation
import RouteFiles

/// What loading takes, beside the peers' parts of the same work.
func loadFigures(middle: Course, long: Course) throws -> [Figure] {
    let arrays = try arrayLoad(long)
    let osrm = try osrmLoad(middle)
    return [
        Figure("load_1e6", arrays.ours / 1e6, "ms"),
        Figure("load_1e6_per_geographiclib_prefix_sum", arrays.ours / arrays.geographicLib, "ratio", .atMost(1.0 / 3)),
        Figure("load_1e6_off_geographiclib", arrays.error, "mm/km", .atMost(1)),
    ] + (try Peer.all(on: long).map { Figure("load_1e6_\($0.name)", $0.loading / arrays.ours, "ratio") })
        + (try polylineFigures(long)) + [
            Figure("osrm_1e5", osrm.ours / 1e6, "ms"),
            Figure("osrm_1e5_per_jansson", osrm.ours / osrm.jansson, "ratio", .atMost(1.5)),
            Figure("route_bytes_per_point", try routeBytes(long) / Double(long.points.count), "bytes", .atMost(48)),
        ]
}

private func arrayLoad(_ course: Course) throws -> (ours: Double, geographicLib: Double, error: Double) {
    let description = course.description
    let latitudes = course.points.map(\.latitude)
    let longitudes = course.points.map(\.longitude)
    var along = [Double](repeating: 0, count: course.points.count)
    let costs = quickest(
        of: 3, [{ _ = try? Route(description) }, { peer_geodesic_prefix_sum(latitudes, longitudes, latitudes.count, &along) }])
    let error = zip(course.route.along, along).dropFirst().reduce(0) { max($0, abs($1.0 - $1.1) / $1.1) }
    return (costs[0], costs[1], error * 1e6)
}

/// The whole, and of it the decoding, which comes before the load from memory, against a loop in C that checks
/// nothing.
private func polylineFigures(_ course: Course) throws -> [Figure] {
    var text = RouteText.polyline(course.points)
    let count = course.points.count
    var decoded = 0
    var lastLatitude = 0.0
    let whole = quickest(of: 5, [{ _ = try? RouteFile.loadPolyline(text, precision: 6) }])[0]
    let decoding = text.withUTF8 { bytes in
        bytes.withMemoryRebound(to: CChar.self) { characters in
            quickest(
                of: 30,
                [
                    { _ = try? EncodedPolyline.decode(bytes, precision: 6) },
                    {
                        let degrees = peer_decode_polyline(characters.baseAddress, bytes.count, 1e6, &decoded)
                        lastLatitude = degrees?[2 * decoded - 2] ?? .nan
                        free(degrees)
                    },
                ])
        }
    }
    guard decoded == count, try RouteFile.loadPolyline(text, precision: 6).latitudes.last == lastLatitude else {
        throw RouteError("the polyline was not read as it was written")
    }
    return [
        Figure("polyline_1e6", whole / 1e6, "ms"),
        Figure("polyline_1e6_decoding_per_c_loop", decoding[0] / decoding[1], "ratio", .atMost(1.5)),
    ]
}

private func osrmLoad(_ course: Course) throws -> (ours: Double, jansson: Double) {
    var text = RouteText.osrm(course.route)
    return try text.withUTF8 { bytes in
        let bytes = UnsafeRawBufferPointer(bytes)
        guard try RouteFile.load(bytes).count == course.points.count else { throw RouteError("the OSRM route was not read as written") }
        let costs = quickest(of: 20, [{ _ = try? RouteFile.load(bytes) }, { _ = peer_jansson_read(bytes.baseAddress, bytes.count) }])
        return (costs[0], costs[1])
    }
}

private func routeBytes(_ course: Course) throws -> Double {
    let description = course.description
    let before = peer_heap_bytes()
    let route = try Route(description)
    let bytes = peer_heap_bytes() - before
    return withExtendedLifetime(route) { Double(bytes) }
}

extension Course {
    fileprivate var description: RouteDescription {
        RouteDescription(points: points, legEnds: [points.count - 1], legDurations: [1000])
    }
}
