import Foundation
import XCTest

/// Where things lie in the clone.
enum Places {
    static let root = (1...4).reduce(URL(fileURLWithPath: #filePath)) { url, _ in url.deletingLastPathComponent() }

    /// What `make build` made.
    static func program(_ name: String) throws -> URL {
        let program = root.appendingPathComponent("build/bin/\(name)")
        guard FileManager.default.isExecutableFile(atPath: program.path) else {
            throw Failure("\(program.path) is missing: run make build first")
        }
        return program
    }

    static func python(_ script: String, _ arguments: [String]) throws -> Child {
        // -B: nothing is written beside the sources.
        try Child(URL(fileURLWithPath: "/usr/bin/python3"), ["-B", root.appendingPathComponent("Tests/\(script)").path] + arguments)
    }
}

/// A folder that goes with this object.
final class TemporaryFolder: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("milepost-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { remove() }

    func remove() { try? FileManager.default.removeItem(at: url) }

    func path(_ name: String) -> String { url.appendingPathComponent(name).path }

    /// Replaces the file at once, as a process that renews a token must.
    @discardableResult
    func write(_ text: String, _ name: String) throws -> String {
        try text.write(to: url.appendingPathComponent(name), atomically: true, encoding: .utf8)
        return path(name)
    }
}

extension XCTestCase {
    /// A folder that stays until the test ends.
    func temporaryFolder() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        addTeardownBlock { folder.remove() }
        return folder
    }
}
