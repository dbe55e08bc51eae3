import JSON
import XCTest

final class DecimalNumberTests: XCTestCase {
    private func parse(_ text: String) -> Double? {
        var text = text
        return text.withUTF8 { DecimalNumber.parse($0) }
    }

    func testNumbersAreReadAsTheStandardLibraryReadsThem() {
        for text in [
            "0", "-0.0", "+7", "9.5", "-122.4425587930444", "37.80666458607323", "1e3", "-1.5E-3", ".5", "5.", "1e22", "1e-22", "0.1",
            "179.99999999999999", "123456789012345678901234567890", "0.000000000000000000000000000012345", "1.4567890123456789e1",
        ] {
            let expected = Double(text.hasSuffix(".") ? text + "0" : text) ?? .nan
            XCTAssertEqual(parse(text) ?? .nan, expected, accuracy: abs(expected) * 4e-16, text)
        }
    }

    func testUpToNineteenDigitsAreReadToTheLastBit() {
        var state: UInt64 = 7
        for _ in 0..<20_000 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let digits = String((state >> 3).description.prefix(1 + Int(state >> 59) % 19))
            let text = "\(digits)e\(Int(state >> 40 & 0xFF) % 55 - 27)"
            XCTAssertEqual(parse(text), Double(text), text)
        }
        // The middle between two doubles goes to the even one, a little more to the upper.
        for text in ["9007199254740993", "9007199254740993.001", "9007199254740995", "0.5000000000000000555", "-122.442558793094405"] {
            XCTAssertEqual(parse(text), Double(text), text)
        }
    }

    func testFarPowersOfTenAreReadNearly() throws {
        for text in ["1e300", "123e-320", "1.7976931348623157e308", "2.2250738585072014e-308", "7e-100"] {
            let expected = try XCTUnwrap(Double(text))
            XCTAssertEqual(try XCTUnwrap(parse(text)), expected, accuracy: expected.ulp, text)
        }
    }

    func testNothingElseIsANumber() {
        for text in ["", "-", ".", "e5", "1e", "1e+", "nan", "inf", "0x10", "1,5", "1 ", " 1", "--1", "1.2.3", "1e999", "12s"] {
            XCTAssertNil(parse(text), text)
        }
        XCTAssertNil(parse(String(repeating: "1", count: DecimalNumber.maximumLength + 1)))
        XCTAssertEqual(parse("0e999"), 0)
    }
}
