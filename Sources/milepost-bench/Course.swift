import Foundation
import Navigation

/// A route to measure on, a drive along its first part, and places all over it.
struct Course {
    let name: String
    let points: [Coordinate]
    let route: Route
    /// A fix a second at 20 m/s, up to 5 m off.
    let drive: [Fix]
    /// Fixes in no order, without speed or heading.
    let scattered: [Fix]

    private static let speed = 20.0

    /// A winding road that does not meet itself.
    static func road(_ name: String, points count: Int) throws -> Course {
        var place = Coordinate(latitude: -60, longitude: 5)
        let points = (0..<count).map { index in
            let heading = 0.8 * sin(Double(index) * 0.013) + 0.6 * sin(Double(index) * 0.0007)
            place = place.moved(heading)
            return place
        }
        return try Course(name, points)
    }

    /// A circuit of a thousand points, driven a thousand times.
    static func laps() throws -> Course {
        var place = Coordinate(latitude: 48, longitude: 11)
        let lap = (0..<1000).map { index in
            let heading = Double(index) * 2 * .pi / 1000
            place = place.moved(heading + 0.5 * sin(8 * heading))
            return place
        }
        return try Course("laps", (0..<1_000_000).map { lap[$0 % 1000] })
    }

    private init(_ name: String, _ points: [Coordinate]) throws {
        let route = try Route(RouteDescription(points: points, legEnds: [points.count - 1], legDurations: [Double(points.count) / 2]))
        var random = SeededGenerator(state: 1)
        self.name = name
        self.points = points
        self.route = route
        drive = (0..<min(points.count * 48 / 100, 40_000)).map { second in
            let along = 100 + Self.speed * Double(second)
            var place = route.coordinate(along: along)
            let heading = bearing(from: place, to: route.coordinate(along: along + 5))
            place.latitude += .random(in: -5e-5...5e-5, using: &random)
            var fix = Fix(coordinate: place)
            fix.time = 1.7e9 + Double(second)
            fix.accuracy = 5
            fix.speed = Self.speed
            fix.heading = heading
            return fix
        }
        scattered = (0..<500).map { second in
            var fix = Fix(coordinate: points[.random(in: 100..<points.count * 8 / 10, using: &random)])
            fix.coordinate.latitude += .random(in: -5e-5...5e-5, using: &random)
            fix.time = 1.8e9
            return fix
        }
    }
}

extension Coordinate {
    /// On by one spacing, in a direction in radians from north.
    fileprivate func moved(_ heading: Double) -> Coordinate {
        Coordinate(
            latitude: latitude + 10 * cos(heading) / 111_000,
            longitude: longitude + 10 * sin(heading) / (111_320 * cos(latitude * .pi / 180)))
    }
}

/// SplitMix64: the same drive on every run.
private struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }
}
