import XCTest

@testable import Navigation

final class FixClockTests: XCTestCase {
    private func gap(_ times: (Double, Double), _ arrivals: (Double, Double)) -> Double {
        var clock = FixClock()
        _ = clock.advance(to: times.0, now: arrivals.0)
        return clock.advance(to: times.1, now: arrivals.1)
    }

    func testTheFixesOwnTimesCountAlsoInAReplay() {
        XCTAssertEqual(gap((100, 130), (5, 8)), 30)
        XCTAssertEqual(gap((100, 130), (.nan, .nan)), 30)
        XCTAssertEqual(gap((100, 101), (5, 65)), 1, "delivered late")
    }

    func testArrivalCountsWhereTheFixesTimesCannotBeBelieved() {
        XCTAssertEqual(gap((.nan, .nan), (5, 8)), 3)
        XCTAssertEqual(gap((100, 40), (5, 8)), 3)
        XCTAssertEqual(gap((100, 3000), (5, 8)), 3, "the receiver's clock was set")
        XCTAssertEqual(gap((100, 1e12), (5, 8)), 3)
    }

    func testGapsCountUpToAnHour() {
        XCTAssertEqual(gap((100, 100_000), (.nan, .nan)), 3600)
        XCTAssertEqual(gap((.nan, .nan), (5, 100_000)), 3600)
    }

    func testWithoutAnyTimeASecondIsTaken() {
        XCTAssertEqual(gap((.nan, .nan), (.nan, .nan)), 1)
        XCTAssertEqual(gap((100, 100), (.nan, .nan)), 1)
        var clock = FixClock()
        XCTAssertEqual(clock.advance(to: 5, now: 5), 1)
    }
}
