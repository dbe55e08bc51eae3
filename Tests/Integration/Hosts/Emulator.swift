import Foundation

/// build/bin/fleet-engine-emulator as a process that ends with the test.
final class Emulator {
    let url: String
    private let process = Process()
    private let input = Pipe()

    init(_ arguments: [String]) throws {
        let output = Pipe()
        process.executableURL = try Toolbox.built("bin/fleet-engine-emulator")
        process.arguments = ["--port", "0", "--stdin", "--quiet"] + arguments
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        var line = ""
        while let byte = try output.fileHandleForReading.read(upToCount: 1), byte != Data("\n".utf8), !byte.isEmpty {
            line += String(decoding: byte, as: UTF8.self)
        }
        guard line.hasPrefix("listening http://") else { throw Toolbox.Problem("the emulator says \"\(line)\"") }
        url = String(line.dropFirst("listening ".count))
    }

    func stop() {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }
}
