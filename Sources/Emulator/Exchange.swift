/// A request and what came of it, for the history and the log.
struct Exchange: Sendable {
    let request: Request
    /// Unix milliseconds.
    let receivedAt: Int64
    let monotonic: Int64
    /// 0: none was sent.
    var status = 0
    var error: String?
    /// What the emulator left out of the vehicle, and why.
    var remarks: [String] = []
    var fault: Fault?

    init(_ request: Request, receivedAt: Int64, monotonic: Int64) {
        self.request = request
        self.receivedAt = receivedAt
        self.monotonic = monotonic
    }

    /// Field paths as sent.
    private var mask: [String] { request.parameter(either: "updateMask")?.split(separator: ",").map(String.init) ?? [] }

    var entry: JSONObject {
        var query = JSONObject()
        for parameter in request.query { query[parameter.name] = .string(parameter.value) }
        return [
            "receivedAt": .string(Timestamp(unixMilliseconds: receivedAt).text),
            "monotonicMs": .integer(monotonic),
            "method": .string(request.method),
            "path": .string(request.path),
            "query": .object(query),
            "mask": .array(mask.map { .string($0) }),
            "body": body,
            "status": .integer(Int64(status)),
            "error": error.map { .string($0) } ?? .null,
            "remarks": .array(remarks.map { .string($0) }),
            "fault": fault.map { .string($0.name) } ?? .null,
            "tokenHash": tokenHash.map { .string($0) } ?? .null,
        ]
    }

    /// For people: "12:00:01.250 PUT /v1/… mask=vehicleState 200".
    var line: String {
        let time = Timestamp(unixMilliseconds: receivedAt).text.dropFirst(11).dropLast()
        var line = "\(time) \(request.method) \(request.path)"
        if !mask.isEmpty { line += " mask=" + mask.joined(separator: ",") }
        line += status == 0 ? " no answer" : " \(status)"
        for note in [error, fault.map { "fault: \($0.name)" }].compactMap({ $0 }) + remarks { line += " | " + note }
        return line.unicodeScalars.reduce(into: "") { $0.unicodeScalars.append($1.value < 32 ? "?" : $1) }
    }

    /// JSON where it is, else the beginning of it as text.
    private var body: JSON {
        if request.body.isEmpty { return .null }
        return (try? JSON(parsing: request.body)) ?? .string(String(decoding: request.body.prefix(2_000), as: UTF8.self))
    }

    /// Tells tokens apart without keeping them.
    private var tokenHash: String? {
        (try? Tokens.bearer(request.authorization)).map { String(sha256($0).prefix(16)) }
    }
}
