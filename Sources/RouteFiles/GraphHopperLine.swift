import JSON
import Navigation

/// The points and waypoints of a GraphHopper path: GeoJSON, or encoded with two or three numbers a point, which the answer does not tell.
struct GraphHopperLine {
    let points: [Coordinate]
    /// The snapped waypoints, start and destination included; empty where there are none.
    let waypoints: [Coordinate]

    /// pointCount: as the instructions say; nil without them.
    init(_ path: JSONNode, pointCount: Int?, at prefix: String) throws(RouteFileError) {
        guard let line = path["points"] else { throw RouteFileError("\(prefix)points is missing: ask the router with calc_points=true") }
        guard line.kind == .string else {
            points = try GeoJSONRoute.points(of: line, at: "\(prefix)points")
            waypoints =
                try path["snapped_waypoints"].map { node throws(RouteFileError) in
                    try GeoJSONRoute.points(of: node, at: "\(prefix)snapped_waypoints")
                } ?? []
            return
        }
        let precision = try Self.precision(path, at: prefix)
        let reading = try Self.reading(path, line: line, precision: precision, pointCount: pointCount, at: prefix)
        points = reading.points
        waypoints =
            try path["snapped_waypoints"].map { node throws(RouteFileError) in
                try Self.decoded(node, precision: precision, hasElevation: reading.hasElevation, at: "\(prefix)snapped_waypoints")
            } ?? []
    }

    private static func precision(_ path: JSONNode, at prefix: String) throws(RouteFileError) -> Int {
        switch path["points_encoded_multiplier"]?.number {
        case nil, 1e5: 5
        case 1e6: 6
        default: throw RouteFileError("\(prefix)points_encoded_multiplier is neither 1e5 nor 1e6: ask the router with points_encoded=false")
        }
    }

    private typealias Reading = (points: [Coordinate], hasElevation: Bool)

    /// The reading that agrees with the rest of the answer. Instructions that count other points than there are, as in answers that were edited, do not
    /// decide.
    private static func reading(
        _ path: JSONNode, line: JSONNode, precision: Int, pointCount: Int?, at prefix: String
    ) throws(RouteFileError) -> Reading {
        let box = Box(path["bbox"])
        let distance = path["distance"]?.number
        var readings: [Reading] = []
        for hasElevation in [false, true] {
            guard let points = try? decoded(line, precision: precision, hasElevation: hasElevation, at: prefix) else { continue }
            if let box, !points.allSatisfy(box.contains) { continue }
            if let distance, !isNear(Ground.length(points[...]), distance) { continue }
            readings.append((points, hasElevation))
        }
        if let reading = readings.first(where: { $0.points.count == pointCount }) ?? readings.first { return reading }
        // Says what is wrong with the text itself, if anything is.
        _ = try decoded(line, precision: precision, hasElevation: false, at: "\(prefix)points")
        throw RouteFileError("\(prefix)points does not fit the path's distance and bbox: ask the router again")
    }

    private static func decoded(_ node: JSONNode, precision: Int, hasElevation: Bool, at place: String) throws(RouteFileError)
        -> [Coordinate]
    {
        do throws(RouteFileError) {
            let points = try node.withUTF8 { text throws(RouteFileError) in
                try EncodedPolyline(text, hasElevation: hasElevation).coordinates(precision: precision)
            }
            guard let points else { throw RouteFileError("this is no string: ask the router with points_encoded=true") }
            return points
        } catch {
            throw error.inside(place)
        }
    }

    /// Elevations taken for degrees make a line many times as long.
    private static func isNear(_ length: Double, _ distance: Double) -> Bool {
        length <= distance * 1.5 + 20 && length >= distance * 0.5 - 20
    }

    /// Degrees, with room for rounding.
    private struct Box {
        private let west: Double
        private let south: Double
        private let east: Double
        private let north: Double
        private static let slack = 0.001

        /// nil unless it is west, south, east, north, perhaps with a height after each pair; and over the 180th meridian.
        init?(_ node: JSONNode?) {
            guard let node, node.count == 4 || node.count == 6 else { return nil }
            let half = node.count / 2
            guard let west = node[0]?.number, let south = node[1]?.number, let east = node[half]?.number,
                let north = node[half + 1]?.number,
                west <= east
            else { return nil }
            (self.west, self.south, self.east, self.north) = (west, south, east, north)
        }

        func contains(_ point: Coordinate) -> Bool {
            point.latitude >= south - Self.slack && point.latitude <= north + Self.slack
                && point.longitude >= west - Self.slack && point.longitude <= east + Self.slack
        }
    }
}
