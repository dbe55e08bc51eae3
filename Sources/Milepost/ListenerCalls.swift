public import CMilepost
import FleetEngine
import Navigation
import Positioning
import Reporting
import Runtime

@_cdecl("milepost_reporter_add_listener") @implementation
public func milepost_reporter_add_listener(
    _ reporter: OpaquePointer?, _ listener: UnsafePointer<milepost_listener>?, _ id: UnsafeMutablePointer<milepost_listener_id>?
) -> milepost_status {
    with(reporter) { session throws(HostError) in
        let out = try pointer(id, "listener_id")
        out.pointee = session.add(Listener(try read(listener, "listener", least: listenerSizeAtFirst)))
    }
}

@_cdecl("milepost_reporter_remove_listener") @implementation
public func milepost_reporter_remove_listener(_ reporter: OpaquePointer?, _ id: milepost_listener_id) -> milepost_status {
    with(reporter) { session throws(HostError) in
        guard session.removeListener(id) else { throw HostError(.notFound, "there is no listener \(id)") }
    }
}

/// Of the first release, which ended after `position_state`: a host built against it hears no more.
private let listenerSizeAtFirst = 6 * MemoryLayout<UnsafeRawPointer>.size

extension Listener {
    /// The host's functions as Swift closures; those that are NULL stay nil.
    fileprivate init(_ c: milepost_listener) {
        self.init()
        let user = HostPointer(raw: c.user)
        if let function = c.update_succeeded { succeeded = { update in withUpdate(update) { function(user.raw, $0) } } }
        if let function = c.update_failed { failed = { failure in withFailure(failure) { function(user.raw, $0) } } }
        if let function = c.progress {
            let buffer = ProgressBuffer()
            progress = { tracker, time in buffer.with(tracker, at: time) { function(user.raw, &$0) } }
        }
        if let function = c.route_event {
            routeEvent = { event in
                var c = milepost_route_event(event)
                function(user.raw, &c)
            }
        }
        if let function = c.reporter_event {
            occurrence = { occurrence in withReporterEvent(occurrence) { function(user.raw, $0) } }
        }
        if let function = c.position_state {
            positionState = { state, detail in oneLine(detail, limit: 1000).withCString { function(user.raw, state.rawValue, $0) } }
        }
    }
}

private func withUpdate(_ succeeded: SucceededUpdate, _ body: (UnsafePointer<milepost_update>) -> Void) {
    let update = succeeded.update
    var c = milepost_update()
    c.size = UInt32(MemoryLayout<milepost_update>.size)
    c.http_status = Int32(clamping: succeeded.httpStatus)
    c.leg = UInt32(clamping: update.leg)
    c.snapped_latitude_deg = .nan
    c.snapped_longitude_deg = .nan
    c.waypoint_latitude_deg = .nan
    c.waypoint_longitude_deg = .nan
    present(MILEPOST_UPDATE_VEHICLE_STATE, update.vehicleState, &c) { $0.vehicle_state = $1.rawValue }
    present(MILEPOST_UPDATE_NAVIGATION_STATUS, update.navigationStatus, &c) { $0.navigation_status = $1.rawValue }
    present(MILEPOST_UPDATE_SNAPPED, update.location?.snapped, &c) {
        $0.snapped_latitude_deg = $1.latitude
        $0.snapped_longitude_deg = $1.longitude
    }
    present(MILEPOST_UPDATE_DISTANCE, update.remainingDistance, &c) { $0.remaining_m = $1 }
    present(MILEPOST_UPDATE_DURATION, update.remainingDuration, &c) { $0.remaining_s = $1 }
    present(MILEPOST_UPDATE_SERVER_ETA, succeeded.serverETA, &c) { $0.server_eta_unix_ms = $1 }
    present(MILEPOST_UPDATE_SEGMENT, update.segment, &c) {
        $0.waypoint_latitude_deg = $1.end?.latitude ?? .nan
        $0.waypoint_longitude_deg = $1.end?.longitude ?? .nan
    }
    (update.segment?.encoded ?? "").withCString { segment in
        succeeded.mask.withCString { mask in
            withFix(update.location?.fix) { fix in
                present(MILEPOST_UPDATE_LOCATION, fix, &c) { $0.fix = $1 }
                c.route_segment = segment
                c.update_mask = mask
                withLine(update.segment?.points ?? []) { points in
                    c.route_points_deg = points.baseAddress
                    c.route_point_count = points.count / 2
                    withStops(update.stops ?? []) { stops in
                        present(MILEPOST_UPDATE_STOPS, update.stops, &c) { c, _ in
                            c.stops = stops.baseAddress
                            c.stop_count = stops.count
                        }
                        body(&c)
                    }
                }
            }
        }
    }
}

private func withFix(_ fix: Fix?, _ body: (UnsafePointer<milepost_fix>?) -> Void) {
    guard let fix else { return body(nil) }
    var c = milepost_fix(fix)
    body(&c)
}

/// Latitude then longitude of each point; no address for none.
private func withLine(_ points: [Coordinate], _ body: (UnsafeBufferPointer<Double>) -> Void) {
    guard !points.isEmpty else { return body(UnsafeBufferPointer(start: nil, count: 0)) }
    points.flatMap { [$0.latitude, $0.longitude] }.withUnsafeBufferPointer(body)
}

/// Sets a field and its presence bit when there is a value.
private func present<Value>(_ bit: Int, _ value: Value?, _ c: inout milepost_update, _ set: (inout milepost_update, Value) -> Void) {
    guard let value else { return }
    c.fields |= UInt32(bit)
    set(&c, value)
}
