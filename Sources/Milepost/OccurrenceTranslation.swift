import CMilepost
import Reporting

/// Hands an occurrence over as C sees it; its message is valid inside `body`.
func withReporterEvent(_ occurrence: Occurrence, _ body: (UnsafePointer<milepost_reporter_event>) -> Void) {
    var c = milepost_reporter_event()
    c.size = UInt32(MemoryLayout<milepost_reporter_event>.size)
    c.kind = occurrence.kind.rawValue
    c.distance_m = .nan
    if let interval = occurrence.interval {
        c.interval_s = Int32(clamping: interval)
        c.fields |= UInt32(MILEPOST_REPORTER_EVENT_HAS_INTERVAL)
    }
    if let distance = occurrence.distance, distance.isFinite {
        c.distance_m = distance
        c.fields |= UInt32(MILEPOST_REPORTER_EVENT_HAS_DISTANCE)
    }
    if let waypoint = occurrence.waypoint {
        c.waypoint = UInt32(clamping: waypoint)
        c.fields |= UInt32(MILEPOST_REPORTER_EVENT_HAS_WAYPOINT)
    }
    if let count = occurrence.count {
        c.count = UInt64(clamping: count)
        c.fields |= UInt32(MILEPOST_REPORTER_EVENT_HAS_COUNT)
    }
    oneLine(occurrence.message, limit: 1000).withCString { message in
        c.message = message
        body(&c)
    }
}
