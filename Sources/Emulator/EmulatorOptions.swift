/// How an emulator starts.
public struct EmulatorOptions: Sendable, Equatable {
    /// 0: a free one.
    public var port: UInt16 = 0
    public var provider = "demo-provider"
    /// Ids of vehicles that exist from the start.
    public var vehicles: [String] = []
    public var deliveryVehicles: [String] = []
    /// Whether other vehicles come into being when they are first asked for.
    public var autoCreate = false
    /// Seconds, 1 to 3,600.
    public var tokenLife: Int64 = 3_600
    public var limits = Limits()
    /// nil: plain HTTP only.
    public var tls: TLSOptions?
    /// Requests of each path that the history keeps; nil for all.
    public var historyPerPath: Int?

    public init() {}
}
