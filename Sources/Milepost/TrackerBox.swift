import CMilepost
import Navigation
import Positioning
import Runtime

/// What a tracker's handle stands for.
final class TrackerBox {
    var tracker: Tracker
    private var gate = FixGate()
    private let buffer = ProgressBuffer()
    /// Of the last fix or reckoning, seconds since 1970; NaN for none. The tracker has no clock but this.
    private var time = Double.nan
    /// Of the last fix.
    private var fixTime = Double.nan

    init(_ route: Route) { tracker = Tracker(route: route) }

    func update(_ fix: Fix, _ body: (inout milepost_progress) -> Void) throws(HostError) {
        // No clock here: the fixes' own times count.
        switch gate.admit(fix, now: .nan) {
        case .failure(let rejection): throw HostError(.fix, rejection.text)
        case .success(let fix):
            _ = tracker.update(fix, now: fix.time)
            fixTime = fix.time
            time = fix.time
            show(body)
        }
    }

    /// Carries the position on to a time.
    func reckon(at now: Double, _ body: (inout milepost_progress) -> Void) throws(HostError) {
        guard fixTime.isFinite else { throw HostError(.state, "no fix with a time has come yet: there is nothing to carry on from") }
        guard now >= fixTime else { throw HostError(.argument, "time_unix_ms is before the last fix") }
        _ = tracker.reckon(at: now)
        time = now
        show(body)
    }

    func show(_ body: (inout milepost_progress) -> Void) { buffer.with(tracker, at: time, body) }

    func restore(_ bytes: [UInt8]) throws(HostError) {
        try tracker.restore(saved: bytes)
        gate = FixGate()
        fixTime = .nan
        time = .nan
    }
}
