import CCurl
import CSystem
import Reporting

/// HTTP through libcurl's multi interface, driven by an event loop. Loop-confined.
final class HTTPClient {
    struct Request {
        var method: String
        var url: String
        var body: String?
        var bearer: String?
        var isSecure: Bool
    }

    struct Options {
        var timeout: Int64
        var caFile: String?
        var clientCertificate: ClientCertificate?
        var userAgent: String
        var compressesBodies: Bool
    }

    /// No answer that concerns us comes near them; more is a fault and ends the transfer.
    static let maxAnswerBytes = 1 << 20
    static let maxHeadBytes = 64 << 10

    private let loop: EventLoop
    private let options: Options
    private var multi: OpaquePointer?
    private var transfers: [OpaquePointer: Transfer] = [:]
    /// What went over the network; any thread may read it.
    let traffic = Guarded(Traffic())
    private var sockets = TrafficMeter()
    /// When curl wants to act without a descriptor being ready.
    private(set) var deadline: Instant = .max
    /// While `done` is called: when the server answered, by its own clock (the Date header), milliseconds since 1970; nil when it did not say.
    private(set) var serverTime: Int64?

    init(loop: EventLoop, options: Options) throws(HostError) {
        self.loop = loop
        self.options = options
        guard mp_curl_start() == 0 else { throw HostError(.library, "libcurl does not start: curl_global_init failed") }
        var calls = mp_multi_calls()
        calls.user = Unmanaged.passUnretained(self).toOpaque()
        calls.watch = { user, fd, events in HTTPClient.from(user)?.watch(fd, events) }
        calls.timer = { user, milliseconds in HTTPClient.from(user)?.setTimer(milliseconds) }
        calls.socket_opened = { user, fd in HTTPClient.from(user)?.sockets.opened(fd) }
        calls.socket_closing = { user, fd in HTTPClient.from(user)?.sockets.closing(fd) }
        multi = mp_multi_create(&calls)
        guard multi != nil else { throw HostError(.system, "no memory for libcurl") }
    }

    deinit {
        for easy in transfers.keys { drop(easy) }
        // Ending a TLS connection writes to it, on a thread of the host's.
        let signals = mp_sigpipe_block()
        mp_multi_destroy(multi)
        mp_sigpipe_restore(signals)
    }

    /// Starts a request; `done` is called from the loop exactly once, cancelled ones included.
    func send(_ request: Request, done: @escaping (TransportResult) -> Void) {
        let transfer = Transfer(done: done)
        guard let multi, let easy = makeEasy(multi, request, transfer) else { return done(.failed(timedOut: false, message: "no memory")) }
        transfers[easy] = transfer
        guard mp_multi_add(multi, easy) else {
            transfers[easy] = nil
            mp_easy_destroy(easy)
            return done(.failed(timedOut: false, message: "libcurl refused the request"))
        }
    }

    /// What is due at ``deadline``.
    func act(at now: Instant) {
        guard now >= deadline else { return }
        deadline = .max
        mp_multi_act(multi, -1, 0)
        collect()
    }

    /// Ends every transfer under way; each is answered as failed.
    func cancelAll() {
        for (easy, transfer) in transfers {
            drop(easy)
            transfer.done(.failed(timedOut: false, message: "stopped before an answer came"))
        }
        transfers = [:]
        publishTraffic()
    }

    private func drop(_ easy: OpaquePointer) {
        mp_multi_remove(multi, easy)
        mp_easy_destroy(easy)
    }

    private func makeEasy(_ multi: OpaquePointer, _ request: Request, _ transfer: Transfer) -> OpaquePointer? {
        var c = mp_request()
        c.timeout_ms = options.timeout
        c.secure = request.isSecure
        c.user = Unmanaged.passUnretained(transfer).toOpaque()
        c.receive = { user, bytes, length in
            guard let user, let bytes else { return false }
            return Unmanaged<Transfer>.fromOpaque(user).takeUnretainedValue().receive(UnsafeBufferPointer(start: bytes, count: length))
        }
        c.receive_head = { user, length in
            guard let user else { return false }
            return Unmanaged<Transfer>.fromOpaque(user).takeUnretainedValue().receiveHead(length)
        }
        let plain = request.body.map { Array($0.utf8) }
        let packed = options.compressesBodies ? plain.flatMap { gzipped($0) } : nil
        c.gzipped = packed != nil
        let body = packed ?? plain
        return request.method.withCString { method in
            request.url.withCString { url in
                options.userAgent.withCString { agent in
                    withOptionalCString(request.bearer) { bearer in
                        withFiles { caFile, certificateFile, keyFile in
                            withOptionalBytes(body) { bytes, count in
                                c.method = method
                                c.url = url
                                c.user_agent = agent
                                c.bearer = bearer
                                c.ca_file = caFile
                                c.certificate_file = certificateFile
                                c.key_file = keyFile
                                c.body = bytes
                                c.body_length = count
                                return mp_easy_create(multi, &c)
                            }
                        }
                    }
                }
            }
        }
    }

