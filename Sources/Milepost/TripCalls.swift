public import CMilepost
import Reporting
import Runtime

/// What a trip monitor's handle stands for.
private final class TripBox {
    let session: TripSession
    let buffer = TripBuffer()
    init(_ session: TripSession) { self.session = session }
}

@_cdecl("milepost_trip_create") @implementation
public func milepost_trip_create(_ config: OpaquePointer?, _ trip: UnsafeMutablePointer<OpaquePointer?>?) -> milepost_status {
    call { () throws(HostError) in
        let out = try pointer(trip, "trip")
        let box: ConfigBox = try object(config, "config")
        out.pointee = handle(to: TripBox(try TripSession(box.configuration)))
    }
}

@_cdecl("milepost_trip_start") @implementation
public func milepost_trip_start(_ trip: OpaquePointer?) -> milepost_status {
    withTrip(trip) { session throws(HostError) in try session.start() }
}

@_cdecl("milepost_trip_fd") @implementation
public func milepost_trip_fd(_ trip: OpaquePointer?) -> Int32 {
    var descriptor: Int32 = -1
    _ = withTrip(trip) { session throws(HostError) in descriptor = session.descriptor }
    return descriptor
}

@_cdecl("milepost_trip_dispatch") @implementation
public func milepost_trip_dispatch(_ trip: OpaquePointer?) -> milepost_status {
    withTrip(trip) { session throws(HostError) in try session.dispatch() }
}

@_cdecl("milepost_trip_stop") @implementation
public func milepost_trip_stop(_ trip: OpaquePointer?) -> milepost_status {
    withTrip(trip) { session throws(HostError) in try session.stop(timeout: 0) }
}

@_cdecl("milepost_trip_destroy") @implementation
public func milepost_trip_destroy(_ trip: OpaquePointer?) -> milepost_status {
    guard trip != nil else { return milepost_status(MILEPOST_OK) }
    let status = withTrip(trip) { session throws(HostError) in try session.destroy() }
    if status == milepost_status(MILEPOST_OK) { release(trip, as: TripBox.self) }
    return status
}

@_cdecl("milepost_trip_set_trip_id") @implementation
public func milepost_trip_set_trip_id(_ trip: OpaquePointer?, _ id: UnsafePointer<CChar>?) -> milepost_status {
    withTrip(trip) { session throws(HostError) in session.setTrip(try resourceID(id, "trip_id")) }
}

@_cdecl("milepost_trip_set_interval") @implementation
public func milepost_trip_set_interval(_ trip: OpaquePointer?, _ seconds: Int32) -> milepost_status {
    withTrip(trip) { session throws(HostError) in session.setInterval(Int(seconds)) }
}

@_cdecl("milepost_trip_get_interval") @implementation
public func milepost_trip_get_interval(_ trip: OpaquePointer?, _ seconds: UnsafeMutablePointer<Int32>?) -> milepost_status {
    withTrip(trip) { session throws(HostError) in try pointer(seconds, "interval_s").pointee = Int32(clamping: session.interval) }
}

@_cdecl("milepost_trip_get") @implementation
public func milepost_trip_get(_ trip: OpaquePointer?, _ info: UnsafeMutablePointer<milepost_trip_info>?) -> milepost_status {
    call { () throws(HostError) in
        let box: TripBox = try object(trip, "trip")
        let out = try Out(info, "info")
        guard let latest = box.session.latest else { throw HostError(.state, "the server has not answered yet") }
        box.buffer.with(latest.snapshot, at: latest.now) { out.write(&$0) }
    }
}

@_cdecl("milepost_trip_add_listener") @implementation
public func milepost_trip_add_listener(
    _ trip: OpaquePointer?, _ listener: UnsafePointer<milepost_trip_listener>?, _ id: UnsafeMutablePointer<milepost_listener_id>?
) -> milepost_status {
    withTrip(trip) { session throws(HostError) in
        let out = try pointer(id, "listener_id")
        out.pointee = session.add(TripListener(try read(listener, "listener")))
    }
}

@_cdecl("milepost_trip_remove_listener") @implementation
public func milepost_trip_remove_listener(_ trip: OpaquePointer?, _ id: milepost_listener_id) -> milepost_status {
    withTrip(trip) { session throws(HostError) in
        guard session.removeListener(id) else { throw HostError(.notFound, "there is no listener \(id)") }
    }
}

private func withTrip(_ trip: OpaquePointer?, _ body: (TripSession) throws(HostError) -> Void) -> milepost_status {
    call { () throws(HostError) in
        let box: TripBox = try object(trip, "trip")
        try body(box.session)
    }
}

extension TripListener {
    /// The host's functions as Swift closures; those that are NULL stay nil.
    fileprivate init(_ c: milepost_trip_listener) {
        self.init()
        let user = HostPointer(raw: c.user)
        if let function = c.trip_updated {
            let buffer = TripBuffer()
            updated = { snapshot, now in buffer.with(snapshot, at: now) { function(user.raw, &$0) } }
        }
        if let function = c.trip_failed { failed = { failure in withFailure(failure) { function(user.raw, $0) } } }
    }
}
