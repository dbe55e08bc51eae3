import JSON
import Navigation

/// Where the delays of a Google route are: speedReadingIntervals mark parts of a line as slow or jammed. The time that a leg takes beyond its static
/// duration falls to those parts; the others keep their static time.
struct GoogleTraffic {
    private let points: [Coordinate]
    /// How much of a delay a segment takes for each second of its static time.
    private var slowness: [Double]

    /// The service does not say how slow its grades are. A jam is taken to cost three times as much a second as slow traffic.
    private static let slow = 1.0
    private static let jam = 3.0

    init(_ line: JoinedLegs) {
        points = line.points
        slowness = [Double](repeating: 0, count: line.durations.count)
    }

    /// Marks segments by the intervals of a line that runs the same way, perhaps simplified: by the share of its length.
    mutating func mark(_ segments: Range<Int>, intervals: [ProtoObject], of line: [Coordinate]) {
        let grades = Self.grades(intervals, along: Self.shares(of: line[...]))
        guard !grades.isEmpty, !segments.isEmpty else { return }
        let shares = Self.shares(of: points[segments.lowerBound...segments.upperBound])
        var next = 0
        for segment in segments {
            let index = segment - segments.lowerBound
            let middle = (shares[index] + shares[index + 1]) / 2
            while next < grades.count - 1, grades[next].end <= middle { next += 1 }
            slowness[segment] = grades[next].range.contains(middle) ? grades[next].slowness : 0
        }
    }

    /// Gives a leg's segments their static time and the leg's delay. False, and nothing changed, where it has none or nothing says where.
    func delay(_ segments: Range<Int>, from staticDuration: Double, to duration: Double, in durations: inout [Double]) -> Bool {
        let known = segments.reduce(0) { $0 + durations[$1] }
        let slow = segments.reduce(0) { $0 + durations[$1] * slowness[$1] }
        guard duration > staticDuration, known > 0, slow > 0 else { return false }
        for segment in segments {
            let share = durations[segment] * slowness[segment] / slow
            durations[segment] = durations[segment] * staticDuration / known + (duration - staticDuration) * share
        }
        return true
    }

    private struct Grade {
        let start: Double
        let end: Double
        let slowness: Double
        var range: Range<Double> { start..<max(start, end) }
    }

    private static func grades(_ intervals: [ProtoObject], along shares: [Double]) -> [Grade] {
        let grades = intervals.compactMap { interval -> Grade? in
            guard let start = interval.index("startPolylinePointIndex"), let end = interval.index("endPolylinePointIndex"),
                shares.indices.contains(start), shares.indices.contains(end)
            else { return nil }
            let speed = interval["speed"]?.string
            return Grade(start: shares[start], end: shares[end], slowness: speed == "TRAFFIC_JAM" ? jam : speed == "SLOW" ? slow : 0)
        }
        return grades.sorted { $0.start < $1.start }
    }

    /// For each point its distance from the start as a share of the line's length.
    private static func shares(of line: ArraySlice<Coordinate>) -> [Double] {
        var along = [0.0]
        for (a, b) in zip(line, line.dropFirst()) { along.append(along[along.count - 1] + Ground.distance(a, b)) }
        let length = along[along.count - 1]
        return length > 0 ? along.map { $0 / length } : along
    }
}
