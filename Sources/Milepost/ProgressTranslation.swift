import CMilepost
import Navigation

/// Progress in the form of the C interface, with room for the values of every waypoint: filling it allocates nothing while the route stays the same.
final class ProgressBuffer {
    private var distances: [Double] = []
    private var durations: [Double] = []
    private var arrivals: [Int64] = []
    private var lows: [Double] = []
    private var highs: [Double] = []

    /// Calls `body` with the progress at a time, seconds since 1970 or NaN; the arrays in it hold until the next call.
    func with(_ tracker: Tracker?, at time: Double, _ body: (inout milepost_progress) -> Void) {
        var c = milepost_progress()
        c.size = UInt32(MemoryLayout<milepost_progress>.size)
        if let milliseconds = unixMilliseconds(time) {
            c.time_unix_ms = milliseconds
            c.fields |= UInt32(MILEPOST_PROGRESS_TIME)
        }
        fill(&c, tracker?.progress)
        if let tracker {
            fillETA(&c, time)
            fillWaypoints(tracker, time)
            c.waypoint_count = distances.count
            c.remaining_low_s = lows.last ?? .nan
            c.remaining_high_s = highs.last ?? .nan
        }
        distances.withUnsafeBufferPointer { distances in
            durations.withUnsafeBufferPointer { durations in
                arrivals.withUnsafeBufferPointer { arrivals in
                    c.waypoint_remaining_m = distances.baseAddress
                    c.waypoint_remaining_s = durations.baseAddress
                    c.waypoint_eta_unix_ms = arrivals.baseAddress
                    lows.withUnsafeBufferPointer { lows in
                        highs.withUnsafeBufferPointer { highs in
                            c.waypoint_low_s = lows.baseAddress
                            c.waypoint_high_s = highs.baseAddress
                            body(&c)
                        }
                    }
                }
            }
        }
    }

    private func fill(_ c: inout milepost_progress, _ progress: Progress?) {
        c.state = progress?.state.rawValue ?? milepost_route_state(MILEPOST_ROUTE_NONE)
        c.leg = UInt32(clamping: progress?.leg ?? 0)
        c.latitude_deg = progress?.snapped.latitude ?? .nan
        c.longitude_deg = progress?.snapped.longitude ?? .nan
        c.along_m = progress?.along ?? .nan
        c.cross_track_m = progress?.crossTrack ?? .nan
        c.remaining_m = progress?.remainingDistance ?? .nan
        c.remaining_s = progress?.remainingDuration ?? .nan
        c.remaining_low_s = .nan
        c.remaining_high_s = .nan
        if c.latitude_deg.isFinite && c.along_m.isFinite { c.fields |= UInt32(MILEPOST_PROGRESS_POSITION) }
        if c.remaining_m.isFinite { c.fields |= UInt32(MILEPOST_PROGRESS_DISTANCE) }
        if progress?.isEstimated == true { c.fields |= UInt32(MILEPOST_PROGRESS_ESTIMATED) }
        if c.remaining_s.isFinite { c.fields |= UInt32(MILEPOST_PROGRESS_DURATION) }
    }

    private func fillETA(_ c: inout milepost_progress, _ time: Double) {
        guard let arrival = unixMilliseconds(time + c.remaining_s) else { return }
        c.eta_unix_ms = arrival
        c.fields |= UInt32(MILEPOST_PROGRESS_ETA)
    }

    private func fillWaypoints(_ tracker: Tracker, _ time: Double) {
        let count = tracker.route.legCount
        if distances.count != count {
            distances = Array(repeating: .nan, count: count)
            durations = distances
            arrivals = Array(repeating: 0, count: count)
            lows = distances
            highs = distances
        }
        for waypoint in 0..<count {
            distances[waypoint] = tracker.remainingDistance(toWaypoint: waypoint)
            durations[waypoint] = tracker.remainingDuration(toWaypoint: waypoint)
            arrivals[waypoint] = unixMilliseconds(time + durations[waypoint]) ?? 0
            (lows[waypoint], highs[waypoint]) = tracker.remainingBand(toWaypoint: waypoint)
        }
    }
}
