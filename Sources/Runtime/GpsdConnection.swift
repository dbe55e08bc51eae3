import CSystem
import Navigation
import Positioning
import Reporting

/// The socket to gpsd: carries out what ``GpsdSession`` wants. Loop-confined.
final class GpsdConnection: @unchecked Sendable {
    /// What comes out of it.
    enum Event {
        case fix(Fix)
        case state(PositionState, String)
        case note(String)
    }

    private let loop: EventLoop
    private let address: GpsdAddress
    private let deliver: (Event) -> Void
    private let session: GpsdSession
    private var socket: Int32 = -1
    /// Addresses still to be tried.
    private var untried: [mp_address] = []
    /// Counts attempts, so that a late answer of the resolver is told from a current one.
    private var attempt: UInt64 = 0
    private var isHandling = false
    private var waiting: [GpsdSession.Input] = []
    private var lastProblem = ""
    private var buffer = [UInt8](repeating: 0, count: 16 * 1024)

    init(loop: EventLoop, address: GpsdAddress, seed: UInt64, deliver: @escaping (Event) -> Void) {
        self.loop = loop
        self.address = address
        self.deliver = deliver
        session = GpsdSession(device: address.device, seed: seed)
    }

    var deadline: Instant { session.deadline }

    var counts: (dropped: Int, reconnects: Int) { (session.gate.rejected.total, Int(clamping: session.counts.reconnects)) }

    func start() { handle(.started) }

    /// What is due at ``deadline``.
    func act(at now: Instant) {
        if now >= session.deadline { handle(.timer) }
    }

    /// Drops the connection; ``start()`` begins again.
    func close() {
        attempt &+= 1
        untried = []
        dropSocket()
    }

    /// Carries out what the session wants, in order: what comes of it at once (a connection refused) waits until all of it is done.
    private func handle(_ input: GpsdSession.Input) {
        guard !isHandling else { return waiting.append(input) }
        isHandling = true
        carryOut(session.handle(input, at: mp_clock_boot_ns()))
        while !waiting.isEmpty { carryOut(session.handle(waiting.removeFirst(), at: mp_clock_boot_ns())) }
        isHandling = false
    }

    private func carryOut(_ outputs: [GpsdSession.Output]) {
        for output in outputs {
            switch output {
            case .connect: connect()
            case .send(let line): send(line)
            case .disconnect: close()
            case .fix(let fix): deliver(.fix(fix))
            case .state(let state, let detail): deliver(.state(state, detail))
            case .note(let text): deliver(.note(text))
            }
        }
    }

    // MARK: connecting

    private func connect() {
        close()
        let current = attempt
        Resolver.resolve(host: address.host, port: address.port, mailbox: loop.mailbox) { [self] answer in
            guard attempt == current else { return }
            switch answer {
            case .success(let addresses):
                untried = addresses
                tryNext(after: "no address")
            case .failure(let failure): handle(.connectFailed(reason: failure.message))
            }
        }
    }

    private func tryNext(after problem: String) {
        dropSocket()
        lastProblem = problem
        while !untried.isEmpty {
            var candidate = untried.removeFirst()
            var error: Int32 = 0
            socket = mp_socket_connect(&candidate, &error)
            if socket >= 0 { return awaitConnection() }
            lastProblem = describe(error)
        }
        handle(.connectFailed(reason: lastProblem))
    }

    private func awaitConnection() {
        loop.watch(socket, .writable) { [unowned(unsafe) self] _ in
            let error = mp_socket_error(socket)
            guard error == 0 else { return tryNext(after: describe(error)) }
            untried = []
            loop.watch(socket, .readable) { [unowned(unsafe) self] _ in receive() }
            handle(.connected)
        }
    }

    private func describe(_ error: Int32) -> String { "\(address.host) port \(address.port): " + String(cString: mp_errno_text(error)) }

    // MARK: connected

    /// Reads at most so many buffers a turn, so that a flood from gpsd does not starve the rest of the loop.
    private static let readsPerTurn = 16

    private func receive() {
        for _ in 0..<Self.readsPerTurn where socket >= 0 {
            let fd = socket
            let count = buffer.withUnsafeMutableBytes { mp_socket_receive(fd, $0.baseAddress, $0.count) }
            if count > 0 {
                deliverReceived(count)
            } else if count == 0 {
                lose("gpsd closed the connection")
            } else if count < -1 {
                lose(describe(Int32(clamping: -count)))
            } else {
                return
            }
        }
    }

    private func deliverReceived(_ count: Int) {
        // Handed over as a copy of the reference: handling may close and reopen the connection, which must not touch the buffer meanwhile.
        let bytes = buffer
        bytes.withUnsafeBytes { handle(.received(UnsafeRawBufferPointer(rebasing: $0.prefix(count)))) }
    }

    private func send(_ line: String) {
        guard socket >= 0 else { return }
        let bytes = Array(line.utf8)
        let sent = bytes.withUnsafeBytes { mp_socket_send(socket, $0.baseAddress, $0.count) }
        // A WATCH is far shorter than any socket buffer: less than all of it means that the connection is broken.
        if sent != bytes.count { lose("gpsd does not take commands") }
    }

    private func lose(_ reason: String) {
        dropSocket()
        handle(.disconnected(reason: reason))
    }

    private func dropSocket() {
        guard socket >= 0 else { return }
        loop.unwatch(socket)
        mp_close(socket)
        socket = -1
    }
}
