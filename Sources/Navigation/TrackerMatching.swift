/// A place where the vehicle may have come back onto the route.
struct Rejoining {
    var place: Candidate
    /// Where the first of the fixes was that say so, metres from the start.
    var first: Double
    /// How many in a row do.
    var fixes: Int
}

extension Route {
    /// Whether it goes within 60 degrees of a heading somewhere: at a place, metres from the start, or thirty metres before or after.
    fileprivate func leads(_ heading: Offset, around along: Double, near hint: Int) -> Bool {
        stride(from: -30.0, through: 30, by: 30).contains {
            heading.agreement(with: direction(of: segment(at: along + $0, near: hint))) >= 0.5
        }
    }
}

/// Which place on the route a fix is given, and whether it is on the route at all.
extension Tracker {
    /// Half the width of a road, and the receiver's error under open sky many times over.
    private static var corridor: Double { 50 }
    private static var widestCorridor: Double { 120 }
    /// 162 km/h.
    private static var topSpeed: Double { 45 }
    /// How many fixes in a row bring the vehicle back onto the route.
    private static var fixesToRejoin: Int { 3 }
    /// Above this the course over ground is where the vehicle drives, metres a second.
    private static var movingSpeed: Double { 3 }
    /// A receiver's error above which a road beside the route cannot be told from it, metres.
    private static var poorAccuracy: Double { 25 }
    /// Places on the route that are nearer to each other than this are of one pass, metres.
    private static var passSpacing: Double { 100 }

    static func corridor(of fix: Fix) -> Double {
        fix.accuracy > corridor / 2 ? min(2 * fix.accuracy, widestCorridor) : corridor
    }

    /// Metres from the line beyond which a vehicle is on another road: half a carriageway of five lanes and twice the receiver's error.
    private func roadside(of fix: Fix) -> Double {
        let corridor = Self.corridor(of: fix)
        return route.isSimplified ? corridor : min(9 + 2 * (fix.accuracy >= 0 ? fix.accuracy : 16), corridor)
    }

    /// Metres that a vehicle can have come in so many seconds (TheTransitClock's bound).
    private static func reach(_ seconds: Double) -> Double { topSpeed * 1.2 * seconds + 200 }

    /// Where the leg being driven begins, metres from the start.
    private var legStart: Double { progress.leg > 0 ? route.legEndAlong(progress.leg - 1) : 0 }

    // MARK: On the route

    /// Follows the route on from the last match.
    mutating func follow(_ fix: Fix, _ gap: Double) {
        var search = CandidateSearch(fix: fix, corridor: Self.corridor(of: fix))
        searchOn(fix, &search)
        noteDistance(search.horizon)
        let place = search.best
        if progress.state == .arrived {
            if let place { settle(at: place, fix, search.horizon) }
            return
        }
        if let doubt = doubt(about: place, &search, fix) {
            hesitate(doubt, place, search.horizon, fix, gap)
        } else if let place {
            if deviation.fixes > 0 { deviation = Deviation() }
            if progress.state != .onRoute && progress.state != .ambiguous { change(to: .onRoute, .confirmed, .none, fix) }
            settle(at: place, fix, search.horizon)
        }
    }

    /// Searches the route within reach of the last match.
    @inline(__always)
    private func searchOn(_ fix: Fix, _ search: inout CandidateSearch) {
        search.highest = here + Self.reach(unmatched)
        var behind = Self.wandering
        let speed = fix.speed >= 0 ? fix.speed : pace
        if speed >= 0 {
            let driven = speed * unmatched
            search.expected = here + driven
            search.tolerance = 25 + 0.4 * driven
            // Whoever drives on is not behind.
            if search.heading != nil { behind = max(behind - driven, 0) }
        }
        search.lowest = max(here - behind, min(legStart, here))
        search.run(route, near: segment)
    }

    /// What there is to say against the place found; nil when nothing. Changes neither tracker nor search: passing them as if it did spares two copies.
    @inline(__always)
    private mutating func doubt(about place: Candidate?, _ search: inout CandidateSearch, _ fix: Fix) -> Deviation.Doubt? {
        guard let place else {
            var wider = CandidateSearch(fix: fix, corridor: Deviation.farDistance)
            searchOn(fix, &wider)
            return Deviation.Doubt(
                reason: wider.best == nil ? .farAway : .outsideCorridor, isTurned: isTurned(search.heading, agreement: -1, at: here, fix))
        }
        let aside = place.distance
        if fix.accuracy > Self.poorAccuracy { return aside > 15 ? Deviation.Doubt(reason: .poorAccuracy) : nil }
        let isTurned = isTurned(search.heading, agreement: place.agreement, at: place.along, fix) || isReceding(place, search, aside, fix)
        let isBeside = aside > roadside(of: fix)
        guard isTurned || isBeside else { return nil }
        return Deviation.Doubt(
            reason: isTurned ? .headingDisagrees : .besideRoute, isTurned: isTurned, besideAlong: isBeside ? place.along : .nan,
            isRight: place.crossTrack > 0)
    }

