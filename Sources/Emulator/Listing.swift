extension Message {
    /// What a list request answers.
    static func listing(of kind: ResourceKind) -> Message {
        Message(
            "the list",
            [Field(kind.collection, .list(.message(kind.message))), Field("nextPageToken", .string), Field("totalSize", .string)])
    }
}

/// What a list request asks for: a page, and which resources.
struct Listing: Sendable {
    private static let largestPage = 1_000
    private static let mostRestrictions = 50

    private var size = 100
    private var offset = 0
    /// Each "path = value".
    private var restrictions: [(path: String, value: String)] = []

    init(_ request: Request, fields: [String]) throws(APIError) {
        if let text = request.parameter(either: "pageSize") {
            guard let number = Int(text), number >= 0 else { throw .invalid("pageSize", "is not a number from 0") }
            if number > 0 { size = min(number, Self.largestPage) }
        }
        if let text = request.parameter(either: "pageToken"), !text.isEmpty {
            guard let number = Int(text), number > 0 else { throw .invalid("pageToken", "was not given out here") }
            offset = number
        }
        guard let filter = request.parameter("filter"), !filter.isEmpty else { return }
        for part in Self.parts(of: filter) { restrictions.append(try Self.restriction(part, fields)) }
        guard restrictions.count <= Self.mostRestrictions else { throw .invalid("filter", "has more than 50 restrictions") }
    }

    /// Split at AND.
    private static func parts(of filter: String) -> [String] {
        var parts: [[Substring]] = [[]]
        for word in filter.split(separator: " ") {
            if word == "AND" { parts.append([]) } else { parts[parts.count - 1].append(word) }
        }
        return parts.map { $0.joined(separator: " ") }
    }

    /// fields: what may be compared beside attributes.
    private static func restriction(_ text: String, _ fields: [String]) throws(APIError) -> (path: String, value: String) {
        let sides = text.split(separator: "=", maxSplits: 1).map { $0.drop { $0 == " " } }
        guard sides.count == 2 else { throw .invalid("filter", "\"\(text)\" is not a comparison by =") }
        let path = String(sides[0].prefix { $0 != " " })
        let value = String(sides[1].filter { $0 != "\"" })
        guard path.hasPrefix("attributes.") || fields.contains(where: { Field($0, .string).originalName == path || $0 == path }) else {
            throw .invalid("filter", "\"\(path)\" cannot be compared")
        }
        return (path, value)
    }

    private func isMet(by resource: JSONObject) -> Bool {
        restrictions.allSatisfy { restriction in
            if restriction.path.hasPrefix("attributes.") {
                let key = String(restriction.path.dropFirst("attributes.".count))
                let attribute = (resource["attributes"]?.array ?? []).first { $0.object?["key"]?.string == key }?.object
                let value = attribute?["stringValue"] ?? attribute?["value"] ?? attribute?["boolValue"] ?? attribute?["numberValue"]
                return value.map { $0.string ?? $0.text } == restriction.value
            }
            let member = resource.members.first { Field($0.key, .string).originalName == restriction.path || $0.key == restriction.path }
            return member?.value.string == restriction.value
        }
    }

    func page(of resources: [JSONObject], called name: String) -> JSON {
        let met = resources.filter(isMet)
        let begin = min(offset, met.count)
        let end = min(begin + size, met.count)
        var answer: JSONObject = [name: .array(met[begin..<end].map { .object($0) })]
        if end < met.count { answer["nextPageToken"] = .string(String(end)) }
        answer["totalSize"] = .string(String(met.count))
        return .object(answer)
    }
}
