/// Something that an update of a ``Tracker`` found out.
public struct TrackerEvent: Sendable {
    public enum Kind: Int32, Sendable {
        /// Found on the route for the first time, or decided which pass of a road it is on.
        case acquired = 1
        /// Found, but the route comes by more than once: the progress is that of the earliest pass.
        case ambiguous = 2
        /// The fixes do not fit the route, or are too poor to tell; not yet enough to believe it.
        case uncertain = 3
        /// They fit again.
        case confirmed = 4
        case leftRoute = 5
        /// Driving the route against its direction. `distance`: metres driven back.
        case wrongWay = 6
        /// On the route again. `distance`: metres of the route left out; negative when it came back behind the place where it had left.
        case rejoined = 7
        /// At a waypoint before the last. `distance`: metres of the nearest fix from it.
        case waypointArrived = 8
        /// Driven by without coming within its radius, or unseen in a gap. `distance`: metres that it was missed by; NaN in a gap.
        case waypointPassed = 9
        /// Left out. `distance`: metres of the nearest fix from it; NaN when none was near.
        case waypointMissed = 10
        /// At the last waypoint, for good.
        case arrived = 11
        /// No fix for a while.
        case stale = 12
        case routeReplaced = 13
        /// Fixes again, after none for a while: the state is that of before.
        case resumed = 14
    }

    public enum Reason: Int32, Sendable {
        case none = 0
        /// The route has no other place like it.
        case onlyPlace = 1
        /// The direction of motion decided.
        case headingAgrees = 2
        case severalPasses = 3
        case outsideCorridor = 4
        /// So far that two fixes are enough.
        case farAway = 5
        /// Driving in another direction than the road of the route.
        case headingDisagrees = 6
        /// For a while at the same side, further than the road is wide.
        case besideRoute = 7
        /// On a part of the route that comes later.
        case wrongOrder = 8
        case drivingBack = 9
        case poorAccuracy = 10
        /// By the distance driven along the route.
        case reached = 11
        /// By standing near it.
        case stood = 12
        /// Unseen: the time is interpolated.
        case duringGap = 13
        /// Lies in a part of the route that was not driven.
        case leftOut = 14
        /// The host asked for it.
        case requested = 15
        case noFix = 16
    }

    public var kind: Kind
    public var reason: Reason
    /// The waypoint it is about (the end of the leg of that number); -1 for none.
    public var waypoint: Int
    /// Metres, as the kind says; NaN for none.
    public var distance: Double
    /// In the fixes' time, seconds since 1970 UTC; NaN when the fix has none.
    public var time: Double
}

/// The events of one update, in order. Of a fixed size: keeping them allocates nothing.
public struct TrackerEvents: Sendable {
    public static let capacity = 8

    public private(set) var count = 0
    /// Waypoints' events for which there was no room: they can be told from the leg alone.
    public private(set) var dropped = 0
    private var slots = InlineArray<8, TrackerEvent>(
        repeating: TrackerEvent(kind: .acquired, reason: .none, waypoint: -1, distance: .nan, time: .nan))

    /// `index` from 0 up to but not including `count`.
    public subscript(index: Int) -> TrackerEvent { slots[min(max(index, 0), Self.capacity - 1)] }

    public func first(_ kind: TrackerEvent.Kind) -> TrackerEvent? {
        for index in 0..<count where slots[index].kind == kind { return slots[index] }
        return nil
    }

    mutating func removeAll() {
        count = 0
        dropped = 0
    }

    /// Without room a waypoint's event is dropped; any other takes the last one's place.
    mutating func append(_ event: TrackerEvent) {
        if count < Self.capacity {
            slots[count] = event
            count += 1
            return
        }
        dropped &+= 1
        switch event.kind {
        case .waypointArrived, .waypointPassed, .waypointMissed: return
        default: slots[Self.capacity - 1] = event
        }
    }
}
