import FleetEngine
import Foundation
import Navigation
import Reporting
import Store
import XCTest

@testable import Runtime

final class StateKeeperTests: XCTestCase {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("milepost-\(UUID().uuidString)")

    override func setUpWithError() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

    override func tearDown() { try? FileManager.default.removeItem(at: folder) }

    private var configuration: Configuration {
        var configuration = Configuration(service: .onDemand, userAgent: "test")
        configuration.provider = "p"
        configuration.vehicle = "v"
        configuration.tokens = .callback { _, _ in }
        configuration.stateDirectory = folder.appendingPathComponent("state").path
        return configuration
    }

    /// A reporter whose state is kept by the test.
    private func session() throws -> ReporterSession {
        var configuration = configuration
        configuration.stateDirectory = nil
        return try ReporterSession(configuration)
    }

    private func save(_ session: ReporterSession, in keeper: StateKeeper, at seconds: Int64) {
        let now = seconds * 1_000_000_000
        keeper.save(session.state.change { StateSnapshot(&$0, configuration, for: keeper, at: now) }, at: now)
        keeper.act(at: now)
    }

    /// North from `latitude`, large enough not to stay in memory.
    private func route(from latitude: Double) throws -> Route {
        let points = (0..<100_000).map { Coordinate(latitude: latitude + Double($0) * 1e-5, longitude: 11) }
        return try Route(RouteDescription(points: points, legEnds: [99_999]))
    }

    func testWhatIsDamagedWhileItRunsIsSetAsideAndSavedAnew() throws {
        let session = try session()
        let keeper = try XCTUnwrap(StateKeeper(configuration))
        XCTAssertNil(keeper.restored(at: 0))
        session.setTracking(true)
        session.setRoute(try route(from: 48))
        save(session, in: keeper, at: 1)
        XCTAssertEqual(keeper.takeOccurrences().count, 0)
        for name in ["milepost.db", "milepost.db-wal"] {
            let file = folder.appendingPathComponent("state/" + name)
            let size = try XCTUnwrap(FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int)
            let handle = try FileHandle(forWritingTo: file)
            try handle.write(contentsOf: Data((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 167 ^ $0 >> 8) }))
            try handle.close()
        }
        let other = try route(from: 47)
        session.setRoute(other)
        for second in 2..<40 { save(session, in: keeper, at: Int64(second)) }
        XCTAssertEqual(keeper.takeOccurrences().map(\.kind), [.storeDamaged])
        let restored = try afterAPowerCut()
        XCTAssertTrue(restored.desired.isTracking)
        XCTAssertEqual(restored.route?.isSame(as: other), true)
        XCTAssertNotNil(restored.tracker)
    }

    /// What a copy of the directory holds.
    private func afterAPowerCut() throws -> RestoredState {
        var copy = configuration
        copy.stateDirectory = folder.appendingPathComponent("copy").path
        try FileManager.default.copyItem(atPath: folder.appendingPathComponent("state").path, toPath: copy.stateDirectory ?? "")
        return try XCTUnwrap(StateKeeper(copy)?.restored(at: 0))
    }
}
