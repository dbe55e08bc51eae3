import Navigation
import XCTest

@testable import Positioning

final class FixGateTests: XCTestCase {
    private let start = 1_715_673_600.0

    private func fix(_ latitude: Double = 52.5, _ longitude: Double = 13.4, time: Double = .nan, speed: Double = .nan) -> Fix {
        var fix = Fix(coordinate: Coordinate(latitude: latitude, longitude: longitude))
        fix.time = time
        fix.speed = speed
        return fix
    }

    /// A fix so many metres north of the start.
    private func north(_ metres: Double, time: Double) -> Fix { fix(52.5 + metres / 111_195, time: time) }

    private func admitted(_ fix: Fix) -> Fix? {
        var gate = FixGate()
        return try? gate.admit(fix, now: 0).get()
    }

    private func rejection(_ result: Result<Fix, FixRejection>) -> FixRejection? {
        if case .failure(let rejection) = result { return rejection }
        return nil
    }

    // MARK: Ranges

    func testPositionsOffTheEarthAreRefusedByName() {
        for (latitude, longitude) in [(91.5, 13.4), (-90.1, 0), (52.5, 500), (Double.nan, 13.4), (52.5, -.infinity), (0, 0)] {
            var gate = FixGate()
            let reason = rejection(gate.admit(fix(latitude, longitude), now: 0))
            guard case .position = reason else { return XCTFail("\(latitude), \(longitude) gave \(String(describing: reason))") }
            XCTAssertEqual(gate.rejected.position, 1)
            XCTAssertEqual(gate.rejected.total, 1)
        }
        XCTAssertEqual(FixRejection.position(latitude: 91.5, longitude: 13.4).text, "latitude 91.5 is not within 90 degrees")
        XCTAssertEqual(FixRejection.position(latitude: 52.5, longitude: .nan).text, "longitude nan is not within 180 degrees")
        XCTAssertEqual(FixRejection.position(latitude: 0, longitude: 0).text, "position is exactly 0, 0")
    }

    func testPositionsOnTheEquatorAndTheMeridianAreTaken() {
        XCTAssertNotNil(admitted(fix(0, 13.4)))
        XCTAssertNotNil(admitted(fix(52.5, 0)))
        XCTAssertNotNil(admitted(fix(-90, -180)))
    }

    func testSpeedsOutOfRangeAreAbsentAndASmallNegativeOneIsZero() {
        XCTAssertEqual(admitted(fix(speed: 100))?.speed, 100)
        XCTAssertEqual(admitted(fix(speed: -0.5))?.speed, 0)
        for speed in [-0.6, 100.1, .infinity, .nan] { XCTAssertEqual(admitted(fix(speed: speed))?.speed.isNaN, true, "\(speed)") }
    }

    func testHeadingsAreFromZeroUpToThreeHundredAndSixty() {
        var turned = fix()
        for (heading, expected) in [(0, 0), (359.9, 359.9), (360, 0)] {
            turned.heading = heading
            XCTAssertEqual(admitted(turned)?.heading, expected)
        }
        for heading in [-1, 400, Double.nan, .infinity] {
            turned.heading = heading
            XCTAssertEqual(admitted(turned)?.heading.isNaN, true, "\(heading)")
        }
    }

    func testNegativeAndInfiniteErrorsAreAbsent() {
        for value in [-1, -Double.infinity, .infinity, .nan] {
            var bad = fix()
            bad.accuracy = value
            bad.speedAccuracy = value
            bad.headingAccuracy = value
            bad.altitudeAccuracy = value
            bad.altitude = value.isFinite ? .nan : value
            let taken = admitted(bad)
            XCTAssertEqual(taken?.accuracy.isNaN, true, "\(value)")
            XCTAssertEqual(taken?.speedAccuracy.isNaN, true, "\(value)")
            XCTAssertEqual(taken?.headingAccuracy.isNaN, true, "\(value)")
            XCTAssertEqual(taken?.altitudeAccuracy.isNaN, true, "\(value)")
            XCTAssertEqual(taken?.altitude.isNaN, true, "\(value)")
        }
    }

