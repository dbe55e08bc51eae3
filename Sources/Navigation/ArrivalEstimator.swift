/// The seconds left to each waypoint, and how sure they are.
///
/// The base is the route's own time profile at the vehicle's place, or a configured speed where the route declares no durations; the pace of the drive corrects
/// it within bounds, and the time at stops on the way is added. Nothing changes while the vehicle stands, but the time at a stop, which runs down.
struct ArrivalEstimator: Sendable {
    /// Metres a second; NaN unless the route declares no durations and a speed is configured.
    private var speed = Double.nan
    /// Of the profile: where the vehicle is, and up to where the drive is taken in; NaN when there is none.
    private var seconds: Double
    private var seen: Double
    private var pace: PaceCorrection
    private var dwell = Dwell()

    /// `speed`: metres a second, for a route without durations; NaN leaves its times unknown.
    init(route: Route, speed: Double) {
        if let duration = route.duration {
            pace = PaceCorrection(route.isTimeShaped ? .shaped : .unshaped(duration: duration))
        } else {
            pace = PaceCorrection(.guessed)
        }
        seconds = route.duration == nil ? .nan : 0
        seen = seconds
        setSpeed(speed, along: 0, of: route)
    }

    /// Another speed begins to learn the pace anew.
    mutating func setSpeed(_ speed: Double, along: Double, of route: Route) {
        guard route.duration == nil && (0.1...100).contains(speed) && speed != self.speed else { return }
        seconds = along / speed
        seen = seconds
        self.speed = speed
        pace = PaceCorrection(.guessed)
    }

    mutating func setDwell(_ seconds: Double, waypoint: Int, of route: Route) { dwell.set(seconds, waypoint: waypoint, of: route) }

    /// The vehicle has come so many metres along the route, to so many seconds of its profile.
    mutating func move(to seconds: Double, along: Double) { self.seconds = speed.isNaN ? seconds : along / speed }

    /// The same, without having been driven there.
    mutating func arrive(at seconds: Double, along: Double) {
        move(to: seconds, along: along)
        seen = self.seconds
    }

    /// Takes in how the vehicle came to where it is, metres along: in `gap` seconds, or NaN where that says nothing of its pace.
    mutating func drive(for gap: Double, along: Double, leg: Int, of route: Route) {
        let progress = seconds - seen
        seen = seconds
        guard progress >= 0 && gap >= 0 else {
            pace.discardWaiting()
            dwell.spend(0, at: along, leg: leg, of: route)
            return
        }
        if Dwell.isStop(along, leg: leg, of: route) { pace.discardWaiting() } else { pace.add(gap, progress: progress) }
        dwell.spend(max(gap - progress, 0), at: along, leg: leg, of: route)
    }

    /// Seconds to a waypoint that is not passed yet.
    @inline(__always)
    func remaining(toWaypoint waypoint: Int, of route: Route) -> Double {
        driving(toWaypoint: waypoint, of: route) + dwell.ahead(of: waypoint)
    }

    // MARK: A power cycle

    /// What it has learned, and where in the time of its stops it is.
    struct Learned {
        var speed: Double
        var pace: [Double]
        var dwell: Dwell
    }

    var learned: Learned { Learned(speed: speed, pace: pace.learned, dwell: dwell) }

    /// Takes up what was learned before. A pace against another speed says nothing.
    mutating func restore(_ learned: Learned) {
        dwell = learned.dwell
        if learned.speed == speed || learned.speed.isNaN && speed.isNaN { pace.restore(learned.pace) }
    }

    func band(toWaypoint waypoint: Int, of route: Route) -> ArrivalBand {
        ArrivalBand(driving: driving(toWaypoint: waypoint, of: route), dwell: dwell.ahead(of: waypoint), pace: pace)
    }

    @inline(__always)
    private func driving(toWaypoint waypoint: Int, of route: Route) -> Double {
        let profile = speed.isNaN ? (seconds.isNaN ? .nan : route.elapsed[route.legEnds[waypoint]]) : route.legEndAlong(waypoint) / speed
        return pace.corrected(max(profile - seconds, 0))
    }
}
