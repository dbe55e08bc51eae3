import Navigation
import XCTest

@testable import Positioning

final class GpsdSessionFixTests: XCTestCase {
    // MARK: One report

    func testAReportBecomesAFixWithAllItsValues() throws {
        let gps = SessionHarness.connected()
        gps.tpv(
            #""mode":3,"status":6,"time":"2024-05-14T08:00:00.250Z","lat":52.5,"lon":13.4,"altHAE":80.5,"epv":4.5,"track":5.5,"speed":6.5,"#
                + #""eps":7.5,"epd":8.5,"eph":9.5"#)
        let fix = try XCTUnwrap(gps.fixes.first)
        XCTAssertEqual(fix.coordinate, Coordinate(latitude: 52.5, longitude: 13.4))
        XCTAssertEqual(fix.time, 1_715_673_600.25)
        XCTAssertEqual([fix.altitude, fix.altitudeAccuracy, fix.heading, fix.speed], [80.5, 4.5, 5.5, 6.5])
        XCTAssertEqual([fix.speedAccuracy, fix.headingAccuracy, fix.accuracy], [7.5, 8.5, 9.5])
        XCTAssertTrue(fix.isEstimated)
        XCTAssertFalse(fix.isSimulated)
        XCTAssertEqual(gps.states, ["fix: receiving positions"])
    }

    func testWithoutEphTheErrorsByAxisAreTaken() throws {
        let gps = SessionHarness.connected()
        gps.report(0, extra: #","speed":10,"track":0,"epx":3,"epy":4"#)
        XCTAssertEqual(try XCTUnwrap(gps.fixes.first).accuracy, 5)
    }

    func testWhatAReportLacksIsAbsentAndNotTheFormerReports() throws {
        let gps = SessionHarness.connected()
        gps.report(0, extra: #","status":8,"speed":10,"track":90,"eph":5,"altHAE":3"#)
        gps.report(1, extra: "")
        gps.wait(0.2)
        XCTAssertEqual(gps.fixes.count, 2)
        XCTAssertTrue(gps.fixes[0].isSimulated)
        let fix = gps.fixes[1]
        XCTAssertFalse(fix.isSimulated)
        for value in [fix.speed, fix.heading, fix.accuracy, fix.altitude] { XCTAssertTrue(value.isNaN) }
    }

    // MARK: Odd lines

    /// Every line is followed by a good report, which must come through.
    func testOddLinesNeitherMakeAFixNorStopTheNext() {
        let position = #""mode":3,"time":"2024-05-14T08:00:00.000Z","lat":52.5,"lon":13.4"#
        for line in [
            "", "hello", "{", "}", "{}", "[]", "{\"class\":\"FUTURE\",\"lat\":1}", "{\"class\":\"TPV\"}", "{\"class\":\"TPV\"",
            "{\"class\":\"TPV\",\(position.dropLast(11))", "{\"class\":\"TPV\",\"mode\":3,\"lon\":13.4}",
            "{ \"class\" : \"TPV\",\(position)}", "$GPGSV,3,1,37{\"class\":\"TPV\",\(position)}",
            "{\"class\":\"TPV\",\"mode\":3,\"lat\":null,\"lon\":13.4}", "{\"class\":\"TPV\",\"mode\":3,\"lat\":nan,\"lon\":13.4}",
            "{\"class\":\"TPV\",\"mode\":3,\"lat\":1e400,\"lon\":13.4}", "{\"class\":\"TPV\",\"mode\":3,\"lat\":91.5,\"lon\":13.4}",
            "{\"class\":\"TPV\",\"mode\":3,\"lat\":52.5,\"lon\":500}", "{\"class\":\"TPV\",\"mode\":3,\"lat\":0,\"lon\":0}",
            "{\"class\":\"TPV\",\"mode\":1,\"lat\":52.5,\"lon\":13.4}", "{\"class\":\"TPV\",\"mode\":-1,\"lat\":52.5,\"lon\":13.4}",
            "{\"class\":\"TPV\",\"device\":\"\(String(repeating: "d", count: 129))\",\(position)}", "\u{0}\u{1}\u{fffd}",
            "{\"class\":\"SKY\",\"satellites\":[{\"PRN\":1", "{\"class\":\"ERROR\"}", "{\"class\":\"VERSION\",\"release\":3}",
        ] {
            let gps = SessionHarness.connected()
            gps.receive(line + "\r\n")
            gps.wait(0.2)
            XCTAssertEqual(gps.fixes.count, 0, line)
            gps.report(1)
            XCTAssertEqual(gps.fixes.count, 1, line)
        }
    }

    func testStrayMembersDoNotCostThePosition() {
        for extra in [
            #","novel":17"#, #","novel":[1,"]",{"a":[]}]"#, #","novel":"\"}""#, #" , "novel" : null "#, #","baseline":{"status":1}"#,
            #","status":99"#,
        ] {
            let gps = SessionHarness.connected()
            gps.report(0, extra: extra + #","speed":10,"track":90"#)
            XCTAssertEqual(gps.fixes.map(\.heading), [90], extra)
        }
    }

    func testValuesOutOfRangeAreAbsent() throws {
        let gps = SessionHarness.connected()
        gps.report(0, mode: 7, extra: #","speed":-1,"track":400,"eph":-3"#)
        let fix = try XCTUnwrap(gps.fixes.first)
        for value in [fix.speed, fix.heading, fix.accuracy] { XCTAssertTrue(value.isNaN) }
    }

    func testATimeThatIsNoTimeIsAbsent() throws {
        let gps = SessionHarness.connected()
        gps.tpv(#""mode":3,"time":"garbage","lat":52.5,"lon":13.4,"speed":0"#)
        XCTAssertEqual(try XCTUnwrap(gps.fixes.first).time.isNaN, true)
    }

    func testHalfALineIsTakenOnceItIsWhole() {
        let gps = SessionHarness.connected()
        gps.receive(#"{"class":"TPV","device":"/dev/a","mode":3,"lat":52.5,"#)
        gps.wait(2)
        XCTAssertEqual(gps.fixes.count, 0)
        gps.receive("\"lon\":13.4,\"speed\":0}\r\n")
        XCTAssertEqual(gps.fixes.map(\.coordinate.latitude), [52.5])
    }

    /// gps_unpack alone would never return from the first of these.
    func testReportsGluedTogetherAreDroppedAsABadLine() {
        let whole = #"{"class":"TPV","device":"/dev/a","mode":3,"lat":52.5,"lon":13.4,"speed":0}"#
        for line in [
            #"{"class":"TPV",device":"/dev/a","ep"# + whole, whole + whole, #"{"class":"TPV","lat":52.5,"lon":13.{"# + whole, whole + "}",
        ] {
            let gps = SessionHarness.connected()
            gps.receive(line + "\r\n")
            gps.wait(0.2)
            XCTAssertEqual(gps.fixes.count, 0, line)
            XCTAssertEqual(gps.session.counts.badLines, 1, line)
        }
    }

    func testASecondClassMemberIsHarmless() {
        let gps = SessionHarness.connected()
        gps.tpv(#""mode":"three","class":"TPV","lat":52.5"#)
        gps.report(0, extra: #","speed":10,"track":0,"class":"SKY""#)
        XCTAssertEqual(gps.fixes.count, 1)
    }

    func testAnOverlongLineIsCountedAndTheNextTaken() {
        let gps = SessionHarness.connected()
        gps.receive("{\"class\":\"SKY\"," + String(repeating: " ", count: 30_000) + "}\r\n")
        gps.report(0)
        XCTAssertEqual(gps.fixes.count, 1)
        XCTAssertEqual(gps.session.counts.badLines, 1)
    }

    /// Damaged reports, cut anywhere: what comes through is a position on the earth, with its values in range.
    func testDamagedBytesNeverMakeAnImpossibleFix() {
        let gps = SessionHarness.connected()
        var state: UInt32 = 1
        func random(_ below: Int) -> Int {
            state = state &* 1_664_525 &+ 1_013_904_223
            return Int(state >> 8) % below
        }
        let structure = Array("{}[]\",:\\ \r\n".utf8)
        for second in 0..<5000 {
            let line =
                "{\"class\":\"TPV\",\"device\":\"/dev/a\",\"mode\":3,\(SessionHarness.time(Double(second))),\"lat\":52.5,\"lon\":13.4,"
                + "\"altHAE\":80.1,\"epx\":3.1,\"epy\":4.2,\"track\":350.5,\"speed\":13.9,\"eps\":0.1,\"eph\":5.5}\r\n"
            var bytes = Array(line.utf8)
            for _ in 0..<(1 + random(3)) {
                bytes[random(bytes.count)] = random(2) == 0 ? UInt8(random(256)) : structure[random(structure.count)]
            }
            if random(4) == 0 { bytes.removeLast(random(bytes.count)) }
            let cut = random(bytes.count + 1)
            bytes[..<cut].withUnsafeBytes { gps.handle(.received($0)) }
            bytes[cut...].withUnsafeBytes { gps.handle(.received($0)) }
            gps.wait(1)
            if case .connecting = gps.session.state { gps.handle(.connected) }
        }
        XCTAssertGreaterThan(gps.fixes.count, 100)
        for fix in gps.fixes {
            XCTAssertTrue(fix.coordinate.isValid)
            XCTAssertTrue(fix.speed.isNaN || (0...100).contains(fix.speed))
            XCTAssertTrue(fix.heading.isNaN || (0..<360).contains(fix.heading))
            XCTAssertTrue(fix.accuracy.isNaN || fix.accuracy >= 0)
        }
    }

    // MARK: Epochs

    func testAnIncompleteReportWaitsForTheRestOfItsEpoch() throws {
        let gps = SessionHarness.connected()
        gps.report(1, extra: #","speed":802.8,"altHAE":80,"eph":17"#)
        XCTAssertEqual(gps.fixes.count, 0)
        gps.report(1, extra: #","speed":13.9,"track":90"#)
        let fix = try XCTUnwrap(gps.fixes.first)
        XCTAssertEqual([fix.speed, fix.heading, fix.altitude, fix.accuracy], [13.9, 90, 80, 17])
        gps.report(1, extra: #","speed":14,"track":91"#)
        XCTAssertEqual(gps.fixes.count, 1)
    }

    func testAnIncompleteReportIsGivenAfterAFifthOfASecond() {
        let gps = SessionHarness.connected()
        gps.report(1, extra: #","speed":13.9"#)
        XCTAssertEqual(gps.session.deadline - gps.now, 200_000_000)
        gps.wait(0.199)
        XCTAssertEqual(gps.fixes.count, 0)
        gps.wait(0.001)
        XCTAssertEqual(gps.fixes.count, 1)
    }

    func testTheNextEpochEndsTheOneBefore() {
        let gps = SessionHarness.connected()
        gps.report(1, extra: #","speed":13.9"#)
        gps.report(2)
        XCTAssertEqual(gps.fixes.map(\.time), [1_715_673_601, 1_715_673_602])
    }

    func testStandingReportsAreCompleteWithoutATrack() {
        let gps = SessionHarness.connected()
        gps.report(1, extra: #","speed":1.4"#)
        XCTAssertEqual(gps.fixes.count, 1)
    }

    func testWhatIsHeldIsGivenWhenTheConnectionEndsOrTheFixIsLost() {
        let lost = SessionHarness.connected()
        lost.report(1, extra: "")
        lost.handle(.disconnected(reason: "reset"))
        XCTAssertEqual(lost.fixes.count, 1)
        let noFix = SessionHarness.connected()
        noFix.report(1, extra: "")
        noFix.tpv(#""mode":1"#)
        XCTAssertEqual(noFix.fixes.count, 1)
        XCTAssertEqual(noFix.states.last, "stale: no fix from /dev/a")
    }

    func testWithoutATimeOnlyAnotherPositionIsAFix() {
        let gps = SessionHarness.connected()
        for second in [0.0, 0, 0, 1, 1] { gps.tpv("\"mode\":2,\(SessionHarness.position(second))") }
        XCTAssertEqual(gps.fixes.count, 1)
        gps.wait(0.2)
        XCTAssertEqual(gps.fixes.count, 2)
    }

    func testATimeThatComesLaterInTheEpochIsTheFixs() {
        let gps = SessionHarness.connected()
        gps.tpv("\"mode\":3,\(SessionHarness.position(0))")
        gps.report(0)
        gps.report(1)
        XCTAssertEqual(gps.fixes.map(\.time), [1_715_673_600, 1_715_673_601])
    }

    func testStandingWithoutATimeIsNotStale() {
        let gps = SessionHarness.connected()
        for _ in 0..<20 {
            gps.tpv("\"mode\":2,\(SessionHarness.position(0))")
            gps.wait(1)
        }
        XCTAssertEqual(gps.fixes.count, 1)
        XCTAssertEqual(gps.states, ["fix: receiving positions"])
    }

    // MARK: States

    func testAReceiverWithoutAFixIsTold() {
        let gps = SessionHarness.connected()
        gps.tpv(#""mode":1,"time":"2024-05-14T08:00:00.000Z""#)
        XCTAssertEqual(gps.states, ["noFix: no fix from /dev/a"])
        gps.report(1)
        gps.tpv(#""mode":1"#)
        gps.report(2)
        XCTAssertEqual(gps.states.dropFirst(), ["fix: receiving positions", "stale: no fix from /dev/a", "fix: receiving positions"])
    }

    func testUnusableReportsMakeTheFixStaleWithTheirReason() {
        let gps = SessionHarness.connected()
        gps.report(0)
        for second in 1...5 {
            gps.wait(1)
            gps.report(0)
            XCTAssertEqual(gps.states.count, second < 5 ? 1 : 2)
        }
        XCTAssertEqual(gps.states.last, "stale: no position for 5 s")
        gps.wait(1)
        gps.report(6)
        XCTAssertEqual(gps.states.last, "fix: receiving positions")
    }

    func testAFrozenReceiverGoesStaleNamingIt() {
        let gps = SessionHarness.connected()
        for second in 0..<12 {
            gps.tpv("\"mode\":3,\(SessionHarness.time(Double(second))),\"lat\":52.5,\"lon\":13.4,\"speed\":10,\"track\":0")
            gps.wait(1)
        }
        XCTAssertEqual(gps.fixes.count, 5)
        XCTAssertEqual(gps.notes, ["fix dropped: position is frozen: the same for 6 fixes at 10.0 m/s"])
        XCTAssertEqual(gps.states.last?.hasPrefix("stale: position is frozen"), true)
        XCTAssertEqual(gps.session.gate.rejected.frozen, 7)
    }

    func testAReceiverThatSaysZeroZeroHasNoFix() {
        let gps = SessionHarness.connected()
        gps.tpv(#""mode":3,"lat":0.0,"lon":0.0"#)
        XCTAssertEqual(gps.states, ["noFix: position is exactly 0, 0"])
        XCTAssertEqual(gps.session.gate.rejected.position, 1)
    }

    func testAGapEndsWithTheNextFix() {
        let gps = SessionHarness.connected()
        gps.report(0)
        gps.wait(15)
        gps.report(15)
        XCTAssertEqual(gps.states.map { String($0.prefix { $0 != ":" }) }, ["fix", "noData", "fix"])
        XCTAssertEqual(gps.fixes.count, 2)
    }

    // MARK: Receivers

    func testTheFirstReceiverWithAFixIsFollowedUntilItHasNone() {
        let gps = SessionHarness.connected()
        gps.tpv(#""mode":1"#, device: "/dev/b")
        gps.report(0, device: "/dev/a")
        for second in 1...3 {
            gps.wait(1)
            gps.report(Double(second), device: "/dev/b")
            gps.report(Double(second), device: "/dev/a")
        }
        XCTAssertEqual(gps.fixes.count, 4)
        XCTAssertEqual(gps.session.counts.ignoredReports, 3)
        gps.clear()
        for second in 4...9 {
            gps.wait(1)
            gps.report(Double(second), device: "/dev/b")
        }
        XCTAssertEqual(gps.fixes.map(\.time), [1_715_673_608, 1_715_673_609])
        XCTAssertEqual(gps.notes, ["no fix from /dev/a: following /dev/b"])
        gps.report(10, device: "/dev/a")
        XCTAssertEqual(gps.fixes.count, 2)
    }

    func testAReceiverThatLostItsFixIsLeftThough_ItSpeaks() {
        let gps = SessionHarness.connected()
        gps.report(0, device: "/dev/a")
        for second in 1...5 {
            gps.wait(1)
            gps.tpv(#""mode":1"#, device: "/dev/a")
            gps.report(Double(second), device: "/dev/b")
        }
        XCTAssertEqual(gps.fixes.map(\.time), [1_715_673_600, 1_715_673_605])
    }

    func testAReceiverWithoutAFixIsNeverChosenInstead() {
        let gps = SessionHarness.connected()
        gps.report(0, device: "/dev/a")
        gps.wait(6)
        gps.tpv(#""mode":1"#, device: "/dev/b")
        XCTAssertEqual(gps.notes, [])
        gps.report(6, device: "/dev/a")
        XCTAssertEqual(gps.fixes.count, 2)
    }

    func testAPinnedReceiverIsTheOnlyOne() {
        let gps = SessionHarness.connected(device: "/dev/b")
        gps.report(0, device: "/dev/a")
        gps.report(0, device: "")
        XCTAssertEqual(gps.fixes.count, 0)
        gps.report(1, device: "/dev/b")
        XCTAssertEqual(gps.fixes.count, 1)
    }
}
