import Foundation
import XCTest

/// What `make build` made, and a compiler and processes to try it with.
enum Toolbox {
    static let clone = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../..").standardized
    static let build = clone.appendingPathComponent("build")
    static let header = clone.appendingPathComponent("include/milepost.h")
    static let hosts = clone.appendingPathComponent("Tests/Integration/Hosts")

    /// A file under build/; fails with what to do when it is not there.
    static func built(_ path: String) throws -> URL {
        let file = build.appendingPathComponent(path)
        guard FileManager.default.fileExists(atPath: file.path) else { throw Problem("\(file.path) is not there: run make build first") }
        return file
    }

    struct Problem: Error, CustomStringConvertible {
        let description: String
        init(_ description: String) { self.description = description }
    }

    struct Outcome {
        let status: Int32
        let output: String
        let errors: String
    }

    /// Runs a program of the system or of ours to its end.
    static func run(
        _ program: String, _ arguments: [String] = [], in folder: URL? = nil, environment: [String: String] = [:]
    ) throws -> Outcome {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program.contains("/") ? program : "/usr/bin/env")
        process.arguments = program.contains("/") ? arguments : [program] + arguments
        process.currentDirectoryURL = folder
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        // Files, because a pipe that nobody empties would hold the program.
        let texts = try ["out", "err"].map { _ in try TemporaryFolder.sharedFile() }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try FileHandle(forWritingTo: texts[0])
        process.standardError = try FileHandle(forWritingTo: texts[1])
        defer { for text in texts { try? FileManager.default.removeItem(at: text) } }
        try process.run()
        process.waitUntilExit()
        let signalled = process.terminationReason == .uncaughtSignal
        return Outcome(
            status: signalled ? 128 + process.terminationStatus : process.terminationStatus,
            output: String(decoding: try Data(contentsOf: texts[0]), as: UTF8.self),
            errors: String(decoding: try Data(contentsOf: texts[1]), as: UTF8.self))
    }

    /// Compiles a host program against build/ as C99 and gives it.
    static func compile(_ sources: [URL], into program: URL, flags: [String] = []) throws {
        let library = try built("lib/libmilepost.so").deletingLastPathComponent().path
        let warnings = ["-std=c99", "-g", "-O1", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]
        let link = ["-I\(build.path)/include", "-L\(library)", "-lmilepost", "-Wl,-rpath,\(library)", "-lpthread", "-lm"]
        let made = try run("gcc", warnings + flags + sources.map(\.path) + ["-o", program.path] + link + flags)
        guard made.status == 0 else { throw Problem(made.errors) }
    }

    /// The program of Contract/, which brings a TLS server.
    static func compileContract(into program: URL, flags: [String] = []) throws {
        let sources = try FileManager.default.contentsOfDirectory(
            at: hosts.appendingPathComponent("Contract"), includingPropertiesForKeys: nil)
        try compile(sources.filter { $0.pathExtension == "c" }, into: program, flags: flags + ["-lssl", "-lcrypto"])
    }
}

/// A folder of one test's own, removed with it.
final class TemporaryFolder {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("milepost-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func write(_ text: String, to name: String) throws -> URL {
        let file = url.appendingPathComponent(name)
        try text.write(to: file, atomically: true, encoding: .utf8)
        return file
    }

    /// A new empty file that the caller removes.
    static func sharedFile() throws -> URL {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("milepost-\(UUID().uuidString)")
        try Data().write(to: file)
        return file
    }
}
