import Foundation
import JSON
import Navigation
import XCTest

@testable import RouteFiles

/// What is told from any file's content, and files that hold no route.
final class RouteFileTests: XCTestCase {
    func testAByteOrderMarkAndWhiteSpaceAreTolerated() throws {
        let text = String(decoding: try Fixture.json(Answer().object()), as: UTF8.self)
        assertEqual(try describe("\u{FEFF} \r\n\t" + text + "\n\n").points, Fixture.north)
    }

    func testAnEmptyFileIsRefused() {
        for text in ["", " \n", "\u{FEFF}", "\u{FEFF}\r\n"] { assertContains(refusal(text), "the file is empty") }
    }

    func testTruncatedJSONIsRefusedWithLineAndColumn() throws {
        assertContains(refusal("{\"code\":\"Ok\",\n \"routes\":[{"), "line 2, column 12: not JSON")
        let whole = try Fixture.json(Answer().object())
        assertContains(refusal(whole.dropLast(10)), "is the file complete?")
    }

    func testEveryTruncationIsRefused() throws {
        let whole = try Fixture.json(Answer(hasSteps: true, annotated: true).object())
        for length in 0..<whole.count { XCTAssertFalse(refusal(whole.prefix(length)).isEmpty) }
    }

    func testPagesArchivesAndUTF16AreNamed() {
        assertContains(refusal("<!DOCTYPE HTML><html></html>"), "this is an HTML page")
        assertContains(refusal("\n<HTML><body>"), "this is an HTML page")
        assertContains(refusal(Data([0x50, 0x4B, 3, 4, 20, 0])), "this is a zip archive, as KMZ is")
        assertContains(refusal(Data([0xFF, 0xFE, 0x7B, 0])), "this is UTF-16")
    }

    func testJunkIsRefusedWithTheFirstByteThatNoFormatHas() {
        assertContains(refusal(Data([0x7F, 0x45, 0x4C, 0x46, 0, 1])), "byte 0: 127 is neither JSON")
        assertContains(refusal("  not found"), "byte 5: 32 is neither JSON")
        assertContains(refusal(Data([UInt8](repeating: 0, count: 64))), "byte 0: 0 is neither JSON")
    }

    func testEmptyJSONIsRefusedAsJSON() {
        assertContains(refusal("{}"), "neither routes nor type")
        assertContains(refusal("[]"), "neither routes nor type")
    }

    func testDeepNestingIsRefusedBeforeItIsRead() {
        let deep = "{\"a\":" + String(repeating: "[", count: 100_000)
        assertContains(refusal(deep), "line 1, column \(5 + JSONDocument.maximumDepth): not JSON: arrays and objects nested deeper")
        let text = "{\"type\":\"" + String(repeating: "[", count: 200) + "\\\"[\"}"
        assertContains(refusal(text), "neither routes nor type")
    }

    func testTooLongAFileIsRefusedUnread() {
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: RouteFile.maximumBytes + 1, alignment: 1)
        defer { bytes.deallocate() }
        XCTAssertThrowsError(try RouteFile.describe(UnsafeRawBufferPointer(bytes))) {
            assertContains(($0 as? RouteFileError)?.reason ?? "", "67108865 bytes are more than")
        }
    }

    func testALoadedRouteHasTheFilesPoints() throws {
        let data = try Fixture.json(Answer(legEnds: [2, 4], hasSteps: true).object())
        let route = try data.withUnsafeBytes { try RouteFile.load($0) }
        XCTAssertEqual(route.count, 5)
        XCTAssertEqual(route.legEnds, [2, 4])
        let polyline = try RouteFile.loadPolyline(Fixture.encoded(Fixture.guinea, precision: 6), precision: 6)
        XCTAssertEqual(polyline.coordinate(4).latitude, 5.1030, accuracy: 1e-9)
        XCTAssertThrowsError(try RouteFile.loadPolyline("_p~iF ", precision: 5)) {
            assertContains(($0 as? RouteFileError)?.reason ?? "", "byte 5")
        }
    }
}
