import Emulator
import Glibc

/// Writes a whole line at once, so that threads do not mix theirs.
@Sendable func writeLine(_ line: String, to descriptor: Int32) {
    var rest = Array((line + "\n").utf8)[...]
    while !rest.isEmpty {
        let written = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        if written > 0 { rest = rest.dropFirst(written) } else if errno != EINTR { return }
    }
}

func fail(_ reason: String, status: Int32) -> Never {
    writeLine("fleet-engine-emulator: \(reason)", to: STDERR_FILENO)
    exit(status)
}

/// Under its final name only once it is complete.
func writePort(_ port: UInt16, to path: String) {
    let temporary = path + ".new"
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { fail("cannot write \(temporary): \(String(cString: strerror(errno)))", status: 1) }
    writeLine(String(port), to: descriptor)
    close(descriptor)
    guard rename(temporary, path) == 0 else { fail("cannot write \(path): \(String(cString: strerror(errno)))", status: 1) }
}

/// Turns the end of standard input into a SIGTERM.
func watchInput() {
    var thread = pthread_t()
    pthread_create(
        &thread, nil,
        { _ in
            var buffer = [UInt8](repeating: 0, count: 256)
            while true {
                let count = read(STDIN_FILENO, &buffer, buffer.count)
                if count == 0 || (count < 0 && errno != EINTR) { break }
            }
            kill(getpid(), SIGTERM)
            return nil
        }, nil)
}

let arguments: Arguments
do throws(Arguments.Misuse) {
    arguments = try Arguments(Array(CommandLine.arguments.dropFirst()))
} catch {
    fail("\(error.reason); --help lists the options", status: 2)
}
switch arguments.task {
case .help:
    writeLine(Arguments.help, to: STDOUT_FILENO)
    exit(0)
case .version:
    writeLine(Arguments.version, to: STDOUT_FILENO)
    exit(0)
case .run: break
}

/// A connection takes a descriptor, and a fleet has more vehicles than shells allow descriptors.
func raiseDescriptorLimit() {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
    limit.rlim_cur = limit.rlim_max
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
}

raiseDescriptorLimit()
signal(SIGPIPE, SIG_IGN)
// Blocked before there are threads, so that only sigwait below sees them.
var ending = sigset_t()
sigemptyset(&ending)
sigaddset(&ending, SIGTERM)
sigaddset(&ending, SIGINT)
pthread_sigmask(SIG_BLOCK, &ending, nil)

let isQuiet = arguments.isQuiet
do throws(Emulator.StartFailure) {
    let emulator = try Emulator(arguments.options) { if !isQuiet { writeLine($0, to: STDERR_FILENO) } }
    if let portFile = arguments.portFile { writePort(emulator.port, to: portFile) }
    writeLine("listening \(emulator.url)", to: STDOUT_FILENO)
    if emulator.tlsPort > 0 { writeLine("tls https://127.0.0.1:\(emulator.tlsPort)", to: STDOUT_FILENO) }
    if arguments.watchesInput { watchInput() }
    var signal: Int32 = 0
    sigwait(&ending, &signal)
    emulator.stop()
} catch {
    fail(error.reason, status: 1)
}
