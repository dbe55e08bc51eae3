import CSystem
import Navigation

/// Leaves points out of a line so that it stays within a tolerance of the given one.
enum LineThinning {
    /// At most `limit` points (2 or more), first and last kept, at the smallest tolerance of 1, 2, 4 … metres that does.
    static func thin(_ points: [Coordinate], to limit: Int) -> [Coordinate] {
        guard points.count > limit else { return points }
        var tolerance = 1.0
        while tolerance < 5e7 {
            if let thinned = thin(points, to: limit, tolerance: tolerance) { return thinned }
            tolerance *= 2
        }
        return [points.first, points.last].compactMap { $0 }
    }

    /// Sleeve fitting (Zhao and Saalfeld, 1997), in one pass: from the last point kept, go on as long as one straight line passes within `tolerance` metres
    /// of everything skipped. nil as soon as more than `limit` points are kept, so that a tolerance too small for a long line costs little.
    private static func thin(_ points: [Coordinate], to limit: Int, tolerance: Double) -> [Coordinate]? {
        guard var anchor = points.first else { return [] }
        var kept = [anchor]
        var last = anchor
        var sleeve = Sleeve(tolerance: tolerance)
        for point in points.dropFirst() {
            if !sleeve.admits(point, from: anchor) {
                kept.append(last)
                if kept.count >= limit { return nil }
                anchor = last
                sleeve = Sleeve(tolerance: tolerance)
                _ = sleeve.admits(point, from: anchor)
            }
            last = point
        }
        kept.append(last)
        return kept
    }
}

/// The directions in which a straight line may leave an anchor and still pass near every point so far.
private struct Sleeve {
    let tolerance: Double
    private var axis: Double?
    /// Radians either side of the axis.
    private var low = -Double.pi
    private var high = Double.pi
    private var reach = 0.0

    init(tolerance: Double) { self.tolerance = tolerance }

    /// Whether the line may go on to `point`; narrows the sleeve when it may.
    mutating func admits(_ point: Coordinate, from anchor: Coordinate) -> Bool {
        let (east, north) = offset(of: point, from: anchor)
        let distance = mp_hypot(east, north)
        guard distance > tolerance else { return reach <= 2 * tolerance }
        let bearing = mp_atan2(east, north)
        guard let axis else {
            self.axis = bearing
            narrow(around: 0, distance: distance)
            return true
        }
        var angle = bearing - axis
        if angle > .pi { angle -= 2 * .pi } else if angle < -.pi { angle += 2 * .pi }
        guard angle >= low, angle <= high, distance >= reach - tolerance else { return false }
        narrow(around: angle, distance: distance)
        return true
    }

    private mutating func narrow(around angle: Double, distance: Double) {
        let half = mp_asin(min(1, tolerance / distance))
        low = max(low, angle - half)
        high = min(high, angle + half)
        reach = max(reach, distance)
    }

    /// Metres on the plane that touches the Earth (mean radius) at the anchor.
    private func offset(of point: Coordinate, from anchor: Coordinate) -> (east: Double, north: Double) {
        let metresPerDegree = 6_371_008.8 * Double.pi / 180
        var degrees = point.longitude - anchor.longitude
        if degrees > 180 { degrees -= 360 } else if degrees < -180 { degrees += 360 }
        let scale = mp_cos(anchor.latitude * .pi / 180)
        return (degrees * metresPerDegree * scale, (point.latitude - anchor.latitude) * metresPerDegree)
    }
}
