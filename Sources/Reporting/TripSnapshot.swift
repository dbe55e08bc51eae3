import FleetEngine

/// A trip as the server answered it, and how old that is.
public struct TripSnapshot: Sendable {
    public let trip: Trip
    private let answeredAt: Instant
    /// Seconds, when the server answered.
    private let locationAge: Double?

    /// now: when the answer came. serverTime: when it was given by the server's clock, milliseconds since 1970; nil when it did not say.
    public init(trip: Trip, at now: Instant, serverTime: Int64?) {
        self.trip = trip
        answeredAt = now
        // By the server's clock at both ends where it tells when it received the position: the vehicle's clock may be wrong.
        let positionTime = trip.location.flatMap { $0.serverTime ?? $0.time }
        locationAge = positionTime.flatMap { time in serverTime.map { max(0, Double($0) - Double(time)) / 1000 } }
    }

    /// Seconds since the answer.
    public func answerAge(at now: Instant) -> Double { Double(max(0, now &- answeredAt)) / 1e9 }

    /// Seconds since the server received the position, or since the vehicle took it; nil when the server's answer had no date.
    public func locationAge(at now: Instant) -> Double? { locationAge.map { $0 + answerAge(at: now) } }

    /// Seconds to the first waypoint, counted down since the answer.
    public func remainingDuration(at now: Instant) -> Double? { trip.remainingDuration.map { max(0, Double($0) - answerAge(at: now)) } }
}
