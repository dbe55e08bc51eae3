import FleetEngine

/// The token in use and the one question for a token that may be open.
struct TokenCache {
    /// An unanswered question counts as failed after so many seconds.
    static let patience: Int64 = 30
    /// A token is renewed at most so many seconds before it expires.
    static let longestMargin: Int64 = 300
    /// A renewal starts so many seconds before the update that will need it.
    static let lead: Int64 = 5

    private(set) var context: TokenContext
    private var token: BearerToken?
    private var expiry = Instant.max
    private var renewal = Instant.max
    /// Nanoseconds.
    private var lead: Int64 = 0
    private var question: (id: UInt64, deadline: Instant)?
    private var lastID: UInt64 = 0

    init(_ context: TokenContext) { self.context = context }

    var isFetching: Bool { question != nil }

    /// When the open question counts as failed; .max without one.
    var fetchDeadline: Instant { question?.deadline ?? .max }

    func text(at now: Instant) -> String? { now < expiry ? token?.text : nil }

    /// When to ask for the next token so that an update at `send` need not wait for it.
    private func renewal(before send: Instant) -> Instant {
        guard token != nil, send != .max else { return .max }
        return max(renewal, send.adding(nanoseconds: -lead))
    }

    /// Whether to ask for a token now, for a request that is due at `send`.
    func isQuestionDue(for send: Instant, at now: Instant) -> Bool { !isFetching && min(send, renewal(before: send)) <= now }

    /// When something is to be done for a request that is due at `send`: it, or a question for its token.
    func deadline(for send: Instant, at now: Instant) -> Instant {
        guard isFetching else { return min(send, renewal(before: send)) }
        // A request that waits for a token is woken by its answer.
        return text(at: max(send, now)) == nil ? fetchDeadline : min(send, fetchDeadline)
    }

    mutating func ask(at now: Instant) -> UInt64 {
        lastID &+= 1
        question = (lastID, now.adding(seconds: Self.patience))
        return lastID
    }

    /// For another vehicle, task or trip: drops the token, and the open question with it.
    mutating func use(_ context: TokenContext) {
        guard context != self.context else { return }
        self.context = context
        question = nil
        drop()
    }

    /// The server has refused it.
    mutating func drop() {
        token = nil
        expiry = .max
        renewal = .max
    }

    /// Takes an answer. nil: a token is there, or the answer was to a question no longer open.
    mutating func answered(_ id: UInt64, _ answer: Result<FetchedToken, TokenFailure>, at now: Instant) -> TokenFailure? {
        guard let question, question.id == id else { return nil }
        self.question = nil
        switch answer {
        case .success(let fetched):
            do throws(BearerTokenError) {
                keep(try BearerToken(fetched.token), goodFor: fetched.goodFor, at: now)
                return nil
            } catch {
                return failed(TokenFailure(error.reason), at: now)
            }
        case .failure(let failure):
            return failed(failure, at: now)
        }
    }

    /// The failure of a question that has stayed open too long.
    mutating func expireQuestion(at now: Instant) -> TokenFailure? {
        guard let question, now >= question.deadline else { return nil }
        self.question = nil
        return failed(TokenFailure("the token provider has not answered within \(Self.patience) s"), at: now)
    }

    private mutating func keep(_ token: BearerToken, goodFor: Int64?, at now: Instant) {
        self.token = token
        expiry = .max
        renewal = .max
        let lives = [goodFor, token.lifetime].compactMap { $0 }.filter { $0 > 0 }
        guard let life = lives.min() else { return }
        let nanoseconds = min(life, Int64.max / nanosecondsPerSecond) * nanosecondsPerSecond
        let margin = min(Self.longestMargin * nanosecondsPerSecond, nanoseconds / 4)
        expiry = now.adding(nanoseconds: nanoseconds)
        renewal = now.adding(nanoseconds: nanoseconds - margin)
        lead = min(Self.lead * nanosecondsPerSecond, margin)
    }

    /// A renewal that failed is not repeated at once while the old token still serves.
    private mutating func failed(_ failure: TokenFailure, at now: Instant) -> TokenFailure {
        renewal = max(renewal, now.adding(seconds: 2 * Self.lead))
        return failure
    }
}
