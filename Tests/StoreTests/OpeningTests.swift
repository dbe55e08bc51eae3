import Foundation
import XCTest

@testable import Store

final class OpeningTests: StoreTestCase {
    private func mode(_ path: String) throws -> Int {
        try XCTUnwrap(FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
    }

    private func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: directory).sorted() }

    func testTheDirectoryAndItsFilesAreTheUsersAloneWhateverTheUmask() throws {
        for mask: mode_t in [0, 0o777] {
            let former = umask(mask)
            defer { _ = umask(former) }
            let store = try open()
            append(1...20, to: store)
            XCTAssertEqual(umask(mask), mask)
            XCTAssertEqual(try mode(directory), 0o700)
            XCTAssertEqual(try names(), ["lock", "milepost.db", "milepost.db-wal"])
            for name in try names() { XCTAssertEqual(try mode(file(name).path), 0o600, name) }
            try FileManager.default.removeItem(atPath: directory)
        }
    }

    func testFilesThatOthersCouldReadAreTakenBack() throws {
        _ = try open()
        try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: file("milepost.db").path)
        let store = try open()
        append(1...20, to: store)
        for name in try names() { XCTAssertEqual(try mode(file(name).path), 0o600, name) }
    }

    func testADirectoryThatOthersMayWriteIsRefused() throws {
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: false)
        for mode in [0o777, 0o770, 0o1777] {
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: directory)
            XCTAssertEqual(error { _ = try open() }, .directory)
        }
        XCTAssertEqual(try names(), [])
    }

    func testAPathThatCannotBeADirectoryIsRefused() throws {
        let plain = folder.appendingPathComponent("plain").path
        try Data().write(to: URL(fileURLWithPath: plain))
        for path in [plain, plain + "/below", folder.path + "/none/below", "/proc", "/proc/none", ""] {
            XCTAssertEqual(error { _ = try Store.open(in: path) }, .directory, path)
        }
    }

    func testADatabaseThatIsNoRegularFileIsRefused() throws {
        _ = try open()
        try FileManager.default.removeItem(at: file("milepost.db"))
        try FileManager.default.createSymbolicLink(at: file("milepost.db"), withDestinationURL: folder.appendingPathComponent("elsewhere"))
        XCTAssertEqual(error { _ = try open() }, .directory)
        try FileManager.default.removeItem(at: file("milepost.db"))
        XCTAssertEqual(mkfifo(file("milepost.db").path, 0o600), 0)
        XCTAssertEqual(error { _ = try open() }, .directory)
        XCTAssertFalse(FileManager.default.fileExists(atPath: folder.appendingPathComponent("elsewhere").path))
    }

    func testASecondReporterOfTheSameProcessIsRefused() throws {
        let first = try open()
        XCTAssertEqual(error { _ = try open() }, .inUse)
        append(1...20, to: first)
        XCTAssertNil(first.backlog.failure)
    }

    func testASecondProcessIsRefusedUntilTheFirstEnds() throws {
        let writer = try Writer("hold", directory, 0)
        XCTAssertEqual(writer.line(), "held 0")
        XCTAssertEqual(error { _ = try open() }, .inUse)
        writer.kill()
        XCTAssertEqual(try open().opening, .existing)
    }

    func testItIsFreeAgainWhenTheStoreIsGoneThoughNotBeforeItsParts() throws {
        var store: Store? = try open()
        var backlog = store?.backlog
        store = nil
        XCTAssertEqual(error { _ = try open() }, .inUse)
        XCTAssertEqual(backlog?.count, 0)
        backlog = nil
        XCTAssertEqual(try open().opening, .existing)
    }

    func testAFreshOneAndAnExistingOneAreToldApart() throws {
        XCTAssertEqual(try open().opening, .fresh)
        XCTAssertEqual(try open().opening, .existing)
    }

    func testANewerVersionsDatabaseIsRefusedAndLeftAsItIs() throws {
        var store: Store? = try open()
        append(1...20, to: try XCTUnwrap(store))
        store = nil
        try meddle("PRAGMA user_version=2; CREATE TABLE novelty(a)")
        let before = try Data(contentsOf: file("milepost.db"))
        XCTAssertEqual(error { _ = try open() }, .newerVersion)
        XCTAssertEqual(try Data(contentsOf: file("milepost.db")), before)
        XCTAssertEqual(try names(), ["lock", "milepost.db"])
    }

    func testWhatIsNoDatabaseIsSetAsideAndKept() throws {
        _ = try open()
        let junk = Data((0..<9000).map { _ in UInt8.random(in: 0...255, using: &random) })
        try junk.write(to: file("milepost.db"))
        let store = try open()
        let aside = file("milepost.db.damaged")
        XCTAssertEqual(store.opening, .damagedSetAside(path: aside.path))
        XCTAssertEqual(try Data(contentsOf: aside), junk)
        append(1...20, to: store)
        XCTAssertEqual(try rowsAfterKill(), Array(1...16))
    }

    func testOnlyTheLastDamagedDatabaseIsKept() throws {
        for byte: UInt8 in 1...3 {
            _ = try? open()
            try Data(repeating: byte, count: 5000).write(to: file("milepost.db"))
            _ = try open()
        }
        XCTAssertEqual(try names(), ["lock", "milepost.db", "milepost.db.damaged"])
        XCTAssertEqual(try Data(contentsOf: file("milepost.db.damaged")).first, 3)
    }

    func testTablesThatAreNotOursAreSetAside() throws {
        for sql in [
            "CREATE TRIGGER greedy AFTER INSERT ON fix BEGIN DELETE FROM fix; END", "CREATE VIEW more AS SELECT * FROM fix",
            "DROP TABLE stop",
            "ALTER TABLE state ADD COLUMN more", "PRAGMA application_id=7", "PRAGMA user_version=0", "CREATE INDEX more ON fix(time)",
        ] {
            _ = try open()
            try meddle(sql)
            guard case .damagedSetAside = try open().opening else { return XCTFail("taken after \(sql)") }
        }
    }

    func testEveryTransactionIsOnTheDiskWhenItIsCommitted() throws {
        let database = try open().backlog.database
        XCTAssertEqual(try database.integer("PRAGMA synchronous"), 2)
        XCTAssertEqual(try database.integer("PRAGMA mmap_size") ?? 0, 0)
        for (pragma, value) in [("journal_mode", "wal"), ("locking_mode", "exclusive")] {
            var found: String?
            try database.prepare("PRAGMA \(pragma)").forFirstRow { row throws(StoreError) in found = row.text(0) }
            XCTAssertEqual(found, value)
        }
    }

    func testNothingIsMappedNorInheritedByChildren() throws {
        let store = try open()
        append(1...100, to: store)
        XCTAssertFalse(try String(contentsOfFile: "/proc/self/maps", encoding: .utf8).contains("milepost.db"))
        var held = 0
        for name in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd") {
            guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(name)"),
                target.hasPrefix(directory), let descriptor = Int32(name)
            else { continue }
            held += 1
            XCTAssertEqual(fcntl(descriptor, F_GETFD) & FD_CLOEXEC, FD_CLOEXEC, target)
        }
        XCTAssertEqual(held, 3)
    }
}
