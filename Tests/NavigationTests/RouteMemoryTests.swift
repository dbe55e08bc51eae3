import XCTest

@testable import Navigation

final class RouteMemoryTests: XCTestCase {
    /// Three legs, one of them without length, with declared lengths and times.
    private func route(timed: Bool = true) throws -> Route {
        let points = (0...20).map { Coordinate(latitude: 48 + Double($0) * 0.001, longitude: 179.99 + Double($0 % 3) * 0.01) }
        return try Route(
            RouteDescription(
                points: points, legEnds: [8, 8, 20], legDurations: timed ? [100, 30, 200] : nil, legLengths: [7000, 0, 10_000],
                segmentDurations: timed ? (0..<20).map { Double($0) } : nil))
    }

    func testARouteComesBackTheVerySame() throws {
        for timed in [true, false] {
            let route = try route(timed: timed)
            let restored = try XCTUnwrap(Route.restored(from: route.saved()))
            XCTAssertTrue(restored.isSame(as: route))
            XCTAssertEqual(restored.latitudes, route.latitudes)
            XCTAssertEqual(restored.longitudes, route.longitudes)
            XCTAssertEqual(restored.along, route.along)
            XCTAssertEqual(restored.elapsed, route.elapsed)
            XCTAssertEqual(restored.legEnds, route.legEnds)
            XCTAssertEqual(restored.shrinkage, route.shrinkage)
            XCTAssertEqual(restored.stretch, route.stretch)
            XCTAssertEqual(restored.lastSegment, route.lastSegment)
            XCTAssertEqual(restored.isTimeShaped, route.isTimeShaped)
            XCTAssertEqual(restored.isSimplified, route.isSimplified)
            XCTAssertEqual(restored.isLoop, route.isLoop)
        }
    }

    func testATrackerSavedAlongItGoesOn() throws {
        let route = try route()
        var tracker = Tracker(route: route)
        for second in 0..<30 {
            var fix = Fix(coordinate: route.coordinate(along: Double(second) * 20))
            fix.time = 1_790_000_000 + Double(second)
            _ = tracker.update(fix, now: Double(second))
        }
        var bytes: [UInt8] = []
        tracker.save(into: &bytes)
        var restored = Tracker(route: try XCTUnwrap(Route.restored(from: route.saved())))
        XCTAssertNoThrow(try restored.restore(bytes))
        XCTAssertEqual(restored.progress.along, tracker.progress.along)
        XCTAssertEqual(restored.progress.leg, tracker.progress.leg)
    }

    func testDamagedBytesAreNoRoute() throws {
        let bytes = try route().saved()
        XCTAssertNil(Route.restored(from: []))
        for count in stride(from: 0, to: bytes.count, by: 7) { XCTAssertNil(Route.restored(from: Array(bytes.prefix(count)))) }
        for index in stride(from: 0, to: bytes.count, by: 5) {
            var other = bytes
            other[index] ^= 0x40
            XCTAssertNil(Route.restored(from: other), "byte \(index)")
        }
    }

    /// With the right hash, as if written on purpose: values that are none of a route's must not be taken either.
    func testBytesThatHoldNoRouteAreRefused() throws {
        let bytes = try route().saved()
        let words = bytes.count / 8
        for index in 0..<words - 1 {
            for value in [UInt64.max, 0, 1, UInt64(1) << 62, Double.nan.bitPattern, (-1.0).bitPattern, 1e300.bitPattern] {
                var other = Array(bytes.prefix(8 * index))
                other.append(value)
                other += bytes[(8 * index + 8)..<(bytes.count - 8)]
                other.append(fnv1a(other[...]))
                guard let route = Route.restored(from: other) else { continue }
                // A value that may be: it can be followed.
                var tracker = Tracker(route: route)
                var fix = Fix(coordinate: route.coordinate(route.count / 2))
                fix.time = 1_790_000_000
                _ = tracker.update(fix, now: 0)
            }
        }
        XCTAssertNil(Route.restored(from: Array(bytes.dropLast(16)) + bytes.suffix(8)))
    }

    func testAnotherRouteIsNotTheSame() throws {
        XCTAssertFalse(
            try route().isSame(
                as: try Route(
                    RouteDescription(points: [.init(latitude: 1, longitude: 1), .init(latitude: 1.1, longitude: 1)], legEnds: [1]))))
    }
}
