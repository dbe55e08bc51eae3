import CSystem
import FleetEngine
import JSON
import Reporting

/// Gets tokens the way the configuration says. Loop-confined.
struct TokenSource {
    typealias Answer = Result<FetchedToken, TokenFailure>

    let provider: TokenProvider
    let http: HTTPClient

    /// Answers at once or later. For a callback of the host the answer comes through ``TokenQuestions``.
    func fetch(_ context: TokenContext, for session: Session, id: UInt64) {
        let answer = { (answer: Answer) in session.answered(token: id, answer) }
        switch provider {
        case .callback(let ask): ask(TokenQuestions.shared.ask(for: session, id: id), context)
        case .fixed(let token): answer(.success(FetchedToken(token: token, goodFor: nil)))
        case .file(let path): answer(Self.read(path))
        case .server(let server): fetch(from: server, context, answer)
        }
    }

    private static let maxFileBytes = 64 * 1024

    private static func read(_ path: String) -> Answer {
        var bytes: UnsafeMutablePointer<UInt8>?
        var length = 0
        let error = path.withCString { mp_file_read($0, maxFileBytes, &bytes, &length) }
        guard error == 0, let bytes else {
            return .failure(TokenFailure("token file \(path): " + String(cString: mp_errno_text(error))))
        }
        defer {
            mp_wipe(bytes, length)
            mp_free(bytes)
        }
        return .success(FetchedToken(token: trimmed(UnsafeBufferPointer(start: bytes, count: length)), goodFor: nil))
    }

    private static func trimmed(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
        let isBlank = { (byte: UInt8) in byte <= 0x20 }
        guard let first = bytes.firstIndex(where: { !isBlank($0) }), let last = bytes.lastIndex(where: { !isBlank($0) }) else { return "" }
        return String(decoding: bytes[first...last], as: UTF8.self)
    }

    private func fetch(from server: TokenServer, _ context: TokenContext, _ answer: @escaping (Answer) -> Void) {
        let request = HTTPClient.Request(
            method: "GET", url: server.address(for: context), body: nil, bearer: nil, isSecure: server.url.isSecure)
        http.send(request) { result in answer(server.token(from: result, unixNow: mp_clock_unix_ns())) }
    }
}

extension TokenServer {
    /// The URL with the ids in it.
    func address(for context: TokenContext) -> String {
        let values: [(name: StaticString, id: String)] = [
            ("{provider}", context.provider), ("{vehicle}", context.vehicle ?? ""),
            ("{task}", context.task ?? ""), ("{trip}", context.trip ?? ""),
        ]
        var filled: [UInt8] = []
        var rest = Array(url.url.utf8)[...]
        while let byte = rest.first {
            let match = values.first { value in
                value.name.withUTF8Buffer { rest.starts(with: $0) }
            }
            if let match {
                filled += Array(ResourceName.percentEncoded(match.id).utf8)
                rest = rest.dropFirst(match.name.utf8CodeUnitCount)
            } else {
                filled.append(byte)
                rest = rest.dropFirst()
            }
        }
        return String(decoding: filled, as: UTF8.self)
    }

    /// The token in a server's answer. unixNow: nanoseconds since 1970, for an absolute expiry.
    func token(from result: TransportResult, unixNow: Int64) -> Result<FetchedToken, TokenFailure> {
        switch result {
        case .failed(_, let message), .untrusted(let message): return .failure(TokenFailure("token server: \(message)"))
        case .answer(let status, let body, _):
            guard status == 200 else { return .failure(TokenFailure("token server answered \(status)")) }
            return read(body, unixNow)
        }
    }

    private func read(_ body: [UInt8], _ unixNow: Int64) -> Result<FetchedToken, TokenFailure> {
        body.withUnsafeBytes { bytes in
            do throws(JSONError) {
                let document = try JSONDocument(bytes)
                let root = document.root
                guard let token = root[named: tokenKey]?.string else {
                    return .failure(TokenFailure("token server: the answer has no string \"\(tokenKey)\""))
                }
                guard let expiryKey else { return .success(FetchedToken(token: token, goodFor: nil)) }
                guard let number = root[named: expiryKey]?.number else {
                    return .failure(TokenFailure("token server: the answer has no number \"\(expiryKey)\""))
                }
                return .success(FetchedToken(token: token, goodFor: secondsLeft(number, unixNow)))
            } catch {
                return .failure(TokenFailure("token server: the answer is not JSON: \(error.reason)"))
            }
        }
    }

    private func secondsLeft(_ number: Double, _ unixNow: Int64) -> Int64 {
        let now = Double(unixNow) / 1e9
        let left =
            switch expiry {
            case .secondsFromNow: number
            case .unixSeconds: number - now
            case .unixMilliseconds: number / 1000 - now
            }
        // A century is for ever; the past is now.
        return Int64(min(max(left, 0), 3.2e9))
    }
}