    /// Whether the vehicle drives more than 60 degrees from where the route goes: there, and thirty metres before and after.
    @inline(__always)
    private func isTurned(_ heading: Offset?, agreement: Double, at along: Double, _ fix: Fix) -> Bool {
        guard agreement < 0.5, let heading, fix.speed > Self.movingSpeed else { return false }
        return !route.leads(heading, around: along, near: segment)
    }

    /// Without a heading: whether the route comes much nearer behind the stretch that was searched.
    @inline(__always)
    private func isReceding(_ place: Candidate, _ search: CandidateSearch, _ aside: Double, _ fix: Fix) -> Bool {
        guard search.heading == nil && place.along < search.lowest + 0.1 && aside > 5 && !(fix.speed <= Self.movingSpeed) else {
            return false
        }
        var behind = CandidateSearch(fix: fix, corridor: aside / 2)
        behind.lowest = max(here - Self.reach(unmatched), 0)
        behind.highest = search.lowest
        behind.run(route, near: segment)
        return behind.best != nil
    }

    /// Takes a doubtful fix: uncertain after the second, off the route once it is certain.
    private mutating func hesitate(
        _ doubt: Deviation.Doubt, _ place: Candidate?, _ horizon: FixHorizon, _ fix: Fix, _ gap: Double
    ) {
        deviation.add(doubt, gap: gap)
        if deviation.isCertain { return leave(fix) }
        if deviation.fixes >= 2 && progress.state != .uncertain && progress.state != .ambiguous {
            change(to: .uncertain, .uncertain, doubt.reason, fix)
        }
        if let place, !doubt.isTurned { settle(at: place, fix, horizon) }
    }

    // MARK: Finding it

    /// Finds the vehicle for the first time: the earliest pass that fits.
    mutating func acquire(_ fix: Fix) {
        var search = CandidateSearch(fix: fix, corridor: Self.corridor(of: fix))
        search.headingMustAgree = true
        search.advantage = 1
        var begins = false
        if search.horizon.distance(to: route.positions[0]) <= search.corridor {
            // Where a loop begins it also ends: begin.
            search.highest = 2 * search.corridor
            search.run(route, near: 0)
            begins = search.best != nil
        }
        if search.best == nil {
            search.highest = acquisitionEnd
            search.run(route, near: 0)
        }
        guard let place = search.best else { return }
        if begins || search.heading != nil {
            change(to: .onRoute, .acquired, search.heading != nil ? .headingAgrees : .onlyPlace, fix)
        } else if comesBy(again: place, fix) {
            foundAt = fix.coordinate
            change(to: .ambiguous, .ambiguous, .severalPasses, fix)
        } else {
            change(to: .onRoute, .acquired, .onlyPlace, fix)
        }
        settle(at: place, fix, search.horizon)
    }

    /// The last part of a loop is where one sets out from, not where one is.
    private var acquisitionEnd: Double { route.isLoop ? 0.9 * route.length : route.length }

    /// Whether a later pass of the route is as near to the fix, within a road's width and the receiver's error.
    private func comesBy(again place: Candidate, _ fix: Fix) -> Bool {
        let aside = place.distance
        var search = CandidateSearch(fix: fix, corridor: min(aside + roadside(of: fix), Self.corridor(of: fix)))
        search.lowest = place.along + Self.passSpacing
        search.highest = acquisitionEnd
        // Any will do: the first ends the search.
        search.advantage = .greatestFiniteMagnitude
        guard search.lowest < search.highest else { return false }
        search.run(route, near: place.segment)
        return search.best != nil
    }

    /// While ambiguous: the direction of motion decides, the receiver's or from where the vehicle was found.
    mutating func decide(_ fix: Fix, _ gap: Double) {
        var moving = fix
        if !(fix.speed > Self.movingSpeed && fix.heading.isFinite) {
            let driven = distance(from: foundAt, to: fix.coordinate)
            guard driven > max(15, fix.accuracy >= 0 ? 2 * fix.accuracy : 15) else { return follow(fix, gap) }
            moving.heading = bearing(from: foundAt, to: fix.coordinate)
            moving.speed = max(fix.speed, Self.movingSpeed)
        }
        var search = CandidateSearch(fix: moving, corridor: Self.corridor(of: fix))
        search.headingMustAgree = true
        search.advantage = 1
        search.lowest = max(here - Self.wandering, 0)
        search.highest = max(acquisitionEnd, here)
        search.run(route, near: segment)
        guard let place = search.best else { return follow(fix, gap) }
        deviation = Deviation()
        change(to: .onRoute, .acquired, .headingAgrees, fix)
        if place.along > here + Self.passSpacing { progress.forgetPosition() }
        settle(at: place, fix, search.horizon)
    }

