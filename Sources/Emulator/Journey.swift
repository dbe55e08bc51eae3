/// A delivery vehicle's way to one of its stops.
struct Journey: Sendable {
    /// Each a VehicleJourneySegment.
    private(set) var segments: [JSON] = []
    /// Driving distance and time to the last of them; nil while the vehicle reports none.
    private(set) var meters: Int64?
    private(set) var milliseconds: Int64?
    private(set) var points: [JSON] = []

    /// first: what the vehicle reports of the way to its first stop. Between stops the emulator takes the straight way.
    init(_ segments: [JSON], first: (meters: Int64?, milliseconds: Int64?, points: [Point])) {
        meters = first.meters
        milliseconds = first.milliseconds
        points = first.points.map { $0.json }
        var previous: Point?
        for segment in segments {
            var shown = segment.object ?? [:]
            var stop = shown["stop"]?.object ?? [:]
            stop["state"] = stop["state"] ?? .string("NEW")
            shown["stop"] = .object(stop)
            let point = Point(stop["plannedLocation"]?.object?["point"])
            if let previous {
                let leg = previous.leg(to: point)
                meters = meters.map { $0 + leg.meters }
                milliseconds = milliseconds.map { $0 + leg.milliseconds }
                points.append(point.json)
                Self.describe(&shown, leg.meters, leg.milliseconds, [previous.json, point.json])
            } else if !points.isEmpty {
                Self.describe(&shown, meters, milliseconds, points)
            }
            previous = point
            self.segments.append(.object(shown))
        }
    }

    private static func describe(_ segment: inout JSONObject, _ meters: Int64?, _ milliseconds: Int64?, _ path: [JSON]) {
        segment["drivingDistanceMeters"] = meters.map { .integer($0) }
        segment["drivingDuration"] = milliseconds.map { .string(ProtoDuration(milliseconds: $0).text) }
        segment["path"] = .array(path)
    }

    static func taskIds(of segment: JSON) -> [String] {
        (segment.object?["stop"]?.object?["tasks"]?.array ?? []).compactMap { $0.object?["taskId"]?.string }
    }
}
