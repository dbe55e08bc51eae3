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

    private func reason(_ text: String) -> String {
        do { return "\(try kind(text))" } catch { return (error as? JSONError)?.reason ?? "\(error)" }
    }

    func testWhatIsAlmostJSONIsRefused() {
        let texts = [
            "[1,]", "[1 2]", "{\"a\"}", "{\"a\" 1}", "{a:1}", "{,}", "[", "]", "[}", "\"", "\"\t\"", #""\x""#, "01", "1.", "-", ".5", "+1",
            "1e", "tru",
            "NaN", "Infinity", "[1]x", "[1]\0", "\0[1]", "//\n1", "'a'", #""\ud800""#, #""\ud800\u0041""#, #""\udc00""#,
        ]
        for text in texts { XCTAssertThrowsError(try kind(text), text) }
        for bytes: [UInt8] in [[0xC0, 0x80], [0xED, 0xB0, 0x80], [0xFF], [0xF4, 0x90, 0x80, 0x80], [0xC3]] {
            let text = [0x22] + bytes + [0x22]
            XCTAssertThrowsError(try text.withUnsafeBytes { try JSONDocument($0).root.kind }, "\(bytes)")
        }
    }

    func testReasonsAreWords() {
        XCTAssertEqual(reason("[1 2]"), "missing a comma or ']' after an array element")
        XCTAssertEqual(reason("[1]\0"), "a zero byte")
        XCTAssertEqual(reason(#"["\udc00"]"#), "the surrogate pair in string is invalid")
    }

    func testColumnsCountCharactersUpToTheLast() {
        XCTAssertThrowsError(try kind("[\"€ü\",x]")) { XCTAssertEqual(($0 as? JSONError)?.column, 7) }
        XCTAssertThrowsError(try kind("[\n[1,")) { error in
            XCTAssertEqual((error as? JSONError)?.line, 2)
            XCTAssertEqual((error as? JSONError)?.column, 3)
        }
    }

    func testNumbersAreWholeOrRealAndNeverInfinite() throws {
        let text =
            "[9223372036854775807,-9223372036854775808,9223372036854775808,1e2,0.1,-0,5e-324,1e-999,0.00000000000000000000000001e-340]"
        let root = try JSONDocument(text)
        let values = (0..<root.root.count).map { root.root[$0] }
        XCTAssertEqual(values.map { $0?.integer }, [Int64.max, .min, nil, nil, nil, 0, nil, nil, nil])
        XCTAssertEqual(values[2]?.number, 0x1p63)
        XCTAssertEqual(values[3]?.number, 100)
        XCTAssertEqual(values[4]?.number, 0.1)
        XCTAssertEqual(values[7]?.number, 0)
        XCTAssertEqual(values[8]?.number, 0)
        for text in ["1e309", "-1e999", "17976931348623159e292", String(repeating: "9", count: 310)] {
            XCTAssertThrowsError(try kind("[\(text)]"), text)
        }
    }

    func testTheLastOfMembersOfOneNameCounts() throws {
        let document = try JSONDocument(#"{"a":1,"b":2,"a":3,"\u0062":null}"#)
        XCTAssertEqual(document.root["a"]?.integer, 3)
        XCTAssertNil(document.root["b"])
    }

    func testEveryElementIsFoundHoweverTheyLie() throws {
        let document = try JSONDocument(#"[[],{},[[1,[2,3]],{"k":[4,{}],"l":"x"}], 5 ,"",[ ]]"#)
        let root = document.root
        XCTAssertEqual((0..<6).map { root[$0]?.kind }, [.array, .object, .array, .integer, .string, .array])
        XCTAssertEqual(root[2]?[0]?[0]?.integer, 1)
        XCTAssertEqual((0..<2).map { root[2]?[0]?[1]?[$0]?.integer }, [2, 3])
        XCTAssertEqual(root[2]?[1]?["k"]?[0]?.integer, 4)
        XCTAssertEqual(root[2]?[1]?["k"]?[1]?.kind, .object)
        XCTAssertEqual(root[2]?[1]?["l"]?.string, "x")
        XCTAssertEqual(root[5]?.count, 0)
    }

    func testNestingIsLimitedAndItsBracketsInStringsDoNotCount() throws {
        func nested(_ depth: Int) -> String { String(repeating: "[", count: depth) + String(repeating: "]", count: depth) }
        XCTAssertEqual(try kind(nested(JSONDocument.maximumDepth)), .array)
        XCTAssertThrowsError(try kind(nested(JSONDocument.maximumDepth + 1)))
        XCTAssertEqual(try kind("[\"\\\"\(String(repeating: "[", count: 99))\"]"), .array)
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
