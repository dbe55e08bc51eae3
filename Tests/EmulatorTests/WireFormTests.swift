import XCTest

@testable import Emulator

final class WireFormTests: XCTestCase {
    func testTimestampsAreBroughtIntoUTC() {
        let rows = [
            ("1970-01-01T00:00:00Z", "1970-01-01T00:00:00Z"), ("2026-01-31T12:00:00.5+02:00", "2026-01-31T10:00:00.500Z"),
            ("2024-02-29T23:59:59.000001-05:30", "2024-03-01T05:29:59.000001Z"), ("1969-12-31T23:59:59.999Z", "1969-12-31T23:59:59.999Z"),
            ("2000-02-29T00:00:00.123456789Z", "2000-02-29T00:00:00.123456789Z"), ("9999-12-31T23:59:59Z", "9999-12-31T23:59:59Z"),
            ("0001-01-01T00:00:00Z", "0001-01-01T00:00:00Z"), ("2026-01-31T12:00:00.120Z", "2026-01-31T12:00:00.120Z"),
        ]
        for (text, expected) in rows { XCTAssertEqual(Timestamp(text)?.text, expected, text) }
        for text in ["1900-02-29T00:00:00Z", "2025-04-31T00:00:00Z", "2025-00-01T00:00:00Z", "2026-01-31t12:00:00z"] {
            XCTAssertNil(Timestamp(text), text)
        }
        XCTAssertEqual(Timestamp(unixMilliseconds: -1).text, "1969-12-31T23:59:59.999Z")
        XCTAssertEqual(Timestamp("2026-01-31T12:00:00.25Z"), Timestamp(unixMilliseconds: 1_769_860_800_250))
    }

    func testDurationsKeepTheirSignAndFraction() {
        let rows = [("34s", "34s"), ("3.5s", "3.500s"), ("-0.5s", "-0.500s"), ("0.000000001s", "0.000000001s"), ("-1.25s", "-1.250s")]
        for (text, expected) in rows { XCTAssertEqual(ProtoDuration(text)?.text, expected, text) }
        XCTAssertEqual(ProtoDuration("-1.25s")?.milliseconds, -1_250)
    }

    func testBase64AgreesWithFoundationAndRefusesStrayBits() {
        for length in 0..<20 {
            let bytes = (0..<length).map { UInt8(truncatingIfNeeded: 250 &+ $0 &* 37) }
            let standard = Data(bytes).base64EncodedString()
            XCTAssertEqual(Base64.encode(bytes), standard)
            XCTAssertEqual(Base64.decode(standard), bytes)
            let urlSafe = standard.replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
            XCTAssertEqual(Base64.decode(urlSafe.replacingOccurrences(of: "=", with: "")), bytes)
            XCTAssertEqual(Base64.decodeURLSafe(urlSafe), bytes)
        }
        for text in ["A", "AB=", "A===", "=", "AB", "AAB", "AA=A", "A A="] where text != "AB" && text != "AAB" {
            XCTAssertNil(Base64.decode(text), text)
        }
        XCTAssertNil(Base64.decode("AB"), "bits left over")
        XCTAssertNil(Base64.decode("AAB"), "bits left over")
    }

    func testJSONTextReadsBackAsItWas() throws {
        let text = "{\"a\":[1,-2.5,1e-07,true,null],\"\u{1}\\\"\\\\\":\"\u{0}\u{7f}\u{1f600}/\",\"whole\":9007199254740993}"
        let escaped = text.replacingOccurrences(of: "\u{1}", with: "\\u0001").replacingOccurrences(of: "\u{0}", with: "\\u0000")
        let value = try JSON(parsing: Array(escaped.utf8))
        XCTAssertEqual(value.text, escaped)
        XCTAssertEqual(try JSON(parsing: Array(value.text.utf8)), value)
    }
}

final class RouteSegmentTests: XCTestCase {
    private func decoded(_ bytes: [UInt8]) throws -> [RouteSegment.Vertex] { try RouteSegment.vertices(of: bytes) }

    private var golden: [UInt8] { Base64.decode("AhYFIoF_XZ6GAPV1plu2AYQNAA==") ?? [] }

    func testGoldenVectorDecodes() throws {
        let expected = [
            (37.343083, -122.069707), (37.344249, -122.068331), (37.344578, -122.068176), (37.344803, -122.068176),
            (37.344790, -122.067909),
        ]
        let vertices = try decoded(golden)
        XCTAssertEqual(vertices.count, expected.count)
        for (vertex, (latitude, longitude)) in zip(vertices, expected) {
            XCTAssertEqual(vertex.latitude, latitude, accuracy: 1e-6)
            XCTAssertEqual(vertex.longitude, longitude, accuracy: 1e-6)
        }
    }

    func testEveryTruncationIsRefused() {
        for length in 0..<golden.count { XCTAssertThrowsError(try decoded(Array(golden[..<length])), "\(length) bytes") }
        XCTAssertThrowsError(try decoded(golden + [0]), "a byte too many")
    }

    func testMalformedSegmentsAreRefused() {
        let first = Array(golden[4..<10])
        let rows: [(String, [UInt8])] = [
            ("uncompressed", [1, 22, 2]), ("level 21", [2, 21] + golden[2...]), ("no vertex", [2, 22, 0, 0]),
            ("one vertex", [2, 22, 1, 10] + first + [0]),
            ("count beyond the bytes", [2, 22, 255, 255, 255, 255, 15]), ("endless varint", [2, 22] + [UInt8](repeating: 255, count: 20)),
            ("run of none", [2, 22, 2, 4, 4, 4]), ("runs too long", [2, 22, 2, 34] + first + [0, 0]),
            ("first vertex beyond the face", [2, 22, 2, 16, 255, 255, 255, 255, 255, 255, 0, 0]),
            ("second vertex beyond the face", [2, 22, 2, 16, 0, 0, 0, 0, 0, 0, 1, 0]),
            ("vertices off their cells", Array(golden.dropLast()) + [1, 0] + [UInt8](repeating: 0, count: 24)),
        ]
        for (name, bytes) in rows { XCTAssertThrowsError(try decoded(bytes), name) }
    }

    func testNoBytesBringTheDecoderDown() {
        var generator = SplitMix(state: 7)
        for _ in 0..<20_000 {
            var bytes = golden
            for _ in 0..<3 { bytes[Int(generator.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: generator.next()) }
            for vertex in (try? decoded(bytes)) ?? [] {
                XCTAssertTrue(abs(vertex.latitude) <= 90 && abs(vertex.longitude) <= 180)
            }
        }
    }

    func testEachFaceOfTheCubeLandsOnItsSide() throws {
        // The cell just beyond the middle of each face, twice over.
        let centres = [(0.0, 0.0), (0, 90), (90, 0), (0, 180), (0, -90), (-90, 0)]
        for (face, (latitude, longitude)) in centres.enumerated() {
            let vertices = try decoded([2, 22, 2, UInt8(12 + face), 0, 0, 0, 0, 0, 0xc, 2, 0].map { $0 })
            XCTAssertEqual(vertices[0].latitude, latitude, accuracy: 1e-4, "face \(face)")
            if abs(latitude) < 80 { XCTAssertEqual(abs(vertices[0].longitude), abs(Double(longitude)), accuracy: 1e-4, "face \(face)") }
        }
    }
}

/// A small deterministic generator (SplitMix64).
private struct SplitMix {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var value = state
        value = (value ^ value >> 30) &* 0xbf58_476d_1ce4_e5b9
        value = (value ^ value >> 27) &* 0x94d0_49bb_1331_11eb
        return value ^ value >> 31
    }
}
