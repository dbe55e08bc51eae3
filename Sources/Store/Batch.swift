import Navigation

/// The oldest fixes of a backlog, on their way to the server. Handed out again as they are until they are confirmed or refused: what the server may
/// have taken already, it then recognises by the time stamps.
public struct Batch: Sendable {
    /// Oldest first, at least one.
    public let fixes: [Fix]
    /// Counts how often this batch has been handed out, across restarts; from 1.
    public let attempt: Int
    /// Grows from batch to batch.
    public let id: Int64
    /// Where to halve it: the id of the last row of its first half; nil for a single row.
    let middle: Int64?
}
