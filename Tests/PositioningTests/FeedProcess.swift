import Foundation
import XCTest

/// One of the programs in Tests/Feeds, running. It ends with this object.
final class FeedProcess {
    private let process = Process()
    private let output = Pipe()
    private let input = Pipe()
    private var unread = Data()

    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent(
        "Feeds")

    init(_ program: String, _ arguments: [String]) throws {
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        // -B: nothing is written beside the sources.
        process.arguments = ["-B", Self.folder.appendingPathComponent(program).path] + arguments
        process.standardOutput = output
        process.standardInput = input
        try process.run()
    }

    deinit {
        if process.isRunning { process.terminate() }
        process.waitUntilExit()
    }

    var identifier: Int32 { process.processIdentifier }

    /// What follows `word` in the next line that begins with it; nil when the program ended first.
    func line(after word: String) -> String? {
        while true {
            while let end = unread.firstIndex(of: 10) {
                let line = String(decoding: unread[unread.startIndex..<end], as: UTF8.self)
                unread = Data(unread[(end + 1)...])
                if line == word { return "" }
                if line.hasPrefix(word + " ") { return String(line.dropFirst(word.count + 1)) }
            }
            let more = output.fileHandleForReading.availableData
            if more.isEmpty { return nil }
            unread.append(more)
        }
    }

    func port() throws -> UInt16 { try XCTUnwrap(UInt16(XCTUnwrap(line(after: "port")))) }

    /// Closes its standard input, waits for its end and gives its exit status.
    func end() throws -> Int32 {
        try input.fileHandleForWriting.close()
        process.waitUntilExit()
        return process.terminationStatus
    }
}

/// A drive made for one test, in a folder that goes when the test ends.
final class Drive {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("milepost-drive-\(UUID().uuidString)")

    struct Row {
        var time: String
        var latitude: Double
        var longitude: Double
    }

    init(for test: XCTestCase, seed: Int, length: Int = 1200, faults: [String] = []) throws {
        let folder = folder
        test.addTeardownBlock { try? FileManager.default.removeItem(at: folder) }
        let maker = try FeedProcess(
            "make_drive.py",
            ["--seed", "\(seed)", "--length", "\(length)", "--out", folder.path] + faults.flatMap { ["--fault", $0] })
        XCTAssertEqual(try maker.end(), 0)
    }

    var log: String { folder.appendingPathComponent("drive.log").path }

    func text(_ name: String) throws -> String { try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8) }

    /// The fixes of drive.csv.
    func rows() throws -> [Row] {
        try text("drive.csv").split(separator: "\n").dropFirst().map { line in
            let cells = line.split(separator: ",", omittingEmptySubsequences: false)
            return Row(time: String(cells[0]), latitude: try XCTUnwrap(Double(cells[1])), longitude: try XCTUnwrap(Double(cells[2])))
        }
    }
}
