import FleetEngine

/// What is known of the links between the vehicle and its server, for statistics and diagnosis.
extension Reporter {
    /// The server has said that there is no such vehicle, and has taken nothing since.
    public var vehicleIsMissing: Bool { isMissing }

    /// There is a position that can be reported.
    public var hasPosition: Bool { fixes.newest != nil }

    public func hasToken(at now: Instant) -> Bool { tokens.text(at: now) != nil }

    /// What a token says of the vehicle.
    public func claims(of token: FetchedToken) -> TokenClaims { TokenClaims(of: token.token, for: vehicle) }

    /// How often it has held back after a failure.
    public var backOffs: Int { backOff.count }
}