    private typealias CString = UnsafePointer<CChar>?

    private func withFiles<Result>(_ body: (_ ca: CString, _ certificate: CString, _ key: CString) -> Result) -> Result {
        withOptionalCString(options.caFile) { ca in
            withOptionalCString(options.clientCertificate?.file) { certificate in
                withOptionalCString(options.clientCertificate?.keyFile) { key in body(ca, certificate, key) }
            }
        }
    }

    private func watch(_ fd: Int32, _ events: UInt32) {
        guard events != 0 else { return loop.unwatch(fd) }
        loop.watch(fd, EventLoop.Readiness(rawValue: events)) { [unowned(unsafe) self] ready in
            var events = ready.intersection([.readable, .writable]).rawValue
            if ready.contains(.hangup) { events |= UInt32(MP_CURL_READABLE) }
            mp_multi_act(multi, fd, events)
            collect()
        }
    }

    private func setTimer(_ milliseconds: Int64) {
        deadline = milliseconds < 0 ? .max : mp_clock_boot_ns() &+ milliseconds &* 1_000_000
    }

    private func collect() {
        var code: Int32 = 0
        while let easy = mp_multi_finished(multi, &code) {
            guard let transfer = transfers.removeValue(forKey: easy) else { continue }
            let result = result(of: easy, code, transfer)
            let date = mp_easy_date(easy, "Date")
            mp_easy_destroy(easy)
            publishTraffic()
            serverTime = date >= 0 ? date &* 1000 : nil
            transfer.done(result)
            serverTime = nil
        }
    }

    private func publishTraffic() {
        let newest = sockets.traffic
        traffic.with { $0 = newest }
    }

    private func result(of easy: OpaquePointer, _ code: Int32, _ transfer: Transfer) -> TransportResult {
        if let excess = transfer.excess { return .failed(timedOut: false, message: excess) }
        guard code == 0 else {
            let message = String(cString: mp_easy_problem(easy, code))
            return mp_code_is_untrusted(code) ? .untrusted(message: message) : .failed(timedOut: mp_code_is_timeout(code), message: message)
        }
        return .answer(status: Int(mp_easy_status(easy)), body: transfer.body, retryAfter: retryAfter(easy))
    }

    /// A date counts from the server's own, because the unit's clock may not be set.
    private func retryAfter(_ easy: OpaquePointer) -> Int? {
        let date = mp_easy_date(easy, "Retry-After")
        let now = mp_easy_date(easy, "Date")
        let seconds = date >= 0 && now >= 0 ? date &- now : mp_easy_retry_after(easy)
        return seconds > 0 ? Int(clamping: seconds) : nil
    }

    private static func from(_ user: UnsafeMutableRawPointer?) -> HTTPClient? {
        user.map { Unmanaged<HTTPClient>.fromOpaque($0).takeUnretainedValue() }
    }
}

/// A request under way.
private final class Transfer {
    let done: (TransportResult) -> Void
    private(set) var body: [UInt8] = []
    private var headBytes = 0
    /// What about the answer was too much.
    private(set) var excess: String?

    init(done: @escaping (TransportResult) -> Void) { self.done = done }

    func receive(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard body.count + bytes.count <= HTTPClient.maxAnswerBytes else {
            excess = "the answer is longer than \(HTTPClient.maxAnswerBytes) bytes"
            return false
        }
        body.append(contentsOf: bytes)
        return true
    }

    /// Of all heads of an answer, which may be announced by others, and trailers.
    func receiveHead(_ length: Int) -> Bool {
        headBytes += length
        if headBytes > HTTPClient.maxHeadBytes { excess = "the answer's head is longer than \(HTTPClient.maxHeadBytes) bytes" }
        return excess == nil
    }
}

private func withOptionalCString<Result>(_ text: String?, _ body: (UnsafePointer<CChar>?) -> Result) -> Result {
    guard let text else { return body(nil) }
    return text.withCString { body($0) }
}

private func withOptionalBytes<Result>(_ bytes: [UInt8]?, _ body: (UnsafePointer<CChar>?, Int) -> Result) -> Result {
    guard let bytes else { return body(nil, 0) }
    return bytes.withUnsafeBufferPointer { buffer in
        guard let base = buffer.baseAddress else { return body(nil, 0) }
        return base.withMemoryRebound(to: CChar.self, capacity: buffer.count) { body($0, buffer.count) }
    }
}

extension HTTPClient.Options {
    init(_ configuration: Configuration) {
        timeout = Int64(configuration.requestTimeout)
        caFile = configuration.caFile
        clientCertificate = configuration.clientCertificate
        userAgent = configuration.userAgent
        compressesBodies = configuration.compressesRequests
    }
}
