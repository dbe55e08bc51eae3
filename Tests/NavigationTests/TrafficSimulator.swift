import Foundation

@testable import Navigation

/// Drives through made-up traffic: roads of several classes, the speed on each lognormal and alike on neighbouring ones, lights, and congested patches of which
/// the route's durations know only the average.
struct TrafficSimulator {
    /// Actual over declared seconds, on average.
    var pace = 1.0
    /// Standard deviation of what a drive's pace is off by besides, from driver, weather and router.
    var bias = 0.15
    var kilometres = 3.0...25.0
    /// Whether durations are declared, and whether for each segment or only for each leg.
    var hasDurations = true
    var hasShape = true
    var random: SeededGenerator

    init(seed: UInt64) { random = SeededGenerator(state: seed) }

    /// Metres a second without traffic, on the classes of road; the slower half has the lights.
    private static let classes = [8.3, 11.1, 13.9, 19.4, 27.8]
    private static let link = 80.0...400.0
    /// One standard deviation of a link's pace, and over how many metres it is alike.
    private static let linkError = 0.2
    private static let likeness = 1000.0
    /// Seconds at a red light, which half of them are.
    private static let red = 5.0...45.0
    private static let meanWait = 0.5 * 25

    mutating func drive() throws -> SimulatedDrive {
        let length = 1000 * exp(Double.random(in: log(kilometres.lowerBound)...log(kilometres.upperBound), using: &random))
        let off = pace * lognormal(bias, random.normal())
        var congestion = Congestion()
        var corners: [Corner] = [(0, 0)]
        var declared: [Double] = []
        var moments: [SimulatedDrive.Moment] = [(0, 0)]
        var road = 2
        var error = random.normal()
        while let last = moments.last, last.along < length {
            let link = Double.random(in: Self.link, using: &random)
            if Double.random(in: 0...1, using: &random) < 0.12 { road = Int.random(in: 0...4, using: &random) }
            let alike = exp(-link / Self.likeness)
            error = alike * error + (1 - alike * alike).squareRoot() * random.normal()
            let delay = congestion.delay(at: last.along, link: link, &random)
            let free = link / Self.classes[road]
            let hasLight = Double.random(in: 0...1, using: &random) < (road < 3 ? 0.35 : 0.05)
            let along = last.along + link
            corners.append((along, 0))
            declared.append(free * (1 + Congestion.meanDelay) + (hasLight ? Self.meanWait : 0))
            moments.append((last.time + off * free * lognormal(Self.linkError, error) * (1 + delay), along))
            if hasLight && Bool.random(using: &random) {
                moments.append((moments[moments.count - 1].time + off * Double.random(in: Self.red, using: &random), along))
            }
        }
        let description = RouteDescription(
            points: corners.map(Plane().coordinate), legEnds: [corners.count - 1],
            legDurations: hasDurations ? [declared.reduce(0, +)] : nil, segmentDurations: hasDurations && hasShape ? declared : nil)
        return SimulatedDrive(route: try Route(description), moments: moments)
    }

    /// With the mean 1.
    private func lognormal(_ deviation: Double, _ normal: Double) -> Double { exp(deviation * normal - deviation * deviation / 2) }
}

/// Patches in which everything takes longer.
private struct Congestion {
    private var end = 0.0
    private var delay = 0.0

    private static let patchesPerMetre = 1.0 / 8000
    private static let patchLength = 600.0
    private static let delays = 0.3...1.5
    static let meanDelay = patchesPerMetre * patchLength * (delays.lowerBound + delays.upperBound) / 2

    /// How much longer the next link takes, as a share.
    mutating func delay(at along: Double, link: Double, _ random: inout SeededGenerator) -> Double {
        guard along >= end else { return delay }
        delay = 0
        if Double.random(in: 0...1, using: &random) < link * Self.patchesPerMetre {
            end = along - Self.patchLength * log(Double.random(in: 1e-9...1, using: &random))
            delay = Double.random(in: Self.delays, using: &random)
        }
        return delay
    }
}

/// Where a vehicle was when.
struct SimulatedDrive {
    typealias Moment = (time: Double, along: Double)

    let route: Route
    /// With straight lines between them.
    let moments: [Moment]

    var duration: Double { moments[moments.count - 1].time }

    /// Where it is every so many seconds, and how fast.
    func samples(every gap: Double) -> [(time: Double, along: Double, speed: Double)] {
        var next = 1
        return stride(from: 0, to: duration, by: gap).map { time in
            while moments[next].time <= time { next += 1 }
            let (a, b) = (moments[next - 1], moments[next])
            let speed = (b.along - a.along) / (b.time - a.time)
            return (time, a.along + speed * (time - a.time), speed)
        }
    }
}
