public import CMilepost
import Navigation
import Runtime

@_cdecl("milepost_tracker_set_route") @implementation
public func milepost_tracker_set_route(_ tracker: OpaquePointer?, _ route: OpaquePointer?) -> milepost_status {
    withTracker(tracker) { box throws(HostError) in box.tracker.replaceRoute(with: try object(route, "route")) }
}

@_cdecl("milepost_tracker_skip_waypoint") @implementation
public func milepost_tracker_skip_waypoint(_ tracker: OpaquePointer?, _ waypoint: UInt32) -> milepost_status {
    withTracker(tracker) { box throws(HostError) in try box.tracker.skip(waypoint) }
}

@_cdecl("milepost_tracker_set_dwell") @implementation
public func milepost_tracker_set_dwell(_ tracker: OpaquePointer?, _ waypoint: UInt32, _ dwell: Double) -> milepost_status {
    withTracker(tracker) { box throws(HostError) in try box.tracker.setDwell(dwell, at: waypoint) }
}

@_cdecl("milepost_tracker_set_speed") @implementation
public func milepost_tracker_set_speed(_ tracker: OpaquePointer?, _ speed: Double) -> milepost_status {
    withTracker(tracker) { box throws(HostError) in box.tracker.setSpeed(try routeSpeed(speed)) }
}

@_cdecl("milepost_tracker_set_arrival_radius") @implementation
public func milepost_tracker_set_arrival_radius(_ tracker: OpaquePointer?, _ radius: Double) -> milepost_status {
    withTracker(tracker) { box throws(HostError) in box.tracker.setArrivalRadius(try arrivalRadius(radius)) }
}

@_cdecl("milepost_tracker_set_waypoint_radius") @implementation
public func milepost_tracker_set_waypoint_radius(_ tracker: OpaquePointer?, _ waypoint: UInt32, _ radius: Double) -> milepost_status {
    withTracker(tracker) { box throws(HostError) in try box.tracker.setWaypointRadius(radius, at: waypoint) }
}

@_cdecl("milepost_tracker_save") @implementation
public func milepost_tracker_save(
    _ tracker: OpaquePointer?, _ buffer: UnsafeMutableRawPointer?, _ capacity: Int, _ size: UnsafeMutablePointer<Int>?
) -> milepost_status {
    withTracker(tracker) { box throws(HostError) in
        let out = try pointer(size, "size")
        out.pointee = try save(box.tracker, into: buffer, capacity)
    }
}

@_cdecl("milepost_tracker_restore") @implementation
public func milepost_tracker_restore(_ tracker: OpaquePointer?, _ bytes: UnsafeRawPointer?, _ size: Int) -> milepost_status {
    withTracker(tracker) { box throws(HostError) in try box.restore(try savedBytes(bytes, size)) }
}

/// Saves a tracker into the host's room, where there is any; gives the bytes needed.
func save(_ tracker: Tracker, into buffer: UnsafeMutableRawPointer?, _ capacity: Int) throws(HostError) -> Int {
    let size = tracker.savedSize
    guard let buffer else {
        guard capacity == 0 else { throw HostError(.argument, "buffer is NULL, but capacity is \(capacity)") }
        return size
    }
    guard capacity < 0 || capacity >= size else { throw HostError(.argument, "capacity is \(capacity): \(size) bytes are needed") }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(size)
    tracker.save(into: &bytes)
    bytes.withUnsafeBytes { UnsafeMutableRawBufferPointer(start: buffer, count: size).copyMemory(from: $0) }
    return size
}

/// What a host has saved: never more than the longest route needs.
func savedBytes(_ bytes: UnsafeRawPointer?, _ size: Int) throws(HostError) -> [UInt8] {
    guard let bytes else { throw HostError(.argument, "bytes is NULL") }
    guard (0...16 * Route.maxLegs).contains(size) else { throw HostError(.saved, "\(size) bytes cannot have been saved: start anew") }
    return [UInt8](UnsafeRawBufferPointer(start: bytes, count: size))
}
