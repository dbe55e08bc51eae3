import Navigation

/// What is to be done with the fixes that the server has not got, which are kept outside of the reporter: it does no I/O.
public enum BacklogStep: Sendable {
    /// Keep this one.
    case keep(Fix)
    /// The server has taken the batch of this id: remove it.
    case taken(Int64)
    /// The server refuses the batch of this id, whatever goes with it: try its first half, and give a single fix up.
    case refused(Int64)
    /// Hand out the batch under way, else the oldest fixes, with ``ReporterEvent/batch``; nothing when there are none.
    case next(atMost: Int)
    /// They are another vehicle's: forget them all.
    case forget
}

/// Kept fixes that go out together with an update, the oldest first. The same until the server has taken or refused them, so that those which it may
/// have got already are recognised by their times.
public struct PastFixes: Sendable {
    /// Most in one update; no limit is documented. About 25 KB.
    public static var most: Int { 100 }

    public let id: Int64
    public let fixes: [Fix]

    public init(id: Int64, fixes: [Fix]) {
        self.id = id
        self.fixes = fixes
    }
}
