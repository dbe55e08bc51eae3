import Navigation

/// Times of a line's points, taken for a schedule only where they can be one: exporters also write when a file was made, or 1970.
enum Schedule {
    /// Seconds since 1970: 1990. Receivers without a date count from 1970 or 1980.
    private static let earliest = 631_152_000.0
    /// Metres a second: a walk with long rests, and more than any road vehicle.
    private static let meanSpeeds = 0.3...70.0
    private static let maximumSpeed = 140.0
    /// Metres that are not driven too fast, whatever the time: times of whole seconds are up to one wrong.
    private static let slack = 150.0

    /// Seconds of each segment; nil where the times are no schedule.
    static func segmentDurations(_ points: [Coordinate], times: [Double]) -> [Double]? {
        guard let first = times.first, let last = times.last, first >= earliest, last > first, times.count == points.count else {
            return nil
        }
        var durations: [Double] = []
        durations.reserveCapacity(points.count)
        for index in 1..<points.count {
            let duration = times[index] - times[index - 1]
            // Not so for a time that is missing, too.
            guard duration >= 0 else { return nil }
            guard Ground.distance(points[index - 1], points[index]) <= maximumSpeed * duration + slack else { return nil }
            durations.append(duration)
        }
        return meanSpeeds.contains(Ground.length(points[...]) / (last - first)) ? durations : nil
    }
}
