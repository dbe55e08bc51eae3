/// Something that a host may want to act on and no other listener function tells.
public struct Occurrence: Sendable {
    /// With the numbers of MILEPOST_REPORTER_EVENT_*.
    public enum Kind: Int32, Sendable {
        /// Fleet Engine has no such vehicle: the host's backend is to create it.
        case vehicleNotFound = 1
        case vehicleFound = 2
        /// The server did not take the position that was sent.
        case positionRejected = 3
        /// Updates go out more seldom than the host has asked for.
        case intervalStretched = 4
        case intervalRestored = 5
        /// The backend has the vehicle stop elsewhere than the route does.
        case waypointsDiffer = 10
        /// What was kept on disk was damaged: it was set aside, and keeping begins anew.
        case storeDamaged = 20
        /// Nothing can be kept on disk.
        case storeUnusable = 21
        case storeUsable = 22
        /// Kept fixes had to go before the server had them.
        case fixesDropped = 23
    }

    public let kind: Kind
    /// One line for a person: what has happened and what to do about it.
    public let message: String
    /// Seconds until the next attempt, or between updates from now on.
    public var interval: Int?
    /// Metres.
    public var distance: Double?
    /// Of the route, from 0.
    public var waypoint: Int?
    /// How many of what the kind tells.
    public var count: Int?

    public init(_ kind: Kind, _ message: String) {
        self.kind = kind
        self.message = message
    }
}
