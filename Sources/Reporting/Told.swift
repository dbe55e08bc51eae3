import FleetEngine

/// What the server has confirmed of the guidance. A request under way leaves it unknown until its answer, because a lost answer proves nothing.
struct Told {
    var status: NavigationStatus?
    private(set) var segment: SegmentKey?
    private var segmentAt = Instant.min
    /// The leg whose segment the server has refused.
    var refused: LegKey?
    /// The server may hold a route, so that the end of guidance must be told.
    private(set) var mayHoldRoute = false

    /// A segment is refreshed after so many seconds, about as often as Google's SDK does.
    static let refreshAge: Int64 = 60

    mutating func sent(_ request: InFlight) {
        if let status = request.update.navigationStatus {
            self.status = nil
            if status != .noGuidance { mayHoldRoute = true }
        }
        if request.update.segment != nil {
            segment = nil
            if request.stretch != nil { mayHoldRoute = true }
        }
    }

    mutating func confirmed(_ request: InFlight) {
        if let status = request.update.navigationStatus {
            self.status = status
            if status == .noGuidance { mayHoldRoute = false }
        }
        if request.update.segment != nil {
            segment = request.stretch
            segmentAt = request.sentAt
        }
    }

    func segmentIsOld(at now: Instant) -> Bool { now.seconds(since: segmentAt) >= Self.refreshAge }
}
