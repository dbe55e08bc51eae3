import Navigation
import XCTest

@testable import Runtime

final class HostClockTests: XCTestCase {
    func testAFixKeepsItsOwnTime() {
        var fix = Fix(coordinate: Coordinate(latitude: 52.5, longitude: 13.4))
        fix.time = 1_700_000_000
        XCTAssertEqual(fix.stamped(by: 1_800_000_000).time, 1_700_000_000)
    }

    func testAFixWithoutTimeGetsTheHosts() {
        let fix = Fix(coordinate: Coordinate(latitude: 52.5, longitude: 13.4))
        XCTAssertEqual(fix.stamped(by: 1_800_000_000).time, 1_800_000_000)
        XCTAssertTrue(fix.stamped(by: .nan).time.isNaN, "a clock that has not been set stamps nothing")
    }
}
