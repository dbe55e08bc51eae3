import CSystem
import FleetEngine
import Reporting

/// What a host wants to hear of a trip; nil for what it does not.
public struct TripListener {
    /// The trip as answered, and the instant for its ages.
    public var updated: ((TripSnapshot, Instant) -> Void)?
    public var failed: ((FailedUpdate) -> Void)?

    public init() {}
}

/// One trip monitor: the state machine behind a lock, and the loop that carries out what it wants.
public final class TripSession: Session, @unchecked Sendable {
    private struct State {
        var monitor: TripMonitor
        var effects: [TripEffect] = []
    }

    private let state: Guarded<State>
    private let listeners = Listeners<TripListener>()

    public override init(_ configuration: Configuration) throws(HostError) {
        state = Guarded(State(monitor: try TripMonitor(configuration)))
        try super.init(configuration)
    }

    // MARK: the host's calls

    public var interval: Int { state.with { $0.monitor.interval } }

    /// The last answer and the instant for its ages; nil until one has come.
    public var latest: (snapshot: TripSnapshot, now: Instant)? { state.with { $0.monitor.latest }.map { ($0, mp_clock_boot_ns()) } }

    public func setTrip(_ id: String) { handle(.trip(id: id)) }

    public func setInterval(_ seconds: Int) { handle(.interval(seconds)) }

    public func add(_ listener: TripListener) -> UInt64 { listeners.add(listener) }

    /// False when there is no such listener.
    public func removeListener(_ id: UInt64) -> Bool { listeners.remove(id) }

    private func handle(_ event: TripEvent) {
        state.with { $0.effects += $0.monitor.note(event, at: mp_clock_boot_ns()) }
        loop.mailbox.wake()
    }

    // MARK: the loop's half

    override var deadline: Instant { state.with { $0.monitor.deadline } }

    override func carryOutOnce() -> Bool {
        let effects = state.with { state in
            defer { state.effects = [] }
            return state.effects + state.monitor.handle(.timer, at: mp_clock_boot_ns())
        }
        for effect in effects { carryOut(effect) }
        return !effects.isEmpty
    }

    private func carryOut(_ effect: TripEffect) {
        switch effect {
        case .send(let request): send(request)
        case .fetchToken(let id, let context): fetchToken(id, context)
        case .updated(let snapshot):
            listeners.each { $0.updated?(snapshot, mp_clock_boot_ns()) }
            log(.debug, "trip read: status \(snapshot.trip.status.rawValue)")
        case .failed(let failure):
            listeners.each { $0.failed?(failure) }
            log(.warning, "trip not read: HTTP \(failure.httpStatus), code \(failure.code.rawValue): \(failure.message)")
        }
    }

    override func mute(_ isMuted: Bool) { listeners.mute(isMuted) }

    override func answered(request id: UInt64, _ result: TransportResult) {
        handle(.response(id: id, result, serverTime: http.serverTime))
    }

    override func answered(token id: UInt64, _ result: Result<FetchedToken, TokenFailure>) { handle(.token(id: id, result)) }
}

extension TripMonitor {
    fileprivate init(_ configuration: Configuration) throws(HostError) {
        guard configuration.service == .onDemand else {
            throw HostError(.argument, "a delivery has no trip: make the configuration with MILEPOST_SERVICE_ON_DEMAND")
        }
        guard !configuration.provider.isEmpty else { throw HostError(.argument, "no provider id: call milepost_config_set_provider_id") }
        guard let trip = configuration.trip else { throw HostError(.argument, "no trip id: call milepost_config_set_trip_id") }
        do throws(ResourceNameError) {
            try self.init(
                provider: configuration.provider, trip: trip, interval: configuration.interval, seed: UInt64(bitPattern: mp_clock_boot_ns())
            )
        } catch { throw HostError(.argument, "\(error.value): \(error.rule)") }
    }
}
