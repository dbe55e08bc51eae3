/// The waits between attempts to connect: 1, 2, 4 … 30 s, each up to a fifth longer, so that units that lost power together do not call together.
struct ReconnectBackOff {
    private static let longest: Int64 = 30_000_000_000
    private var base: Int64 = 1_000_000_000
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    /// Nanoseconds to wait now; the next wait is twice as long.
    mutating func next() -> Int64 {
        let wait = base + Int64(random() % UInt64(base / 5))
        base = min(base * 2, Self.longest)
        return wait
    }

    mutating func reset() { base = 1_000_000_000 }

    /// SplitMix64 (Steele, Lea and Flood, 2014).
    private mutating func random() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }
}
