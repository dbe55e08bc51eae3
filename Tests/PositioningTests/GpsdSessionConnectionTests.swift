import XCTest

@testable import Positioning

final class GpsdSessionConnectionTests: XCTestCase {
    func testItConnectsAndAsksForReports() {
        let gps = SessionHarness()
        XCTAssertEqual(gps.session.deadline, .max)
        gps.handle(.started)
        XCTAssertEqual(gps.connects, 1)
        XCTAssertEqual(gps.states, ["connecting: connecting to gpsd"])
        gps.handle(.connected)
        XCTAssertEqual(gps.sent, [SessionHarness.watch])
        XCTAssertEqual(gps.states.last, "noData: connected to gpsd; nothing from any receiver")
    }

    func testAPinnedReceiverIsQuotedIntoTheRequest() {
        let gps = SessionHarness(device: #"/dev/%s"\é"#)
        gps.handle(.started)
        gps.handle(.connected)
        XCTAssertEqual(gps.sent, [#"?WATCH={"enable":true,"json":true,"device":"/dev/%s\"\\é"};"# + "\n"])
        XCTAssertEqual(gps.states.last, #"noData: connected to gpsd; nothing from /dev/%s"\é"#)
    }

    func testPathsThatNoReceiverHasAreRefused() {
        XCTAssertNil(DevicePath(""))
        XCTAssertNil(DevicePath("/dev/a\n"))
        XCTAssertNil(DevicePath(String(repeating: "a", count: 128)))
        XCTAssertNotNil(DevicePath(String(repeating: "a", count: 127)))
    }

    func testItTriesForEverWithGrowingWaits() {
        let gps = SessionHarness()
        gps.handle(.started)
        for expected in [1.0, 2, 4, 8, 16, 30, 30, 30] {
            gps.handle(.connectFailed(reason: "connection refused by 127.0.0.1 port 2947"))
            let wait = Double(gps.session.deadline - gps.now) / 1e9
            XCTAssertGreaterThanOrEqual(wait, expected)
            XCTAssertLessThanOrEqual(wait, expected * 1.2)
            gps.clear()
            gps.wait(wait - 0.001)
            XCTAssertEqual(gps.connects, 0)
            gps.wait(0.001)
            XCTAssertEqual(gps.connects, 1)
        }
        XCTAssertEqual(gps.session.counts.reconnects, 8)
    }

    func testUnitsWaitDifferentlyAndOneUnitTheSameEachTime() {
        func firstWait(_ seed: UInt64) -> Int64 {
            let gps = SessionHarness(seed: seed)
            gps.handle(.started)
            gps.handle(.connectFailed(reason: "refused"))
            return gps.session.deadline
        }
        XCTAssertEqual(firstWait(1), firstWait(1))
        XCTAssertNotEqual(firstWait(1), firstWait(2))
    }

    func testTheReasonOfAFailureIsToldOnce() {
        let gps = SessionHarness()
        gps.handle(.started)
        gps.clear()
        for _ in 0..<3 {
            gps.handle(.connectFailed(reason: "connection refused by 127.0.0.1 port 2947"))
            gps.now = gps.session.deadline
            gps.handle(.timer)
        }
        XCTAssertEqual(gps.connects, 3)
        XCTAssertEqual(gps.states, ["connecting: connection refused by 127.0.0.1 port 2947"])
    }

    func testAConnectionThatNeverOpensIsGivenUp() {
        let gps = SessionHarness()
        gps.handle(.started)
        gps.wait(9.9)
        XCTAssertEqual(gps.disconnects, 0)
        gps.wait(0.1)
        XCTAssertEqual(gps.disconnects, 1)
        XCTAssertEqual(gps.states.last, "connecting: gpsd has not answered for 10 s")
        gps.wait(1.2)
        XCTAssertEqual(gps.connects, 2)
    }

    func testAfterALossItAsksAgainAndWaitsShortlyAsReportsHadCome() {
        let gps = SessionHarness()
        gps.handle(.started)
        for _ in 0..<4 {
            gps.handle(.connectFailed(reason: "refused"))
            gps.wait(9)
        }
        gps.handle(.connected)
        gps.report(1)
        gps.clear()
        gps.handle(.disconnected(reason: "gpsd closed the connection"))
        XCTAssertEqual(gps.states, ["connecting: gpsd closed the connection"])
        XCTAssertLessThanOrEqual(gps.session.deadline - gps.now, 1_200_000_000)
        gps.wait(1.2)
        XCTAssertEqual(gps.connects, 1)
        gps.handle(.connected)
        XCTAssertEqual(gps.sent, [SessionHarness.watch])
    }

    func testAConnectionThatBringsNothingDoesNotShortenTheWaits() {
        let gps = SessionHarness()
        gps.handle(.started)
        for expected in [1.0, 2, 4] {
            gps.handle(.connected)
            gps.handle(.disconnected(reason: "reset"))
            XCTAssertGreaterThanOrEqual(Double(gps.session.deadline - gps.now) / 1e9, expected)
            gps.wait(expected * 1.2)
        }
    }

    func testHalfALineOfALostConnectionIsForgotten() {
        let gps = SessionHarness.connected()
        gps.receive("{\"class\":\"TP")
        gps.handle(.disconnected(reason: "reset"))
        gps.wait(1.2)
        gps.handle(.connected)
        gps.report(1)
        XCTAssertEqual(gps.fixes.count, 1)
        XCTAssertEqual(gps.session.counts.badLines, 0)
    }

    func testAfterReconnectingOldReportsAreDropped() {
        let gps = SessionHarness.connected()
        gps.report(5)
        gps.handle(.disconnected(reason: "reset"))
        gps.wait(1.2)
        gps.handle(.connected)
        gps.clear()
        gps.report(4)
        gps.report(5)
        XCTAssertEqual(gps.fixes.count, 0)
        gps.report(6)
        XCTAssertEqual(gps.fixes.count, 1)
    }

    func testSilenceIsTold_ThenAskedAbout_ThenReconnected() {
        let gps = SessionHarness.connected()
        gps.report(0)
        gps.clear()
        gps.wait(2.9)
        XCTAssertEqual(gps.states, [])
        gps.wait(0.1)
        XCTAssertEqual(gps.states, ["noData: connected to gpsd; nothing from any receiver"])
        gps.wait(6.9)
        XCTAssertEqual(gps.sent, [])
        gps.wait(0.1)
        XCTAssertEqual(gps.sent, [SessionHarness.watch])
        gps.wait(19.9)
        XCTAssertEqual(gps.disconnects, 0)
        gps.wait(0.1)
        XCTAssertEqual(gps.disconnects, 1)
        XCTAssertEqual(gps.sent.count, 1)
        XCTAssertEqual(gps.states.last, "connecting: no report from a receiver for 30 s")
        gps.wait(1.2)
        XCTAssertEqual(gps.connects, 1)
    }

    func testAUnitThatSleptReconnectsAtOnceItWakes() {
        let gps = SessionHarness.connected()
        gps.report(0)
        gps.seconds += 7200
        gps.handle(.timer)
        XCTAssertEqual(gps.disconnects, 1)
    }

    func testAnErrorOfGpsdIsNotedAndShown() {
        let gps = SessionHarness.connected(device: "/dev/x")
        gps.receive("{\"class\":\"ERROR\",\"message\":\"No such device as \\\"/dev/x\\\"\"}\r\n")
        XCTAssertEqual(gps.notes, ["gpsd says: No such device as \"/dev/x\""])
        XCTAssertEqual(gps.states, ["noData: gpsd says: No such device as \"/dev/x\""])
    }

    func testTheReleaseOfGpsdIsNoted() {
        let gps = SessionHarness.connected()
        gps.receive("{\"class\":\"VERSION\",\"release\":\"3.22\",\"rev\":\"3.22\",\"proto_major\":3,\"proto_minor\":14}\r\n")
        XCTAssertEqual(gps.notes, ["gpsd 3.22 answers"])
    }

    func testInputOutOfPlaceDoesNothing() {
        let gps = SessionHarness()
        gps.report(0)
        gps.handle(.connected)
        gps.handle(.disconnected(reason: "reset"))
        gps.handle(.timer)
        XCTAssertEqual(gps.states + gps.sent + gps.notes, [])
        XCTAssertEqual(gps.session.deadline, .max)
    }
}