    func testTimesOutsideThisCenturysReceiversAreAbsentButThePositionIsKept() {
        for time in [1_483_228_799, 4_102_444_801, -1, 0, Double.infinity] {
            XCTAssertEqual(admitted(fix(time: time))?.time.isNaN, true, "\(time)")
        }
        XCTAssertEqual(admitted(fix(time: 1_483_228_800))?.time, 1_483_228_800)
    }

    // MARK: Order

    func testAFixNotNewerThanTheLastIsRefused() {
        var gate = FixGate()
        XCTAssertNil(rejection(gate.admit(fix(time: start), now: 0)))
        XCTAssertEqual(rejection(gate.admit(fix(time: start), now: 1)), .notNewer(by: 0))
        XCTAssertEqual(rejection(gate.admit(fix(time: start - 9), now: 2)), .notNewer(by: 9))
        XCTAssertEqual(gate.rejected.notNewer, 2)
        XCTAssertNil(rejection(gate.admit(fix(time: start + 1), now: 3)))
        XCTAssertEqual(FixRejection.notNewer(by: 9).text, "time is 9.0 s before the last fix")
    }

    func testSmallStepsBackAreNeverBelieved() {
        var gate = FixGate()
        _ = gate.admit(fix(time: start), now: 0)
        for second in 0..<9 { XCTAssertNotNil(rejection(gate.admit(fix(time: start - 9 + Double(second)), now: Double(second)))) }
    }

    func testAClockSetBackIsBelievedAtTheThirdFix() {
        var gate = FixGate()
        _ = gate.admit(fix(time: start), now: 0)
        XCTAssertEqual(rejection(gate.admit(fix(time: start - 3600), now: 1)), .notNewer(by: 3600))
        XCTAssertEqual(rejection(gate.admit(fix(time: start - 3599), now: 2)), .notNewer(by: 3599))
        XCTAssertNil(rejection(gate.admit(fix(time: start - 3598), now: 3)))
        XCTAssertNil(rejection(gate.admit(fix(time: start - 3597), now: 4)))
    }

    func testARepeatedFixNeitherConfirmsANewTimeOrPlaceNorSpoilsIt() {
        var gate = FixGate()
        _ = gate.admit(fix(time: start), now: 0)
        for step in [3600.0, 3599, 3599] { XCTAssertNotNil(rejection(gate.admit(fix(time: start - step), now: 1)), "\(step)") }
        XCTAssertNil(rejection(gate.admit(fix(time: start - 3598), now: 2)))
        for time in [-3597.0, -3596, -3596] { XCTAssertNotNil(rejection(gate.admit(north(5000, time: start + time), now: 3)), "\(time)") }
        XCTAssertNil(rejection(gate.admit(north(5000, time: start - 3595), now: 4)))
    }

    func testDisorderlyEarlyTimesAreNotBelieved() {
        var gate = FixGate()
        _ = gate.admit(fix(time: start), now: 0)
        for step in [3600.0, 3700, 3650, 3800, 3800, 3900] {
            XCTAssertNotNil(rejection(gate.admit(fix(time: start - step), now: 1)), "\(step)")
        }
    }

    func testAFixDatedTomorrowIsRefusedAndTheRightOnesGoOn() {
        var gate = FixGate()
        _ = gate.admit(fix(time: start), now: 0)
        guard case .clockAhead = rejection(gate.admit(fix(time: start + 86_400), now: 1)) else { return XCTFail("taken") }
        XCTAssertNil(rejection(gate.admit(fix(time: start + 2), now: 2)))
    }

    func testALongSilenceIsNoClockFault() {
        var gate = FixGate()
        _ = gate.admit(fix(time: start), now: 0)
        XCTAssertNil(rejection(gate.admit(fix(time: start + 86_400), now: 86_400)))
    }

    func testWithoutAClockAnyLaterTimeIsTaken() {
        var gate = FixGate()
        _ = gate.admit(fix(time: start), now: .nan)
        XCTAssertNil(rejection(gate.admit(fix(time: start + 86_400), now: .nan)))
    }

    // MARK: Jumps

