/// Makes waits longer at random, so that vehicles which failed together do not come back together.
struct Jitter {
    /// nil: waits stay as they are.
    private var state: UInt64?

    init(seed: UInt64?) { state = seed }

    /// Nanoseconds: so many seconds, and up to half as much more, of a minute at most.
    mutating func spread(seconds: Int64) -> Int64 {
        let exact = min(max(0, seconds), Int64.max / (2 * nanosecondsPerSecond)) * nanosecondsPerSecond
        let most = min(exact, 60 * nanosecondsPerSecond) / 2
        return exact + Int64(random() % UInt64(most + 1))
    }

    /// SplitMix64 (Steele, Lea and Flood, 2014).
    private mutating func random() -> UInt64 {
        guard var z = state else { return 0 }
        z &+= 0x9e37_79b9_7f4a_7c15
        state = z
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }
}
