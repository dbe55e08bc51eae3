import FleetEngine
import Navigation

/// One leg of one of the routes that have been followed.
struct LegKey: Equatable {
    var route: Int
    var leg: Int
}

/// A stretch for which one segment is told: a leg, until it is left and rejoined.
struct SegmentKey: Equatable {
    var leg: LegKey
    var rejoins: Int
}

/// The route being followed and how far along it the vehicle is: what there is to tell of it, told or not.
struct Guidance {
    private(set) var route: Route?
    private var progress: Progress?
    private var routesFollowed = 0
    private var rejoins = 0
    /// In the place of all this.
    private var host: HostGuidance?
    private var hostLegs = 0

    /// nil withdraws it.
    mutating func take(_ host: HostGuidance?) {
        let goesOn = self.host.map { former in host?.isOnTheWay(of: former) == true } == true
        if !goesOn { hostLegs &+= 1 }
        self.host = host
    }

    mutating func follow(_ route: Route?) {
        self.route = route
        progress = nil
        routesFollowed &+= 1
        rejoins = 0
    }

    mutating func advance(to progress: Progress?) {
        guard route != nil else { return }
        if self.progress?.isOffRoute == true, let progress, progress.state.isFollowing, !progress.isOffRoute { rejoins &+= 1 }
        self.progress = progress
    }

    /// nil without a route.
    var status: NavigationStatus? {
        if let host { return host.status }
        guard route != nil else { return nil }
        if progress?.isOffRoute == true { return .offRoute }
        return progress?.state == .arrived ? .arrived : .enroute
    }

    /// The host's routes have negative numbers.
    var leg: LegKey { host == nil ? LegKey(route: routesFollowed, leg: progress?.leg ?? 0) : LegKey(route: -hostLegs, leg: 0) }

    /// nil while the vehicle is not on its route.
    var stretch: SegmentKey? {
        if let host { return host.isGuiding ? SegmentKey(leg: leg, rejoins: 0) : nil }
        return position == nil ? nil : SegmentKey(leg: leg, rejoins: rejoins)
    }

    /// A segment told long ago is worth telling again: the vehicle has moved on along it.
    var isSegmentRenewed: Bool { stretch != nil && host?.points.isEmpty != true }

    /// The fix snapped onto the route, or carried on along it; nil off it, and after the arrival, from where the vehicle may go on elsewhere.
    var snapped: Coordinate? {
        guard host == nil, let progress, progress.state.isFollowing, !progress.isOffRoute else { return nil }
        return progress.snapped
    }

    var segment: RouteSegment? { host?.segment ?? position.flatMap { RouteSegment(of: $0.route, from: $0.along, leg: $0.leg) } }

    /// Metres to the next waypoint.
    var remainingDistance: Int32? {
        if let host { return host.isGuiding ? host.remainingDistance : nil }
        guard let position else { return nil }
        let end = position.route.legEnds[position.leg]
        guard position.route.along.indices.contains(end) else { return nil }
        return WholeNumber.rounded(max(0, position.route.along[end] - position.along))
    }

    /// Seconds to the next waypoint.
    var remainingDuration: Int32? {
        if let host { return host.isGuiding ? host.remainingDuration : nil }
        guard position != nil, let progress, progress.legRemainingDuration.isFinite else { return nil }
        return WholeNumber.rounded(max(0, progress.legRemainingDuration))
    }

    /// Where on the route the vehicle is; nil while that is not known.
    private var position: (route: Route, leg: Int, along: Double)? {
        guard let route, let progress, progress.state.isFollowing || progress.state == .arrived, progress.along.isFinite,
            route.legEnds.indices.contains(progress.leg)
        else { return nil }
        return (route, progress.leg, progress.along)
    }
}
