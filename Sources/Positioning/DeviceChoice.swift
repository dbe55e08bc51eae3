/// Which of several receivers is followed: the first that has a fix, until it has had none for a while. Their reports come interleaved.
struct DeviceChoice {
    /// Nanoseconds without a fix from the device followed before another one's is taken.
    static let patience: Int64 = 5_000_000_000

    enum Verdict: Equatable {
        case followed
        case ignored
        /// From now on this one, instead of the one named.
        case changed(from: Device)
    }

    private let pinned: Device?
    private var followed: Device?
    private var lastFix: Int64 = 0

    init(pinned: DevicePath?) { self.pinned = pinned.map { Device(path: Array($0.text.utf8)) } }

    mutating func judge(_ report: TPV, at now: Int64) -> Verdict {
        if let pinned { return report.device == pinned ? .followed : .ignored }
        guard let current = followed else {
            if report.hasPosition { follow(report.device, at: now) }
            return .followed
        }
        if report.device == current { return .followed }
        guard report.hasPosition, now &- lastFix >= Self.patience else { return .ignored }
        follow(report.device, at: now)
        return .changed(from: current)
    }

    /// The device followed gave a usable fix.
    mutating func noteFix(at now: Int64) { lastFix = now }

    private mutating func follow(_ device: Device, at now: Int64) {
        followed = device
        lastFix = now
    }
}
