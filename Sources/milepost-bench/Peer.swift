import CPeers
import Navigation

/// Another library that finds places on a line.
final class Peer {
    let name: String
    /// Nanoseconds that it took to take the line in.
    let loading: Double
    /// How many places it is asked for in a pass, at most: one takes a fifth of a millisecond on the laps, and without an index a million times as long as ours.
    let places: Int

    private let line: OpaquePointer

    private typealias Maker = (UnsafePointer<Double>, UnsafePointer<Double>, UnsafePointer<Double>, Int) -> OpaquePointer?

    static func all(on course: Course) throws -> [Peer] {
        [
            try Peer("boost_rtree", course, places: .max, peer_boost_rtree),
            try Peer("s2_closest_edge", course, places: 4000, peer_s2_closest_edge),
            try Peer("geos_project", course, places: 3, peer_geos_project),
        ]
    }

    private init(_ name: String, _ course: Course, places: Int, _ make: Maker) throws {
        var made: OpaquePointer?
        loading = nanoseconds { made = make(course.route.latitudes, course.route.longitudes, course.route.along, course.route.count) }
        guard let made else { throw RouteError("\(name) refuses the route") }
        line = made
        self.name = name
        self.places = places
    }

    deinit { peer_line_free(line) }

    /// Metres from the start to the point of the line that is nearest to a fix, in whichever pass.
    func locate(_ fix: Fix) -> Double { peer_line_locate(line, fix.coordinate.latitude, fix.coordinate.longitude) }

    /// Nanoseconds for one of the fixes, in their order; so many are timed together.
    func cost(_ fixes: [Fix], batch: Int) -> Double {
        var sum = 0.0
        let batch = min(batch, places)
        let cost = quietest(of: 2) {
            stride(from: 0, to: min(places, fixes.count - batch), by: batch).map { first in
                nanoseconds { for fix in fixes[first..<first + batch] { sum += locate(fix) } } / Double(batch)
            }
        }
        return sum.isFinite ? cost : .infinity
    }
}
