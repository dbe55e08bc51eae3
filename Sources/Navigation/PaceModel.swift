/// What is taken for granted of a drive's pace against the route's time profile.
struct PaceModel: Sendable {
    /// Seconds driven exactly at the profile's pace that are believed before the first fix.
    var prior: Double
    /// Seconds of the profile after which what was driven counts for a third.
    var memory: Double
    /// Seconds of the profile ahead over which, taken together, the pace counts half.
    var reach: Double
    /// The bounds of the ratio, actual over profile.
    var quickest: Double
    var slowest: Double

    /// One standard deviation of the whole profile's error, as a share, before anything is known of the drive.
    var bias: Double
    /// The same of congestion, which lasts `congestionLength` seconds and then is another.
    var congestion: Double
    var congestionLength: Double
    /// The variance that lights add in a second, seconds.
    var lights: Double

    // Found on simulated traffic (Tests/NavigationTests/TrafficSimulator.swift), where a prior half or twice as strong does about as well.

    /// For durations by segment or step. A router knows the roads, the turns and often the traffic: hold on to it.
    static let shaped = PaceModel(
        prior: 500, memory: 3600, reach: 3600, quickest: 0.6, slowest: 1.8, bias: 0.15, congestion: 0.22, congestionLength: 150, lights: 9)

    /// For durations of whole legs. Who is slow here may be on a slow road, whose time the total already holds, so that the rest is the faster: over a way of
    /// T seconds the rest goes with the pace so far as bias² - 2 congestion² congestionLength / T, which is nothing below about an hour.
    static func unshaped(duration: Double) -> PaceModel {
        let hour = 3600.0
        return PaceModel(
            prior: duration > hour ? hour * duration / (duration - hour) : .greatestFiniteMagnitude, memory: 3600, reach: 3600,
            quickest: 0.6, slowest: 1.8, bias: 0.15, congestion: 0.35, congestionLength: 300, lights: 9)
    }

    /// For one speed that was configured: a guess, which what is driven soon replaces.
    static let guessed = PaceModel(
        prior: 300, memory: 3600, reach: 36_000, quickest: 0.2, slowest: 5, bias: 0.4, congestion: 0.4, congestionLength: 300, lights: 9)
}
