import XCTest

@testable import Positioning

final class LibgpsTests: XCTestCase {
    func testTheLibgpsInUseIsTheOneBuiltAgainst() throws {
        try Libgps.check()
        XCTAssertFalse(Libgps.version.isEmpty)
    }

    func testAPatchReleaseOfTheSameSeriesPasses() throws {
        try Libgps.check(built: "3.27", running: "3.27.5")
        try Libgps.check(built: "3.22", running: "3.22")
    }

    func testUnknownReleasesAreLeftToTheLayoutCheck() throws {
        try Libgps.check(built: "", running: "3.99")
        try Libgps.check(built: "3.20", running: "")
    }

    func testAnotherReleaseIsRefusedNamingBoth() {
        for running in ["3.25", "3.2", "3.221", "4.22"] {
            XCTAssertThrowsError(try Libgps.check(built: "3.22", running: running)) { error in
                let reason = (error as? LibgpsMismatch)?.reason ?? ""
                XCTAssertTrue(reason.contains("libgps \(running) is in use") && reason.contains("3.22"), reason)
            }
        }
    }
}
