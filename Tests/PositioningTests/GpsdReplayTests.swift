import Foundation
import Navigation
import XCTest

@testable import Positioning

/// The real gpsd, fed a made drive, and what a session makes of it.
final class GpsdReplayTests: XCTestCase {
    private func seconds(_ time: String) throws -> Double {
        let formatter = ISO8601DateFormatter()
        formatter.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
        return try XCTUnwrap(formatter.date(from: time)).timeIntervalSince1970
    }

    private func assertInOrder(_ fixes: [Fix], file: StaticString = #filePath, line: UInt = #line) {
        for (earlier, later) in zip(fixes, fixes.dropFirst()) { XCTAssertLessThan(earlier.time, later.time, file: file, line: line) }
    }

    func testEveryEpochOfADriveBecomesOneFix() throws {
        let drive = try Drive(for: self, seed: 1)
        let feed = try FeedProcess("feed_gpsd.py", ["--log", drive.log, "--hold"])
        let gps = LiveSession(port: try feed.port())
        XCTAssertNotNil(feed.line(after: "listening"))
        let rows = try drive.rows()
        XCTAssertTrue(gps.run { gps.fixes.count >= rows.count }, "\(gps.fixes.count) of \(rows.count)")
        XCTAssertEqual(gps.fixes.count, rows.count)
        for (fix, row) in zip(gps.fixes, rows) {
            XCTAssertEqual(fix.time, try seconds(row.time), accuracy: 0.001)
            XCTAssertEqual(fix.coordinate.latitude, row.latitude, accuracy: 2e-7)
            XCTAssertEqual(fix.coordinate.longitude, row.longitude, accuracy: 2e-7)
        }
        XCTAssertTrue(gps.fixes.allSatisfy { $0.speed.isFinite && $0.accuracy.isFinite })
        XCTAssertTrue(gps.fixes.allSatisfy { $0.speed < 1.5 || $0.heading.isFinite })
        XCTAssertEqual(gps.states, [.connecting, .noData, .fix])
        XCTAssertEqual(gps.session.gate.rejected.total, 0)
        XCTAssertEqual(try feed.end(), 0)
    }

    func testFaultsOfTheReceiverAreSurvived() throws {
        let drive = try Drive(for: self, seed: 2, faults: ["gap@20:15", "nofix@50:8", "jump@70:1:800", "freeze@90:6"])
        let feed = try FeedProcess("feed_gpsd.py", ["--log", drive.log, "--hold"])
        let gps = LiveSession(port: try feed.port())
        XCTAssertNotNil(feed.line(after: "listening"))
        let last = try seconds(try XCTUnwrap(drive.rows().last).time)
        XCTAssertTrue(gps.run { gps.fixes.last.map { $0.time >= last } ?? false })
        assertInOrder(gps.fixes)
        XCTAssertEqual(gps.states, [.connecting, .noData, .fix, .stale, .fix])
        XCTAssertEqual(gps.session.gate.rejected.jump, 1)
        XCTAssertEqual(gps.fixes.count, try drive.rows().count - 1 - 6)
        XCTAssertEqual(try feed.end(), 0)
    }

    func testAfterGpsdWasKilledTheDriveGoesOn() throws {
        let drive = try Drive(for: self, seed: 3)
        let feed = try FeedProcess("feed_gpsd.py", ["--log", drive.log, "--hold", "--restart-after", "151"])
        let gps = LiveSession(port: try feed.port())
        gps.beforeConnecting = { XCTAssertNotNil(feed.line(after: "listening")) }
        let rows = try drive.rows()
        let last = try seconds(try XCTUnwrap(rows.last).time)
        XCTAssertTrue(gps.run { gps.fixes.last.map { $0.time >= last } ?? false })
        assertInOrder(gps.fixes)
        XCTAssertEqual(gps.connections, 2)
        XCTAssertEqual(gps.states, [.connecting, .noData, .fix, .connecting, .noData, .fix])
        XCTAssertGreaterThanOrEqual(gps.fixes.count, rows.count - 2)
        XCTAssertEqual(try feed.end(), 0)
    }

    func testGpsfakeIsFollowed() throws {
        let drive = try Drive(for: self, seed: 4, length: 1020)
        let feed = try FeedProcess("gpsfake_feed.py", ["--log", drive.log, "--hold"])
        let gps = LiveSession(port: try feed.port())
        XCTAssertNotNil(feed.line(after: "listening"))
        let rows = try drive.rows()
        XCTAssertTrue(gps.run { gps.fixes.count >= rows.count }, "\(gps.fixes.count) of \(rows.count)")
        assertInOrder(gps.fixes)
        XCTAssertEqual(try feed.end(), 0)
    }

    func testAReceiverThatGpsdDoesNotHaveIsNamed() throws {
        let drive = try Drive(for: self, seed: 1, length: 1020)
        let feed = try FeedProcess("feed_gpsd.py", ["--log", drive.log])
        let gps = LiveSession(port: try feed.port(), device: "/dev/nowhere")
        XCTAssertNotNil(feed.line(after: "listening"))
        XCTAssertTrue(gps.run { gps.details.last?.hasPrefix("gpsd says: ") ?? false })
        XCTAssertEqual(gps.details.last?.contains("/dev/nowhere"), true)
        XCTAssertEqual(gps.states.last, .noData)
    }

    func testGpsdEndsEvenWhenItsFeedIsKilled() throws {
        let drive = try Drive(for: self, seed: 1, length: 1020)
        let feed = try FeedProcess("feed_gpsd.py", ["--log", drive.log, "--hold"])
        let gps = LiveSession(port: try feed.port())
        XCTAssertNotNil(feed.line(after: "listening"))
        XCTAssertTrue(gps.run { !gps.fixes.isEmpty })
        kill(feed.identifier, SIGKILL)
        XCTAssertTrue(gps.run { gps.details.contains("gpsd closed the connection") || gps.details.contains("the connection broke") })
    }
}
