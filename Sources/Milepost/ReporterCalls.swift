public import CMilepost
import FleetEngine
import Navigation
import Runtime

@_cdecl("milepost_reporter_create") @implementation
public func milepost_reporter_create(_ config: OpaquePointer?, _ reporter: UnsafeMutablePointer<OpaquePointer?>?) -> milepost_status {
    call { () throws(HostError) in
        let out = try pointer(reporter, "reporter")
        let box: ConfigBox = try object(config, "config")
        out.pointee = handle(to: try ReporterSession(box.configuration))
    }
}

@_cdecl("milepost_reporter_start") @implementation
public func milepost_reporter_start(_ reporter: OpaquePointer?) -> milepost_status {
    with(reporter) { session throws(HostError) in try session.start() }
}

@_cdecl("milepost_reporter_fd") @implementation
public func milepost_reporter_fd(_ reporter: OpaquePointer?) -> Int32 {
    var descriptor: Int32 = -1
    _ = with(reporter) { session throws(HostError) in descriptor = session.descriptor }
    return descriptor
}

@_cdecl("milepost_reporter_dispatch") @implementation
public func milepost_reporter_dispatch(_ reporter: OpaquePointer?) -> milepost_status {
    with(reporter) { session throws(HostError) in try session.dispatch() }
}

@_cdecl("milepost_reporter_stop") @implementation
public func milepost_reporter_stop(_ reporter: OpaquePointer?, _ timeout: Int32) -> milepost_status {
    with(reporter) { session throws(HostError) in
        guard (0...60_000).contains(timeout) else { throw HostError(.argument, "timeout_ms is \(timeout): give 0 to 60,000") }
        try session.stop(timeout: timeout)
    }
}

@_cdecl("milepost_reporter_destroy") @implementation
public func milepost_reporter_destroy(_ reporter: OpaquePointer?) -> milepost_status {
    guard reporter != nil else { return milepost_status(MILEPOST_OK) }
    let status = with(reporter) { session throws(HostError) in try session.destroy() }
    if status == milepost_status(MILEPOST_OK) { release(reporter, as: ReporterSession.self) }
    return status
}

@_cdecl("milepost_reporter_set_tracking") @implementation
public func milepost_reporter_set_tracking(_ reporter: OpaquePointer?, _ tracking: Int32) -> milepost_status {
    with(reporter) { session throws(HostError) in session.setTracking(tracking != 0) }
}

@_cdecl("milepost_reporter_get_tracking") @implementation
public func milepost_reporter_get_tracking(_ reporter: OpaquePointer?, _ tracking: UnsafeMutablePointer<Int32>?) -> milepost_status {
    get(reporter, into: tracking, "tracking") { $0.isTracking ? 1 : 0 }
}

@_cdecl("milepost_reporter_set_interval") @implementation
public func milepost_reporter_set_interval(_ reporter: OpaquePointer?, _ seconds: Int32) -> milepost_status {
    with(reporter) { session throws(HostError) in session.setInterval(Int(seconds)) }
}

@_cdecl("milepost_reporter_get_interval") @implementation
public func milepost_reporter_get_interval(_ reporter: OpaquePointer?, _ seconds: UnsafeMutablePointer<Int32>?) -> milepost_status {
    get(reporter, into: seconds, "interval_s") { Int32(clamping: $0.interval) }
}

@_cdecl("milepost_reporter_set_vehicle_state") @implementation
public func milepost_reporter_set_vehicle_state(_ reporter: OpaquePointer?, _ state: milepost_vehicle_state) -> milepost_status {
    with(reporter) { session throws(HostError) in
        try session.setVehicleState(
            known(VehicleState(rawValue: state), "state", state, "MILEPOST_VEHICLE_OFFLINE or MILEPOST_VEHICLE_ONLINE"))
    }
}

@_cdecl("milepost_reporter_get_vehicle_state") @implementation
public func milepost_reporter_get_vehicle_state(
    _ reporter: OpaquePointer?, _ state: UnsafeMutablePointer<milepost_vehicle_state>?
) -> milepost_status {
    get(reporter, into: state, "state") { $0.vehicleState.rawValue }
}

