import JSON

/// What the details of Google's error object tell: google.rpc.ErrorInfo, RetryInfo, BadRequest, PreconditionFailure and QuotaFailure.
struct ErrorDetails {
    /// Of ErrorInfo, such as "RATE_LIMIT_EXCEEDED" of "googleapis.com"; "" when there is none.
    private(set) var reason = ""
    private var domain = ""
    /// Each "field: what is wrong with it".
    private var violations: [String] = []
    /// Whole seconds to wait.
    private(set) var retryDelay: Int?

    private static let detailLimit = 32
    private static let violationLimit = 8

    init(_ details: JSONNode) {
        for index in 0..<min(details.count, Self.detailLimit) {
            guard let detail = details[index], let type = detail["@type"]?.string else { continue }
            read(detail, type.utf8.split(separator: UInt8(ascii: "/")).last.map { String(Substring($0)) } ?? "")
        }
    }

    private mutating func read(_ detail: JSONNode, _ type: String) {
        switch type {
        case "google.rpc.ErrorInfo":
            reason = detail["reason"]?.string ?? ""
            domain = detail["domain"]?.string ?? ""
        case "google.rpc.RetryInfo": retryDelay = detail["retryDelay"]?.string.flatMap(ProtoDuration.seconds)
        case "google.rpc.BadRequest": readViolations(detail["fieldViolations"], subject: "field")
        case "google.rpc.PreconditionFailure", "google.rpc.QuotaFailure": readViolations(detail["violations"], subject: "subject")
        default: break
        }
    }

    private mutating func readViolations(_ list: JSONNode?, subject: StaticString) {
        guard let list else { return }
        for index in 0..<min(list.count, Self.violationLimit) {
            let parts = [list[index]?[subject]?.string, list[index]?["description"]?.string].compactMap { $0 }.filter { !$0.isEmpty }
            if !parts.isEmpty { violations.append(parts.joined(separator: ": ")) }
        }
    }

    /// All of it for a person, "" when there is nothing.
    var text: String {
        let info = reason.isEmpty || domain.isEmpty ? reason : "\(reason) (\(domain))"
        return ((info.isEmpty ? [] : [info]) + violations).joined(separator: "; ")
    }
}
