import Foundation

@testable import Navigation

/// A corner of a made-up route: metres east and north of its origin.
typealias Corner = (east: Double, north: Double)

/// Coordinates from metres around an origin.
struct Plane {
    var origin = Coordinate(latitude: 47.2, longitude: 9.5)

    func coordinate(_ corner: Corner) -> Coordinate {
        let horizon = Horizon(at: origin)
        let centre = horizon.position
        let out = -horizon.sinLatitude * corner.north
        return EarthPosition(
            x: centre.x - horizon.sinLongitude * corner.east + horizon.cosLongitude * out,
            y: centre.y + horizon.cosLongitude * corner.east + horizon.sinLongitude * out,
            z: centre.z + horizon.cosLatitude * corner.north
        ).coordinate
    }

    /// The points of a line through corners, one every `spacing` metres at most.
    func points(_ corners: [Corner], spacing: Double = 20) -> [Coordinate] {
        var points = [coordinate(corners[0])]
        for (a, b) in zip(corners, corners.dropFirst()) {
            let steps = max(1, Int((hypot(b.east - a.east, b.north - a.north) / spacing).rounded(.up)))
            for step in 1...steps {
                let t = Double(step) / Double(steps)
                points.append(coordinate((a.east + (b.east - a.east) * t, a.north + (b.north - a.north) * t)))
            }
        }
        return points
    }

    /// A route of one leg, driven at 10 m/s.
    func route(_ corners: [Corner], spacing: Double = 20) throws -> Route {
        let points = points(corners, spacing: spacing)
        let length = zip(points, points.dropFirst()).map(distance(from:to:)).reduce(0, +)
        return try Route(RouteDescription(points: points, legEnds: [points.count - 1], legDurations: [length / 10]))
    }
}

/// SplitMix64: the same numbers on every run.
struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }

    /// Of the normal distribution (Box and Muller).
    mutating func normal() -> Double {
        (-2 * log(Double.random(in: 1e-12...1, using: &self))).squareRoot() * cos(2 * .pi * Double.random(in: 0...1, using: &self))
    }
}

/// Makes fixes along a route or beside it, their time running on.
struct Receiver {
    var plane = Plane()
    var time = 1_700_000_000.0
    /// Metres of noise, one standard deviation east and north.
    var noise = 0.0
    var accuracy = 5.0
    var hasHeading = true
    var random = SeededGenerator(state: 1)

    mutating func fix(at place: Coordinate, speed: Double = .nan, heading: Double = .nan, after gap: Double = 1) -> Fix {
        time += gap
        let here = Plane(origin: place).coordinate((noise * random.normal(), noise * random.normal()))
        var fix = Fix(coordinate: here)
        fix.time = time
        fix.accuracy = accuracy
        fix.speed = speed
        fix.heading = hasHeading ? heading : .nan
        return fix
    }

    mutating func fix(at corner: Corner, speed: Double = .nan, heading: Double = .nan, after gap: Double = 1) -> Fix {
        fix(at: plane.coordinate(corner), speed: speed, heading: heading, after: gap)
    }

    /// Fixes of a drive along the route, each with where it truly is.
    mutating func drive(
        _ route: Route, from start: Double = 0, to end: Double? = nil, speed: Double = 10, every gap: Double = 1
    ) -> [(along: Double, fix: Fix)] {
        let end = end ?? route.length
        return (Array(stride(from: start, to: end, by: speed * gap)) + [end]).map { along in
            let place = route.coordinate(along: along)
            let heading =
                along + 1 < route.length
                ? bearing(from: place, to: route.coordinate(along: along + 1))
                : bearing(from: route.coordinate(along: route.length - 1), to: place)
            return (along, fix(at: place, speed: speed, heading: heading, after: gap))
        }
    }
}

extension Tracker {
    /// For a replay: no clock but the fixes' own.
    @discardableResult
    mutating func update(_ fix: Fix) -> Navigation.Progress { update(fix, now: .nan) }
}

extension TrackerEvents {
    var all: [TrackerEvent] { (0..<count).map { self[$0] } }
}

extension Tracker {
    /// Takes fixes one after the other; gives the events of all.
    @discardableResult
    mutating func take(_ fixes: [Fix], _ check: (Navigation.Progress) -> Void = { _ in }) -> [TrackerEvent] {
        fixes.flatMap { fix in
            check(update(fix))
            return events.all
        }
    }
}

extension Receiver {
    /// Fixes of a drive in a straight line between corners, `speed` metres a second.
    mutating func drive(straight corners: [Corner], speed: Double = 10, every gap: Double = 1) -> [Fix] {
        zip(corners, corners.dropFirst()).flatMap { a, b in
            let length = hypot(b.east - a.east, b.north - a.north)
            let heading = (atan2(b.east - a.east, b.north - a.north) * 180 / .pi + 360).truncatingRemainder(dividingBy: 360)
            return stride(from: speed * gap, through: length, by: speed * gap).map { metres in
                let t = metres / length
                return fix(
                    at: (a.east + (b.east - a.east) * t, a.north + (b.north - a.north) * t), speed: speed, heading: heading, after: gap)
            }
        }
    }
}
