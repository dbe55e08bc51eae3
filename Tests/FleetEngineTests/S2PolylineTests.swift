import Foundation
import Navigation
import XCTest

@testable import FleetEngine

final class S2PolylineTests: XCTestCase {
    /// Sent by Google's Driver SDK (googlemaps/fleet-debugger, two-trips-bay-area).
    func testEncodesASegmentThatGooglesSDKSentByteForByte() {
        let points = [
            (37.343083, -122.069707), (37.344249, -122.068331), (37.344578, -122.068176), (37.344803, -122.068176),
            (37.344790, -122.067909),
        ]
        XCTAssertEqual(S2Polyline.encode(points.map(Coordinate.init)), "AhYFIoF_XZ6GAPV1plu2AYQNAA==")
    }

    func testComesBackWithinACellAcrossFacesPolesAndTheAntimeridian() throws {
        let lines: [[(Double, Double)]] = [
            [(10, 44.9), (10.1, 45.1), (10.2, 45.3)],  // from the face of Africa to that of Asia
            [(0.3, 179.99), (0.31, -179.99), (0.32, -179.97)],  // the antimeridian, inside one face
            [(44.9, 10), (46, 10.5), (89.9, 12), (89.9, -170)],  // to the north face and over the pole
            [(-44.9, -100), (-47, -101), (-90, 0)],  // to the south pole
            [(-33.9, 18.4), (-33.90001, 18.4), (51.5, -0.1), (0, 0), (40.7, -74)],  // jumps of half a world
            [(35.26438968, 45), (-35.26438968, -135), (35.26438968, 135)],  // corners of the cube
        ]
        for line in lines.map({ $0.map(Coordinate.init) }) {
            let decoded = try S2Decoder.decode(S2Polyline.encode(line))
            XCTAssertEqual(decoded.count, line.count)
            for (sent, received) in zip(line, decoded) { XCTAssertLessThan(metres(sent, received), 1.6) }
        }
    }

    func testALineInsideOneCellStillHasTwoEnds() throws {
        let point = Coordinate(latitude: 48.1, longitude: 11.5)
        for line in [[point], [point, point, point]] {
            let decoded = try S2Decoder.decode(S2Polyline.encode(line))
            XCTAssertEqual(decoded.count, 2)
            XCTAssertLessThan(metres(decoded[0], point), 4)
            XCTAssertGreaterThan(metres(decoded[0], decoded[1]), 1)
            XCTAssertLessThan(metres(decoded[1], point), 1.6)
        }
        XCTAssertEqual(try S2Decoder.decode(S2Polyline.encode([])), [])
    }

    func testLeavesOutWhatIsNoCoordinateAndWhatRepeatsACell() throws {
        let line = [
            Coordinate(latitude: 1, longitude: 2), Coordinate(latitude: .nan, longitude: 2), Coordinate(latitude: 1, longitude: 2),
            Coordinate(latitude: 91, longitude: .infinity), Coordinate(latitude: 1.1, longitude: 2.1),
        ]
        XCTAssertEqual(try S2Decoder.decode(S2Polyline.encode(line)).count, 2)
    }

    /// No cell of level 22 is wider than 3.7 m from corner to corner (s2metrics.cc, kMaxDiag).
    func testAThousandRandomPointsComeBack() throws {
        var random = Seeded(state: 7)
        let line = (0..<1000).map { _ in
            Coordinate(latitude: .random(in: -90...90, using: &random), longitude: .random(in: -180...180, using: &random))
        }
        let decoded = try S2Decoder.decode(S2Polyline.encode(line))
        XCTAssertEqual(decoded.count, line.count)
        for (sent, received) in zip(line, decoded) { XCTAssertLessThan(metres(sent, received), 1.86) }
    }
}

struct Seeded: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return (state ^ state >> 29) &* 0xBF58_476D_1CE4_E5B9
    }
}

/// Great-circle metres.
func metres(_ a: Coordinate, _ b: Coordinate) -> Double {
    let p = (a.latitude * .pi / 180, a.longitude * .pi / 180)
    let q = (b.latitude * .pi / 180, b.longitude * .pi / 180)
    let h = pow(sin((q.0 - p.0) / 2), 2) + cos(p.0) * cos(q.0) * pow(sin((q.1 - p.1) / 2), 2)
    return 2 * 6_371_008.8 * asin(min(1, h.squareRoot()))
}
