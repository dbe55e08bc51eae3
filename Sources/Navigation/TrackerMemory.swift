/// Why a saved tracker cannot be taken up again: start anew.
public enum RestoreError: Error, Equatable {
    /// Cut short, altered, or not from here.
    case damaged
    /// Written by another version of this library.
    case otherVersion
    /// Saved while following another route.
    case otherRoute
}

/// Surviving a power cycle: where the vehicle was on its route, what was learned of its pace, and its stops, as a few hundred bytes.
///
/// Words of 64 bits, the lowest byte first: ``mark`` and version, the route's identity, the fields in the order of `save`, for each waypoint the seconds to
/// be spent there (-1: left out), and the FNV-1a hash of all that. The radii and the speed are the host's to set again. Another version's bytes are refused:
/// what is lost is a position, which the next fix tells.
extension Tracker {
    /// "MPTR", and the version after it.
    private static var mark: UInt64 { 0x5254_504d }
    private static var version: UInt64 { 2 }
    private static var fieldCount: Int { 18 }

    /// Of what ``save(into:)`` gives: the route alone decides.
    public var savedSize: Int { 8 * (Self.fieldCount + route.legCount + 1) }

    /// Replaces the bytes with what ``restore(_:)`` takes.
    public func save(into bytes: inout [UInt8]) {
        bytes.removeAll(keepingCapacity: true)
        let kept = reckoning ?? Reckoning(self)
        let learned = kept.estimator.learned
        bytes.append(Self.mark | Self.version << 32)
        bytes.append(route.identity)
        bytes.append(UInt64(truncatingIfNeeded: Int64(kept.progress.state.rawValue)))
        bytes.append(UInt64(truncatingIfNeeded: Int64(progress.leg)))
        for value in [kept.along, kept.here, kept.progress.crossTrack, pace, clock.time, stop.nearest] { bytes.append(value.bitPattern) }
        bytes.append(UInt64(stop.isTold ? 1 : 0) + UInt64(stood ? 2 : 0))
        bytes.append(learned.speed.bitPattern)
        for value in learned.pace { bytes.append(value.bitPattern) }
        bytes.append(UInt64(truncatingIfNeeded: Int64(learned.dwell.leg)))
        bytes.append(learned.dwell.left.bitPattern)
        bytes.append(learned.dwell.spent.bitPattern)
        for waypoint in 0..<route.legCount { bytes.append((isSkipped(waypoint) ? -1 : learned.dwell[waypoint]).bitPattern) }
        bytes.append(fnv1a(bytes[...]))
    }

    /// Goes on as it was saved, on the same route. Throws when the bytes are damaged, of another version, or of another route, and changes nothing.
    public mutating func restore(_ bytes: [UInt8]) throws(RestoreError) {
        let count = bytes.count / 8
        guard bytes.count == 8 * count, count > 2, bytes.word(count - 1) == fnv1a(bytes[..<(8 * count - 8)]),
            bytes.word(0) & 0xffff_ffff == Self.mark
        else { throw .damaged }
        guard bytes.word(0) >> 32 == Self.version else { throw .otherVersion }
        guard bytes.word(1) == route.identity else { throw .otherRoute }
        var restored = Tracker(route: route, arrivalRadius: arrivalRadius, speed: speed)
        restored.stop.settings = stop.settings
        guard bytes.count == savedSize, let state = Progress.State(rawValue: Int32(truncatingIfNeeded: bytes.word(2))),
            restored.restoreWaypoints(bytes), restored.restore(bytes, state)
        else { throw .damaged }
        self = restored
    }

    /// The time at the stops, what was learned, and which are left out. False when a value is none that can have been saved, as below.
    private mutating func restoreWaypoints(_ bytes: [UInt8]) -> Bool {
        let learned = (12..<15).map { bytes.value($0) }
        let dwellLeg = bytes.word(15)
        let left = bytes.value(16)
        let spent = bytes.value(17)
        guard dwellLeg < UInt64(route.legCount), (learned + [left, spent]).allSatisfy({ $0 >= 0 && $0.isFinite }) else { return false }
        let seconds = (0..<route.legCount).map { bytes.value(Self.fieldCount + $0) }
        guard seconds.allSatisfy({ $0 == -1 || $0 >= 0 && $0 <= Dwell.longest }) else { return false }
        for waypoint in 0..<route.legCount where isSkipped(waypoint) != (seconds[waypoint] == -1) {
            set(waypoint) { $0.isLeftOut = seconds[waypoint] == -1 }
        }
        let dwell = Dwell(leg: Int(dwellLeg), left: left, spent: spent, seconds: seconds.map { max($0, 0) })
        estimator.restore(ArrivalEstimator.Learned(speed: bytes.value(11), pace: learned, dwell: dwell))
        return true
    }

    private mutating func restore(_ bytes: [UInt8], _ state: Progress.State) -> Bool {
        let leg = bytes.word(3)
        let values = (4..<10).map { bytes.value($0) }
        guard leg < UInt64(route.legCount), values[0] >= 0 && values[0] <= route.length, values[1] >= 0 && values[1] <= values[0] else {
            return false
        }
        along = values[0]
        here = values[1]
        pace = values[3] >= 0 && values[3].isFinite ? values[3] : .nan
        clock = FixClock(time: values[4])
        stop.nearest = values[5] >= 0 ? values[5] : .infinity
        stop.isTold = bytes.word(10) & 1 != 0
        stood = bytes.word(10) & 2 != 0
        progress.state = state
        progress.leg = Int(leg)
        if state != .acquiring { place(crossTrack: values[2]) }
        noteDurations()
        return true
    }

    /// Fills in the progress for where the vehicle was.
    private mutating func place(crossTrack: Double) {
        segment = route.segment(at: here)
        estimator.arrive(at: route.seconds(along: along), along: along)
        progress.backtracked = along - here
        guard !progress.state.isOffRoute else { return progress.forgetPosition() }
        progress.along = along
        progress.crossTrack = crossTrack
        progress.snapped = route.coordinate(along: here)
        progress.direction = route.direction(of: segment)
        progress.remainingDistance = route.length - along
        foundAt = progress.snapped
    }
}

extension Route {
    /// Whether what was saved along one can be restored along the other.
    public func isSame(as other: Route) -> Bool { identity == other.identity }

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
struct FNV1a {
    var value: UInt64 = 0xcbf2_9ce4_8422_2325

    mutating func add(_ byte: UInt8) { value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }

    mutating func add(_ word: UInt64) {
        for shift in stride(from: UInt64(0), to: 64, by: 8) { add(UInt8(truncatingIfNeeded: word >> shift)) }
    }
}

func fnv1a(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    var hash = FNV1a()
    for byte in bytes { hash.add(byte) }
    return hash.value
}

extension [UInt8] {
    mutating func append(_ word: UInt64) {
        for shift in stride(from: UInt64(0), to: 64, by: 8) { append(UInt8(truncatingIfNeeded: word >> shift)) }
    }

    fileprivate func value(_ index: Int) -> Double { Double(bitPattern: word(index)) }

    /// `index` within count / 8.
    func word(_ index: Int) -> UInt64 {
        var word: UInt64 = 0
        for byte in 0..<8 { word |= UInt64(self[8 * index + byte]) << UInt64(8 * byte) }
        return word
    }
}
