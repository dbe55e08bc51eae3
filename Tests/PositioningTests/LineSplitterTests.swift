import XCTest

@testable import Positioning

final class LineSplitterTests: XCTestCase {
    private func lines(_ chunks: [[UInt8]], _ splitter: inout LineSplitter) -> [String] {
        var lines: [String] = []
        for chunk in chunks {
            chunk.withUnsafeBytes { bytes in
                var rest = bytes
                while splitter.next(from: &rest) { lines.append(splitter.withLine { String(decoding: $0, as: UTF8.self) }) }
            }
        }
        return lines
    }

    private func lines(_ chunks: [String]) -> [String] {
        var splitter = LineSplitter()
        return lines(chunks.map { Array($0.utf8) }, &splitter)
    }

    func testLinesComeOutHoweverTheBytesCome() {
        let text = "one\r\ntwo\n\nthree\r\nrest"
        XCTAssertEqual(lines([text]), ["one", "two", "", "three"])
        XCTAssertEqual(lines(text.map(String.init)), ["one", "two", "", "three"])
        XCTAssertEqual(lines(["on", "e\r", "\ntwo\n\nthr", "ee\r\n"]), ["one", "two", "", "three"])
    }

    func testHalfALineIsKeptUntilItsEndComes() {
        XCTAssertEqual(lines(["half"]), [])
        XCTAssertEqual(lines(["half", "", " and half\n"]), ["half and half"])
    }

    func testTheLongestLinePassesAndALongerOneIsDroppedAndCounted() {
        var splitter = LineSplitter()
        let longest = [UInt8](repeating: 65, count: LineSplitter.limit)
        XCTAssertEqual(lines([longest, [10]], &splitter).map(\.count), [LineSplitter.limit])
        XCTAssertEqual(splitter.overlong, 0)
        XCTAssertEqual(lines([longest, [65, 10], Array("next\n".utf8)], &splitter), ["next"])
        XCTAssertEqual(splitter.overlong, 1)
        XCTAssertEqual(lines([longest + longest + longest, longest, Array("\nnext\n".utf8)], &splitter), ["next"])
        XCTAssertEqual(splitter.overlong, 2)
    }

    func testAnotherConnectionStartsWithANewLine() {
        var splitter = LineSplitter()
        XCTAssertEqual(lines([Array("half".utf8)], &splitter), [])
        splitter.reset()
        XCTAssertEqual(lines([Array("whole\n".utf8)], &splitter), ["whole"])
    }
}
