import Navigation

/// Lines of a file, in its order, that make up one: each begins where the one before ends.
struct LineParts {
    /// How far apart two lines may be that are to be one, in metres.
    static let joint = 10.0
    /// The same where the format says that the parts belong together, with reception lost between them.
    static let pause = 1_000.0
    /// How far from the line its waypoints may lie, in metres.
    private static let reach = 500.0
    /// Waypoints this near to the line's start and end, in metres, are those.
    private static let nearEnd = 20.0

    private(set) var points: [Coordinate] = []
    /// Seconds since 1970 of each point; NaN where the file gives none.
    private(set) var times: [Double] = []

    private var name = ""
    private var nameBefore = ""
    private var maximumGap = 0.0
    private var isAtStart = true

    /// Begins a part. `name` is what it is called in errors.
    mutating func begin(_ name: String, maximumGap: Double) {
        if !isAtStart { nameBefore = self.name }
        self.name = name
        self.maximumGap = maximumGap
        isAtStart = true
    }

    mutating func append(_ point: Coordinate, time: Double = .nan) throws(RouteFileError) {
        if isAtStart, let end = points.last {
            let gap = Ground.distance(end, point)
            guard gap <= maximumGap else {
                throw RouteFileError(
                    "\(name) starts \(metres(gap)) from the end of \(nameBefore), and which comes first is not said: leave one line in the file, or join them"
                )
            }
            isAtStart = false
            if gap < 0.01 { return }
        }
        isAtStart = false
        guard points.count < Route.maxPoints else { throw RouteFileError("\(name): more than \(Route.maxPoints) points: split the route") }
        points.append(point)
        times.append(time)
    }

    /// waypoints: those on the line, in driving order; start and end may be among them.
    func description(waypoints: [LegSplit.Stop] = []) throws(RouteFileError) -> RouteDescription {
        let durations = Schedule.segmentDurations(points, times: times)
        let stops = between(waypoints)
        guard !stops.isEmpty else {
            return RouteDescription(points: points, legEnds: [points.count - 1], segmentDurations: durations)
        }
        let split = try LegSplit(points, stops: Array(stops), legLengths: nil, reach: Self.reach, at: "the line")
        return RouteDescription(
            points: split.points, legEnds: split.legEnds, segmentDurations: durations.map { spread($0, over: split.points) })
    }

    private func between(_ waypoints: [LegSplit.Stop]) -> ArraySlice<LegSplit.Stop> {
        var stops = waypoints[...]
        if let first = stops.first, let start = points.first, Ground.distance(first.position, start) <= Self.nearEnd { stops.removeFirst() }
        if let last = stops.last, let end = points.last, Ground.distance(last.position, end) <= Self.nearEnd { stops.removeLast() }
        return stops
    }

    /// Durations of the segments of the same line with points added.
    private func spread(_ durations: [Double], over line: [Coordinate]) -> [Double] {
        var result: [Double] = []
        var start = 0
        for (segment, duration) in durations.enumerated() {
            var end = start + 1
            while end < line.count - 1, line[end] != points[segment + 1] { end += 1 }
            appendSpread(duration, over: line[start...end], to: &result)
            start = end
        }
        return result
    }
}
