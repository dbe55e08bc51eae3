import Foundation
import Navigation

/// A winding road that does not meet itself, a point about every 10 m, and a drive along its first part.
struct Drive {
    let points: [Coordinate]
    let route: Route
    let fixes: [Fix]

    /// The drive has a fix a second at 20 m/s, up to 5 m off.
    init(points count: Int, fixes: Int) throws {
        var random = SeededGenerator(state: 1)
        points = Self.road(count)
        let description = RouteDescription(points: points, legEnds: [count - 1], legDurations: [Double(count) / 2])
        let route = try Route(description)
        self.route = route
        self.fixes = (0..<fixes).map { second in
            let along = 100 + 20 * Double(second)
            var place = route.coordinate(along: along)
            let heading = bearing(from: place, to: route.coordinate(along: along + 5))
            place.latitude += .random(in: -5e-5...5e-5, using: &random)
            var fix = Fix(coordinate: place)
            fix.time = 1.7e9 + Double(second)
            fix.accuracy = 5
            fix.speed = 20
            fix.heading = heading
            return fix
        }
    }

    private static func road(_ count: Int) -> [Coordinate] {
        var place = Coordinate(latitude: -60, longitude: 5)
        return (0..<count).map { index in
            let heading = 0.8 * sin(Double(index) * 0.013) + 0.6 * sin(Double(index) * 0.0007)
            place.latitude += 10 * cos(heading) / 111_000
            place.longitude += 10 * sin(heading) / (111_320 * cos(place.latitude * .pi / 180))
            return place
        }
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
