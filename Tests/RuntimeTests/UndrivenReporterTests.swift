import FleetEngine
import Navigation
import Reporting
import XCTest

@testable import Runtime

/// Before the first start or dispatch, and after a stop.
final class UndrivenReporterTests: XCTestCase {
    func testItBeginsNothingAndPilesUpNothingHoweverManyFixesArePushed() throws {
        var configuration = Configuration(service: .onDemand, userAgent: "test")
        configuration.provider = "p"
        configuration.vehicle = "v"
        configuration.tokens = .callback { _, _ in }
        let session = try ReporterSession(configuration)
        session.setTracking(true)
        try session.setVehicleState(.online)
        for second in 0..<1000 {
            var fix = Fix(coordinate: Coordinate(latitude: 48 + Double(second) * 1e-5, longitude: 11))
            fix.time = 1_790_000_000 + Double(second)
            try session.push(fix)
        }
        XCTAssertTrue(session.state.with { $0.effects.isEmpty })
        XCTAssertFalse(session.isSettled, "the state is still to be told")
    }
}
