import CSystem
import FleetEngine
import Reporting

/// What a reporter and a trip monitor share: an event loop with HTTP and tokens on it, which a thread of its own or the host drives
/// (Session+Run.swift). A subclass has the state machine; it overrides the second half.
public class Session: @unchecked Sendable {
    let configuration: Configuration
    let run = Guarded(Run())

    // Loop-confined.
    let loop: EventLoop
    let http: HTTPClient
    private let tokens: TokenSource
    /// While true, what the state machine wants is refused at once, so that nothing is begun that nobody would end.
    private var isShuttingDown = false

    init(_ configuration: Configuration) throws(HostError) {
        guard let provider = configuration.tokens else {
            throw HostError(.argument, "no token source: call milepost_config_set_token_callback, _token, _token_file or _token_url")
        }
        self.configuration = configuration
        loop = try EventLoop()
        http = try HTTPClient(loop: loop, options: HTTPClient.Options(configuration))
        tokens = TokenSource(provider: provider, http: http)
        // The first turn of the loop starts everything.
        loop.mailbox.wake()
    }

    deinit { loop.mailbox.close() }

    /// The descriptor for a host's own loop.
    public final var descriptor: Int32 { loop.descriptor }

    // MARK: one turn at a time, by whichever thread drives it

    /// Waits at most so many milliseconds (-1: for ever) for something to do, and does it.
    final func turn(timeout: Int32) {
        loop.poll(timeout: timeout)
        let now = mp_clock_boot_ns()
        http.act(at: now)
        act(at: now)
        carryOut()
        loop.setDeadline(min(deadline, http.deadline, run.with { $0.stopAt ?? .max }))
    }

    /// Carries out what the state machine wants until nothing is left. What the host's callbacks cause comes in the same go, up to a bound: then the
    /// loop is woken again, so that a dispatch always returns.
    final func carryOut() {
        for _ in 0..<64 {
            guard carryOutOnce() else { return }
        }
        loop.mailbox.wake()
    }

    /// Ends what is under way. The state machine hears of it, so that a later start goes on rightly.
    final func shutDown() {
        isShuttingDown = true
        defer { isShuttingDown = false }
        close()
        for id in TokenQuestions.shared.close(self) { answered(token: id, .failure(TokenFailure("stopped before a token came"))) }
        http.cancelAll()
        carryOut()
        finish()
    }

    /// Answers through ``answered(request:_:)``.
    final func send(_ request: OutgoingRequest) {
        guard mayBegin else {
            return answered(request: request.id, .failed(timedOut: false, message: "stopped before it was sent"))
        }
        let endpoint = configuration.endpoint
        let target = configuration.wantsPartialAnswers ? request.target(ofPartialAnswersFrom: configuration.service) : request.target
        let http = HTTPClient.Request(
            method: request.method.rawValue, url: endpoint.address(of: target), body: request.body.isEmpty ? nil : request.body,
            bearer: request.bearer, isSecure: endpoint.isSecure)
        self.http.send(http) { [unowned(unsafe) self] result in answered(request: request.id, result) }
    }

    /// Answers through ``answered(token:_:)``.
    final func fetchToken(_ id: UInt64, _ context: TokenContext) {
        guard mayBegin else { return answered(token: id, .failure(TokenFailure("stopped before a token was asked for"))) }
        tokens.fetch(context, for: self, id: id)
    }

    private var mayBegin: Bool { !isShuttingDown && !run.with { $0.isAbandoned } }

    final func log(_ level: Log.Level, _ text: String) {
        guard let log = configuration.log, level.rawValue <= log.level.rawValue, !run.with({ $0.isAbandoned }) else { return }
        log.write(level, text)
    }

    // MARK: what a subclass says

    /// Nothing is outstanding and nothing is due: it may stop.
    var isSettled: Bool { true }

    /// Settled, and nothing was lost.
    var isConfirmed: Bool { true }

    /// When a turn is wanted though no descriptor is ready; .max for never.
    var deadline: Instant { .max }

    /// Does what is due by the clock.
    func act(at now: Instant) {}

    /// Carries out what waits now; false when nothing did.
    func carryOutOnce() -> Bool { false }

    /// Closes what the subclass has open beside HTTP and tokens.
    func close() {}

    /// Nothing is under way any more, and the power may go.
    func finish() {}

    /// From now on no call of a listener begins, or calls may begin again.
    func mute(_ isMuted: Bool) {}

    func answered(request id: UInt64, _ result: TransportResult) {}

    /// May come from any thread.
    func answered(token id: UInt64, _ result: Result<FetchedToken, TokenFailure>) {}
}
