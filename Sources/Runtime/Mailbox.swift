import CSystem

/// Work for a loop from other threads. Owns the descriptor that wakes the loop, so that a thread which outlives the loop still has a valid one.
final class Mailbox: Sendable {
    let descriptor: Int32
    private let work = Guarded<[@Sendable () -> Void]>([])

    init() throws(HostError) {
        descriptor = mp_eventfd_create()
        guard descriptor >= 0 else { throw HostError(.system, "no eventfd: the process has too many open descriptors") }
    }

    deinit { mp_close(descriptor) }

    func post(_ item: @escaping @Sendable () -> Void) {
        work.with { $0.append(item) }
        wake()
    }

    func wake() { mp_eventfd_signal(descriptor) }

    /// Everything posted since the last call.
    func take() -> [@Sendable () -> Void] {
        work.with {
            let items = $0
            $0 = []
            return items
        }
    }
}
