import FleetEngine

/// What happens to a trip monitor.
public enum TripEvent {
    /// Another trip is watched from now on.
    case trip(id: String)
    /// Seconds between polls; clamped to 5...60.
    case interval(Int)
    /// An answer to ``TripEffect/fetchToken``.
    case token(id: UInt64, Result<FetchedToken, TokenFailure>)
    /// An answer to ``TripEffect/send``. serverTime: when it was given by the server's clock, milliseconds since 1970; nil when it did not say.
    case response(id: UInt64, TransportResult, serverTime: Int64?)
    /// ``TripMonitor/deadline`` may have come.
    case timer
}

/// What a trip monitor wants done.
public enum TripEffect {
    /// Send this; answer with ``TripEvent/response``. Never two outstanding.
    case send(OutgoingRequest)
    /// Get a token; answer with ``TripEvent/token``. Never two outstanding.
    case fetchToken(id: UInt64, TokenContext)
    /// Tell the listeners.
    case updated(TripSnapshot)
    case failed(FailedUpdate)
}

/// Decides when a trip is read from Fleet Engine, as its consumer does: events and the time go in, what is to be done comes out. It reads no clock
/// and does no I/O of its own. It ends by itself when the trip is complete or cancelled.
public struct TripMonitor {
    /// Never less between two polls, whatever happens, seconds: what Google's own consumer keeps to.
    public static let shortestInterval: Int64 = 5

    private let provider: String
    private var trip: String
    /// Of the event being handled.
    private var now = Instant.min
    /// Seconds between polls, in force.
    public private(set) var interval: Int
    /// When ``TripEvent/timer`` is wanted; .max for never.
    public private(set) var deadline = Instant.max
    /// The last answer; nil until one has come.
    public private(set) var latest: TripSnapshot?

    private var tokens: TokenCache
    private var backOff: BackOff
    private var inFlight: UInt64?
    private var lastID: UInt64 = 0
    private var lastSent: Instant?
    /// The last answer was 401, and a fresh token has been asked for since.
    private var hasTriedFreshToken = false
    /// The next poll need not wait for its slot.
    private var isEarly = true

    /// `seed`: of the chance by which waits are spread; nil leaves them as they are. Throws for an identifier that Fleet Engine would refuse.
    public init(provider: String, trip: String, interval: Int, seed: UInt64? = nil) throws(ResourceNameError) {
        try ResourceName.check(provider)
        try ResourceName.check(trip)
        self.provider = provider
        self.trip = trip
        self.interval = Self.clamped(interval)
        tokens = TokenCache(Self.context(provider, trip))
        backOff = BackOff(Jitter(seed: seed))
    }

    /// Takes one event and does what is due. Effects are to be carried out in order.
    public mutating func handle(_ event: TripEvent, at now: Instant) -> [TripEffect] {
        var effects = note(event, at: now)
        effects += proceed()
        deadline = tokens.deadline(for: nextPoll, at: now)
        return effects
    }

    /// Takes one event and begins nothing: that is left to the next ``handle(_:at:)``.
    public mutating func note(_ event: TripEvent, at now: Instant) -> [TripEffect] {
        self.now = now
        switch event {
        case .trip(let id): watch(id)
        case .interval(let seconds): interval = Self.clamped(seconds)
        case .token(let id, let answer):
            if let failure = tokens.answered(id, answer, at: now) { return tokenFailed(failure) }
        case .response(let id, let result, let serverTime):
            guard id == inFlight else { return [] }
            inFlight = nil
            return [answered(result, serverTime)]
        case .timer: break
        }
        return []
    }

    private static func clamped(_ interval: Int) -> Int { min(max(interval, Int(shortestInterval)), 60) }

    private static func context(_ provider: String, _ trip: String) -> TokenContext {
        TokenContext(provider: provider, vehicle: nil, task: nil, trip: trip)
    }

