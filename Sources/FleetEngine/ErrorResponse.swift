import JSON

/// What the server says when it refuses: Google's error object (AIP-193) where there is one, else what the HTTP status alone tells.
public struct ErrorResponse: Sendable {
    public let code: CanonicalCode
    /// The server's words, at most 300 bytes on one line; ours when it had none.
    public let message: String
    /// Whole seconds to wait, from google.rpc.RetryInfo.
    public let retryDelay: Int?

    /// Bodies longer than this are not read.
    private static let bodyLimit = 65_536
    private static let messageLimit = 300
    private static let detailLimit = 32

    public init(httpStatus: Int, body: [UInt8]) {
        let said = JSONDocument.read(body, limit: Self.bodyLimit) { root in
            root["error"].map { error in
                (
                    code: error["status"]?.string.flatMap { CanonicalCode(name: $0) }, message: error["message"]?.string,
                    retryDelay: error["details"].flatMap(Self.retryDelay)
                )
            }
        }
        code = said?.code ?? CanonicalCode(httpStatus: httpStatus)
        let words = said?.message.map(Self.oneLine) ?? ""
        message = words.isEmpty ? "the server answered HTTP \(httpStatus) without saying why" : words
        retryDelay = said?.retryDelay
    }

    private static func retryDelay(_ details: JSONNode) -> Int? {
        for index in 0..<min(details.count, detailLimit) {
            guard let detail = details[index], let type = detail["@type"]?.string,
                type.utf8.suffix(20).elementsEqual("google.rpc.RetryInfo".utf8)
            else { continue }
            return detail["retryDelay"]?.string.flatMap(seconds)
        }
        return nil
    }

    /// A protobuf Duration such as "3.5s", rounded up.
    private static func seconds(_ duration: String) -> Int? {
        var whole = 0
        var digits = 0
        var rest = duration.utf8[...]
        while let byte = rest.first, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte), digits < 9 {
            whole = whole * 10 + Int(byte - UInt8(ascii: "0"))
            digits += 1
            rest.removeFirst()
        }
        guard digits > 0, rest.last == UInt8(ascii: "s") else { return nil }
        rest.removeLast()
        if rest.isEmpty { return whole }
        guard rest.first == UInt8(ascii: "."), rest.dropFirst().allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
            return nil
        }
        return rest.contains { (UInt8(ascii: "1")...UInt8(ascii: "9")).contains($0) } ? whole + 1 : whole
    }

    /// Without control characters, cut between characters.
    private static func oneLine(_ text: String) -> String {
        var line = ""
        var length = 0
        for scalar in text.unicodeScalars {
            length += UTF8.width(scalar)
            if length > messageLimit { break }
            line.unicodeScalars.append(scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) ? " " : scalar)
        }
        return line
    }
}
