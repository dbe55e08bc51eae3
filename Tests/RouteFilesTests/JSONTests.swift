import JSON
import XCTest

/// The JSON module: reading and writing trees.
final class JSONTests: XCTestCase {
    func testValuesAreReadByKindAndOtherwiseAbsent() throws {
        let document = try JSONDocument(#"{"i":7,"r":-2.5e3,"s":"a\u0000ü","t":true,"n":null,"a":[1,[2]],"o":{"k":1}}"#)
        let root = document.root
        XCTAssertEqual(root["i"]?.integer, 7)
        XCTAssertEqual(root["i"]?.number, 7)
        XCTAssertEqual(root["r"]?.number, -2500)
        XCTAssertNil(root["r"]?.integer)
        XCTAssertEqual(root["s"]?.string, "a\0ü")
        XCTAssertNil(root["s"]?.number)
        XCTAssertEqual(root["t"]?.boolean, true)
        XCTAssertNil(root["i"]?.boolean)
        XCTAssertNil(root["n"])
        XCTAssertEqual(root["a"]?.count, 2)
        XCTAssertEqual(root["a"]?[1]?[0]?.integer, 2)
        XCTAssertNil(root["a"]?[2])
        XCTAssertNil(root["a"]?[-1])
        XCTAssertEqual(root[named: "o"]?["k"]?.integer, 1)
        XCTAssertNil(root["i"]?["k"])
    }

    func testABodyMayThrowOverAStringsBytes() throws {
        struct TooLong: Error {}
        let document = try JSONDocument(#"["abc",5]"#)
        let text = try XCTUnwrap(document.root[0])
        XCTAssertEqual(text.withUTF8 { $0.count }, 3)
        XCTAssertThrowsError(try text.withUTF8 { bytes throws(TooLong) in if bytes.count > 2 { throw TooLong() } })
        XCTAssertNil(document.root[1]?.withUTF8 { $0.count })
    }

    private func kind(_ text: String) throws -> JSONNode.Kind { try JSONDocument(text).root.kind }

    func testErrorsNameLineAndColumn() {
        XCTAssertThrowsError(try kind("{\n  \"a\": x}")) { error in
            XCTAssertEqual((error as? JSONError)?.line, 2)
            XCTAssertEqual((error as? JSONError)?.column, 8)
        }
        XCTAssertThrowsError(try kind(""))
        XCTAssertThrowsError(try kind("{} {}"))
    }

    func testBuiltTextKeepsItsOrderAndLeavesOutWhatJSONCannotHold() {
        let inner = JSONBuilder.array()
        inner.append(JSONBuilder.object())
        let object = JSONBuilder.object()
        object.set("s", "say \"ü\"\n")
        object.set("i", -3)
        object.set("d", 0.1)
        object.set("nan", Double.nan)
        object.set("b", false)
        object.set("a", inner)
        XCTAssertEqual(object.text(), #"{"s":"say \"ü\"\n","i":-3,"d":0.1,"b":false,"a":[{}]}"#)
        XCTAssertEqual(inner.text(), "")
    }
}
