import CEmulator

/// An RSA key pair that lives in memory only, and the tokens made with it.
struct SigningKey: Sendable {
    let id: String
    let privatePEM: String
    let publicPEM: String

    /// nil when OpenSSL cannot make one.
    init?() {
        var secret: UnsafeMutablePointer<CChar>?
        var open: UnsafeMutablePointer<CChar>?
        let made = emu_rsa_key_pair(&secret, &open)
        guard let secret = taken(secret), let open = taken(open), made else { return nil }
        privatePEM = secret
        publicPEM = open
        id = String(sha256(open).prefix(40))
    }

    /// nil when libjwt cannot sign.
    func sign(_ claims: JSONObject) -> String? {
        taken(emu_jwt_sign(JSON.object(claims).text, "RS256", id, privatePEM))
    }

    /// The claims of a token that this key signed, else why not.
    func verify(_ token: String) throws(APIError) -> JSONObject {
        var header: UnsafeMutablePointer<CChar>?
        var claims: UnsafeMutablePointer<CChar>?
        let verdict = emu_jwt_verify(token, publicPEM, &header, &claims)
        let (headerText, claimsText) = (taken(header), taken(claims))
        switch verdict {
        case EMU_JWT_VALID: break
        case EMU_JWT_WRONG_ALG: throw .badToken("its alg is not RS256")
        case EMU_JWT_BAD_SIGNATURE: throw .badToken("its signature does not match the key in force")
        default: throw .badToken("it is not a JWT")
        }
        let names = object(headerText)
        guard names["typ"]?.string == "JWT" else { throw .badToken("its typ is not JWT") }
        guard names["kid"]?.string == id else { throw .badToken("its kid names no key in force") }
        return object(claimsText)
    }

    private func object(_ text: String?) -> JSONObject {
        (try? JSON(parsing: Array((text ?? "").utf8)))?.object ?? [:]
    }
}

extension APIError {
    static func badToken(_ reason: String) -> APIError {
        .token(.unauthenticated, "ACCESS_TOKEN_TYPE_UNSUPPORTED", "The token was refused: \(reason).")
    }
}

/// SHA-256 in hexadecimal.
func sha256(_ text: String) -> String {
    var digits = [CChar](repeating: 0, count: 65)
    let bytes = Array(text.utf8)
    emu_sha256(bytes, bytes.count, &digits)
    return digits.prefix(64).reduce(into: "") { $0.unicodeScalars.append(Unicode.Scalar(UInt8(bitPattern: $1))) }
}
