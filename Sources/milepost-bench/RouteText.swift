import Foundation
import Navigation

/// Routes as text, as services give them.
enum RouteText {
    /// An encoded polyline of precision 6.
    static func polyline(_ points: [Coordinate]) -> String {
        var text: [UInt8] = []
        var previous = (latitude: 0, longitude: 0)
        for point in points {
            let current = (latitude: Int((point.latitude * 1e6).rounded()), longitude: Int((point.longitude * 1e6).rounded()))
            append(current.latitude - previous.latitude, to: &text)
            append(current.longitude - previous.longitude, to: &text)
            previous = current
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static func append(_ difference: Int, to text: inout [UInt8]) {
        var zigzag = difference < 0 ? ~(difference << 1) : difference << 1
        while zigzag >= 32 {
            text.append(UInt8(zigzag & 31 | 32) + 63)
            zigzag >>= 5
        }
        text.append(UInt8(zigzag) + 63)
    }

    /// An OSRM answer to overview=full&annotations=duration,distance,speed.
    static func osrm(_ route: Route) -> String {
        let points = (0..<route.count).map { route.coordinate($0) }
        let geometry = polyline(points).replacingOccurrences(of: "\\", with: "\\\\")
        let lengths = zip(route.along.dropFirst(), route.along).map { $0 - $1 }
        let totals = "\"distance\":\(tenths(route.length)),\"duration\":\(tenths(route.length / 20))"
        let annotation = [
            "\"duration\":\(list(lengths) { tenths($0 / 20) })", "\"distance\":\(list(lengths) { String(format: "%.6f", $0) })",
            "\"speed\":\(list(lengths) { tenths($0 * 2) })",
        ].joined(separator: ",")
        let waypoints = list([points[0], points[points.count - 1]]) { "{\"location\":[\($0.longitude),\($0.latitude)],\"name\":\"\"}" }
        let leg = "{\"steps\":[],\(totals),\"annotation\":{\(annotation)}}"
        return "{\"code\":\"Ok\",\"routes\":[{\"geometry\":\"\(geometry)\",\"legs\":[\(leg)],\(totals)}],\"waypoints\":\(waypoints)}"
    }

    private static func list<Element>(_ elements: [Element], _ text: (Element) -> String) -> String {
        "[\(elements.map(text).joined(separator: ","))]"
    }

    private static func tenths(_ value: Double) -> String { String(format: "%.1f", value) }
}
