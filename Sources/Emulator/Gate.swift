import Glibc

/// Holds requests back until it is opened, once and for good.
final class Gate: Sendable {
    /// POLLRDHUP, which <poll.h> shows to GNU sources only.
    private static let peerClosed: Int16 = 0x2000

    private let readEnd: Int32
    private let writeEnd: Int32

    /// nil when the system has no descriptors left.
    init?() {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        readEnd = ends[0]
        writeEnd = ends[1]
    }

    deinit {
        close(readEnd)
        close(writeEnd)
    }

    /// Lets go everything that waits, now and later.
    func open() {
        _ = write(writeEnd, [0], 1)
    }

    /// Waits until the gate opens or the time is over (nil: never). False when the client at the other end of the socket left instead.
    func wait(milliseconds: Int32?, client socket: Int32) -> Bool {
        var watched = [
            pollfd(fd: readEnd, events: Int16(POLLIN), revents: 0),
            pollfd(fd: socket, events: Self.peerClosed, revents: 0),
        ]
        while poll(&watched, 2, milliseconds ?? -1) < 0, errno == EINTR {}
        return watched[1].revents == 0
    }
}
