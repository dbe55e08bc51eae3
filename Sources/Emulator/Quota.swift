/// How much Fleet Engine takes in a minute, and at once. nil: no limit.
public struct Limits: Sendable, Equatable {
    /// Of the whole project.
    public var requestsPerMinute: Int?
    /// Of one resource, a vehicle above all. Google limits these too, by figures that it does not publish.
    public var resourceRequestsPerMinute: Int?
    /// In one update.
    public var pastLocations: Int?
    /// Of one request's body as it came.
    public var bodyBytes: Int?

    public init() {}
}

/// Counts requests by the minute, which begins with the first of them.
struct Quota: Sendable {
    private struct Minute: Sendable {
        var begin: Int64
        var requests = 0
    }

    private static let length: Int64 = 60_000
    private static let mostResources = 10_000

    private var project = Minute(begin: .min)
    private var resources: [String: Minute] = [:]

    /// Counts a request, or refuses it until its minute is over. now: Unix milliseconds.
    mutating func take(_ resource: String?, _ limits: Limits, now: Int64) throws(APIError) {
        project = Self.current(project, now)
        try Self.check(project, limits.requestsPerMinute, "requests per minute", now)
        if let resource, let limit = limits.resourceRequestsPerMinute {
            if resources.count >= Self.mostResources { resources = resources.filter { Self.isCurrent($0.value, now) } }
            var minute = Self.current(resources[resource] ?? Minute(begin: now), now)
            try Self.check(minute, limit, "requests per minute and resource", now)
            minute.requests += 1
            resources[resource] = minute
        }
        project.requests += 1
    }

    private static func isCurrent(_ minute: Minute, _ now: Int64) -> Bool {
        minute.begin <= now && now - length < minute.begin
    }

    private static func current(_ minute: Minute, _ now: Int64) -> Minute { isCurrent(minute, now) ? minute : Minute(begin: now) }

    private static func check(_ minute: Minute, _ limit: Int?, _ name: String, _ now: Int64) throws(APIError) {
        guard let limit, minute.requests >= limit else { return }
        let seconds = (minute.begin + length - now + 999) / 1_000
        throw APIError(
            .resourceExhausted, "Quota exceeded: \(limit) \(name).",
            details: [.errorInfo("RATE_LIMIT_EXCEEDED"), .retryInfo(seconds: seconds)])
    }
}
