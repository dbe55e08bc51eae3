import JSON
import Navigation

/// The line of a route, cut into legs: from the steps' geometries, which are complete, or where they are missing from the overview, which may
/// be simplified.
struct OSRMLine {
    private(set) var points: [Coordinate] = []
    private(set) var legEnds: [Int] = []
    /// For each leg how its segments fall to its steps; empty when the line does not come from steps.
    private var stepSpans: [[StepSpan]] = []

    private struct StepSpan {
        let segments: Int
        /// Seconds.
        let duration: Double
    }

    /// waypoints: those that separate legs, start and destination included.
    init(
        route: JSONNode, legs: [OSRMLeg], waypoints: [Coordinate?], precision: PolylinePrecision, at prefix: String
    ) throws(RouteFileError) {
        if legs.allSatisfy(Self.hasCompleteSteps) {
            try join(legs, precision: precision, at: prefix)
        } else {
            try cutOverview(of: route, legs: legs, waypoints: waypoints, precision: precision, at: prefix)
        }
        // A route that ends where it starts, with a single point, still is a line.
        if points.count == 1 {
            points.append(points[0])
            legEnds[legEnds.count - 1] = 1
        }
    }

    /// Seconds of each segment: a leg's annotation where it fits its segments, else its steps' times, else its own, spread by length. nil when
    /// no leg tells more than its total.
    func segmentDurations(_ legs: [OSRMLeg]) -> [Double]? {
        var durations: [Double] = []
        var isDetailed = false
        var start = 0
        for (index, leg) in legs.enumerated() {
            let segments = legEnds[index] - start
            if let annotated = leg.annotatedDurations, annotated.count == segments {
                durations += annotated
                isDetailed = isDetailed || segments > 0
            } else if stepSpans.indices.contains(index), leg.steps.allSatisfy({ $0.duration != nil }) {
                for span in stepSpans[index] {
                    appendSpread(span.duration, over: line(of: span.segments, from: durations.count), to: &durations)
                }
                isDetailed = true
            } else {
                guard let duration = leg.duration else { return nil }
                appendSpread(duration, over: line(of: segments, from: durations.count), to: &durations)
            }
            start = legEnds[index]
        }
        return isDetailed && durations.count == points.count - 1 ? durations : nil
    }

    private func line(of segments: Int, from start: Int) -> ArraySlice<Coordinate> { points[start...start + segments] }

    private static func hasCompleteSteps(_ leg: OSRMLeg) -> Bool {
        leg.steps.contains { $0.shape != nil } && leg.steps.allSatisfy { $0.shape != nil || $0.distance == 0 }
    }

    private mutating func join(_ legs: [OSRMLeg], precision: PolylinePrecision, at prefix: String) throws(RouteFileError) {
        let encoded = legs.flatMap { $0.steps }.compactMap { $0.shape?.encoded }
        let digits = encoded.isEmpty ? 5 : try precision.of(encoded, at: "\(prefix)legs[].steps[].geometry")
        for (index, leg) in legs.enumerated() {
            stepSpans.append([])
            for (position, step) in leg.steps.enumerated() {
                let shape = try step.shape?.points(precision: digits) ?? []
                let before = max(points.count, 1)
                append(shape, isArrival: position == leg.steps.count - 1)
                stepSpans[index].append(StepSpan(segments: max(points.count, 1) - before, duration: step.duration ?? 0))
            }
            if points.count > Route.maxPoints {
                throw RouteFileError("\(prefix)legs[\(index)].steps exceed \(Route.maxPoints) points: split the route")
            }
            legEnds.append(points.count - 1)
        }
    }

    /// Adds a step's points without repeating the joint. The arrival's one or two points are the joint only.
    private mutating func append(_ shape: [Coordinate], isArrival: Bool) {
        guard let joint = points.last else { return points = shape }
        if isArrival, shape.allSatisfy({ $0 == joint }) { return }
        points += shape.first == joint ? shape.dropFirst() : shape[...]
    }

    private mutating func cutOverview(
        of route: JSONNode, legs: [OSRMLeg], waypoints: [Coordinate?], precision: PolylinePrecision, at prefix: String
    ) throws(RouteFileError) {
        let path = "\(prefix)geometry"
        guard let node = route["geometry"] else {
            throw RouteFileError("\(path) is missing and the steps have none: ask the router for overview=full or steps=true")
        }
        let shape = try OSRMShape(node, at: path)
        let digits = try shape.encoded.map { line throws(RouteFileError) in try precision.of([line], at: path) }
        points = try shape.points(precision: digits ?? 5)
        if legs.count == 1 {
            legEnds = [points.count - 1]
        } else if let ends = annotatedEnds(legs) {
            legEnds = ends
        } else {
            let distances = legs.compactMap { $0.distance }
            let split = try LegSplit(
                points, stops: try stops(waypoints, legs: legs, at: prefix), legLengths: distances.count == legs.count ? distances : nil,
                at: path)
            (points, legEnds) = (split.points, split.legEnds)
        }
    }

    /// Leg ends counted by the annotations, which tell of each segment of a full overview; nil when they do not fit this one.
    private func annotatedEnds(_ legs: [OSRMLeg]) -> [Int]? {
        var ends: [Int] = []
        for leg in legs {
            guard let segments = leg.annotatedSegments else { return nil }
            ends.append((ends.last ?? 0) + segments)
        }
        return ends.last == points.count - 1 ? ends : nil
    }

    /// The waypoints between start and destination.
    private func stops(_ waypoints: [Coordinate?], legs: [OSRMLeg], at prefix: String) throws(RouteFileError) -> [LegSplit.Stop] {
        let known = waypoints.compactMap { $0 }
        guard known.count == waypoints.count, known.count == legs.count + 1 else {
            throw RouteFileError(
                "\(prefix)legs has \(legs.count) legs, and nothing says where they end: ask the router for steps=true, or keep its waypoints"
            )
        }
        return known.dropFirst().dropLast().enumerated().map { LegSplit.Stop(position: $1, name: "waypoints[\($0 + 1)]") }
    }
}
