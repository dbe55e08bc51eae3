import Foundation
import Navigation
import XCTest

@testable import Positioning

/// What the real gpsd cannot be made to do, on a real socket.
final class MockGpsdTests: XCTestCase {
    private func mock(_ script: String) throws -> FeedProcess {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("milepost-mock-\(UUID().uuidString)")
        try script.write(to: file, atomically: true, encoding: .utf8)
        addTeardownBlock { try? FileManager.default.removeItem(at: file) }
        return try FeedProcess("mock_gpsd.py", ["--script", file.path])
    }

    private func report(_ second: Int) -> String {
        "{\"class\":\"TPV\",\"device\":\"/dev/a\",\"mode\":3,\(SessionHarness.time(Double(second))),\(SessionHarness.position(Double(second))),\"speed\":10,\"track\":0}"
    }

    func testItComesBackAfterEachKindOfEnd() throws {
        let mock = try mock(
            """
            # ends in order, in the middle of a line
            watch
            line \(report(1))
            part {"class":"TPV","device":"/dev/a","mode":3,"lat"
            connection
            # breaks
            watch
            line \(report(1))
            line \(report(2))
            sleep 0.1
            reset
            connection
            # says what gpsd never would, in one line longer than any and in pieces
            watch
            bytes 00ff0d0a7b0a
            line not gpsd
            overlong 50000
            part {"class":"TPV","device":"/dev/a","mode":3,
            sleep 0.05
            line \(report(3).dropFirst(#"{"class":"TPV","device":"/dev/a","mode":3,"#.count))
            silence
            """)
        let gps = LiveSession(port: try mock.port())
        XCTAssertTrue(gps.run { gps.fixes.count == 3 })
        XCTAssertEqual(gps.fixes.map(\.time), [1_715_673_601, 1_715_673_602, 1_715_673_603])
        XCTAssertEqual(gps.connections, 3)
        XCTAssertEqual(gps.session.counts.badLines, 4)
        XCTAssertEqual(gps.session.counts.reconnects, 2)
        for _ in 0..<3 { XCTAssertEqual(mock.line(after: "received"), SessionHarness.watch.trimmingCharacters(in: .newlines)) }
    }

    func testNobodyListening() throws {
        let gps = LiveSession(port: try mock("watch\n").port())
        XCTAssertTrue(gps.run { gps.connections >= 6 })
        XCTAssertEqual(gps.states.last, .connecting)
        XCTAssertEqual(gps.details.last, "connection refused by 127.0.0.1 port \(gps.port)")
    }
}
