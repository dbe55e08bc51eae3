/// Where something is on a route, by its metres from the start. Values outside the route are clamped onto it; NaN counts as the start.
extension Route {
    /// The first vertex that lies strictly further along; the last where there is none.
    public func vertex(after along: Double) -> Int {
        min(firstVertex(from: 0, to: count, after: along.isNaN ? 0 : along), count - 1)
    }

    /// The position there, on the straight line between vertices.
    public func coordinate(along: Double) -> Coordinate {
        let segment = segment(at: along)
        return place(segment, fraction(of: segment, at: along))
    }

    /// Seconds from the start by the route's own time profile; NaN when the route declares no durations.
    public func seconds(along: Double) -> Double {
        let segment = segment(at: along)
        return seconds(segment, fraction(of: segment, at: along))
    }

    /// The leg being driven there: the first that ends further along, else the last.
    public func leg(along: Double) -> Int {
        let along = along.isNaN ? 0 : along
        var low = 0
        var high = legCount - 1
        while low < high {
            let middle = (low + high) / 2
            if legEndAlong(middle) > along { high = middle } else { low = middle + 1 }
        }
        return low
    }

    /// The segment there, one with a length if there is any.
    func segment(at along: Double) -> Int { min(max(vertex(after: along) - 1, 0), lastSegment) }

    /// The same, sought outwards from a segment near by.
    func segment(at along: Double, near hint: Int) -> Int {
        var low = min(max(hint, 0), count - 1)
        if self.along[low] <= along && low < lastSegment && self.along[low + 1] > along { return low }
        var high = low
        var step = 1
        while low > 0 && self.along[low] > along {
            high = low
            low = max(low - step, 0)
            step *= 2
        }
        step = 1
        while high < count && self.along[high] <= along {
            low = high
            high = min(high + step, count)
            step *= 2
        }
        return min(max(firstVertex(from: low, to: high, after: along) - 1, 0), lastSegment)
    }

    /// How far along a segment, 0 to 1.
    func fraction(of segment: Int, at along: Double) -> Double {
        let start = self.along[segment]
        let length = self.along[segment + 1] - start
        return along > start && length > 0 ? min((along - start) / length, 1) : 0
    }

    /// Where a segment leads, one metre long.
    func direction(of segment: Int) -> Offset { Offset(bearing: bearing(from: coordinate(segment), to: coordinate(segment + 1))) }

    /// The position at a fraction of a segment's length.
    func place(_ segment: Int, _ fraction: Double) -> Coordinate {
        if fraction <= 0 { return coordinate(segment) }
        if fraction >= 1 { return coordinate(segment + 1) }
        let length = along[segment + 1] - along[segment]
        if length < 100, let place = coordinate(segment).mixed(with: coordinate(segment + 1), fraction) { return place }
        let chord = chordFraction(fraction, length: length)
        let a = positions[segment].earthPosition
        let b = positions[segment + 1].earthPosition
        return EarthPosition(x: a.x + (b.x - a.x) * chord, y: a.y + (b.y - a.y) * chord, z: a.z + (b.z - a.z) * chord).coordinate
    }

    @inline(__always)
    func seconds(_ segment: Int, _ fraction: Double) -> Double {
        guard !elapsed.isEmpty else { return .nan }
        let start = elapsed[segment]
        let end = elapsed[segment + 1]
        return min(start + (end - start) * fraction, end)
    }

    /// The first vertex of low..<high that lies strictly further along; `high` where there is none.
    private func firstVertex(from low: Int, to high: Int, after along: Double) -> Int {
        var low = low
        var high = high
        while low < high {
            let middle = (low + high) / 2
            if self.along[middle] <= along { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

/// Fractions of a chord and of the arc above it differ for long segments: tan(u h) = v tan(h), where u and v run from -1 to 1 over arc and chord
/// and 2h is the arc's angle. To third order in h: a metre at 2000 km.
func chordFraction(_ arcFraction: Double, length: Double) -> Double { arcFraction - bend(arcFraction, length) }
func arcFraction(_ chordFraction: Double, length: Double) -> Double { chordFraction + bend(chordFraction, length) }

private func bend(_ fraction: Double, _ length: Double) -> Double {
    let u = 2 * fraction - 1
    let h = length * (1 / (2 * Ellipsoid.meanRadius))
    return u * (1 - u * u) * (h * h * (1.0 / 6))
}

extension Coordinate {
    /// Between two places a hundred metres apart, within 2 mm of the line: there the meridians are as good as parallel. Nil near the poles and across the
    /// antimeridian.
    fileprivate func mixed(with other: Coordinate, _ fraction: Double) -> Coordinate? {
        guard abs(latitude) < 85 && abs(other.longitude - longitude) < 180 else { return nil }
        return Coordinate(
            latitude: latitude + (other.latitude - latitude) * fraction, longitude: longitude + (other.longitude - longitude) * fraction)
    }
}
