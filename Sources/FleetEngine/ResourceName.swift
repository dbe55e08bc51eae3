/// An identifier that Fleet Engine would refuse: which, and the rule it breaks.
public struct ResourceNameError: Error, Equatable {
    /// The identifier, cut to 80 characters.
    public let value: String
    public let rule: String
}

/// Identifiers of providers, vehicles, tasks and trips. Fleet Engine also wants them NFC-normalised, which is left to the caller.
public enum ResourceName {
    /// Longest identifier, in Unicode code points.
    public static let limit = 64

    /// Throws the rule that `id` breaks. "." and ".." are refused besides Fleet Engine's own rules: inside a path they would name something else.
    public static func check(_ id: String) throws(ResourceNameError) {
        var length = 0
        for scalar in id.unicodeScalars {
            length += 1
            if length > limit { throw error(id, "must have at most 64 characters") }
            if "/:?,#".unicodeScalars.contains(scalar) { throw error(id, "must not hold any of / : ? , #") }
            if scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) { throw error(id, "must not hold control characters") }
        }
        if length == 0 { throw error(id, "must not be empty") }
        if id == "." || id == ".." { throw error(id, "must not be . or ..") }
    }

    /// UTF-8 with everything but RFC 3986's unreserved characters as %XX.
    public static func percentEncoded(_ id: String) -> String {
        var bytes: [UInt8] = []
        for byte in id.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"):
                bytes.append(byte)
            default:
                bytes.append(UInt8(ascii: "%"))
                bytes.append(hexDigit(byte >> 4))
                bytes.append(hexDigit(byte & 15))
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func hexDigit(_ value: UInt8) -> UInt8 { value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10 }

    private static func error(_ id: String, _ rule: String) -> ResourceNameError {
        var value = ""
        value.unicodeScalars.append(contentsOf: id.unicodeScalars.prefix(80))
        return ResourceNameError(value: value, rule: rule)
    }
}

/// One vehicle of one provider.
public struct VehicleName: Equatable, Sendable {
    public let service: Service
    public let provider: String
    public let vehicle: String

    public init(service: Service, provider: String, vehicle: String) throws(ResourceNameError) {
        try ResourceName.check(provider)
        try ResourceName.check(vehicle)
        self.service = service
        self.provider = provider
        self.vehicle = vehicle
    }

    /// Percent-encoded, from the leading "/v1" on.
    public var path: String {
        let collection =
            switch service {
            case .onDemand: "vehicles"
            case .delivery: "deliveryVehicles"
            }
        return "/v1/providers/\(ResourceName.percentEncoded(provider))/\(collection)/\(ResourceName.percentEncoded(vehicle))"
    }
}
