import FleetEngine

/// What is known of the links between the vehicle and its server, for statistics and diagnosis.
extension Reporter {
    /// The server has said that there is no such vehicle, and has taken nothing since.
    public var vehicleIsMissing: Bool { isMissing }

    /// There is a position that can be reported.
    public var hasPosition: Bool { fixes.newest != nil }

    /// Of the token in use; nil without one.
    public func tokenClaims(at now: Instant) -> TokenClaims? { tokens.text(at: now).map { TokenClaims(of: $0, for: vehicle) } }

    /// How often it has held back after a failure.
    public var backOffs: Int { backOff.count }
}
