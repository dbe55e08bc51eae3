import FleetEngine
import Navigation

/// The route's waypoints are held against the backend's, once for each route: when the two differ, arrivals are told for the wrong places.
struct WaypointCheck {
    /// A vehicle that cannot be read is asked for so often.
    private static let attempts = 5
    /// Seconds from one attempt to the next.
    private static let pause: Int64 = 60

    /// Metres; nil: no check is wanted.
    let tolerance: Double?
    private var attemptsLeft = 0
    private var notBefore = Instant.min
    /// The request that has not been answered.
    private var outstanding: UInt64?
    /// What it will answer means nothing any more.
    private var isAbandoned = false

    init(tolerance: Double?) { self.tolerance = tolerance }

    var isUnderWay: Bool { outstanding != nil }

    /// When it goes out; .max for never.
    var nextSend: Instant { attemptsLeft > 0 && !isUnderWay ? notBefore : .max }

    /// For another route or vehicle; `hasRoute`: there is something to check.
    mutating func restart(hasRoute: Bool) {
        attemptsLeft = tolerance != nil && hasRoute ? Self.attempts : 0
        notBefore = .min
        isAbandoned = isUnderWay
    }

    mutating func sent(_ id: UInt64, at now: Instant) {
        outstanding = id
        isAbandoned = false
        attemptsLeft -= 1
        notBefore = now.adding(seconds: Self.pause)
    }

    /// Whether this is the answer waited for; one to a former question only ends the waiting.
    mutating func takes(_ id: UInt64) -> Bool {
        guard id == outstanding else { return false }
        outstanding = nil
        return !isAbandoned
    }

    mutating func done() { attemptsLeft = 0 }
}

extension Reporter {
    /// While tracking, with the token at hand: a check never asks for one of its own.
    var nextCheckSend: Instant { isTracking && tokens.text(at: now) != nil ? max(waypointCheck.nextSend, backOff.hold) : .max }

    mutating func composeCheck(bearer: String) -> OutgoingRequest {
        lastRequestID &+= 1
        waypointCheck.sent(lastRequestID, at: now)
        return OutgoingRequest(id: lastRequestID, method: .get, target: vehicle.path, body: "", bearer: bearer)
    }

    mutating func checkAnswered(_ id: UInt64, _ result: TransportResult) -> [ReporterEffect] {
        guard waypointCheck.takes(id), case .answer(let status, let body, let retryAfter) = result else { return [] }
        if let retryAfter { backOff.asked(now, seconds: retryAfter) }
        guard (200..<300).contains(status), let declared = DeclaredWaypoints.read(body, vehicle.service), let route = guidance.route,
            let tolerance = waypointCheck.tolerance
        else { return [] }
        waypointCheck.done()
        return Occurrence(firstDifferenceOf: route, from: guidance.leg.leg, declared, tolerance).map { [.occurred($0)] } ?? []
    }
}

extension Occurrence {
    /// nil when the route's waypoints from a leg's end on are the declared ones, in order, each within so many metres.
    init?(firstDifferenceOf route: Route, from leg: Int, _ declared: [Coordinate?], _ tolerance: Double) {
        let ends = route.legEnds.dropFirst(max(0, leg))
        let advice = "set the route or the backend's waypoints right: arrivals are shared for the backend's"
        for (index, (end, place)) in zip(ends, declared).enumerated() {
            guard let place, route.along.indices.contains(end) else { continue }
            let metres = Navigation.distance(from: route.coordinate(end), to: place)
            guard metres > tolerance else { continue }
            let rounded = WholeNumber.rounded(metres) ?? .max
            self.init(.waypointsDiffer, "waypoint \(leg + index) of the route is \(rounded) m from the backend's in its place; \(advice)")
            waypoint = leg + index
            distance = metres
            count = declared.count
            return
        }
        guard ends.count != declared.count else { return nil }
        let which =
            ends.count > declared.count
            ? "waypoint \(leg + declared.count) of the route is not among the backend's \(declared.count)"
            : "the backend has \(declared.count - ends.count) waypoints more than the route"
        self.init(.waypointsDiffer, "\(which); \(advice)")
        waypoint = leg + min(ends.count, declared.count)
        count = declared.count
    }
}
