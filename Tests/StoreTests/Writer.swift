import Foundation

/// store-writer, running. Ends with this object.
final class Writer {
    private let process = Process()
    private let output = Pipe()
    private let input = Pipe()
    private var unread: [UInt8] = []

    init(_ task: String, _ directory: String, _ number: Int) throws {
        process.executableURL = Bundle(for: Writer.self).bundleURL.appendingPathComponent("store-writer")
        process.arguments = [task, directory, String(number)]
        process.standardOutput = output
        process.standardInput = input
        try process.run()
    }

    deinit { kill() }

    /// The next line; nil when there are no more.
    func line() -> String? {
        while true {
            if let end = unread.firstIndex(of: 10) {
                let line = String(decoding: unread[..<end], as: UTF8.self)
                unread.removeSubrange(...end)
                return line
            }
            let more = output.fileHandleForReading.availableData
            if more.isEmpty { return nil }
            unread.append(contentsOf: more)
        }
    }

    /// SIGKILL: nothing of it is tidied up. Returns when it is gone.
    func kill() {
        if process.isRunning { Foundation.kill(process.processIdentifier, SIGKILL) }
        process.waitUntilExit()
    }

    func waitForExit() -> Int32 {
        process.waitUntilExit()
        return process.terminationStatus
    }
}
