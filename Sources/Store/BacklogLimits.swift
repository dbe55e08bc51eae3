/// How much of a backlog is kept. Values out of range are taken to the nearest that is in it.
public struct BacklogLimits: Sendable {
    /// Most fixes: 16 to 1,000,000.
    public let count: Int
    /// Older than this, seconds, than the newest two fixes, a fix goes. By the fixes' own times: a unit's clock may not be set.
    public let age: Double
    /// Thinning leaves no two neighbours further apart than this, seconds.
    public let sparsest: Double
    /// So many fixes at most wait in memory before they are written together, 1 to 256, …
    public let commitCount: Int
    /// … and for so many seconds at most.
    public let commitSeconds: Int

    /// What a fix takes of the database file at worst, bytes: about 100 a row, in pages that are at least a third full.
    public static var bytesPerFix: Int { 320 }

    /// `bytes`: most bytes of the database file that the backlog takes; lowers `count` where that would take more.
    public init(
        count: Int = 20_000, bytes: Int = 6_400_000, age: Double = 604_800, sparsest: Double = 60, commitCount: Int = 16,
        commitSeconds: Int = 10
    ) {
        self.count = min(max(min(count, bytes / Self.bytesPerFix), 16), 1_000_000)
        self.age = age > 0 ? age : .infinity
        self.sparsest = sparsest > 0 ? sparsest : 0
        self.commitCount = min(max(commitCount, 1), 256)
        self.commitSeconds = min(max(commitSeconds, 0), 3600)
    }
}