    func testAnOutlierIsRefusedAndTheDriveGoesOn() {
        var gate = FixGate()
        XCTAssertNil(rejection(gate.admit(north(0, time: start), now: 0)))
        guard case .jump(let metres, let seconds) = rejection(gate.admit(north(800, time: start + 1), now: 1)) else {
            return XCTFail("taken")
        }
        XCTAssertEqual(metres, 800, accuracy: 8)
        XCTAssertEqual(seconds, 1)
        XCTAssertNil(rejection(gate.admit(north(28, time: start + 2), now: 2)))
        XCTAssertEqual(gate.rejected.jump, 1)
        XCTAssertEqual(FixRejection.jump(metres: 800.04, seconds: 1).text, "jumped 800.0 m in 1.0 s")
    }

    func testAVehicleThatReallyIsElsewhereIsBelievedAtTheThirdFix() {
        var gate = FixGate()
        _ = gate.admit(north(0, time: start), now: 0)
        XCTAssertNotNil(rejection(gate.admit(north(5000, time: start + 1), now: 1)))
        XCTAssertNotNil(rejection(gate.admit(north(5014, time: start + 2), now: 2)))
        XCTAssertNil(rejection(gate.admit(north(5028, time: start + 3), now: 3)))
        XCTAssertNil(rejection(gate.admit(north(5042, time: start + 4), now: 4)))
    }

    func testScatteredOutliersNeverConfirmEachOther() {
        var gate = FixGate()
        _ = gate.admit(north(0, time: start), now: 0)
        for second in 1...6 {
            let outlier = north(second % 2 == 0 ? 9000 : -9000, time: start + Double(second))
            XCTAssertNotNil(rejection(gate.admit(outlier, now: Double(second))))
        }
    }

    func testAReplayAtSpeedIsJudgedByTheFixesOwnTimes() {
        var gate = FixGate()
        for second in 0..<60 {
            XCTAssertNil(rejection(gate.admit(north(Double(second) * 60, time: start + Double(second)), now: Double(second) / 1000)))
        }
    }

    func testWithoutTimesTheClockJudges() {
        var gate = FixGate()
        _ = gate.admit(north(0, time: .nan), now: 0)
        XCTAssertNotNil(rejection(gate.admit(north(900, time: .nan), now: 2)))
        XCTAssertNil(rejection(gate.admit(north(900, time: .nan), now: 20)))
    }

    func testWithoutTimesAndClockNothingIsAJump() {
        var gate = FixGate()
        _ = gate.admit(north(0, time: .nan), now: .nan)
        XCTAssertNil(rejection(gate.admit(north(90_000, time: .nan), now: .nan)))
    }

    func testCrossingTheDateLineIsNoJump() {
        var gate = FixGate()
        _ = gate.admit(fix(-17, 179.9999, time: start), now: 0)
        XCTAssertNil(rejection(gate.admit(fix(-17, -179.9999, time: start + 1), now: 1)))
    }

    // MARK: Frozen

    func testAPositionFrozenAtSpeedIsRefusedFromTheSixthFix() {
        var gate = FixGate()
        for second in 0..<5 { XCTAssertNil(rejection(gate.admit(fix(time: start + Double(second), speed: 10), now: Double(second)))) }
        XCTAssertEqual(rejection(gate.admit(fix(time: start + 5, speed: 10), now: 5)), .frozen(fixes: 6, speed: 10))
        XCTAssertEqual(rejection(gate.admit(fix(time: start + 6, speed: 10), now: 6)), .frozen(fixes: 7, speed: 10))
        XCTAssertNil(rejection(gate.admit(fix(52.5003, time: start + 7, speed: 10), now: 7)))
        XCTAssertEqual(FixRejection.frozen(fixes: 6, speed: 10).text, "position is frozen: the same for 6 fixes at 10.0 m/s")
    }

    func testStandingStillIsNotFrozen() {
        var gate = FixGate()
        for second in 0..<60 { XCTAssertNil(rejection(gate.admit(fix(time: start + Double(second), speed: 1.9), now: Double(second)))) }
        for second in 60..<120 { XCTAssertNil(rejection(gate.admit(fix(time: start + Double(second)), now: Double(second)))) }
    }
}