    // MARK: Off the route

    private mutating func leave(_ fix: Fix) {
        let later = laterPass(fix)
        rejoining = later.map { Rejoining(place: $0, first: $0.along, fixes: 1) }
        let back = later == nil && deviation.isTurnedForCertain ? placeDrivenBack(fix) : nil
        progress.forgetPosition()
        if let back {
            here = min(back.along, along)
            progress.backtracked = along - here
            unmatched = 0
            change(to: .wrongWay, .wrongWay, .drivingBack, fix, distance: progress.backtracked)
        } else {
            change(to: .offRoute, .leftRoute, later == nil ? deviation.reason : .wrongOrder, fix)
        }
        deviation = Deviation()
    }

    /// A place further on, in the direction in which the vehicle moves.
    private func laterPass(_ fix: Fix) -> Candidate? {
        var search = CandidateSearch(fix: fix, corridor: roadside(of: fix))
        guard search.heading != nil else { return nil }
        search.headingMustAgree = true
        search.advantage = 1
        search.lowest = along + Self.wandering
        search.run(route, near: segment)
        return search.best
    }

    /// Where the vehicle drives the route backwards, near where it was; nil when it does not.
    private func placeDrivenBack(_ fix: Fix) -> Candidate? {
        var reversed = fix
        reversed.heading = fix.heading < 180 ? fix.heading + 180 : fix.heading - 180
        var search = CandidateSearch(fix: reversed, corridor: Self.corridor(of: fix))
        search.headingMustAgree = true
        search.lowest = max(here - Self.reach(unmatched), 0)
        search.highest = here + Self.wandering
        search.run(route, near: segment)
        return search.best
    }

    /// Looks for the vehicle anywhere further on, else on the part of the leg already driven: several fixes must agree.
    mutating func rejoin(_ fix: Fix, _ gap: Double) {
        var search = CandidateSearch(fix: fix, corridor: roadside(of: fix))
        noteDistance(search.horizon)
        search.headingMustAgree = true
        var next: Rejoining?
        if let rejoining {
            search.lowest = max(rejoining.place.along - Self.wandering, legStart)
            search.highest = rejoining.place.along + Self.reach(gap)
            search.run(route, near: rejoining.place.segment)
            // Whoever drives back along the route is not on it again; where no heading says so, the places do.
            let noise = search.heading == nil ? 3 : Self.wandering / 2
            next = search.best.flatMap {
                $0.along < rejoining.first - noise
                    ? nil : Rejoining(place: $0, first: rejoining.first, fixes: rejoining.fixes + 1)
            }
        }
        if search.best == nil {
            search.advantage = 1
            search.lowest = max(along - Self.wandering, legStart)
            search.highest = route.length
            search.run(route, near: segment)
        }
        if search.best == nil && search.lowest > legStart {
            search.highest = search.lowest
            search.lowest = legStart
            search.run(route, near: segment)
        }
        rejoining = next ?? search.best.map { Rejoining(place: $0, first: $0.along, fixes: 1) }
        guard let rejoining, rejoining.fixes >= Self.fixesToRejoin else { return trackBack(fix, gap) }
        self.rejoining = nil
        deviation = Deviation()
        // How it came here says nothing of its pace.
        pace = .nan
        change(to: .onRoute, .rejoined, .none, fix, distance: rejoining.place.along - along)
        settle(at: rejoining.place, fix, search.horizon)
    }

    /// While driving the wrong way: how far, until the route is left for good.
    private mutating func trackBack(_ fix: Fix, _ gap: Double) {
        guard progress.state == .wrongWay else { return }
        if let back = placeDrivenBack(fix) {
            here = min(back.along, along)
            segment = back.segment
            progress.backtracked = along - here
            unmatched = 0
            deviation = Deviation()
            return
        }
        deviation.add(Deviation.Doubt(reason: .outsideCorridor, isTurned: true), gap: gap)
        if deviation.isCertain { change(to: .offRoute, .leftRoute, .outsideCorridor, fix) }
    }

    func event(
        _ kind: TrackerEvent.Kind, _ reason: TrackerEvent.Reason, _ fix: Fix, waypoint: Int = -1, distance: Double = .nan
    ) -> TrackerEvent {
        TrackerEvent(kind: kind, reason: reason, waypoint: waypoint, distance: distance, time: fix.time)
    }

    private mutating func change(
        to state: Progress.State, _ kind: TrackerEvent.Kind, _ reason: TrackerEvent.Reason, _ fix: Fix, distance: Double = .nan
    ) {
        progress.state = state
        events.append(event(kind, reason, fix, distance: distance))
    }
}
