/// What one resource's requests came to.
struct Traffic: Sendable {
    private(set) var requests = 0
    /// Updates answered 200.
    private(set) var updates = 0
    /// Requests answered with 400 or more.
    private(set) var refused = 0
    private(set) var unanswered = 0
    /// Head and body as they came.
    private(set) var requestBytes = 0
    /// Bodies only.
    private(set) var answerBytes = 0
    private var firstUpdate: Int64?
    private var lastUpdate: Int64?
    /// The longest time between two updates, milliseconds.
    private(set) var longestGap: Int64 = 0

    mutating func count(_ exchange: Exchange, answer: Reply?) {
        requests += 1
        requestBytes += exchange.request.size
        answerBytes += answer.map { min($0.body.utf8.count, $0.truncatedTo ?? .max) } ?? 0
        switch exchange.status {
        case 0: unanswered += 1
        case 400...: refused += 1
        default: if ["PUT", "PATCH"].contains(exchange.request.method) { countUpdate(at: exchange.monotonic) }
        }
    }

    private mutating func countUpdate(at time: Int64) {
        updates += 1
        if let lastUpdate { longestGap = max(longestGap, time - lastUpdate) }
        firstUpdate = firstUpdate ?? time
        lastUpdate = time
    }

    var shown: JSONObject {
        [
            "requests": .integer(Int64(requests)), "updates": .integer(Int64(updates)), "refused": .integer(Int64(refused)),
            "unanswered": .integer(Int64(unanswered)), "requestBytes": .integer(Int64(requestBytes)),
            "answerBytes": .integer(Int64(answerBytes)), "longestGapMs": .integer(longestGap),
            "firstUpdateMonotonicMs": firstUpdate.map { .integer($0) } ?? .null,
            "lastUpdateMonotonicMs": lastUpdate.map { .integer($0) } ?? .null,
        ]
    }
}
