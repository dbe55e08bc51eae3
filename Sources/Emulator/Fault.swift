/// What happens to requests instead of, or before, a proper answer.
struct Fault: Sendable {
    enum Action: Sendable, Equatable {
        /// Refuses without looking at the request.
        case refuse(Refusal)
        /// Obeys, then answers 200 with what is not JSON.
        case garbage
        /// Closes the connection, after obeying or without.
        case drop(obeys: Bool)
        /// Obeys, then sends so many bytes of the answer's body and closes the connection.
        case truncate(Int)
        /// Obeys but for the position: the vehicle stays where it was.
        case discardLocation
        /// Obeys, but the vehicle is somewhere else; degrees.
        case moveLocation(latitude: Double, longitude: Double)
    }

    struct Refusal: Sendable, Equatable {
        var status: Int
        var code: CanonicalCode
        var message = "Injected by POST /control/faults."
        /// Stands in for Google's error object.
        var body: String?
        /// Seconds; in the header, and in a RetryInfo unless that says something else.
        var retryAfter: Int64?
        /// Seconds, in a RetryInfo.
        var retryInfo: Int64?
        /// Of an ErrorInfo.
        var reason: String?
    }

    enum Wait: Sendable, Equatable {
        case milliseconds(Int32)
        /// Until POST /control/release.
        case released
    }

    var action: Action?
    /// How long the answer is kept back.
    var wait: Wait?
    /// Which requests it concerns: a method and the beginning of a path. With neither, every update of a resource.
    var method: String?
    var path: String?
    /// How many requests are left to spoil.
    var times = 1

    static let garbageBody = "\u{1}<html>{\"vehicleState\":"

    /// As the history shows it.
    var name: String {
        var names: [String] = []
        switch action {
        case .refuse(let refusal): names.append("status \(refusal.status)")
        case .garbage: names.append("garbage")
        case .drop(let obeys): names.append(obeys ? "drop" : "drop before")
        case .truncate(let bytes): names.append("truncate \(bytes)")
        case .discardLocation: names.append("location discarded")
        case .moveLocation: names.append("location moved")
        case nil: break
        }
        switch wait {
        case .milliseconds(let milliseconds): names.append("delay \(milliseconds) ms")
        case .released: names.append("hang")
        case nil: break
        }
        return names.joined(separator: ", ")
    }

    func concerns(_ request: Request, isUpdate: Bool) -> Bool {
        if method == nil, path == nil { return isUpdate }
        return (method ?? request.method) == request.method && request.path.hasPrefix(path ?? "")
    }
}

extension [Fault] {
    /// The first fault that concerns the request, one time less of it left.
    mutating func take(for request: Request, isUpdate: Bool) -> Fault? {
        guard let index = firstIndex(where: { $0.concerns(request, isUpdate: isUpdate) }) else { return nil }
        let fault = self[index]
        self[index].times -= 1
        if self[index].times == 0 { remove(at: index) }
        return fault
    }
}

extension Fault.Refusal {
    var reply: Reply {
        var error = APIError(code, message)
        if let reason { error.details.append(.errorInfo(reason)) }
        if let delay = retryInfo ?? retryAfter { error.details.append(.retryInfo(seconds: delay)) }
        return Reply(status: status, retryAfter: retryAfter, body: body ?? error.body(httpStatus: status).text + "\n")
    }
}
