/// Seconds from the start of a route for each vertex; empty when no durations are declared. Each leg totals its declared duration: in the shape of its
/// segments' durations, else as a drive from rest to rest that its turns delay. A leg without length has all its time at its end.
func timeProfile(_ description: RouteDescription, positions: [GridPosition], along: [Double]) -> [Double] {
    guard description.legDurations != nil || description.segmentDurations != nil else { return [] }
    var elapsed = [Double](repeating: 0, count: along.count)
    var start = 0
    for (leg, end) in description.legEnds.enumerated() {
        let segments = description.segmentDurations?[start..<end] ?? []
        let shaped = segments.reduce(0, +)
        let total = description.legDurations?[leg] ?? shaped
        if shaped > 0 {
            spread(total, like: segments, sum: shaped, over: &elapsed)
        } else {
            spread(total, from: start, to: end, positions: positions, along: along, over: &elapsed)
        }
        elapsed[end] = elapsed[start] + total
        start = end
    }
    return elapsed
}

private func spread(_ total: Double, like segments: ArraySlice<Double>, sum: Double, over elapsed: inout [Double]) {
    let base = elapsed[segments.startIndex]
    var passed = 0.0
    for segment in segments.indices {
        passed += segments[segment]
        elapsed[segment + 1] = base + total * min(passed / sum, 1)
    }
}

/// Half of a turn's delay comes before its vertex and half after, up to the next ones; turns take no more than half of the total.
private func spread(
    _ total: Double, from start: Int, to end: Int, positions: [GridPosition], along: [Double], over elapsed: inout [Double]
) {
    let base = elapsed[start]
    let delays = TurnDelays(positions: positions, along: along, from: start, to: end).note(in: &elapsed)
    let share = min(total / 2 / max(delays, .leastNormalMagnitude), 1)
    let drive = RestToRest(length: along[end] - along[start], duration: total - share * delays)
    var turned = 0.0
    var owed = 0.0
    for vertex in start + 1..<max(end, start + 1) {
        if along[vertex] > along[vertex - 1] {
            turned += owed
            owed = 0
        }
        let half = share * elapsed[vertex] / 2
        turned += half
        owed += half
        let seconds = drive.seconds(at: along[vertex] - along[start]) + turned
        elapsed[vertex] = max(base + min(seconds, total), elapsed[vertex - 1])
    }
}

/// A drive that is evenly faster up to a cruising speed and evenly slower to its end (Larson and Odoni, Urban Operations Research, 1981, 3.7.2, after Kolesar,
/// Walker and Hausner, Operations Research 23, 1975). Where the duration leaves no time for that, it is faster over one half and slower over the other.
private struct RestToRest {
    let length: Double
    let duration: Double
    /// Metres and seconds up to the cruising speed.
    private let rampLength: Double
    private let rampDuration: Double
    /// Seconds a metre at the cruising speed.
    private let pace: Double

    /// Metres a second squared: what drivers take for comfortable (1 in gaining speed, 1.5 in braking: Treiber and Kesting, Traffic Flow Dynamics, 2013,
    /// chapter 11). Anything from 0.6 to 2 meets the profiles that routers make about as well.
    private static var acceleration: Double { 1.5 }

    init(length: Double, duration: Double) {
        self.length = length
        self.duration = duration
        let cruising = max(duration * duration - 4 * length / Self.acceleration, 0).squareRoot()
        rampDuration = (duration - cruising) / 2
        rampLength = cruising > 0 ? Self.acceleration * rampDuration * rampDuration / 2 : length / 2
        pace = length > 2 * rampLength ? cruising / (length - 2 * rampLength) : 0
    }

    /// Seconds from the start to so many metres from it.
    func seconds(at metres: Double) -> Double {
        if metres < rampLength { return rampDuration * (metres / rampLength).squareRoot() }
        let left = length - metres
        if left < rampLength { return duration - rampDuration * (max(left, 0) / rampLength).squareRoot() }
        return rampDuration + (metres - rampLength) * pace
    }
}
