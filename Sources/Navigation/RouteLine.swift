/// A route's points, checked, with what can be told from them alone.
struct RouteLine {
    private(set) var latitudes: [Double] = []
    private(set) var longitudes: [Double] = []
    private(set) var positions: [GridPosition] = []
    /// Metres over the ellipsoid from the start.
    private(set) var along: [Double] = []

    init(_ points: [Coordinate]) throws(RouteError) {
        latitudes.reserveCapacity(points.count)
        longitudes.reserveCapacity(points.count)
        positions.reserveCapacity(points.count)
        along.reserveCapacity(points.count)
        var previous: (position: EarthPosition, primeVertical: Double)?
        var total = 0.0
        for point in points {
            guard let point = point.wrapped else { throw Self.error(point, at: latitudes.count) }
            let current = EarthPosition.onEllipsoid(point)
            if let previous {
                let length = arcLength(
                    previous.position, current.position, primeVerticals: (previous.primeVertical, current.primeVertical))
                guard length <= Route.maxSegmentLength else { throw Self.error(segmentOf: length, endsAt: latitudes.count) }
                total += length
            }
            previous = current
            latitudes.append(point.latitude)
            longitudes.append(point.longitude)
            positions.append(GridPosition(current.position))
            along.append(total)
        }
    }

    /// See ``Route/isLoop``.
    var isLoop: Bool {
        guard let first = positions.first?.earthPosition, let last = positions.last?.earthPosition, let length = along.last else {
            return false
        }
        let dx = last.x - first.x
        let dy = last.y - first.y
        let dz = last.z - first.z
        let apart = min(200, length / 4)
        return dx * dx + dy * dy + dz * dz < apart * apart
    }

    private static func error(_ point: Coordinate, at index: Int) -> RouteError {
        if abs(point.latitude) <= 90 {
            return RouteError("point \(index) (counted from 0) has the longitude \(point.longitude); give degrees from -180 to 180")
        }
        return RouteError(
            "point \(index) (counted from 0) has the latitude \(point.latitude); give degrees from -90 to 90, and the latitude before the longitude"
        )
    }

    private static func error(segmentOf length: Double, endsAt index: Int) -> RouteError {
        RouteError(
            "points \(index - 1) and \(index) (counted from 0) are \(Int((length / 1000).rounded())) km apart, more than "
                + "\(Int(Route.maxSegmentLength / 1000)) km; give the road between them, and check that latitudes come before longitudes")
    }
}

extension Coordinate {
    /// The same place with the longitude within -180...180; nil when it is not a place.
    fileprivate var wrapped: Coordinate? {
        guard abs(latitude) <= 90 && abs(longitude) <= 360 else { return nil }
        if longitude > 180 { return Coordinate(latitude: latitude, longitude: longitude - 360) }
        if longitude < -180 { return Coordinate(latitude: latitude, longitude: longitude + 360) }
        return self
    }
}
