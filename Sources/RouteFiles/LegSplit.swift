import Navigation

/// Cuts a line into legs where waypoints lie on it or beside it, in driving order. A cut that falls between two points adds one.
struct LegSplit {
    private(set) var points: [Coordinate] = []
    private(set) var legEnds: [Int] = []

    /// A waypoint between start and end, and what it is called in errors.
    struct Stop {
        let position: Coordinate
        let name: String
    }

    /// How much a place that is far from where the declared leg lengths put a waypoint must be nearer to it, metres a metre. It tells the passes
    /// of a route that comes by twice apart.
    private static let detourWeight = 0.01
    /// Points this near to a cut, in metres, are taken for it.
    private static let samePlace = 1.0
    /// Points times waypoints that are searched: about a second.
    private static let maximumWork = 50_000_000

    /// A place on the line: so much of the way from one point to the next.
    private struct Place {
        var segment: Int
        var fraction: Double
    }

    private let line: [Coordinate]
    /// Metres from the start for each point.
    private let along: [Double]

    /// How far from the line a stop may be, in metres.
    private let reach: Double

    /// legLengths: as declared, in metres, one more than stops. reach: how far from the line a stop may be, in metres; nil for what tells one route
    /// from another. `place` names the line in errors.
    init(
        _ line: [Coordinate], stops: [Stop], legLengths: [Double]?, reach: Double? = nil, at place: String
    ) throws(RouteFileError) {
        guard line.count * stops.count <= Self.maximumWork else {
            throw RouteFileError("\(place) has too many points and waypoints to find the one on the other: ask for steps=true")
        }
        self.line = line
        var total = 0.0
        var along: [Double] = line.isEmpty ? [] : [0]
        for (a, b) in zip(line, line.dropFirst()) {
            total += Ground.distance(a, b)
            along.append(total)
        }
        self.along = along
        self.reach = reach ?? 1_000 + total / 4
        insert(try places(of: stops, legLengths: legLengths, lineLength: total, at: place))
    }

    private func places(
        of stops: [Stop], legLengths: [Double]?, lineLength: Double, at place: String
    ) throws(RouteFileError) -> [Place] {
        let declared = legLengths?.reduce(0, +) ?? 0
        let scale = declared > 0 ? lineLength / declared : 0
        var expected = 0.0
        var previous = Place(segment: 0, fraction: 0)
        var places: [Place] = []
        for (index, stop) in stops.enumerated() {
            expected += (legLengths?[index] ?? 0) * scale
            previous = nearest(to: stop.position, after: previous, expected: scale > 0 ? expected : nil)
            let distance = Ground.distance(stop.position, coordinate(at: previous))
            guard distance <= reach else {
                throw RouteFileError(
                    "\(place) passes \(stop.name) at \(metres(distance)): the waypoints are not this route's, or not in driving order")
            }
            places.append(previous)
        }
        return places
    }

    private func nearest(to stop: Coordinate, after previous: Place, expected: Double?) -> Place {
        var best = previous
        var bestCost = Double.infinity
        for segment in previous.segment..<max(previous.segment, line.count - 1) {
            let least = segment == previous.segment ? previous.fraction : 0
            let candidate = Place(segment: segment, fraction: max(least, footFraction(of: stop, on: segment)))
            let detour = expected.map { abs(metresAlong(candidate) - $0) * Self.detourWeight } ?? 0
            let cost = Ground.distance(stop, coordinate(at: candidate)) + detour
            if cost < bestCost {
                best = candidate
                bestCost = cost
            }
        }
        return snapped(best, after: previous)
    }

    /// How far along a segment the point nearest to `stop` lies, 0 to 1.
    private func footFraction(of stop: Coordinate, on segment: Int) -> Double {
        let direction = Ground.offset(of: line[segment + 1], from: line[segment])
        let target = Ground.offset(of: stop, from: line[segment])
        let squared = direction.east * direction.east + direction.north * direction.north
        guard squared > 0 else { return 0 }
        return min(1, max(0, (target.east * direction.east + target.north * direction.north) / squared))
    }

    /// An existing point in place of one that would lie beside it.
    private func snapped(_ place: Place, after previous: Place) -> Place {
        guard place.segment < line.count - 1 else { return place }
        let toStart = metresAlong(place) - along[place.segment]
        let toEnd = along[place.segment + 1] - metresAlong(place)
        let mayGoBack = place.segment > previous.segment || previous.fraction == 0
        if mayGoBack, toStart < Self.samePlace, toStart <= toEnd { return Place(segment: place.segment, fraction: 0) }
        return toEnd < Self.samePlace ? Place(segment: place.segment + 1, fraction: 0) : place
    }

    private func metresAlong(_ place: Place) -> Double {
        let start = along[place.segment]
        guard place.fraction > 0 else { return start }
        return start + (along[place.segment + 1] - start) * place.fraction
    }

    private func coordinate(at place: Place) -> Coordinate {
        let start = line[place.segment]
        guard place.fraction > 0 else { return start }
        let end = line[place.segment + 1]
        let east = Ground.wrappedLongitude(end.longitude - start.longitude) * place.fraction
        return Coordinate(
            latitude: start.latitude + (end.latitude - start.latitude) * place.fraction,
            longitude: Ground.wrappedLongitude(start.longitude + east))
    }

    private mutating func insert(_ places: [Place]) {
        points.reserveCapacity(line.count + places.count)
        var next = places[...]
        for (segment, point) in line.enumerated() {
            points.append(point)
            while let place = next.first, place.segment == segment {
                if place.fraction > 0 { points.append(coordinate(at: place)) }
                legEnds.append(points.count - 1)
                next.removeFirst()
            }
        }
        legEnds.append(points.count - 1)
    }
}
