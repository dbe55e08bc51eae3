import CSystem
import Navigation
import Positioning
import Reporting

/// What a host wants to hear of; nil for what it does not.
public struct Listener {
    public var succeeded: ((SucceededUpdate) -> Void)?
    public var failed: ((FailedUpdate) -> Void)?
    /// The tracker, and the time of its progress, seconds since 1970; NaN when not known.
    public var progress: ((Tracker?, Double) -> Void)?
    /// What has changed on the route.
    public var routeEvent: ((TrackerEvent) -> Void)?
    public var positionState: ((PositionState, String) -> Void)?
    public var occurrence: ((Occurrence) -> Void)?

    public init() {}
}

/// The listeners of one session. Weak in C's way: once `remove` has returned, that listener is not called again.
final class Listeners<Listener>: Sendable {
    private struct State {
        var entries: [(id: UInt64, listener: Listener)] = []
        var nextID: UInt64 = 1
        /// Whom the loop is calling now, and on which thread.
        var calling: UInt64?
        var callingThread: UInt = 0
        /// Nobody is called.
        var isMuted = false
    }

    private let state = Guarded(State())

    func add(_ listener: Listener) -> UInt64 {
        state.with {
            let id = $0.nextID
            $0.nextID &+= 1
            $0.entries.append((id, listener))
            return id
        }
    }

    /// False when there is no such listener. Waits for a call of it that is under way on another thread.
    func remove(_ id: UInt64) -> Bool {
        let isOwnCall = state.with { $0.calling == id && $0.callingThread == mp_thread_self() }
        let found = state.with { state in
            guard let index = state.entries.firstIndex(where: { $0.id == id }) else { return false }
            state.entries.remove(at: index)
            return true
        }
        if found && !isOwnCall { _ = state.wait(atMost: nil) { $0.calling != id } }
        return found
    }

    /// From now on no call begins, or calls may begin again; one that is under way goes on.
    func mute(_ isMuted: Bool) { state.with { $0.isMuted = isMuted } }

    /// Calls each listener that is there, one at a time, with no lock held.
    func each(_ body: (Listener) -> Void) {
        for id in state.with({ $0.entries.map { $0.id } }) {
            let listener = state.with { state -> Listener? in
                guard !state.isMuted, let entry = state.entries.first(where: { $0.id == id }) else { return nil }
                state.calling = id
                state.callingThread = mp_thread_self()
                return entry.listener
            }
            guard let listener else { continue }
            body(listener)
            state.change { $0.calling = nil }
        }
    }
}
