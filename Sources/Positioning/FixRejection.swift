import Navigation

/// Why a fix was dropped.
public enum FixRejection: Error, Equatable, Sendable {
    /// No finite latitude within ±90 and longitude within ±180, or exactly 0,0, which receivers say at their start.
    case position(latitude: Double, longitude: Double)
    /// Not newer than the last accepted fix, by so many seconds.
    case notNewer(by: Double)
    /// The fixes' own clock went ahead of the monotonic clock by so many seconds.
    case clockAhead(by: Double)
    /// Too far to have been driven since the last accepted fix.
    case jump(metres: Double, seconds: Double)
    /// So many fixes in a row with one position while the speed says that the vehicle moves.
    case frozen(fixes: Int, speed: Double)

    /// A line for a person, with the value that was wrong.
    public var text: String {
        switch self {
        case .position(let latitude, let longitude):
            // The wrong half alone: the text goes to logs, where coordinates have no place.
            if !(abs(latitude) <= 90) {
                "latitude \(latitude) is not within 90 degrees"
            } else if !(abs(longitude) <= 180) {
                "longitude \(longitude) is not within 180 degrees"
            } else {
                "position is exactly 0, 0"
            }
        case .notNewer(let seconds): seconds == 0 ? "time is that of the last fix" : "time is \(tenths(seconds)) s before the last fix"
        case .clockAhead(let seconds): "time ran \(tenths(seconds)) s ahead of the clock"
        case .jump(let metres, let seconds): "jumped \(tenths(metres)) m in \(tenths(seconds)) s"
        case .frozen(let fixes, let speed): "position is frozen: the same for \(fixes) fixes at \(tenths(speed)) m/s"
        }
    }
}

/// One decimal, without a formatter.
private func tenths(_ value: Double) -> String {
    let scaled = (abs(value) * 10).rounded()
    guard scaled < 1e15 else { return "very many" }
    let number = Int64(scaled)
    return "\(value < 0 && number > 0 ? "-" : "")\(number / 10).\(number % 10)"
}

/// Fixes dropped, by reason.
public struct FixRejectionCounts: Equatable, Sendable {
    public private(set) var position = 0
    public private(set) var notNewer = 0
    public private(set) var clockAhead = 0
    public private(set) var jump = 0
    public private(set) var frozen = 0

    public var total: Int { position + notNewer + clockAhead + jump + frozen }

    mutating func count(_ rejection: FixRejection) {
        switch rejection {
        case .position: position &+= 1
        case .notNewer: notNewer &+= 1
        case .clockAhead: clockAhead &+= 1
        case .jump: jump &+= 1
        case .frozen: frozen &+= 1
        }
    }
}
