import FleetEngine
import Navigation

/// What a navigation engine of the host's tells, in the place of ours.
public struct HostGuidance: Sendable {
    public var status = NavigationStatus.enroute
    /// To the next waypoint, metres.
    public var remainingDistance: Int32?
    /// To the next waypoint, seconds.
    public var remainingDuration: Int32?
    /// The next one.
    public var waypoint: Coordinate?
    /// From the vehicle to the next waypoint; empty when not told.
    public var points: [Coordinate] = []
    /// The host's number of its route, another for each new one.
    public var route: UInt32 = 0

    /// It is withdrawn by itself when the host has not renewed it for so many seconds.
    public static let staleAfter: Int64 = 30

    public init() {}

    /// Whether the segment that is told of one is the other's too, as far as it is still ahead.
    func isOnTheWay(of former: HostGuidance) -> Bool {
        route == former.route && waypoint == former.waypoint && points.isEmpty == former.points.isEmpty && isGuiding == former.isGuiding
    }

    var isGuiding: Bool { status != .noGuidance }

    /// The empty one where the host tells none: a former route must not stand beside what is left of this.
    var segment: RouteSegment {
        guard let end = waypoint ?? points.last, !points.isEmpty else { return .cleared }
        return RouteSegment(along: points, end: end)
    }
}

/// The host's guidance as long as it holds.
extension Reporter {
    mutating func take(_ host: HostGuidance?) {
        hostGuidanceEnd = host == nil ? .max : now.adding(seconds: HostGuidance.staleAfter)
        guide { $0.take(host) }
    }

    /// Ours takes its place again when the host has fallen silent.
    mutating func expireHostGuidance() {
        if now >= hostGuidanceEnd { take(nil) }
    }
}
