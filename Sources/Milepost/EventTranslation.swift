import CMilepost
import Navigation

extension milepost_route_event {
    init(_ event: TrackerEvent) {
        self.init()
        size = UInt32(MemoryLayout<milepost_route_event>.size)
        kind = event.kind.rawValue
        reason = event.reason.rawValue
        distance_m = event.distance
        if event.distance.isFinite { fields |= UInt32(MILEPOST_ROUTE_EVENT_HAS_DISTANCE) }
        if event.waypoint >= 0 {
            waypoint = UInt32(clamping: event.waypoint)
            fields |= UInt32(MILEPOST_ROUTE_EVENT_HAS_WAYPOINT)
        }
        if let time = unixMilliseconds(event.time) {
            time_unix_ms = time
            fields |= UInt32(MILEPOST_ROUTE_EVENT_HAS_TIME)
        }
    }
}
