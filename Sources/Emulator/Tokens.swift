/// The service accounts of the emulator's provider. As with Google, the account says what a token may do, its claims to whom.
enum Account: String, Sendable, CaseIterable {
    /// Reads and updates its vehicle, reads its trip.
    case driver
    /// The same of a delivery vehicle and its tasks.
    case deliveryDriver = "delivery-driver"
    /// Reads and updates its delivery vehicle, but not the vehicle's stops.
    case untrustedDeliveryDriver = "untrusted-delivery-driver"
    /// Reads its trip.
    case consumer
    /// Reads what there is to see of its shipment.
    case deliveryConsumer = "delivery-consumer"
    /// Everything.
    case admin

    func email(provider: String) -> String { "\(rawValue)@\(provider).iam.gserviceaccount.com" }

    init?(email: String, provider: String) {
        guard let account = Self.allCases.first(where: { $0.email(provider: provider) == email }) else { return nil }
        self = account
    }

    func may(_ verb: Verb, _ kind: ResourceKind) -> Bool {
        switch (self, verb, kind) {
        case (.admin, _, _): true
        case (.driver, .get, .vehicle), (.driver, .update, .vehicle), (.driver, .get, .trip): true
        case (.deliveryDriver, .get, .deliveryVehicle), (.deliveryDriver, .update, .deliveryVehicle): true
        case (.deliveryDriver, .get, .task), (.deliveryDriver, .update, .task): true
        case (.untrustedDeliveryDriver, .get, .deliveryVehicle), (.untrustedDeliveryDriver, .update, .deliveryVehicle): true
        case (.untrustedDeliveryDriver, .get, .task): true
        case (.consumer, .get, .trip): true
        case (.deliveryConsumer, .get, .trackingInfo): true
        default: false
        }
    }

    /// Fields of a resource that the account may not update.
    func isDenied(_ field: String) -> Bool { self == .untrustedDeliveryDriver && field == "remainingVehicleJourneySegments" }
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

    /// Checks that a token is for a resource; for a whole collection when the id is empty. Returns whose it is.
    static func account(
        _ claims: JSONObject, for key: ResourceKey, provider: String
    ) throws(APIError) -> Account {
        guard let authorization = claims["authorization"]?.object else {
            throw denied("The token has no authorization claim, so it has no scopes.")
        }
        guard let account = Account(email: claims["sub"]?.string ?? "", provider: provider) else {
            throw denied("The token's service account has no role in provider \(provider).")
        }
        let claims = [authorization[key.kind.claim]?.string] + (authorization[key.kind.claim + "s"]?.array ?? []).map { $0.string }
        guard claims.contains("*") || (!key.id.isEmpty && claims.contains(key.id)) else {
            throw denied("The token's authorization claim \(key.kind.claim) does not cover \"\(key.id)\".")
        }
        return account
    }

    static func denied(_ message: String) -> APIError { .token(.permissionDenied, "IAM_PERMISSION_DENIED", message) }
}
