import CSystem

/// Host names into addresses, off the loop. An address given in digits is answered at once, without a thread.
enum Resolver {
    struct Failure: Error { let message: String }

    typealias Answer = Result<[mp_address], Failure>

    private static let capacity = 8

    /// Answers on the loop of `mailbox`, or at once.
    static func resolve(host: String, port: String, mailbox: Mailbox, done: @escaping @Sendable (Answer) -> Void) {
        let atOnce = lookUp(host, port, numeric: true)
        if case .success = atOnce { return done(atOnce) }
        let question = Unmanaged.passRetained(Question(host: host, port: port, mailbox: mailbox, done: done))
        var thread: UInt = 0
        let error = mp_thread_start(
            &thread, "milepost-dns",
            { argument in
                guard let argument else { return }
                Unmanaged<Question>.fromOpaque(argument).takeRetainedValue().answer()
            }, question.toOpaque())
        guard error == 0 else {
            question.release()
            return done(.failure(Failure(message: "no thread to resolve \(host): " + String(cString: mp_errno_text(error)))))
        }
        mp_thread_detach(thread)
    }

    private final class Question: Sendable {
        private let host: String
        private let port: String
        private let mailbox: Mailbox
        private let done: @Sendable (Answer) -> Void

        init(host: String, port: String, mailbox: Mailbox, done: @escaping @Sendable (Answer) -> Void) {
            self.host = host
            self.port = port
            self.mailbox = mailbox
            self.done = done
        }

        func answer() {
            let answer = Resolver.lookUp(host, port, numeric: false)
            mailbox.post { [done] in done(answer) }
        }
    }

    private static func lookUp(_ host: String, _ port: String, numeric: Bool) -> Answer {
        var addresses = [mp_address](repeating: mp_address(), count: capacity)
        let count = addresses.withUnsafeMutableBufferPointer { buffer in
            host.withCString { host in port.withCString { mp_resolve(host, $0, numeric, buffer.baseAddress, Int32(buffer.count)) } }
        }
        guard count > 0 else {
            let reason = count < 0 ? String(cString: mp_resolve_text(count)) : "no address"
            return .failure(Failure(message: "cannot resolve \(host) port \(port): \(reason)"))
        }
        return .success(Array(addresses.prefix(Int(count))))
    }
}
