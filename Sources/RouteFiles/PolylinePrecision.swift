import Navigation

/// Works out whether encoded polylines have precision 5 or 6, from what else the answer says. A wrong precision puts a line elsewhere on
/// earth, about ten times too long or too short.
struct PolylinePrecision {
    /// The declared length in metres.
    var distance: Double?
    /// Where the line starts and ends, give or take `nearby`.
    var start: Coordinate?
    var end: Coordinate?

    /// 5 or 6 for shapes that make up one line. `place` names them in errors.
    func of(_ shapes: [EncodedPolyline], at place: String) throws(RouteFileError) -> Int {
        let readings = [5, 6].map { Reading(shapes, precision: $0) }
        let fitting = readings.filter { objection(to: $0) == nil }
        guard let first = fitting.first else {
            let objections = readings.map { "with precision \($0.precision) it \(objection(to: $0) ?? "fits")" }
            throw RouteFileError("\(place): \(objections[0]), and \(objections[1]): the line does not belong to this route")
        }
        if fitting.count == 1 { return first.precision }
        guard let distance, distance >= Self.leastDistance, fitting.allSatisfy({ $0.length > 0 }) else {
            throw RouteFileError("\(place): nothing says whether its precision is 5 or 6: give the route's distance or its waypoints")
        }
        // Short lines fit both ways within the slack: the one whose length is nearer, as a ratio, is meant.
        let mismatch = fitting.map { max($0.length / distance, distance / $0.length) }
        return mismatch[0] <= mismatch[1] ? 5 : 6
    }

    /// Below this a declared distance proves nothing, in metres.
    private static let leastDistance = 1.0
    /// Rounding of short lines, in metres.
    private static let slack = 20.0

    /// How far a line may start from its first waypoint, in metres: a wrong precision is thousands of kilometres off.
    private var nearby: Double { 1_000 + (distance ?? 0) / 4 }

    /// Why a reading cannot be meant; nil when it can.
    private func objection(to reading: Reading) -> String? {
        guard reading.isOnEarth else { return "leaves the earth" }
        if let distance, distance >= Self.leastDistance {
            // A simplified overview is shorter than declared, never much longer.
            guard reading.length <= distance * 1.5 + Self.slack, reading.length >= distance * 0.2 - Self.slack else {
                return "is \(metres(reading.length)) long where \(metres(distance)) are declared"
            }
        }
        if let offset = gap(start, reading.start) { return "starts \(metres(offset)) from the first waypoint" }
        if let offset = gap(end, reading.end) { return "ends \(metres(offset)) from the last waypoint" }
        return nil
    }

    private func gap(_ waypoint: Coordinate?, _ point: Coordinate?) -> Double? {
        guard let waypoint, let point else { return nil }
        let distance = Ground.distance(waypoint, point)
        return distance > nearby ? distance : nil
    }
}

/// What shapes look like when read with one precision.
private struct Reading {
    let precision: Int
    private(set) var isOnEarth = true
    /// Metres.
    private(set) var length = 0.0
    private(set) var start: Coordinate?
    private(set) var end: Coordinate?

    init(_ shapes: [EncodedPolyline], precision: Int) {
        self.precision = precision
        for shape in shapes {
            guard let points = try? shape.coordinates(precision: precision, continues: true) else {
                isOnEarth = false
                return
            }
            length += Ground.length(points[...])
            start = start ?? points.first
            end = points.last ?? end
        }
    }
}

/// A distance for a message.
func metres(_ value: Double) -> String { "\(Int64(min(value, 1e12).rounded())) m" }
