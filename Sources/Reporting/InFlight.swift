import FleetEngine
import Navigation

/// The request that has not been answered yet.
struct InFlight {
    let id: UInt64
    let update: VehicleUpdate
    let mask: String
    let sentAt: Instant
    /// The leg driven when it was sent.
    let leg: LegKey
    /// What its segment was for; nil when that clears the route.
    let stretch: SegmentKey?
    /// Which setting of the vehicle's state it carries.
    let stateSetting: Int
    /// Which setting of the stops it carries; nil when it carries none.
    var stopSetting: Int?
    /// Its fix, if that is worth keeping when it fails.
    var fix: Fix?
    /// The kept fixes in it.
    var batch: Int64?
    /// For a vehicle that is no longer ours: its answer means nothing.
    var isAbandoned = false

    var carriesState: Bool { update.vehicleState != nil }
}
