import JSON
import Navigation

/// Routes from files: the format is told from the content. Each format is one file beside this one.
public enum RouteFile {
    /// The longest file that is read: 64 MiB.
    public static let maximumBytes = 64 << 20

    /// A route from the bytes of a file: an answer of OSRM or Mapbox Directions v5, Google Routes or Directions, Valhalla, GraphHopper or Fleet Engine
    /// (journey segments), GeoJSON, GPX, KML, or an encoded polyline.
    public static func load(_ bytes: UnsafeRawBufferPointer) throws(RouteFileError) -> Route {
        try route(describe(bytes))
    }

    /// A route from an encoded polyline of known precision, 5 or 6.
    public static func loadPolyline(_ text: String, precision: Int) throws(RouteFileError) -> Route {
        var text = text
        let points: Result<[Coordinate], RouteFileError> = text.withUTF8 { bytes in
            do throws(RouteFileError) {
                return .success(try EncodedPolyline.decode(bytes, precision: precision))
            } catch {
                return .failure(error)
            }
        }
        return try route(description(of: points.get()))
    }

    /// What the bytes of a file say, before the route is measured and checked.
    public static func describe(_ bytes: UnsafeRawBufferPointer) throws(RouteFileError) -> RouteDescription {
        try checkSize(bytes.count)
        let text = try FileText(bytes)
        switch text.kind {
        case .json: return try describe(json: text.bytes)
        case .polyline: return try describe(polyline: text.bytes)
        case .page: throw RouteFileError("this is an HTML page, not a route: the server or a portal before it answered with a page")
        case .xml: return try XMLRoute.describe(text.bytes)
        case .unknown(let byte, let offset):
            throw RouteFileError(
                "byte \(offset): \(byte) is neither JSON nor part of an encoded polyline: give a router's answer, GeoJSON, GPX, KML, or an encoded polyline"
            )
        }
    }

    static func checkSize(_ count: Int) throws(RouteFileError) {
        if count > maximumBytes { throw RouteFileError("\(count) bytes are more than the \(maximumBytes) that are read: split the route") }
    }

    /// A line without legs, durations or declared lengths: one leg.
    static func description(of points: [Coordinate]) -> RouteDescription {
        RouteDescription(points: points, legEnds: [points.count - 1])
    }

    private static func describe(json bytes: UnsafeRawBufferPointer) throws(RouteFileError) -> RouteDescription {
        let document: JSONDocument
        do throws(JSONError) {
            document = try JSONDocument(bytes)
        } catch {
            throw RouteFileError("line \(error.line), column \(error.column): not JSON: \(error.reason): is the file complete?")
        }
        return try describe(document.root)
    }

    /// OSRM's answers have no sign of their own, so that they come last.
    private static func describe(_ root: JSONNode) throws(RouteFileError) -> RouteDescription {
        if GeoJSONRoute.matches(root) { return try GeoJSONRoute.describe(root) }
        if ValhallaRoute.matches(root) { return try ValhallaRoute.describe(root) }
        if GraphHopperRoute.matches(root) { return try GraphHopperRoute.describe(root) }
        if FleetEngineJourney.matches(root) { return try FleetEngineJourney.describe(root) }
        if GoogleRoute.matches(root) { return try GoogleRoute.describe(root) }
        if GoogleDirectionsRoute.matches(root) { return try GoogleDirectionsRoute.describe(root) }
        return try OSRMRoute.describe(root)
    }

    /// Nothing in the text tells its precision: 5, unless that leaves the earth. Where 5 would cross the 180th meridian and 6 would not, both
    /// are likely, and neither is taken.
    private static func describe(polyline bytes: UnsafeRawBufferPointer) throws(RouteFileError) -> RouteDescription {
        let line = try EncodedPolyline(bytes.bindMemory(to: UInt8.self))
        let isFive = line.isWithinDegrees(precision: 5)
        if !isFive, (try? line.coordinates(precision: 5)) != nil {
            throw RouteFileError(
                "the polyline may have precision 5 and cross the 180th meridian, or have precision 6: load it with its precision")
        }
        return try description(of: line.coordinates(precision: isFive ? 5 : 6))
    }

    private static func route(_ description: RouteDescription) throws(RouteFileError) -> Route {
        do throws(RouteError) {
            return try Route(description)
        } catch {
            throw RouteFileError(error.reason)
        }
    }
}
