/// Metres from the start of a route for each vertex, each leg normalised to its declared length.
struct LegLengths {
    private(set) var along: [Double]
    /// See ``Route/shrinkage``.
    private(set) var shrinkage = 1.0

    /// `geometry` holds metres from the start as the points give them. A declared length counts where it agrees with the geometry within a
    /// fifth; a simplified line is a few per cent short, more than that is another road.
    init(geometry: [Double], legEnds: [Int], declared: [Double]?) {
        along = geometry
        if let declared { normalise(geometry, legEnds, declared) }
    }

    private mutating func normalise(_ geometry: [Double], _ legEnds: [Int], _ declared: [Double]) {
        var start = 0
        for (end, length) in zip(legEnds, declared) {
            let measured = geometry[end] - geometry[start]
            let agrees = measured > 0 && abs(length - measured) <= measured / 5
            let total = agrees ? length : measured
            let scale = agrees ? length / measured : 1
            let base = along[start]
            if start < end {
                for vertex in start + 1..<end { along[vertex] = min(base + (geometry[vertex] - geometry[start]) * scale, base + total) }
                along[end] = base + total
            }
            shrinkage = min(shrinkage, scale)
            start = end
        }
    }
}

/// See ``Route/lastSegment``.
func lastSegmentWithLength(_ along: [Double]) -> Int {
    let last = max(along.count - 2, 0)
    var segment = last
    while segment > 0 && along[segment] == along[segment + 1] { segment -= 1 }
    return along.first == along.last ? last : segment
}
