import CSystem
import Foundation
import Navigation
import XCTest

@testable import Positioning

/// A session on a real socket. Its clock is the machine's, put forward over the waits between connections.
final class LiveSession {
    let session: GpsdSession
    private(set) var fixes: [Fix] = []
    private(set) var states: [PositionState] = []
    private(set) var details: [String] = []
    private(set) var notes: [String] = []
    private(set) var connections = 0
    /// Called before a connection is opened.
    var beforeConnecting: () -> Void = {}

    let port: UInt16
    private var socket: Int32 = -1
    private var ahead: Int64 = 0

    init(port: UInt16, device: String? = nil) {
        self.port = port
        session = GpsdSession(device: device.flatMap(DevicePath.init), seed: 1)
    }

    deinit { if socket >= 0 { close(socket) } }

    private var now: Int64 { mp_clock_boot_ns() + ahead }

    /// Runs until the condition holds. False: a minute passed, long after anything should take.
    func run(until isDone: () -> Bool) -> Bool {
        let end = mp_clock_boot_ns() + 60_000_000_000
        if connections == 0 { handle(.started) }
        while !isDone() {
            if mp_clock_boot_ns() > end { return false }
            if socket < 0 {
                ahead += max(0, session.deadline - now)
                handle(.timer)
            } else {
                receive()
            }
        }
        return true
    }

    private func receive() {
        let wait = min(max(0, session.deadline - now), 1_000_000_000)
        var poll = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        guard Glibc.poll(&poll, 1, Int32(wait / 1_000_000) + 1) > 0 else { return handle(.timer) }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = recv(socket, &buffer, buffer.count, 0)
        if count > 0 {
            buffer.withUnsafeBytes { handle(.received(UnsafeRawBufferPointer(rebasing: $0[..<count]))) }
        } else {
            hangUp()
            handle(.disconnected(reason: count == 0 ? "gpsd closed the connection" : "the connection broke"))
        }
    }

    private func handle(_ input: GpsdSession.Input) {
        for output in session.handle(input, at: now) {
            switch output {
            case .connect: connect()
            case .send(let text): XCTAssertEqual(send(socket, text, text.utf8.count, Int32(MSG_NOSIGNAL)), text.utf8.count)
            case .disconnect: hangUp()
            case .fix(let fix): fixes.append(fix)
            case .state(let state, let detail):
                states.append(state)
                details.append(detail)
            case .note(let note): notes.append(note)
            }
        }
    }

    private func connect() {
        beforeConnecting()
        connections += 1
        socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        if result == 0 {
            handle(.connected)
        } else {
            hangUp()
            handle(.connectFailed(reason: "connection refused by 127.0.0.1 port \(port)"))
        }
    }

    private func hangUp() {
        if socket >= 0 { close(socket) }
        socket = -1
    }
}
