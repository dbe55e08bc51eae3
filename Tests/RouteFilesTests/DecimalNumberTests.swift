import XCTest

@testable import RouteFiles

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

    func testNothingElseIsANumber() {
        for text in ["", "-", ".", "e5", "1e", "1e+", "nan", "inf", "0x10", "1,5", "1 ", " 1", "--1", "1.2.3", "1e999", "12s"] {
            XCTAssertNil(parse(text), text)
        }
        XCTAssertNil(parse(String(repeating: "1", count: DecimalNumber.maximumLength + 1)))
        XCTAssertEqual(parse("0e999"), 0)
    }
}
