/// Why a saved tracker cannot be taken up again: start anew.
public enum RestoreError: Error, Equatable {
    /// Cut short, altered, or not from here.
    case damaged
    /// Written by another version of this library.
    case otherVersion
    /// Saved while following another route.
    case otherRoute
}

/// Surviving a power cycle: where the vehicle was on its route, as a few hundred bytes.
///
/// Words of 64 bits, the lowest byte first: ``mark`` and version, the route's identity, the fields in the order of `save`, one bit a waypoint for those
/// left out, and the FNV-1a hash of all that.
extension Tracker {
    /// "MPTR", and the version after it.
    private static var mark: UInt64 { 0x5254_504d }
    private static var version: UInt64 { 1 }
    private static var fieldCount: Int { 11 }

    /// Replaces the bytes with what ``init(route:arrivalRadius:restoring:)`` takes.
    public func save(into bytes: inout [UInt8]) {
        bytes.removeAll(keepingCapacity: true)
        let kept = reckoning ?? Reckoning(self)
        var words: [UInt64] = [
            Self.mark | Self.version << 32, route.identity, UInt64(truncatingIfNeeded: Int64(kept.progress.state.rawValue)),
            UInt64(truncatingIfNeeded: Int64(progress.leg)), kept.along.bitPattern, kept.here.bitPattern,
            kept.progress.crossTrack.bitPattern, pace.bitPattern, clock.time.bitPattern, stop.nearest.bitPattern, stop.isTold ? 1 : 0,
        ]
        for first in stride(from: 0, to: stop.skipped.count, by: 64) {
            var word: UInt64 = 0
            for waypoint in first..<min(first + 64, stop.skipped.count) where stop.skipped[waypoint] {
                word |= 1 << UInt64(waypoint - first)
            }
            words.append(word)
        }
        for word in words { bytes.append(word) }
        bytes.append(fnv1a(bytes[...]))
    }

    /// A tracker as it was saved. Throws when the bytes are damaged, of another version, or of another route.
    public init(route: Route, arrivalRadius: Double = 40, restoring bytes: [UInt8]) throws(RestoreError) {
        self.init(route: route, arrivalRadius: arrivalRadius)
        let count = bytes.count / 8
        guard bytes.count == 8 * count, count > Self.fieldCount, bytes.word(count - 1) == fnv1a(bytes[..<(8 * count - 8)]),
            bytes.word(0) & 0xffff_ffff == Self.mark
        else { throw .damaged }
        guard bytes.word(0) >> 32 == Self.version else { throw .otherVersion }
        guard bytes.word(1) == route.identity else { throw .otherRoute }
        let skippedWords = count - 1 - Self.fieldCount
        guard let state = Progress.State(rawValue: Int32(truncatingIfNeeded: bytes.word(2))),
            skippedWords == 0 || skippedWords == (route.legCount + 63) / 64, restore(bytes, state)
        else { throw .damaged }
        if skippedWords > 0 {
            stop.skipped = (0..<route.legCount).map { bytes.word(Self.fieldCount + $0 / 64) >> UInt64($0 % 64) & 1 == 1 }
        }
    }

    /// False when a value is none that can have been saved.
    private mutating func restore(_ bytes: [UInt8], _ state: Progress.State) -> Bool {
        let leg = bytes.word(3)
        let values = (4..<10).map { Double(bitPattern: bytes.word($0)) }
        guard leg < UInt64(route.legCount), values[0] >= 0 && values[0] <= route.length, values[1] >= 0 && values[1] <= values[0] else {
            return false
        }
        along = values[0]
        here = values[1]
        pace = values[3] >= 0 && values[3].isFinite ? values[3] : .nan
        clock = FixClock(time: values[4])
        stop.nearest = values[5] >= 0 ? values[5] : .infinity
        stop.isTold = bytes.word(10) == 1
        progress.state = state
        progress.leg = Int(leg)
        if state != .acquiring { place(crossTrack: values[2]) }
        return true
    }

    /// Fills in the progress for where the vehicle was.
    private mutating func place(crossTrack: Double) {
        segment = route.segment(at: here)
        estimator.move(to: route.seconds(along: along), along: along)
        progress.backtracked = along - here
        guard !progress.state.isOffRoute else { return progress.forgetPosition() }
        progress.along = along
        progress.crossTrack = crossTrack
        progress.snapped = route.coordinate(along: here)
        progress.direction = route.direction(of: segment)
        progress.remainingDistance = route.length - along
        noteDurations()
        foundAt = progress.snapped
    }
}

extension Route {
    /// Tells routes apart: its counts, its length, where its legs end and up to 256 of its vertices.
    fileprivate var identity: UInt64 {
        var hash = FNV1a()
        hash.add(UInt64(count))
        hash.add(length.bitPattern)
        for end in legEnds { hash.add(UInt64(end)) }
        for vertex in stride(from: 0, to: count, by: max(count / 256, 1)) {
            hash.add(latitudes[vertex].bitPattern)
            hash.add(longitudes[vertex].bitPattern)
        }
        return hash.value
    }
}

/// The 64-bit hash of Fowler, Noll and Vo, variant 1a (RFC 9923).
private struct FNV1a {
    var value: UInt64 = 0xcbf2_9ce4_8422_2325

    mutating func add(_ byte: UInt8) { value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }

    mutating func add(_ word: UInt64) {
        for shift in stride(from: UInt64(0), to: 64, by: 8) { add(UInt8(truncatingIfNeeded: word >> shift)) }
    }
}

private func fnv1a(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    var hash = FNV1a()
    for byte in bytes { hash.add(byte) }
    return hash.value
}

extension [UInt8] {
    fileprivate mutating func append(_ word: UInt64) {
        for shift in stride(from: UInt64(0), to: 64, by: 8) { append(UInt8(truncatingIfNeeded: word >> shift)) }
    }

    /// `index` within count / 8.
    fileprivate func word(_ index: Int) -> UInt64 {
        var word: UInt64 = 0
        for byte in 0..<8 { word |= UInt64(self[8 * index + byte]) << UInt64(8 * byte) }
        return word
    }
}
