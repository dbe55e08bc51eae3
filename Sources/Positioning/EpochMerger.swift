import Navigation

/// Makes one fix of the several reports that gpsd sends for one moment: one for each sentence of the receiver. The first often lacks the track,
/// the time too after gpsd's start, and its speed is gpsd's own estimate; later ones know more.
struct EpochMerger {
    /// How long an incomplete fix waits for the rest of its epoch, nanoseconds.
    static let patience: Int64 = 200_000_000
    /// Below this speed receivers leave the track away, metres a second.
    static let standingSpeed = 1.5

    /// The epoch being merged: its time, which its first reports may lack, and its position; both nil before the first.
    private var time: TPV.Time?
    private var position: Coordinate?
    private var held: Fix?

    /// When `release` is due, nanoseconds; `Int64.max` while nothing is held.
    private(set) var deadline = Int64.max

    /// Takes a report with a position, from the device followed. Gives the fix of the epoch before when this one ends it, and the report's own when
    /// it is complete.
    mutating func take(_ report: TPV, at now: Int64) -> (previous: Fix?, current: Fix?) {
        var previous: Fix?
        var fix = report.fix
        if continues(report) {
            time = report.time ?? time
            guard let earlier = held else { return (nil, nil) }
            fix.fillAbsent(from: earlier)
        } else {
            previous = release()
            time = report.time
            position = fix.coordinate
            deadline = now &+ Self.patience
        }
        held = fix
        return (previous, fix.isComplete ? release() : nil)
    }

    /// Of the same epoch by its time; where a time is missing, by its position.
    private func continues(_ report: TPV) -> Bool {
        guard let time, let other = report.time else { return report.fix.coordinate == position }
        return time == other
    }

    /// Gives what is held: its time is up, or nothing more will come.
    mutating func release() -> Fix? {
        defer {
            held = nil
            deadline = .max
        }
        return held
    }
}

extension Fix {
    fileprivate var isComplete: Bool { speed < EpochMerger.standingSpeed || (speed.isFinite && heading.isFinite) }

    fileprivate mutating func fillAbsent(from earlier: Fix) {
        func fill(_ value: inout Double, _ other: Double) { if !value.isFinite { value = other } }
        fill(&time, earlier.time)
        fill(&accuracy, earlier.accuracy)
        fill(&speed, earlier.speed)
        fill(&heading, earlier.heading)
        fill(&altitude, earlier.altitude)
        fill(&speedAccuracy, earlier.speedAccuracy)
        fill(&headingAccuracy, earlier.headingAccuracy)
        fill(&altitudeAccuracy, earlier.altitudeAccuracy)
    }
}
