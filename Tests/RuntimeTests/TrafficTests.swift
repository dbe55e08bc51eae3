import Foundation
import XCTest

@testable import Reporting
@testable import Runtime

/// What is counted is what the sockets carried.
final class TrafficTests: XCTestCase {
    private func client(_ loop: EventLoop) throws -> HTTPClient {
        try HTTPClient(loop: loop, options: .init(timeout: 30_000, caFile: nil, userAgent: "test", compressesBodies: false))
    }

    /// Sends a request and drives the loop until it is answered.
    private func answer(_ client: HTTPClient, _ loop: EventLoop, _ url: String) -> TransportResult? {
        var result: TransportResult?
        let request = HTTPClient.Request(
            method: "PUT", url: url, body: String(repeating: "b", count: 5_000), bearer: "t", isSecure: false)
        client.send(request) { result = $0 }
        while result == nil {
            loop.setDeadline(client.deadline)
            loop.poll(timeout: -1)
            client.act(at: .max - 1)
        }
        return result
    }

    func testBytesAndConnectionsAreThoseOfTheSockets() throws {
        let server = try CountingServer(answerBytes: 3_000)
        let loop = try EventLoop()
        let client = try client(loop)
        XCTAssertEqual(client.traffic.with { $0 }, Traffic())
        for requests in 1...2 {
            guard case .answer(200, let body, _) = answer(client, loop, server.url) else { return XCTFail("no answer") }
            XCTAssertEqual(body.count, 3_000)
            let traffic = client.traffic.with { $0 }
            XCTAssertEqual(traffic.connections, 1, "it is kept alive")
            XCTAssertEqual(Int(traffic.sentBytes), server.received)
            XCTAssertEqual(Int(traffic.receivedBytes), server.sent)
            XCTAssertGreaterThan(server.received, requests * 5_000)
        }
    }

    func testAClosedConnectionStaysCounted() throws {
        let server = try CountingServer(answerBytes: 700, keepsAlive: false)
        let loop = try EventLoop()
        let client = try client(loop)
        for connections in 1...3 {
            guard case .answer = answer(client, loop, server.url) else { return XCTFail("no answer") }
            XCTAssertEqual(client.traffic.with { $0.connections }, UInt64(connections))
        }
        let traffic = client.traffic.with { $0 }
        XCTAssertEqual(Int(traffic.sentBytes), server.received)
        XCTAssertTrue((server.sent...server.sent + 3).contains(Int(traffic.receivedBytes)), "TCP counts the end as a byte")
    }
}

/// Answers requests, one connection after the other, and counts bytes.
private final class CountingServer: @unchecked Sendable {
    let url: String
    private let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    private let lock = NSLock()
    private var counts = (received: 0, sent: 0)
    var received: Int { lock.withLock { counts.received } }
    var sent: Int { lock.withLock { counts.sent } }

    init(answerBytes: Int, keepsAlive: Bool = true) throws {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = listener
        let port =
            withUnsafeMutablePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(listener, $0, size) == 0 && listen(listener, 4) == 0 && getsockname(listener, $0, &size) == 0
                }
            } ? UInt16(bigEndian: address.sin_port) : 0
        url = "http://127.0.0.1:\(try XCTUnwrap(port == 0 ? nil : port))/x"
        let head = "HTTP/1.1 200 OK\r\nContent-Length: \(answerBytes)\r\n" + (keepsAlive ? "" : "Connection: close\r\n") + "\r\n"
        let answer = Array((head + String(repeating: "a", count: answerBytes)).utf8)
        Thread.detachNewThread { [weak self] in
            while case let connection = accept(listener, nil, nil), connection >= 0 {
                while self?.readRequest(connection) == true {
                    self?.lock.withLock { self?.counts.sent += answer.count }
                    _ = send(connection, answer, answer.count, Int32(MSG_NOSIGNAL))
                    if !keepsAlive { break }
                }
                close(connection)
            }
        }
    }

    deinit {
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
    }

    /// Head and body, which are long enough to come in pieces.
    private func readRequest(_ connection: Int32) -> Bool {
        var request: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while case let count = recv(connection, &buffer, buffer.count, 0), count > 0 {
            request += buffer[..<count]
            lock.withLock { counts.received += count }
            guard let end = request.firstRange(of: Array("\r\n\r\n".utf8)) else { continue }
            if request.count - end.upperBound >= 5_000 { return true }
        }
        return false
    }
}
