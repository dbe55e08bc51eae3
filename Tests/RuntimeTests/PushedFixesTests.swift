import XCTest

@testable import Runtime

final class PushedFixesTests: XCTestCase {
    private let second: Int64 = 1_000_000_000

    func testNothingIsSaidBeforeTheFirstFix() {
        var fixes = PushedFixes()
        XCTAssertEqual(fixes.deadline, .max)
        XCTAssertNil(fixes.act(at: 1000 * second))
    }

    func testTheFirstFixIsSaidOnceAndTheNextAreNot() {
        var fixes = PushedFixes()
        XCTAssertEqual(fixes.arrived(at: 0), .fix)
        XCTAssertNil(fixes.arrived(at: second))
        XCTAssertNil(fixes.arrived(at: 2 * second))
    }

    func testItIsStaleFiveSecondsAfterTheLastFixAndNotBefore() {
        var fixes = PushedFixes()
        _ = fixes.arrived(at: 0)
        _ = fixes.arrived(at: 3 * second)
        XCTAssertEqual(fixes.deadline, 8 * second)
        XCTAssertNil(fixes.act(at: 8 * second - 1))
        XCTAssertEqual(fixes.act(at: 8 * second), .stale)
        XCTAssertNil(fixes.act(at: 20 * second))
        XCTAssertEqual(fixes.deadline, .max)
    }

    func testAFixAfterThatIsNewsAgain() {
        var fixes = PushedFixes()
        _ = fixes.arrived(at: 0)
        _ = fixes.act(at: 5 * second)
        XCTAssertEqual(fixes.arrived(at: 60 * second), .fix)
    }
}
