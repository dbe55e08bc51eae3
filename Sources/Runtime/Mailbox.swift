import CSystem

/// Work for a loop from other threads. Owns the descriptor that wakes the loop, so that a thread which outlives the loop still has a valid one.
final class Mailbox: Sendable {
    let descriptor: Int32
    /// nil once closed.
    private let work = Guarded<[@Sendable () -> Void]?>([])

    init() throws(HostError) {
        descriptor = mp_eventfd_create()
        guard descriptor >= 0 else { throw HostError(.system, "no eventfd: the process has too many open descriptors") }
    }

    deinit { mp_close(descriptor) }

    func post(_ item: @escaping @Sendable () -> Void) {
        work.with { $0?.append(item) }
        wake()
    }

    /// Drops what waits and whatever is posted later: it may hold on to the loop that will not run it any more.
    func close() { _ = work.with { $0.take() } }

    func wake() { mp_eventfd_signal(descriptor) }

    /// Everything posted since the last call.
    func take() -> [@Sendable () -> Void] {
        work.with {
            let items = $0 ?? []
            if !items.isEmpty { $0 = [] }
            return items
        }
    }
}
