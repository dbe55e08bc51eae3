/// Boxes around runs of a route's segments, in levels: each box of a level holds ``fanOut`` of the level below, the lowest hold ``leafSize``
/// segments. It leads, in driving order, to the few runs that come near a place. About one byte a point.
struct RouteIndex: Sendable {
    static let leafSize = 32
    static let fanOut = 8

    private let boxes: [Box]
    /// Where each level begins in `boxes`, the leaves first, and where the last one ends.
    private let levels: [Int]

    /// `along` holds metres from the start, for each position.
    init(positions: [GridPosition], along: [Double]) {
        let segments = max(positions.count - 1, 0)
        var boxes: [Box] = []
        boxes.reserveCapacity(segments / (Self.leafSize - Self.leafSize / 8) + 8)
        for first in stride(from: 0, to: segments, by: Self.leafSize) {
            boxes.append(Self.leaf(first..<min(first + Self.leafSize, segments), positions, along))
        }
        var levels = [0, boxes.count]
        while boxes.count - levels[levels.count - 2] > 1 {
            let below = levels[levels.count - 2]..<boxes.count
            for first in stride(from: below.lowerBound, to: below.upperBound, by: Self.fanOut) {
                var box = boxes[first]
                for child in first + 1..<max(first + 1, min(first + Self.fanOut, below.upperBound)) { box.include(boxes[child]) }
                boxes.append(box)
            }
            levels.append(boxes.count)
        }
        self.boxes = boxes
        self.levels = levels
    }

    private static func leaf(_ segments: Range<Int>, _ positions: [GridPosition], _ along: [Double]) -> Box {
        var box = Box(positions[segments.lowerBound])
        var longest = 0.0
        for segment in segments {
            box.include(positions[segment + 1])
            longest = max(longest, along[segment + 1] - along[segment])
        }
        // The line bulges above its chord by s²/8R; declared lengths may be a quarter short of it.
        let bulge = 1.6 * longest * longest / (8 * Ellipsoid.meanRadius)
        box.pad(Int32(truncatingIfNeeded: Int64(min(bulge, 500_000) * GridPosition.unitsPerMetre) + 1))
        return box
    }

    /// The first leaf from `leaf` on whose box comes within `metres` of the place; nil when there is none.
    func leaf(from leaf: Int, within metres: Double, of place: EarthPosition) -> Int? {
        let limit = metres * GridPosition.unitsPerMetre
        let limit2 = limit * limit
        let x = place.x * GridPosition.unitsPerMetre
        let y = place.y * GridPosition.unitsPerMetre
        let z = place.z * GridPosition.unitsPerMetre
        var node = leaf
        var level = 0
        while node < levels[level + 1] - levels[level] {
            // Where a run of siblings begins, their common box may rule them all out.
            while node % Self.fanOut == 0 && level < levels.count - 2 {
                node /= Self.fanOut
                level += 1
            }
            while boxes[levels[level] + node].distance2(x, y, z) <= limit2 {
                if level == 0 { return node }
                level -= 1
                node *= Self.fanOut
            }
            node += 1
        }
        return nil
    }
}

/// A box whose sides follow the earth's axes, in units of ``GridPosition``.
private struct Box {
    var low: GridPosition
    var high: GridPosition

    init(_ position: GridPosition) {
        low = position
        high = position
    }

    mutating func include(_ position: GridPosition) {
        low.x = min(low.x, position.x)
        low.y = min(low.y, position.y)
        low.z = min(low.z, position.z)
        high.x = max(high.x, position.x)
        high.y = max(high.y, position.y)
        high.z = max(high.z, position.z)
    }

    mutating func include(_ box: Box) {
        include(box.low)
        include(box.high)
    }

    /// At most 1.63e9 + 1.28e8, which fits.
    mutating func pad(_ units: Int32) {
        low.x &-= units
        low.y &-= units
        low.z &-= units
        high.x &+= units
        high.y &+= units
        high.z &+= units
    }

    /// Units squared from a place to the box; 0 inside.
    func distance2(_ x: Double, _ y: Double, _ z: Double) -> Double {
        let dx = max(Double(low.x) - x, x - Double(high.x), 0)
        let dy = max(Double(low.y) - y, y - Double(high.y), 0)
        let dz = max(Double(low.z) - z, z - Double(high.z), 0)
        return dx * dx + dy * dy + dz * dz
    }
}
