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
        guard route != nil else { return nil }
        if progress?.isOffRoute == true { return .offRoute }
        return progress?.state == .arrived ? .arrived : .enroute
    }

    var leg: LegKey { LegKey(route: routesFollowed, leg: progress?.leg ?? 0) }

    /// nil while the vehicle is not on its route.
    var stretch: SegmentKey? { position == nil ? nil : SegmentKey(leg: leg, rejoins: rejoins) }

    /// The fix snapped onto the route, or carried on along it; nil off it, and after the arrival, from where the vehicle may go on elsewhere.
    var snapped: Coordinate? { progress.flatMap { $0.state.isFollowing && !$0.isOffRoute ? $0.snapped : nil } }

    var segment: RouteSegment? { position.flatMap { RouteSegment(of: $0.route, from: $0.along, leg: $0.leg) } }

    /// Metres to the next waypoint.
    var remainingDistance: Int32? {
        guard let position else { return nil }
        let end = position.route.legEnds[position.leg]
        guard position.route.along.indices.contains(end) else { return nil }
        return WholeNumber.rounded(max(0, position.route.along[end] - position.along))
    }

    /// Seconds to the next waypoint.
    var remainingDuration: Int32? {
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
