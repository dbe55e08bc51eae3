import JSON

/// What a token says of itself, unverified: whether it is for a vehicle.
public enum TokenClaims: Equatable, Sendable {
    /// No JWT: it says nothing.
    case opaque
    case good
    /// Why the server will refuse it for that vehicle.
    case wrong(String)

    /// As Google requires it of every token, the last slash included.
    private static let audience = "https://fleetengine.googleapis.com/"

    public init(of token: String, for name: VehicleName) {
        let parts = token.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let verdict =
            parts.count == 3
            ? Base64URL.decode(parts[1]).flatMap { payload in
                JSONDocument.read(payload, limit: BearerToken.limit) { Self.read($0, name) }
            } : nil
        self = verdict ?? .opaque
    }

    /// nil for what is no claims.
    private static func read(_ claims: JSONNode, _ name: VehicleName) -> TokenClaims? {
        guard claims.kind == .object else { return nil }
        let audience = claims["aud"]?.string ?? ""
        guard audience == Self.audience else { return .wrong("its aud is \"\(audience.prefix(80))\", not \"\(Self.audience)\"") }
        guard let authorization = claims["authorization"] else { return .wrong("it has no authorization claim") }
        let key: StaticString =
            switch name.service {
            case .onDemand: "vehicleid"
            case .delivery: "deliveryvehicleid"
            }
        guard let vehicle = authorization[key]?.string else { return .wrong("its authorization names no \(key)") }
        return vehicle == "*" || vehicle == name.vehicle
            ? .good : .wrong("its \(key) is \"\(vehicle.prefix(80))\", not \"\(name.vehicle)\"")
    }
}
