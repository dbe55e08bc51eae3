import JSON
import Navigation

/// An object of one of Google's services in JSON, as protocol buffers are written (proto3 JSON mapping): zeros are left out, 64-bit numbers
/// and durations are strings. Exported logs write every key in lower case; both are read.
struct ProtoObject {
    private let node: JSONNode

    init(_ node: JSONNode) { self.node = node }

    /// A member by its key in camelCase.
    subscript(key: String) -> JSONNode? { node[named: key] ?? node[named: Self.lowercased(key)] }

    func object(_ key: String) -> ProtoObject? { self[key].flatMap { $0.kind == .object ? ProtoObject($0) : nil } }

    /// The elements of a list; those that are no objects count as empty ones.
    func list(_ key: String) -> [ProtoObject] {
        guard let list = self[key] else { return [] }
        return (0..<list.count).compactMap { list[$0].map { ProtoObject($0) } }
    }

    /// Metres; nil when absent.
    func metres(_ key: String, at place: @autoclosure () -> String) throws(RouteFileError) -> Double? {
        guard let member = self[key] else { return nil }
        return try Self.checked(member.number ?? member.decimal(), key, "a number of metres", at: place())
    }

    /// Seconds of a duration such as "3.5s"; nil when absent.
    func seconds(_ key: String, at place: @autoclosure () -> String) throws(RouteFileError) -> Double? {
        guard let member = self[key] else { return nil }
        return try Self.checked(member.decimal(unit: UInt8(ascii: "s")), key, "a duration such as \"90s\"", at: place())
    }

    /// A whole number, 0 where it is absent; nil for anything else.
    func index(_ key: String) -> Int? {
        guard let member = self[key] else { return 0 }
        return (member.number ?? member.decimal()).flatMap { Int(exactly: $0) }
    }

    /// A LatLng. One of its two numbers may be a zero that was left out.
    var position: Coordinate? {
        let latitude = self["latitude"]?.number
        let longitude = self["longitude"]?.number
        guard latitude != nil || longitude != nil else { return nil }
        return Ground.position(latitude: latitude ?? 0, longitude: longitude ?? 0, continues: false)
    }

    private static func checked(
        _ value: Double?, _ key: String, _ kind: String, at place: @autoclosure () -> String
    ) throws(RouteFileError) -> Double {
        guard let value, (0...OSRMRoute.maximumAmount).contains(value) else {
            throw RouteFileError("\(place()).\(key) is not \(kind) from 0 to 1e9: ask again")
        }
        return value
    }

    private static func lowercased(_ key: String) -> String {
        String(decoding: key.utf8.map { (65...90).contains($0) ? $0 + 32 : $0 }, as: UTF8.self)
    }
}

extension JSONNode {
    /// The number that a string holds, with the unit after it if one is asked for.
    func decimal(unit: UInt8? = nil) -> Double? {
        let parsed = withUTF8 { text -> Double? in
            guard let unit else { return DecimalNumber.parse(text) }
            return text.last == unit ? DecimalNumber.parse(UnsafeBufferPointer(rebasing: text.dropLast())) : nil
        }
        return parsed ?? nil
    }
}
