/// Which fixes go when a backlog is full: first it is thinned, then the oldest go.
///
/// Thinning takes every second fix of the older half, so that the older a drive is the coarser it becomes, and never loses its beginning. Its first and
/// last stay, and each that would leave a gap of more than ``BacklogLimits/sparsest`` seconds.
enum DropPolicy {
    /// How many of the oldest are thinned when so many may go.
    static func thinned(of count: Int) -> Int { count / 2 }

    /// Down to how many the oldest go when thinning has not helped: with some room to spare, so that it is not all to do again for the next fix.
    static func kept(of limit: Int) -> Int { limit - limit / 16 }

    /// Indices of those to drop, ascending; `times` in the order in which the fixes were taken, seconds.
    static func thin(_ times: [Double], sparsest: Double) -> [Int] {
        var dropped: [Int] = []
        var kept = 0
        var index = 1
        while index < times.count - 1 {
            if abs(times[index + 1] - times[kept]) <= sparsest {
                dropped.append(index)
                index += 1
            }
            kept = index
            index += 1
        }
        return dropped
    }
}
