import Navigation

/// Makes one fix of the several reports that gpsd sends for one moment: one for each sentence of the receiver. The first often lacks the track,
/// and its speed is gpsd's own estimate; later ones know more.
struct EpochMerger {
    /// How long an incomplete fix waits for the rest of its epoch, nanoseconds.
    static let patience: Int64 = 200_000_000
    /// Below this speed receivers leave the track away, metres a second.
    static let standingSpeed = 1.5

    private var epoch: TPV.Time?
    private var held: Fix?
    private var lastPosition: Coordinate?

    /// When `release` is due, nanoseconds; `Int64.max` while nothing is held.
    private(set) var deadline = Int64.max

    /// Takes a report with a position, from the device followed. Gives the fix of the epoch before when this one ends it, and the report's own when
    /// it is complete.
    mutating func take(_ report: TPV, at now: Int64) -> (previous: Fix?, current: Fix?) {
        guard let time = report.time else { return (release(), takeTimeless(report)) }
        var previous: Fix?
        var fix = report.fix
        if time == epoch {
            guard let earlier = held else { return (nil, nil) }
            fix.fillAbsent(from: earlier)
        } else {
            previous = release()
            epoch = time
            deadline = now &+ Self.patience
        }
        held = fix
        return (previous, fix.isComplete ? release() : nil)
    }

    /// Gives what is held: its time is up, or nothing more will come.
    mutating func release() -> Fix? {
        defer {
            held = nil
            deadline = .max
        }
        if let held { lastPosition = held.coordinate }
        return held
    }

    /// Without a time only another position shows that this is another moment.
    private mutating func takeTimeless(_ report: TPV) -> Fix? {
        guard report.fix.coordinate != lastPosition else { return nil }
        lastPosition = report.fix.coordinate
        return report.fix
    }
}

extension Fix {
    fileprivate var isComplete: Bool { speed < EpochMerger.standingSpeed || (speed.isFinite && heading.isFinite) }

    fileprivate mutating func fillAbsent(from earlier: Fix) {
        func fill(_ value: inout Double, _ other: Double) { if !value.isFinite { value = other } }
        fill(&accuracy, earlier.accuracy)
        fill(&speed, earlier.speed)
        fill(&heading, earlier.heading)
        fill(&altitude, earlier.altitude)
        fill(&speedAccuracy, earlier.speedAccuracy)
        fill(&headingAccuracy, earlier.headingAccuracy)
        fill(&altitudeAccuracy, earlier.altitudeAccuracy)
    }
}
