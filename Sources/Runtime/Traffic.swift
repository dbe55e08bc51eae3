import CCurl

/// What went over the network for a reporter, to its token server too: what TCP carried, so TLS and retransmissions count and the headers of IP
/// and TCP do not (about 40 to 60 bytes a packet).
public struct Traffic: Equatable, Sendable {
    public internal(set) var sentBytes: UInt64 = 0
    public internal(set) var receivedBytes: UInt64 = 0
    /// Attempts included.
    public internal(set) var connections: UInt64 = 0
}

/// Adds up what sockets carried.
struct TrafficMeter {
    private var closed = Traffic()
    private var open: Set<Int32> = []

    mutating func opened(_ socket: Int32) {
        open.insert(socket)
        closed.connections &+= 1
    }

    mutating func closing(_ socket: Int32) {
        guard open.remove(socket) != nil else { return }
        closed.add(socket)
    }

    /// Up to now.
    var traffic: Traffic { open.reduce(into: closed) { $0.add($1) } }
}

extension Traffic {
    fileprivate mutating func add(_ socket: Int32) {
        var sent: UInt64 = 0
        var received: UInt64 = 0
        mp_socket_traffic(socket, &sent, &received)
        sentBytes &+= sent
        receivedBytes &+= received
    }
}

extension ReporterSession {
    /// Since it was made, as of the last answer.
    public var traffic: Traffic { http.traffic.with { $0 } }
}
