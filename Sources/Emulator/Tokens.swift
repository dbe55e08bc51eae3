/// The service accounts of the emulator's provider. As with Google, the account says what a token may do, its claims to whom.
enum Account: String, Sendable, CaseIterable {
    /// Reads and updates its vehicle.
    case driver
    /// The same of a delivery vehicle.
    case deliveryDriver = "delivery-driver"
    /// Reads its trip.
    case consumer
    /// Everything.
    case admin

    func email(provider: String) -> String { "\(rawValue)@\(provider).iam.gserviceaccount.com" }

    init?(email: String, provider: String) {
        guard let account = Self.allCases.first(where: { $0.email(provider: provider) == email }) else { return nil }
        self = account
    }

    func mayUpdate(_ service: Service) -> Bool {
        switch self {
        case .admin: true
        case .driver: service == .onDemand
        case .deliveryDriver: service == .delivery
        case .consumer: false
        }
    }
}

enum Tokens {
    /// With the slash, as Google documents it.
    static let audience = "https://fleetengine.googleapis.com/"
    /// Seconds; also the most that a token may live.
    static let longestLife: Int64 = 3_600
    /// Seconds by which a token may have been issued in the future.
    static let clockSkew: Int64 = 600

    /// now: Unix milliseconds; life: seconds.
    static func claims(
        account: Account, authorization: JSONObject, provider: String, life: Int64, now: Int64
    ) -> JSONObject {
        let email = JSON.string(account.email(provider: provider))
        return [
            "iss": email, "sub": email, "aud": .string(audience), "iat": .integer(now / 1_000), "exp": .integer(now / 1_000 + life),
            "authorization": .object(authorization),
        ]
    }

    /// The token of an Authorization header.
    static func bearer(_ header: String?) throws(APIError) -> String {
        guard let header else { throw .token(.unauthenticated, "CREDENTIALS_MISSING", "The Authorization header is missing.") }
        let parts = header.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else {
            throw .badToken("the Authorization header does not read \"Bearer TOKEN\"")
        }
        return String(parts[1])
    }

    /// Checks what every token must say, whatever it is used for. now: Unix milliseconds.
    static func check(_ claims: JSONObject, now: Int64) throws(APIError) {
        guard claims["aud"]?.string == audience else { throw .badToken("its aud is not \(audience)") }
        guard let issuer = claims["iss"]?.string, !issuer.isEmpty, claims["sub"]?.string == issuer else {
            throw .badToken("its iss and sub are not one service account")
        }
        guard let issued = claims["iat"]?.integer, let expires = claims["exp"]?.integer else { throw .badToken("it lacks iat or exp") }
        // Bounds that no overflow can pass.
        let seconds = now / 1_000
        guard (0...1 << 40).contains(issued), (0...1 << 40).contains(expires) else { throw .badToken("its iat or exp is no time") }
        guard issued <= seconds + clockSkew else { throw .badToken("its iat is more than 10 min ahead") }
        guard expires - issued <= longestLife else { throw .badToken("its exp is more than 1 h after its iat") }
        guard expires > seconds else { throw .token(.unauthenticated, "ACCESS_TOKEN_EXPIRED", "The token has expired.") }
    }

    /// Checks that a token is for a vehicle. Returns whose it is.
    static func account(
        _ claims: JSONObject, for key: VehicleKey, provider: String
    ) throws(APIError) -> Account {
        guard let authorization = claims["authorization"]?.object else {
            throw denied("The token has no authorization claim, so it has no scopes.")
        }
        guard let account = Account(email: claims["sub"]?.string ?? "", provider: provider) else {
            throw denied("The token's service account has no role in provider \(provider).")
        }
        let claim = authorization[key.service.claim]?.string
        guard claim == "*" || claim == key.id else {
            throw denied("The token's authorization claim \(key.service.claim) does not cover \"\(key.id)\".")
        }
        return account
    }

    static func denied(_ message: String) -> APIError { .token(.permissionDenied, "IAM_PERMISSION_DENIED", message) }
}