@_cdecl("milepost_reporter_set_vehicle_id") @implementation
public func milepost_reporter_set_vehicle_id(_ reporter: OpaquePointer?, _ id: UnsafePointer<CChar>?) -> milepost_status {
    with(reporter) { session throws(HostError) in session.setVehicle(try resourceID(id, "vehicle_id")) }
}

@_cdecl("milepost_reporter_set_task_id") @implementation
public func milepost_reporter_set_task_id(_ reporter: OpaquePointer?, _ id: UnsafePointer<CChar>?) -> milepost_status {
    with(reporter) { session throws(HostError) in session.setTask(id == nil ? nil : try resourceID(id, "task_id")) }
}

@_cdecl("milepost_reporter_set_route") @implementation
public func milepost_reporter_set_route(_ reporter: OpaquePointer?, _ route: OpaquePointer?) -> milepost_status {
    with(reporter) { session throws(HostError) in
        let shared: Route? = route == nil ? nil : try object(route, "route")
        session.setRoute(shared)
    }
}

@_cdecl("milepost_reporter_skip_waypoint") @implementation
public func milepost_reporter_skip_waypoint(_ reporter: OpaquePointer?, _ waypoint: UInt32) -> milepost_status {
    with(reporter) { session throws(HostError) in try session.skipWaypoint(waypoint) }
}

@_cdecl("milepost_reporter_set_dwell") @implementation
public func milepost_reporter_set_dwell(_ reporter: OpaquePointer?, _ waypoint: UInt32, _ dwell: Double) -> milepost_status {
    with(reporter) { session throws(HostError) in try session.setDwell(dwell, at: waypoint) }
}

@_cdecl("milepost_reporter_set_waypoint_radius") @implementation
public func milepost_reporter_set_waypoint_radius(_ reporter: OpaquePointer?, _ waypoint: UInt32, _ radius: Double) -> milepost_status {
    with(reporter) { session throws(HostError) in try session.setWaypointRadius(radius, at: waypoint) }
}

@_cdecl("milepost_reporter_save_progress") @implementation
public func milepost_reporter_save_progress(
    _ reporter: OpaquePointer?, _ buffer: UnsafeMutableRawPointer?, _ capacity: Int, _ size: UnsafeMutablePointer<Int>?
) -> milepost_status {
    with(reporter) { session throws(HostError) in
        let out = try pointer(size, "size")
        out.pointee = try save(try session.followedTracker(), into: buffer, capacity)
    }
}

@_cdecl("milepost_reporter_restore_progress") @implementation
public func milepost_reporter_restore_progress(_ reporter: OpaquePointer?, _ bytes: UnsafeRawPointer?, _ size: Int) -> milepost_status {
    with(reporter) { session throws(HostError) in try session.restoreProgress(try savedBytes(bytes, size)) }
}

@_cdecl("milepost_reporter_push_fix") @implementation
public func milepost_reporter_push_fix(_ reporter: OpaquePointer?, _ fix: UnsafePointer<milepost_fix>?) -> milepost_status {
    with(reporter) { session throws(HostError) in try session.push(Fix(try read(fix, "fix"))) }
}

func with(_ reporter: OpaquePointer?, _ body: (ReporterSession) throws(HostError) -> Void) -> milepost_status {
    call { () throws(HostError) in try body(try object(reporter, "reporter")) }
}

private func get(
    _ reporter: OpaquePointer?, into out: UnsafeMutablePointer<Int32>?, _ name: StaticString, _ value: (ReporterSession) -> Int32
) -> milepost_status {
    with(reporter) { session throws(HostError) in try pointer(out, name).pointee = value(session) }
}

/// An id as Fleet Engine takes it.
func resourceID(_ id: UnsafePointer<CChar>?, _ name: StaticString) throws(HostError) -> String {
    let id = try text(id, name)
    do throws(ResourceNameError) {
        try ResourceName.check(id)
    } catch {
        throw HostError(.argument, "\(name) \"\(error.value)\": \(error.rule)")
    }
    return id
}
