import Foundation
import XCTest

/// What a test waited for in vain.
struct Failure: Error, CustomStringConvertible {
    var description: String
    init(_ description: String) { self.description = description }
}

/// Long after anything should have happened, seconds.
let patience = 60.0

/// A program of its own, whose lines can be awaited. It ends with this object.
final class Child {
    let arguments: [String]
    let output = LineReader()
    let errors = LineReader()
    private let process = Process()
    /// Stays open: some programs end with it.
    private let input = Pipe()

    init(_ program: URL, _ arguments: [String]) throws {
        self.arguments = arguments
        process.executableURL = program
        process.arguments = arguments
        // A proxy that the tester's shell names has no business on loopback.
        process.environment = ProcessInfo.processInfo.environment.filter { !$0.key.lowercased().hasSuffix("_proxy") }
        process.standardInput = input
        process.standardOutput = output.pipe
        process.standardError = errors.pipe
        try process.run()
        output.start()
        errors.start()
    }

    deinit {
        send(SIGTERM)
        if !output.waitForEnd(atMost: 10) { send(SIGKILL) }
        process.waitUntilExit()
    }

    func send(_ signal: Int32) { if process.isRunning { kill(process.processIdentifier, signal) } }

    /// Waits for the program's end.
    func exitStatus() throws -> Int32 {
        guard output.waitForEnd(), errors.waitForEnd() else {
            throw Failure("\(process.executableURL?.lastPathComponent ?? "") goes on: \(arguments)\n\(transcript)")
        }
        process.waitUntilExit()
        guard process.terminationReason == .exit else { throw Failure("ended by signal \(process.terminationStatus)\n\(transcript)") }
        return process.terminationStatus
    }

    /// Waits for a line and gives it.
    @discardableResult
    func line(_ name: String, where matches: (String) -> Bool) throws -> String {
        guard let line = output.first(where: matches) else { throw Failure("no line \(name):\n\(transcript)") }
        return line
    }

    @discardableResult
    func line(containing text: String) throws -> String { try line("with \"\(text)\"") { $0.contains(text) } }

    /// Waits for a line that begins with a word and gives the rest of it.
    func line(after word: String) throws -> String {
        let line = try line("after \(word)") { $0 == word || $0.hasPrefix(word + " ") }
        return String(line.dropFirst(word.count + 1))
    }

    var transcript: String { (output.lines + errors.lines.map { "stderr: " + $0 }).joined(separator: "\n") }
}

/// Reads a pipe on a thread of its own and keeps its lines.
final class LineReader: @unchecked Sendable {
    let pipe = Pipe()
    private let condition = NSCondition()
    private var complete: [String] = []
    private var hasEnded = false

    /// Complete lines so far.
    var lines: [String] { condition.withLock { complete } }

    var text: String { lines.joined(separator: "\n") }

    func start() {
        let handle = pipe.fileHandleForReading
        Thread.detachNewThread { [self] in
            var partial = Data()
            while case let more = handle.availableData, !more.isEmpty {
                partial.append(more)
                while let end = partial.firstIndex(of: 10) {
                    append(String(decoding: partial[partial.startIndex..<end], as: UTF8.self))
                    partial = Data(partial[(end + 1)...])
                }
            }
            if !partial.isEmpty { append(String(decoding: partial, as: UTF8.self)) }
            condition.withLock {
                hasEnded = true
                condition.broadcast()
            }
        }
    }

    private func append(_ line: String) {
        condition.withLock {
            complete.append(line)
            condition.broadcast()
        }
    }

    /// Waits for the first matching line; nil when the output ends without it, or in vain.
    func first(where matches: (String) -> Bool) -> String? {
        var seen = 0
        var found: String?
        wait {
            while found == nil, seen < complete.count {
                if matches(complete[seen]) { found = complete[seen] }
                seen += 1
            }
            return found != nil || hasEnded
        }
        return found
    }

    /// Waits until so many lines match and gives them.
    func matching(_ count: Int, where matches: (String) -> Bool) -> [String] {
        wait { complete.count(where: matches) >= count || hasEnded }
        return lines.filter(matches)
    }

    func waitForEnd(atMost seconds: Double = patience) -> Bool { wait(atMost: seconds) { hasEnded } }

    @discardableResult
    private func wait(atMost seconds: Double = patience, until isDone: () -> Bool) -> Bool {
        let limit = Date(timeIntervalSinceNow: seconds)
        condition.lock()
        defer { condition.unlock() }
        while !isDone() { if !condition.wait(until: limit) { return isDone() } }
        return true
    }
}
