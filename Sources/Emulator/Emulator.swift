import CEmulator
import Glibc

/// A strict stand-in for Google Fleet Engine on 127.0.0.1.
///
/// Each connection has a thread of its own: a request may then simply wait, as hanging answers and long polls do, and the requests of a
/// connection stay in order. At the few thousand connections that a test makes, that costs memory only.
public final class Emulator: Sendable {
    public struct StartFailure: Error {
        public var reason: String
    }

    struct State: Sendable {
        var key: SigningKey
        var fleet: Fleet
        var history: History
        var limits: Limits
        var quota = Quota()
        /// By resource name.
        var traffic: [String: Traffic] = [:]
        var faults: [Fault] = []
        /// Milliseconds by which the emulator's time is ahead of the clock.
        var clockOffset: Int64 = 0
        /// Milliseconds by which the time that tokens are held against is ahead of that.
        var tokenSkew: Int64 = 0
        /// Holds hanging answers back.
        var gate: Gate
        var isStopping = false
    }

    let options: EmulatorOptions
    let clock: Clock
    let state: Monitor<State>
    private let log: @Sendable (String) -> Void
    /// Plain first, then TLS.
    private let servers = Monitor<[OpaquePointer]>([])

    /// log: gets a line a request, from any thread.
    public convenience init(_ options: EmulatorOptions, log: @escaping @Sendable (String) -> Void = { _ in }) throws(StartFailure) {
        guard let key = SigningKey() else { throw StartFailure(reason: "cannot make an RSA key") }
        try self.init(options, clock: Clock(), key: key, log: log)
    }

    init(_ options: EmulatorOptions, clock: Clock, key: SigningKey, log: @escaping @Sendable (String) -> Void) throws(StartFailure) {
        guard let gate = Gate() else { throw StartFailure(reason: "no descriptors left") }
        var fleet = Fleet(provider: options.provider, createsUnknown: options.autoCreate)
        let keys =
            options.vehicles.map { ResourceKey(kind: .vehicle, id: $0) }
            + options.deliveryVehicles.map { ResourceKey(kind: .deliveryVehicle, id: $0) }
        for key in keys {
            if let problem = ResourceKey.problem(with: key.id) { throw StartFailure(reason: "vehicle \"\(key.id)\": the id \(problem)") }
            do throws(APIError) {
                _ = try fleet.create(key, key.kind.plainVehicle, now: clock.unix())
            } catch {
                throw StartFailure(reason: error.message)
            }
        }
        self.options = options
        self.clock = clock
        self.log = log
        let history = History(perPath: options.historyPerPath)
        state = Monitor(State(key: key, fleet: fleet, history: history, limits: options.limits, gate: gate))
        try listen(on: options.port, nil)
        guard let tls = options.tls else { return }
        guard let certificates = TestCertificates(flaw: tls.flaw) else { throw StartFailure(reason: "cannot make certificates") }
        try certificates.write(into: tls.folder)
        try listen(on: tls.port, certificates)
    }

    private func listen(on port: UInt16, _ certificates: TestCertificates?) throws(StartFailure) {
        let context = Unmanaged.passUnretained(self).toOpaque()
        let start = { (tls: UnsafePointer<emu_tls>?) in emu_http_start(port, Request.bodyLimit, tls, serve, context) }
        let started = certificates.map { withTLS($0, start) } ?? start(nil)
        guard let started else {
            throw StartFailure(reason: "cannot listen on 127.0.0.1:\(port): \(String(cString: strerror(errno)))")
        }
        servers.withLock { $0.append(started) }
    }

    private func withTLS(_ certificates: TestCertificates, _ body: (UnsafePointer<emu_tls>?) -> OpaquePointer?) -> OpaquePointer? {
        certificates.server.withCString { server in
            certificates.serverKey.withCString { key in
                certificates.authority.withCString { authority in
                    let needsClient = options.tls?.requiresClientCertificate == true
                    var tls = emu_tls(certificate: server, key: key, client_ca: needsClient ? authority : nil)
                    return body(&tls)
                }
            }
        }
    }

    deinit { stop() }

    /// The port in use; 0 once stopped.
    public var port: UInt16 { servers.withLock { $0.first.map { emu_http_port($0) } ?? 0 } }

    /// The same of TLS; 0 without it.
    public var tlsPort: UInt16 { servers.withLock { $0.dropFirst().first.map { emu_http_port($0) } ?? 0 } }

    public var url: String { "http://127.0.0.1:\(port)" }

    /// Lets every waiting request go and closes all connections. May be called again.
    public func stop() {
        state.withLock { state in
            state.isStopping = true
            state.gate.open()
        }
        let stopping = servers.withLock { servers in
            defer { servers = [] }
            return servers
        }
        for server in stopping { emu_http_stop(server) }
    }

    /// Answers a request, after keeping it waiting where a fault says so. nil: the connection is to be closed.
    fileprivate func answer(_ request: Request?) -> Reply? {
        guard let request else { return .error(APIError(.invalidArgument, "The request's target is not properly percent-encoded.")) }
        let outcome = outcome(of: request)
        if let hold = outcome.hold, !hold.gate.wait(milliseconds: hold.milliseconds, client: request.socket) { return nil }
        return outcome.reply
    }

    private func outcome(of request: Request) -> Outcome {
        switch request.segments.first {
        case "v1": fleetEngine(request)
        case "token": token(request)
        case "control": Outcome(reply: control(request))
        case "" where request.segments.count == 1 && request.method == "GET": Outcome(reply: .text(overview()))
        default: Outcome(reply: .error(.noMethod))
        }
    }

    /// Writes an exchange into the history, the counters and the log.
    func record(_ exchange: Exchange, answer: Reply?, in state: inout State) {
        state.history.append(path: exchange.request.path, exchange.entry)
        if let resource = exchange.request.resource { state.traffic[resource, default: Traffic()].count(exchange, answer: answer) }
        log(exchange.line)
    }
}

private func serve(context: UnsafeMutableRawPointer?, raw: OpaquePointer?) {
    guard let context, let raw else { return }
    let emulator = Unmanaged<Emulator>.fromOpaque(context).takeUnretainedValue()
    guard let reply = emulator.answer(Request(raw)) else { return }
    let body = Array(reply.body.utf8)
    let sent = min(body.count, reply.truncatedTo ?? .max)
    emu_http_answer(raw, UInt32(reply.status), reply.contentType, reply.retryAfter.map(String.init), body, body.count, sent)
}
