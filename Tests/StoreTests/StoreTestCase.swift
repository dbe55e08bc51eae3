import Foundation
import Navigation
import XCTest

@testable import Store

/// A test with a state directory of its own.
class StoreTestCase: XCTestCase {
    let second: Int64 = 1_000_000_000
    private(set) var folder = URL(fileURLWithPath: "/")
    var random = SeededGenerator(state: 4)

    /// Where the directory is made: a disk, or something that serves as one.
    var parent: URL { FileManager.default.temporaryDirectory }

    /// A file system in memory, where there is one, for tests that would wait for a disk most of the time: a kill, unlike a power cut, is the same there.
    var memory: URL {
        let shared = URL(fileURLWithPath: "/dev/shm")
        return FileManager.default.isWritableFile(atPath: shared.path) ? shared : FileManager.default.temporaryDirectory
    }

    override func setUpWithError() throws {
        folder = parent.appendingPathComponent("milepost-store-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    }

    override func tearDownWithError() throws { try FileManager.default.removeItem(at: folder) }

    var directory: String { folder.appendingPathComponent("state").path }

    func file(_ name: String) -> URL { URL(fileURLWithPath: directory).appendingPathComponent(name) }

    func open(_ limits: BacklogLimits = BacklogLimits()) throws -> Store { try Store.open(in: directory, limits: limits) }

    /// A fix told apart by its time.
    func fix(_ time: Double) -> Fix {
        var fix = Fix(coordinate: Coordinate(latitude: 52.5, longitude: 13.4))
        fix.time = time
        return fix
    }

    func append(_ times: some Sequence<Int>, to store: Store, at now: Int64 = 0) {
        for time in times { store.backlog.append(fix(Double(time)), at: now) }
    }

    /// The times of the fixes on disk or, with a store in memory, in its tables.
    func rows(_ database: Database) throws -> [Int] {
        var times: [Int] = []
        try database.prepare("SELECT time FROM fix ORDER BY id").forEachRow { row throws(StoreError) in
            times.append(Int(row.real(0)))
            return true
        }
        return times
    }

    /// As another process would find the files if this one were killed now.
    func rowsAfterKill() throws -> [Int] {
        let copy = folder.appendingPathComponent("copy").path
        try FileManager.default.copyItem(atPath: directory, toPath: copy)
        defer { try? FileManager.default.removeItem(atPath: copy) }
        return try rows(Store.open(in: copy).backlog.database)
    }

    /// Does something with the closed database, as a program that knows nothing of us.
    func meddle(_ sql: String) throws { try Database(in: StateDirectory(directory)).execute(sql) }

    func error(_ body: () throws -> Void, file: StaticString = #filePath, line: UInt = #line) -> StoreError.Kind? {
        do {
            try body()
            XCTFail("no error", file: file, line: line)
        } catch {
            return (error as? StoreError)?.kind
        }
        return nil
    }
}

extension Batch {
    var times: [Int] { fixes.map { Int($0.time) } }
}

/// Knuth's linear congruential generator, its high bits.
struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        var word: UInt64 = 0
        for _ in 0..<2 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            word = word << 32 | state >> 32
        }
        return word
    }
}
