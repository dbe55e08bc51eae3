import Foundation

/// A plain HTTP/1.1 client over one kept-alive connection to 127.0.0.1, so that tests see exactly what the server does with it.
final class HTTPConnection {
    struct Answer {
        var status: Int
        var headers: [String: String]
        var body: Data

        var json: Any? { try? JSONSerialization.jsonObject(with: body) }
        var object: [String: Any] { json as? [String: Any] ?? [:] }
        var text: String { String(decoding: body, as: UTF8.self) }

        /// Of an error in Google's form.
        var error: [String: Any] { object["error"] as? [String: Any] ?? [:] }
        var canonicalCode: String { error["status"] as? String ?? "" }
        var message: String { error["message"] as? String ?? "" }
    }

    private let socket: Int32
    private var received: [UInt8] = []

    init(port: UInt16) {
        socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        _ = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
        }
        // A test that waits for what never comes fails instead of hanging.
        var limit = timeval(tv_sec: 30, tv_usec: 0)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(socket) }

    /// What came and did not make a whole answer.
    var bytesLeft: [UInt8] { received }

    /// Sends a request and waits for the answer; nil when the server closed the connection.
    func request(_ method: String, _ target: String, headers: [String: String] = [:], body: String? = nil) -> Answer? {
        send(method, target, headers: headers, body: body)
        return answer()
    }

    func send(_ method: String, _ target: String, headers: [String: String] = [:], body: String? = nil) {
        send(method, target, headers: headers, bytes: body.map { Data($0.utf8) })
    }

    func send(_ method: String, _ target: String, headers: [String: String] = [:], bytes body: Data?) {
        var text = "\(method) \(target) HTTP/1.1\r\nHost: 127.0.0.1\r\n"
        for header in headers { text += "\(header.key): \(header.value)\r\n" }
        if let body { text += "Content-Length: \(body.count)\r\n" }
        let bytes = Array((text + "\r\n").utf8) + (body ?? Data())
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes { Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            if count <= 0 { return }
            sent += count
        }
    }

    func answer() -> Answer? {
        let end = Array("\r\n\r\n".utf8)
        var head: Int?
        while head == nil {
            head = received.indices.first { received[$0...].starts(with: end) }
            if head == nil, !receive() { return nil }
        }
        guard let head else { return nil }
        let lines = String(decoding: received[..<head], as: UTF8.self).components(separatedBy: "\r\n")
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            let sides = line.components(separatedBy: ": ")
            headers[sides[0].lowercased()] = sides.dropFirst().joined(separator: ": ")
        }
        received.removeFirst(head + end.count)
        let length = Int(headers["content-length"] ?? "") ?? 0
        while received.count < length { if !receive() { return nil } }
        let body = Data(received[..<length])
        received.removeFirst(length)
        return Answer(status: Int(lines[0].split(separator: " ")[1]) ?? 0, headers: headers, body: body)
    }

    private func receive() -> Bool {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = recv(socket, &buffer, buffer.count, 0)
        if count > 0 { received += buffer[..<count] }
        return count > 0
    }
}
