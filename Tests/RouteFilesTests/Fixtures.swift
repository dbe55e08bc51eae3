import Foundation
import Navigation
import XCTest

@testable import RouteFiles

/// A route made on the spot: a line on a plane of degrees, and the answers that a router would give of it.
enum Fixture {
    /// Points near 48° north that read as no place on earth when their precision is mistaken for 5.
    static let north = line([(48.1000, 11.5000), (48.1010, 11.5000), (48.1010, 11.5020), (48.1030, 11.5020), (48.1030, 11.5050)])
    /// Near the Gulf of Guinea every precision stays on earth.
    static let guinea = line([(5.1000, 3.2000), (5.1010, 3.2000), (5.1010, 3.2020), (5.1030, 3.2020), (5.1030, 3.2050)])

    static func line(_ degrees: [(Double, Double)]) -> [Coordinate] { degrees.map { Coordinate(latitude: $0.0, longitude: $0.1) } }

    static func encoded(_ points: [Coordinate], precision: Int) -> String {
        let factor = precision == 5 ? 1e5 : 1e6
        return encoded(points.map { [Int(($0.latitude * factor).rounded()), Int(($0.longitude * factor).rounded())] })
    }

    /// Whole numbers of each point, as many as its dimensions.
    static func encoded(_ points: [[Int]]) -> String {
        var previous = points.first.map { $0.map { _ in 0 } } ?? []
        var text: [UInt8] = []
        for point in points {
            for (value, before) in zip(point, previous) { append(value - before, to: &text) }
            previous = point
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static func append(_ difference: Int, to text: inout [UInt8]) {
        var rest = difference < 0 ? ~(difference << 1) : difference << 1
        while rest >= 32 {
            text.append(UInt8(rest & 31 | 32) + 63)
            rest >>= 5
        }
        text.append(UInt8(rest) + 63)
    }

    static func geoJSON(_ points: [Coordinate]) -> [String: Any] {
        ["type": "LineString", "coordinates": points.map { [$0.longitude, $0.latitude] }]
    }

    static func location(_ point: Coordinate) -> [String: Any] { ["location": [point.longitude, point.latitude]] }

    static func length(_ points: [Coordinate]) -> Double { Ground.length(points[...]) }

    static func step(_ points: [Coordinate], duration: Double, geometry: Any) -> [String: Any] {
        ["distance": length(points), "duration": duration, "geometry": geometry]
    }

    static func json(_ object: Any) throws -> Data { try JSONSerialization.data(withJSONObject: object, options: [.sortedKeys]) }
}

/// An OSRM answer over one line. Legs end at the given indices.
struct Answer {
    var points = Fixture.north
    var legEnds = [4]
    var precision: Int? = 6
    /// The overview's points, where they are not all.
    var overview: [Coordinate]?
    var hasSteps = false
    var annotated = false
    var hasWaypoints = true
    var legDurations: [Double]?

    func geometry(_ points: [Coordinate]) -> Any {
        precision.map { Fixture.encoded(points, precision: $0) } ?? Fixture.geoJSON(points)
    }

    func object() -> [String: Any] {
        var legs: [[String: Any]] = []
        var start = 0
        for (index, end) in legEnds.enumerated() {
            legs.append(leg(Array(points[start...end]), duration: legDurations?[index] ?? 100))
            start = end
        }
        let route: [String: Any] = [
            "geometry": geometry(overview ?? points), "distance": Fixture.length(points),
            "duration": 100.0 * Double(legs.count), "legs": legs,
        ]
        var answer: [String: Any] = ["code": "Ok", "routes": [route]]
        if hasWaypoints { answer["waypoints"] = ([0] + legEnds).map { Fixture.location(points[$0]) } }
        return answer
    }

    private func leg(_ line: [Coordinate], duration: Double) -> [String: Any] {
        var leg: [String: Any] = ["distance": Fixture.length(line), "duration": duration, "steps": [Any]()]
        if hasSteps, let last = line.last {
            let turn = min(1, line.count - 1)
            leg["steps"] = [
                Fixture.step(Array(line[...turn]), duration: duration * 0.75, geometry: geometry(Array(line[...turn]))),
                Fixture.step(Array(line[turn...]), duration: duration * 0.25, geometry: geometry(Array(line[turn...]))),
                Fixture.step([last], duration: 0, geometry: geometry([last, last])),
            ]
        }
        if annotated {
            leg["annotation"] = [
                "duration": (1..<max(1, line.count)).map(Double.init), "speed": [Double](repeating: 10, count: line.count - 1),
            ]
        }
        return leg
    }
}

extension XCTestCase {
    func describe(_ data: Data) throws -> RouteDescription { try data.withUnsafeBytes { try RouteFile.describe($0) } }
    func describe(_ text: String) throws -> RouteDescription { try describe(Data(text.utf8)) }
    func describe(_ answer: Answer) throws -> RouteDescription { try describe(Fixture.json(answer.object())) }

    /// The reason why a file is refused.
    func refusal(_ data: Data, file: StaticString = #filePath, line: UInt = #line) -> String {
        do {
            _ = try describe(data)
            XCTFail("not refused", file: file, line: line)
            return ""
        } catch {
            return (error as? RouteFileError)?.reason ?? "\(error)"
        }
    }

    func refusal(_ text: String, file: StaticString = #filePath, line: UInt = #line) -> String {
        refusal(Data(text.utf8), file: file, line: line)
    }

    func refusal(_ object: [String: Any], file: StaticString = #filePath, line: UInt = #line) throws -> String {
        refusal(try Fixture.json(object), file: file, line: line)
    }

    func assertContains(_ text: String, _ part: String, file: StaticString = #filePath, line: UInt = #line) {
        XCTAssertTrue(text.contains(part), "\"\(text)\" does not contain \"\(part)\"", file: file, line: line)
    }

    func assertEqual(
        _ points: [Coordinate], _ expected: [Coordinate], accuracy: Double = 1e-9, file: StaticString = #filePath, line: UInt = #line
    ) {
        XCTAssertEqual(points.count, expected.count, file: file, line: line)
        for (a, b) in zip(points, expected) {
            XCTAssertEqual(a.latitude, b.latitude, accuracy: accuracy, file: file, line: line)
            XCTAssertEqual(a.longitude, b.longitude, accuracy: accuracy, file: file, line: line)
        }
    }
}
