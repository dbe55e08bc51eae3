public import CMilepost
import Navigation
import Runtime

@_cdecl("milepost_tracker_create") @implementation
public func milepost_tracker_create(_ route: OpaquePointer?, _ tracker: UnsafeMutablePointer<OpaquePointer?>?) -> milepost_status {
    call { () throws(HostError) in
        let out = try pointer(tracker, "tracker")
        out.pointee = handle(to: TrackerBox(try object(route, "route")))
    }
}

@_cdecl("milepost_tracker_update") @implementation
public func milepost_tracker_update(
    _ tracker: OpaquePointer?, _ fix: UnsafePointer<milepost_fix>?, _ progress: UnsafeMutablePointer<milepost_progress>?
) -> milepost_status {
    withTracker(tracker) { box throws(HostError) in
        let out = try Out(progress, "progress")
        try box.update(Fix(try read(fix, "fix"))) { out.write(&$0) }
    }
}

@_cdecl("milepost_tracker_get_progress") @implementation
public func milepost_tracker_get_progress(_ tracker: OpaquePointer?, _ progress: UnsafeMutablePointer<milepost_progress>?)
    -> milepost_status
{
    withTracker(tracker) { box throws(HostError) in
        let out = try Out(progress, "progress")
        box.show { out.write(&$0) }
    }
}

@_cdecl("milepost_tracker_reckon") @implementation
public func milepost_tracker_reckon(
    _ tracker: OpaquePointer?, _ time: Int64, _ progress: UnsafeMutablePointer<milepost_progress>?
) -> milepost_status {
    withTracker(tracker) { box throws(HostError) in
        let out = try Out(progress, "progress")
        try box.reckon(at: Double(time) / 1000) { out.write(&$0) }
    }
}

@_cdecl("milepost_tracker_get_event") @implementation
public func milepost_tracker_get_event(
    _ tracker: OpaquePointer?, _ index: Int, _ event: UnsafeMutablePointer<milepost_route_event>?
) -> milepost_status {
    withTracker(tracker) { box throws(HostError) in
        let out = try Out(event, "event")
        let events = box.tracker.events
        guard index >= 0 && index < events.count else { throw HostError(.notFound, "the last update has \(events.count) events") }
        var c = milepost_route_event(events[index])
        out.write(&c)
    }
}

@_cdecl("milepost_tracker_destroy") @implementation
public func milepost_tracker_destroy(_ tracker: OpaquePointer?) { release(tracker, as: TrackerBox.self) }

func withTracker(_ tracker: OpaquePointer?, _ body: (TrackerBox) throws(HostError) -> Void) -> milepost_status {
    call { () throws(HostError) in try body(try object(tracker, "tracker")) }
}
