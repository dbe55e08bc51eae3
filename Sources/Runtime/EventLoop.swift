import CSystem
import Reporting

/// epoll with one wake-up descriptor and one timer. Used by one thread at a time.
final class EventLoop {
    /// The epoll descriptor: readable when there is something to do.
    let descriptor: Int32
    let mailbox: Mailbox
    private let timer: Int32
    private var handlers: [Int32: (Readiness) -> Void] = [:]
    private var ready = [mp_ready](repeating: mp_ready(), count: 32)

    struct Readiness: OptionSet {
        let rawValue: UInt32
        static let readable = Readiness(rawValue: UInt32(MP_READABLE))
        static let writable = Readiness(rawValue: UInt32(MP_WRITABLE))
        static let hangup = Readiness(rawValue: UInt32(MP_HANGUP))
    }

    init() throws(HostError) {
        mailbox = try Mailbox()
        descriptor = mp_epoll_create()
        timer = mp_timerfd_create()
        guard descriptor >= 0, timer >= 0, mp_epoll_set(descriptor, mailbox.descriptor, UInt32(MP_READABLE)) == 0,
            mp_epoll_set(descriptor, timer, UInt32(MP_READABLE)) == 0
        else {
            throw HostError(.system, "no epoll or timer descriptor: the process has too many open descriptors")
        }
    }

    deinit {
        mp_close(descriptor)
        mp_close(timer)
    }

    /// Calls `handler` whenever the descriptor is ready for one of `events`; replaces an earlier watch of it.
    func watch(_ fd: Int32, _ events: Readiness, _ handler: @escaping (Readiness) -> Void) {
        handlers[fd] = handler
        _ = mp_epoll_set(descriptor, fd, events.rawValue)
    }

    func unwatch(_ fd: Int32) {
        guard handlers.removeValue(forKey: fd) != nil else { return }
        _ = mp_epoll_set(descriptor, fd, 0)
    }

    /// When to become ready without any descriptor; `.max` for never.
    func setDeadline(_ deadline: Instant) { mp_timerfd_set(timer, deadline) }

    /// Waits at most so long for something to do (-1: for ever, 0: not at all) and does it.
    func poll(timeout milliseconds: Int32) {
        let count = ready.withUnsafeMutableBufferPointer { buffer in
            mp_epoll_wait(descriptor, buffer.baseAddress, Int32(buffer.count), milliseconds)
        }
        for event in ready.prefix(max(0, Int(count))) {
            if event.fd == mailbox.descriptor || event.fd == timer {
                mp_counter_drain(event.fd)
            } else {
                // Looked up each time: an earlier handler of this round may have dropped the watch.
                handlers[event.fd]?(Readiness(rawValue: event.events))
            }
        }
        for item in mailbox.take() { item() }
    }
}
