/// How the position is known, as the public interface numbers it.
public enum PositionState: Int32, Sendable {
    /// Not connected to gpsd, trying.
    case connecting = 1
    /// Connected, nothing from a receiver.
    case noData = 2
    /// A receiver speaks, and has given no position yet.
    case noFix = 3
    case fix = 4
    /// There was a fix; none has come for a while.
    case stale = 5
}
