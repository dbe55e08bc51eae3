public import CMilepost
import Navigation
import Positioning
import Runtime

/// What a tracker's handle stands for.
private final class TrackerBox {
    private var tracker: Tracker
    private var gate = FixGate()
    private let buffer = ProgressBuffer()

    init(_ route: Route) { tracker = Tracker(route: route) }

    /// Of the last update.
    var events: TrackerEvents { tracker.events }

    func update(_ fix: Fix, _ body: (inout milepost_progress) -> Void) throws(HostError) {
        // No clock here: the fixes' own times count.
        switch gate.admit(fix, now: .nan) {
        case .failure(let rejection): throw HostError(.fix, rejection.text)
        case .success(let fix):
            _ = tracker.update(fix, now: .nan)
            buffer.with(tracker, fix, body)
        }
    }
}

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
    call { () throws(HostError) in
        let box: TrackerBox = try object(tracker, "tracker")
        let out = try Out(progress, "progress")
        try box.update(Fix(try read(fix, "fix"))) { out.write(&$0) }
    }
}

@_cdecl("milepost_tracker_get_event") @implementation
public func milepost_tracker_get_event(
    _ tracker: OpaquePointer?, _ index: Int, _ event: UnsafeMutablePointer<milepost_route_event>?
) -> milepost_status {
    call { () throws(HostError) in
        let box: TrackerBox = try object(tracker, "tracker")
        let out = try Out(event, "event")
        guard index >= 0 && index < box.events.count else { throw HostError(.notFound, "the last update has \(box.events.count) events") }
        var c = milepost_route_event(box.events[index])
        out.write(&c)
    }
}

@_cdecl("milepost_tracker_destroy") @implementation
public func milepost_tracker_destroy(_ tracker: OpaquePointer?) { release(tracker, as: TrackerBox.self) }
