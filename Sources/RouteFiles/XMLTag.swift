import JSON
import Navigation

/// The elements of GPX and KML that matter here, by their name without a prefix: files name the namespaces as they like, or not at all.
enum XMLTag {
    case gpx, track, trackSegment, trackPoint, route, routePoint, shapePoint, time, extensions, durationOfStep, lengthOfStep
    case kml, lineString, coordinates, timedTrack, multiTrack, when, trackCoordinate
    case other

    private static let names: [(name: StaticString, tag: XMLTag)] = [
        ("trkpt", .trackPoint), ("time", .time), ("when", .when), ("coord", .trackCoordinate), ("rtept", .routePoint), ("rpt", .shapePoint),
        ("extensions", .extensions), ("trkseg", .trackSegment), ("trk", .track), ("rte", .route), ("gpx", .gpx), ("kml", .kml),
        ("LineString", .lineString), ("coordinates", .coordinates), ("Track", .timedTrack), ("MultiTrack", .multiTrack),
    ]
    /// GraphHopper's extensions, told from others' by their prefix.
    private static let extensionNames: [(name: StaticString, tag: XMLTag)] = [("gh:time", .durationOfStep), ("gh:distance", .lengthOfStep)]

    init(_ name: UnsafePointer<CChar>) {
        let found =
            Self.extensionNames.first { Self.isEqual(name, $0.name) }
            ?? Self.names.first { Self.isEqual(Self.withoutPrefix(name), $0.name) }
        self = found?.tag ?? .other
    }

    /// Elements whose text is one short value.
    var isValue: Bool { self == .time || self == .when || self == .durationOfStep || self == .lengthOfStep }

    private static func withoutPrefix(_ name: UnsafePointer<CChar>) -> UnsafePointer<CChar> {
        var start = name
        var position = name
        while position.pointee != 0 {
            if position.pointee == 58 { start = position + 1 }
            position += 1
        }
        return start
    }

    private static func isEqual(_ text: UnsafePointer<CChar>, _ name: StaticString) -> Bool {
        for index in 0..<name.utf8CodeUnitCount where UInt8(bitPattern: text[index]) != name.utf8Start[index] { return false }
        return text[name.utf8CodeUnitCount] == 0
    }
}

/// The attributes of an element.
struct XMLAttributes {
    /// Name, value, name, value, …, NULL.
    let list: UnsafeMutablePointer<UnsafePointer<CChar>?>?

    /// The number that an attribute holds.
    func number(_ name: StaticString) -> Double? {
        guard var entry = list else { return nil }
        while let key = entry[0], let value = entry[1] {
            if Self.length(key) == name.utf8CodeUnitCount,
                (0..<name.utf8CodeUnitCount).allSatisfy({ UInt8(bitPattern: key[$0]) == name.utf8Start[$0] })
            {
                let bytes = UnsafeRawPointer(value).assumingMemoryBound(to: UInt8.self)
                return DecimalNumber.parse(UnsafeBufferPointer(start: bytes, count: Self.length(value)))
            }
            entry += 2
        }
        return nil
    }

    /// A position in the attributes lat and lon.
    func position() throws(RouteFileError) -> Coordinate {
        guard let latitude = number("lat"), let longitude = number("lon") else {
            throw RouteFileError("a point without the numbers lat and lon")
        }
        guard let point = Ground.position(latitude: latitude, longitude: longitude, continues: true) else {
            throw RouteFileError("lat \(latitude), lon \(longitude) is not on earth")
        }
        return point
    }

    private static func length(_ text: UnsafePointer<CChar>) -> Int {
        var length = 0
        while text[length] != 0 { length += 1 }
        return length
    }
}
