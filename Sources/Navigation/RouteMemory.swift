/// Surviving a power cycle: a route as bytes, 24 or 32 a vertex, and back the very same, so that a tracker saved along it can be restored.
///
/// Words of 64 bits in the machine's own order: ``mark`` and version, the counts of vertices, legs and times, whether the times are shaped, the shrinkage;
/// latitudes, longitudes, metres and seconds of each vertex, where each leg ends; and the FNV-1a hash of all that.
extension Route {
    /// "MPRT", and the version after it.
    private static var mark: UInt64 { 0x5452_504d | 1 << 32 }
    private static var headerCount: Int { 6 }

    /// What ``restored(from:)`` takes.
    public func saved() -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(8 * (Self.headerCount + 3 * count + elapsed.count + legCount + 1))
        for word in [Self.mark, UInt64(count), UInt64(legCount), UInt64(elapsed.count), isTimeShaped ? 1 : 0, shrinkage.bitPattern] {
            bytes.append(word)
        }
        for values in [latitudes, longitudes, along, elapsed] { values.withUnsafeBytes { bytes.append(contentsOf: $0) } }
        for end in legEnds { bytes.append(UInt64(end)) }
        bytes.append(fnv1a(bytes[...]))
        return bytes
    }

    /// nil for bytes that are damaged, of another version or of no route that can be followed.
    public static func restored(from bytes: [UInt8]) -> Route? {
        let words = bytes.count / 8
        guard bytes.count == 8 * words, words > headerCount, bytes.word(0) == mark,
            bytes.word(words - 1) == fnv1a(bytes[..<(8 * words - 8)]),
            let count = Int(exactly: bytes.word(1)), (2...maxPoints).contains(count),
            let legCount = Int(exactly: bytes.word(2)), (1...maxLegs).contains(legCount), [0, UInt64(count)].contains(bytes.word(3))
        else { return nil }
        let timeCount = Int(bytes.word(3))
        guard words == headerCount + 3 * count + timeCount + legCount + 1 else { return nil }
        let shrinkage = Double(bitPattern: bytes.word(5))
        let along = bytes.values(headerCount + 2 * count, count)
        let elapsed = bytes.values(headerCount + 3 * count, timeCount)
        let legEnds = (0..<legCount).map { Int(truncatingIfNeeded: bytes.word(words - 1 - legCount + $0)) }
        guard shrinkage > 0, shrinkage <= 1, along.ascends, elapsed.ascends, (legEnds.first ?? 0) > 0,
            zip(legEnds, legEnds.dropFirst()).allSatisfy({ $0 < $1 })
        else { return nil }
        let latitudes = bytes.values(headerCount, count)
        let longitudes = bytes.values(headerCount + count, count)
        let points = (0..<count).map { Coordinate(latitude: latitudes[$0], longitude: longitudes[$0]) }
        do throws(RouteError) {
            try RouteDescription(points: points, legEnds: legEnds).check()
            return Route(
                try RouteLine(points), along: along, shrinkage: shrinkage, elapsed: elapsed, isTimeShaped: bytes.word(4) == 1,
                legEnds: legEnds)
        } catch {
            return nil
        }
    }
}

extension [UInt8] {
    /// So many numbers from a word on.
    fileprivate func values(_ first: Int, _ count: Int) -> [Double] { (0..<count).map { Double(bitPattern: word(first + $0)) } }
}

extension [Double] {
    /// From 0 on, never descending, finite.
    fileprivate var ascends: Bool {
        var last = 0.0
        for value in self {
            guard value >= last, value.isFinite else { return false }
            last = value
        }
        return isEmpty || self[0] == 0
    }
}
