/// Between which seconds a waypoint is reached in 8 of 10 drives: the 10th and the 90th percentile.
///
/// Three errors add up as variances: the whole profile's, which the drive so far has partly shown; congestion, which averages out over a long way; lights, whose
/// share is the greater the shorter the way. Times of arrival are skewed: what can go wrong is more than what can go well.
struct ArrivalBand: Sendable {
    let low: Double
    let high: Double

    /// Of the normal distribution: 8 of 10 lie within so many standard deviations.
    private static var deviations: Double { 1.2816 }
    /// One standard deviation of the time spent at a stop, as a share: a guess.
    private static var dwellError: Double { 0.3 }

    /// Around `driving` + `dwell` seconds, more than 0.
    init(driving: Double, dwell: Double, pace: PaceCorrection) {
        let value = driving + dwell
        let model = pace.model
        let profile = model.bias * model.bias * pace.ignorance(over: driving)
        let congestion = model.congestion * model.congestion * 2 * model.congestionLength / (2 * model.congestionLength + driving)
        let atStops = Self.dwellError * dwell
        let variance = (profile + congestion) * driving * driving + model.lights * driving + atStops * atStops
        let share = Self.deviations * variance.squareRoot() / value
        low = value / (1 + share)
        high = value * (1 + share)
    }
}
