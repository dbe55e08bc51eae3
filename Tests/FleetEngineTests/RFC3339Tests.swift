import FleetEngine
import Foundation
import XCTest

final class RFC3339Tests: XCTestCase {
    func testWritesAndReadsBackKnownTimes() {
        let known: [(Int64, String)] = [
            (0, "1970-01-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"), (1_738_774_952_543, "2025-02-05T17:02:32.543Z"),
            (951_782_400_000, "2000-02-29T00:00:00.000Z"), (4_107_542_400_000, "2100-03-01T00:00:00.000Z"),
            (-62_135_596_800_000, "0001-01-01T00:00:00.000Z"), (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
        ]
        for (milliseconds, text) in known {
            XCTAssertEqual(RFC3339.text(milliseconds: milliseconds), text)
            XCTAssertEqual(RFC3339.milliseconds(text), milliseconds)
        }
        for beyond in [Int64.min, -62_135_596_800_001, 253_402_300_800_000, Int64.max] { XCTAssertNil(RFC3339.text(milliseconds: beyond)) }
    }

    func testAgreesWithFoundationThroughFourCenturies() {
        let formatter = ISO8601DateFormatter()
        for day in stride(from: Int64(-80_000), to: 70_000, by: 29) {
            let text = RFC3339.text(milliseconds: day * 86_400_000 + 3_723_000)
            let expected = formatter.string(from: Date(timeIntervalSince1970: Double(day * 86_400 + 3723)))
            XCTAssertEqual(text?.replacingOccurrences(of: ".000Z", with: "Z"), expected)
            XCTAssertEqual(text.flatMap { RFC3339.milliseconds($0) }, day * 86_400_000 + 3_723_000)
        }
    }

    func testReadsOffsetsAndFractionsOfAnyLength() {
        let same: Int64 = 1_738_774_952_500
        for text in [
            "2025-02-05T17:02:32.5Z", "2025-02-05t17:02:32.500999999z", "2025-02-05T22:32:32.50+05:30", "2025-02-05T09:02:32.5-08:00",
        ] { XCTAssertEqual(RFC3339.milliseconds(text), same, text) }
        XCTAssertEqual(RFC3339.milliseconds("2016-12-31T23:59:60Z"), 1_483_228_800_000)
    }

    func testRefusesWhatIsNoTime() {
        for text in [
            "", "2025", "2025-02-05", "2025-02-05T17:02:32", "2025-02-29T00:00:00Z", "2025-13-01T00:00:00Z", "2025-00-01T00:00:00Z",
            "2025-01-00T00:00:00Z", "2025-01-01T24:00:00Z", "2025-01-01T00:60:00Z", "2025-01-01T00:00:61Z", "2025-01-01T00:00:00.Z",
            "2025-01-01T00:00:00Zx", "2025-01-01T00:00:00+0100", "2025-01-01T00:00:00+24:00", "+025-01-01T00:00:00Z",
            "２０２５-01-01T00:00:00Z",
        ] { XCTAssertNil(RFC3339.milliseconds(text), text) }
    }
}
