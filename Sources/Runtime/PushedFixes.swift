import Positioning
import Reporting

/// The position state of a host that pushes its fixes itself: gpsd's session keeps its own.
struct PushedFixes {
    /// Without a fix for so long the last one is stale, as with gpsd.
    static let staleAfter: Instant = 5_000_000_000

    private var state = PositionState.noData
    private(set) var deadline: Instant = .max

    /// The new state when it changes.
    mutating func arrived(at now: Instant) -> PositionState? {
        deadline = now &+ Self.staleAfter
        guard state != .fix else { return nil }
        state = .fix
        return state
    }

    mutating func act(at now: Instant) -> PositionState? {
        guard now >= deadline else { return nil }
        deadline = .max
        state = .stale
        return state
    }
}
