import Foundation
import Navigation
import XCTest

@testable import RouteFiles

final class EncodedPolylineTests: XCTestCase {
    /// The worked example of Google's description of the format.
    private let example = "_p~iF~ps|U_ulLnnqC_mqNvxq`@"

    private func decode(_ text: String, precision: Int) throws -> [Coordinate] {
        try Array(text.utf8).withUnsafeBufferPointer { try EncodedPolyline.decode($0, precision: precision) }
    }

    private func decodingError(_ text: String, precision: Int = 5) -> String {
        do {
            _ = try decode(text, precision: precision)
            return "none"
        } catch { return (error as? RouteFileError)?.reason ?? "\(error)" }
    }

    func testGooglesExampleDecodes() throws {
        assertEqual(try decode(example, precision: 5), Fixture.line([(38.5, -120.2), (40.7, -120.95), (43.252, -126.453)]))
    }

    func testBothPrecisionsRoundTrip() throws {
        for precision in [5, 6] {
            let text = Fixture.encoded(Fixture.north, precision: precision)
            assertEqual(try decode(text, precision: precision), Fixture.north)
        }
    }

    func testOtherPrecisionsAreRefused() {
        assertContains(decodingError(example, precision: 7), "precision is 5 or 6, not 7")
    }

    func testErrorsNameTheByte() {
        assertContains(decodingError("_p~iF ~ps|U"), "byte 5: 32")
        assertContains(decodingError("_p~iF~ps|"), "byte 9: the polyline ends within a point")
        assertContains(decodingError("_p~iF~ps|U" + "_ulL"), "byte 14")
        assertContains(decodingError("_p~iF~~~~~~~~~"), "byte 5: a number is longer than any on earth")
        assertContains(decodingError(Fixture.encoded(Fixture.north, precision: 6), precision: 5), "byte 0: latitude 481.0")
    }

    func testAForeignByteIsNamedWhereverInANumberItStands() {
        for number in ["?", "_?", "__?", "___?"] {
            for place in 0..<number.count {
                for foreign in [0, 32, 62, 127, 128, 255] as [UInt8] {
                    var text = Array(number.utf8) + Array("?????".utf8)
                    text[place] = foreign
                    XCTAssertThrowsError(try text.withUnsafeBufferPointer { try EncodedPolyline($0) }) {
                        assertContains("\($0)", "byte \(place): \(foreign) is no character")
                    }
                }
            }
        }
    }

    func testNumbersOfEveryLengthAreRead() throws {
        let units = [0, 1, -1, 15, -16, 16, -17, 511, -512, 512, 16_383, -16_384, 16_384, 524_287, 524_288, -8_388_608]
        let points = units.map { Coordinate(latitude: Double($0) / 1e6, longitude: Double($0) / 1e6) }
        assertEqual(try decode(Fixture.encoded(points, precision: 6), precision: 6), points)
    }

    func testASumThatOverflowsIsRefused() throws {
        // The largest difference of six groups, again and again.
        let largest = "}~~~~^"
        var text = String(repeating: largest + "?", count: 5)
        try text.withUTF8 { bytes in
            XCTAssertThrowsError(try EncodedPolyline(bytes)) { assertContains("\($0)", "the line leaves the earth") }
        }
    }

    func testATextFileIsReadWithPrecisionFive() throws {
        let description = try describe("\u{FEFF}" + example + "\r\n")
        XCTAssertEqual(description.points.count, 3)
        XCTAssertEqual(description.points[0].latitude, 38.5, accuracy: 1e-9)
        XCTAssertEqual(description.legEnds, [2])
        XCTAssertNil(description.legDurations)
        XCTAssertNil(description.legLengths)
    }

    func testATextFileThatLeavesTheEarthWithFiveIsReadWithSix() throws {
        assertEqual(try describe(Fixture.encoded(Fixture.north, precision: 6)).points, Fixture.north)
    }

    func testPolylinesThatBeginLikeJSONAreRead() throws {
        let points = Fixture.line([(47.23806, 9.52512), (47.23815, 9.52500)])
        let text = Fixture.encoded(points, precision: 5)
        XCTAssertEqual(text.first, "{")
        assertEqual(try describe(text).points, points)
    }

    func testALineOverThe180thMeridianIsAmbiguousAsTextAndWrappedWithItsPrecision() throws {
        let text = Fixture.encoded(Fixture.line([(-1.2, 179.9), (-1.2, 180.3)]), precision: 5)
        assertContains(refusal(text), "180th meridian")
        assertEqual(try decode(text, precision: 5), Fixture.line([(-1.2, 179.9), (-1.2, -179.7)]))
    }

    func testAMistakenPrecisionFarBeyondThe180thMeridianIsRefused() {
        let text = Fixture.encoded(Fixture.line([(0.3, 32.6), (0.4, 32.6)]), precision: 6)
        assertContains(decodingError(text, precision: 5), "not on earth with precision 5")
    }

    func testAPolylineOffTheEarthInBothPrecisionsIsRefused() {
        assertContains(refusal(Fixture.encoded(Fixture.line([(95, 10), (95, 11)]), precision: 6)), "not on earth with precision 6")
    }
}