    private mutating func watch(_ id: String) {
        guard id != trip else { return }
        trip = id
        tokens.use(Self.context(provider, id))
        backOff.startAfresh()
        latest = nil
        inFlight = nil
        hasTriedFreshToken = false
        isEarly = true
    }

    // MARK: polls

    private mutating func proceed() -> [TripEffect] {
        var effects: [TripEffect] = []
        if let failure = tokens.expireQuestion(at: now) { effects += tokenFailed(failure) }
        let next = nextPoll
        if next <= now, let bearer = tokens.text(at: now) {
            effects.append(.send(compose(bearer)))
        } else if tokens.isQuestionDue(for: next, at: now) {
            effects.append(.fetchToken(id: tokens.ask(at: now), tokens.context))
        }
        return effects
    }

    /// When the next poll is due; .max for never, in the past for at once.
    private var nextPoll: Instant {
        guard inFlight == nil, latest?.trip.status.isOver != true else { return .max }
        let pause = isEarly ? Self.shortestInterval : Int64(interval)
        return max(backOff.until, lastSent.map { $0.adding(seconds: pause) } ?? .min)
    }

    private mutating func compose(_ bearer: String) -> OutgoingRequest {
        lastID &+= 1
        inFlight = lastID
        lastSent = now
        isEarly = false
        let target = TripRequest.target(provider: provider, trip: trip, knownSegment: latest?.trip.segmentVersion)
        return OutgoingRequest(id: lastID, method: .get, target: target, body: "", bearer: bearer)
    }

    // MARK: answers

    private mutating func answered(_ result: TransportResult, _ serverTime: Int64?) -> TripEffect {
        switch result {
        case .answer(let status, let body, _) where (200..<300).contains(status):
            guard let trip = Trip(body: body, id: trip) else {
                return waits(FailedUpdate(code: .unknown, httpStatus: status, message: "the answer is no trip", willRetry: true, mask: ""))
            }
            backOff.reset()
            hasTriedFreshToken = false
            let snapshot = TripSnapshot(trip: trip, at: now, serverTime: serverTime)
            latest = snapshot
            return .updated(snapshot)
        case .answer(let status, let body, let retryAfter): return refused(status, body, retryAfter)
        case .failed(let timedOut, let message):
            let code = timedOut ? CanonicalCode.deadlineExceeded : .unavailable
            return waits(FailedUpdate(code: code, httpStatus: 0, message: message, willRetry: true, mask: ""))
        case .untrusted(let message):
            var failure = FailedUpdate(code: .unavailable, httpStatus: 0, message: message, willRetry: true, mask: "")
            failure.meaning = .configuration
            return waits(failure)
        }
    }

    private mutating func refused(_ status: Int, _ body: [UInt8], _ retryAfter: Int?) -> TripEffect {
        let error = ErrorResponse(httpStatus: status, body: body)
        let wait = retryAfter ?? error.retryDelay
        var failure = FailedUpdate(code: error.code, httpStatus: status, message: error.message, willRetry: true, mask: "")
        failure.describe(error, wait)
        if let wait { backOff.asked(now, seconds: wait) }
        if status == 401 || status == 403 { tokens.drop() }
        switch status {
        case 401 where !hasTriedFreshToken:
            hasTriedFreshToken = true
            isEarly = true
        case 403, 404: backOff.misconfigured(lastSent ?? now)
        default: return waits(failure)
        }
        return .failed(failure)
    }

    private mutating func tokenFailed(_ failure: TokenFailure) -> [TripEffect] {
        guard tokens.text(at: now) == nil, nextPoll <= now else { return [] }
        backOff.failed(now, interval: Int64(interval))
        return [.failed(FailedUpdate(code: .unauthenticated, httpStatus: 0, message: failure.message, willRetry: true, mask: ""))]
    }

    private mutating func waits(_ failure: FailedUpdate) -> TripEffect {
        backOff.failed(lastSent ?? now, interval: Int64(interval))
        return .failed(failure)
    }
}
