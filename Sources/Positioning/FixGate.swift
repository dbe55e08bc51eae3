import CSystem
import Navigation

/// The checks that every fix goes through, whether it comes from gpsd, from the host or from a file: what is out of range becomes absent, and
/// what cannot be true is dropped with its reason. A vehicle that really moved, or a clock that was really set, is believed after three fixes.
/// Allocates nothing.
public struct FixGate: Sendable {
    /// Faster than this no road vehicle goes, metres a second.
    static let topSpeed = 70.0
    /// Fixes in a row that must agree before a new place or a new time is believed.
    static let confirmations = 3
    /// Fixes in a row that may share one position above `movingSpeed`.
    static let frozenFixes = 5
    /// Metres a second.
    static let movingSpeed = 2.0
    /// A step of the fixes' clock, seconds: smaller ones back are late or repeated fixes.
    static let backwardStep = 10.0
    /// Further than this ahead of the monotonic clock is a wrong date (gpsd 3.22 dates a fix tomorrow when UTC goes back), not a replay at speed.
    static let forwardStep = 3600.0

    public private(set) var rejected = FixRejectionCounts()

    private var last: Arrival?
    /// The fixes' own clock: kept apart from `last`, which may be a fix without a time.
    private var lastTimed: Arrival?
    /// The latest of some dropped fixes that agree with each other, and how many they are.
    private var elsewhere: (arrival: Arrival, count: Int)?
    private var otherTime: (arrival: Arrival, count: Int)?
    private var repeats = 0

    public init() {}

    /// Gives the fix with its values in range, or why it was dropped.
    ///
    /// - Parameter now: seconds of any clock that never goes back; NaN where there is none.
    public mutating func admit(_ fix: Fix, now: Double) -> Result<Fix, FixRejection> {
        let arrival = Arrival(fix: fix.inRange, now: now)
        if let rejection = check(arrival) {
            rejected.count(rejection)
            return .failure(rejection)
        }
        last = arrival
        elsewhere = nil
        if arrival.fix.time.isFinite {
            lastTimed = arrival
            otherTime = nil
        }
        return .success(arrival.fix)
    }

    private mutating func check(_ arrival: Arrival) -> FixRejection? {
        let position = arrival.fix.coordinate
        guard position.isValid, position.latitude != 0 || position.longitude != 0 else {
            return .position(latitude: position.latitude, longitude: position.longitude)
        }
        return checkTime(arrival) ?? checkFrozen(arrival) ?? checkJump(arrival)
    }

    private mutating func checkTime(_ arrival: Arrival) -> FixRejection? {
        guard let lastTimed, arrival.fix.time.isFinite, let rejection = arrival.timeStep(since: lastTimed) else { return nil }
        // A fix that is a little late says nothing of the clock.
        if case .notNewer(let seconds) = rejection, seconds <= Self.backwardStep { return rejection }
        guard let other = otherTime else {
            otherTime = (arrival, 1)
            return rejection
        }
        if arrival.fix.time == other.arrival.fix.time { return rejection }
        let count = arrival.timeStep(since: other.arrival) == nil ? other.count + 1 : 1
        otherTime = (arrival, count)
        return count < Self.confirmations ? rejection : nil
    }

    private mutating func checkFrozen(_ arrival: Arrival) -> FixRejection? {
        let isRepeat = arrival.fix.speed > Self.movingSpeed && arrival.fix.coordinate == last?.fix.coordinate
        repeats = isRepeat ? min(repeats + 1, 1_000_000) : 0
        return repeats >= Self.frozenFixes ? .frozen(fixes: repeats + 1, speed: arrival.fix.speed) : nil
    }

    private mutating func checkJump(_ arrival: Arrival) -> FixRejection? {
        guard let last, let rejection = arrival.jump(since: last) else { return nil }
        guard let other = elsewhere else {
            elsewhere = (arrival, 1)
            return rejection
        }
        if arrival.fix.time == other.arrival.fix.time { return rejection }
        let count = arrival.jump(since: other.arrival) == nil ? other.count + 1 : 1
        elsewhere = (arrival, count)
        return count < Self.confirmations ? rejection : nil
    }
}

/// A fix and the monotonic time at which it came, seconds or NaN.
private struct Arrival: Sendable {
    var fix: Fix
    var now: Double

    /// Why the time since `earlier` is not that of a clock that runs; nil when it is.
    func timeStep(since earlier: Arrival) -> FixRejection? {
        let step = fix.time - earlier.fix.time
        if step <= 0 { return .notNewer(by: -step) }
        let ahead = step - (now - earlier.now)
        return ahead > FixGate.forwardStep ? .clockAhead(by: ahead) : nil
    }

    /// Why the distance from `earlier` cannot have been driven; nil when it can, or when no clock tells.
    func jump(since earlier: Arrival) -> FixRejection? {
        let seconds = elapsed(since: earlier)
        let metres = distance(earlier.fix.coordinate, fix.coordinate)
        let reach = 1.5 * FixGate.topSpeed * seconds + fix.uncertainty + earlier.fix.uncertainty
        return metres > reach ? .jump(metres: metres, seconds: seconds) : nil
    }

    /// By the fixes' own times where they are in order, so that a replay is judged as the drive was; else by arrival, which may bunch.
    private func elapsed(since earlier: Arrival) -> Double {
        if fix.time > earlier.fix.time, timeStep(since: earlier) == nil { return fix.time - earlier.fix.time }
        let seconds = now - earlier.now
        return seconds < 1 ? 1 : seconds
    }
}

extension Fix {
    /// Metres that the position may be off; 20 where no error is given.
    fileprivate var uncertainty: Double { accuracy.isFinite ? min(accuracy, 100) : 20 }

    /// This fix with every optional value that is out of its range made absent.
    fileprivate var inRange: Fix {
        var fix = self
        fix.time = within(1_483_228_800, 4_102_444_800, time)  // 2017 to 2099
        fix.speed = speed < 0 && speed >= -0.5 ? 0 : within(0, 100, speed)
        fix.heading = heading == 360 ? 0 : within(0, 360, heading)
        fix.altitude = altitude.isFinite ? altitude : .nan
        fix.accuracy = within(0, .greatestFiniteMagnitude, accuracy)
        fix.speedAccuracy = within(0, .greatestFiniteMagnitude, speedAccuracy)
        fix.headingAccuracy = within(0, 180, headingAccuracy)
        fix.altitudeAccuracy = within(0, .greatestFiniteMagnitude, altitudeAccuracy)
        return fix
    }
}

/// `value` from `low` to `high`; else NaN.
private func within(_ low: Double, _ high: Double, _ value: Double) -> Double { value >= low && value <= high ? value : .nan }

/// Metres on a sphere, equirectangular: right to a few per cent where it matters, and no less than far where it does not.
private func distance(_ a: Coordinate, _ b: Coordinate) -> Double {
    let metresPerDegree = 111_195.0
    var degreesEast = abs(b.longitude - a.longitude)
    if degreesEast > 180 { degreesEast = 360 - degreesEast }
    let latitude = (a.latitude + b.latitude) / 2 * .pi / 180
    return metresPerDegree * mp_hypot(b.latitude - a.latitude, degreesEast * mp_cos(latitude))
}
