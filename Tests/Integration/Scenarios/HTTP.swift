import Foundation

/// One request to a server on 127.0.0.1, on a connection of its own.
enum HTTP {
    struct Answer {
        var status: Int
        var body: Data
        var text: String { String(decoding: body, as: UTF8.self) }
    }

    static func send(_ method: String, port: UInt16, _ target: String, bearer: String? = nil, body: String = "") throws -> Answer {
        let socket = try connect(port: port)
        defer { close(socket) }
        var head = "\(method) \(target) HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nContent-Length: \(body.utf8.count)\r\n"
        if let bearer { head += "Authorization: Bearer \(bearer)\r\n" }
        if !body.isEmpty { head += "Content-Type: application/json\r\n" }
        let request = Array((head + "\r\n" + body).utf8)
        guard Glibc.send(socket, request, request.count, Int32(MSG_NOSIGNAL)) == request.count else { throw Failure("\(target) not sent") }
        return try answer(to: target, from: socket)
    }

    /// A socket to a port of 127.0.0.1, to be closed; reading from it in vain ends.
    static func connect(port: UInt16) throws -> Int32 {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let connected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { Glibc.connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
        }
        guard connected == 0 else {
            close(socket)
            throw Failure("nothing listens at port \(port)")
        }
        var limit = timeval(tv_sec: Int(patience), tv_usec: 0)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        return socket
    }

    private static func answer(to target: String, from socket: Int32) throws -> Answer {
        var received = Data()
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while case let count = recv(socket, &buffer, buffer.count, 0), count > 0 { received.append(contentsOf: buffer[..<count]) }
        guard let end = received.range(of: Data("\r\n\r\n".utf8)) else { throw Failure("no answer to \(target)") }
        let head = String(decoding: received[..<end.lowerBound], as: UTF8.self).split(separator: " ")
        guard head.count > 1, let status = Int(head[1]) else { throw Failure("\(target): no status in \(head)") }
        return Answer(status: status, body: Data(received[end.upperBound...]))
    }
}
