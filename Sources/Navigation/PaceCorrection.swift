/// How a drive's pace compares with the route's time profile, and what that says of the rest of the route.
///
/// The pace is actual over profile seconds, standing included, drawn towards 1 by a prior: one red light must not move it. Time without progress waits until
/// there is progress again, and each second of the profile takes in only so much of it. So nothing changes while the vehicle stands, for however long, and a
/// long stop, which is no traffic, hardly counts. The speed that a receiver reports is never used.
struct PaceCorrection: Sendable {
    let model: PaceModel
    /// Seconds driven, actual and of the profile; what is long ago counts less.
    private var actual = 0.0
    private var profile = 0.0
    /// Seconds that no progress has answered for yet.
    private var waiting = 0.0

    init(_ model: PaceModel) { self.model = model }

    /// No pace is quicker or slower than the profile by more than this, if only for a moment.
    private static var most: Double { 3 }
    /// Longer than a light: beyond this a stop has other reasons than traffic, seconds.
    private static var longestLight: Double { 120 }

    /// Takes in `seconds` during which the vehicle came on by `progress` seconds of the profile.
    @inline(__always)
    mutating func add(_ seconds: Double, progress: Double) {
        waiting += seconds
        let taken = min(waiting, Self.most * progress)
        waiting = min(waiting - taken, Self.longestLight)
        let counted = min(progress, Self.most * taken)
        let kept = model.memory / (model.memory + counted)
        actual = (actual + taken) * kept
        profile = (profile + counted) * kept
    }

    /// Forgets the time that waits: it was not spent driving on.
    mutating func discardWaiting() { waiting = 0 }

    /// All that it knows: three numbers of seconds, 0 or more.
    var learned: [Double] { [actual, profile, waiting] }

    mutating func restore(_ learned: [Double]) {
        guard learned.count == 3 else { return }
        actual = learned[0]
        profile = learned[1]
        waiting = learned[2]
    }

    /// Actual seconds for a second of the profile, within the model's bounds.
    var ratio: Double { min(max((actual + model.prior) / (profile + model.prior), model.quickest), model.slowest) }

    /// What so many seconds of the profile, from here on, will take. The pace holds for the near part and fades towards the profile further ahead.
    func corrected(_ seconds: Double) -> Double { seconds * (1 + (ratio - 1) * hold(over: seconds)) }

    /// What is left of the variance that the pace over so many seconds had before the drive: 1 before, towards 0 after a long drive for the near part.
    /// With a share k of a deviation seen and a share h of that held for, 1 - 2kh + kh².
    func ignorance(over seconds: Double) -> Double {
        let hold = hold(over: seconds)
        return 1 - profile / (model.prior + profile) * hold * (2 - hold)
    }

    /// How much of the pace so far holds over so many seconds of the profile to come.
    private func hold(over seconds: Double) -> Double { model.reach / (model.reach + seconds) }
}
