import JSON
import Navigation

/// A route from GPX 1.0 or 1.1: the tracks if there are any, which are dense, else the routes, which are often sparse. Single waypoints (wpt) are
/// places, not in an order, and are left out.
final class GPXRoute {
    private var tracks = LineParts()
    private var trackCount = 0
    private var segmentCount = 0
    private var trackPoint: Coordinate?
    private var time = Double.nan

    private var routes = LineParts()
    private var routeCount = 0
    private var steps = Steps()

    /// GraphHopper's times and lengths from one route point to the next.
    private struct Steps {
        var pointCount = 0
        /// Seconds.
        var durations: [Double] = []
        /// Metres.
        var lengths: [Double] = []

        /// What a leg takes; nil unless every point but the last tells.
        var duration: Double? { total(of: durations) }
        var length: Double? { total(of: lengths) }

        private func total(of values: [Double]) -> Double? {
            let sum = values.reduce(0, +)
            return values.count >= pointCount - 1 && sum > 0 && sum <= OSRMRoute.maximumAmount ? sum : nil
        }
    }

    func start(_ tag: XMLTag, in parent: XMLTag, _ attributes: XMLAttributes) throws(RouteFileError) {
        switch (parent, tag) {
        case (.gpx, .track):
            trackCount += 1
            segmentCount = 0
        case (.track, .trackSegment):
            segmentCount += 1
            tracks.begin(
                "trkseg \(segmentCount) of trk \(trackCount)", maximumGap: segmentCount == 1 ? LineParts.joint : LineParts.pause)
        case (.trackSegment, .trackPoint):
            trackPoint = try attributes.position()
            time = .nan
        case (.gpx, .route):
            routeCount += 1
            routes.begin("rte \(routeCount)", maximumGap: LineParts.joint)
        case (.route, .routePoint):
            steps.pointCount += 1
            try routes.append(attributes.position())
        case (_, .shapePoint): try routes.append(attributes.position())
        default: break
        }
    }

    func end(_ tag: XMLTag, in parent: XMLTag, value: [UInt8]) throws(RouteFileError) {
        switch (parent, tag) {
        case (.trackPoint, .time): time = value.withUnsafeBufferPointer { DateTime.parse($0) } ?? .nan
        case (.trackSegment, .trackPoint):
            if let trackPoint { try tracks.append(trackPoint, time: time) }
        case (.extensions, .durationOfStep):
            if let milliseconds = number(value) { steps.durations.append(milliseconds / 1_000) }
        case (.extensions, .lengthOfStep):
            if let metres = number(value) { steps.lengths.append(metres) }
        default: break
        }
    }

    private func number(_ value: [UInt8]) -> Double? {
        value.withUnsafeBufferPointer { DecimalNumber.parse($0) }.flatMap { $0 >= 0 ? $0 : nil }
    }

    func description() throws(RouteFileError) -> RouteDescription {
        guard !tracks.points.isEmpty || !routes.points.isEmpty else {
            throw RouteFileError("the GPX file has neither trkpt nor rtept, only other things: add a track or a route")
        }
        var description = try (tracks.points.isEmpty ? routes : tracks).description()
        guard description.segmentDurations == nil, let duration = steps.duration else { return description }
        description.legDurations = [duration]
        description.legLengths = steps.length.map { [$0] }
        if steps.pointCount == description.points.count, tracks.points.isEmpty {
            description.segmentDurations = Array(steps.durations.prefix(description.points.count - 1))
        }
        return description
    }
}
