import Navigation

/// A route from KML: its LineStrings and tracks (gx:Track) wherever they lie, joined where they continue one another. Single places (Point) are
/// left out.
final class KMLRoute {
    private var line = LineParts()
    private var lineCount = 0
    private var trackCount = 0
    private var isFirstOfMultiTrack = true
    private var text = CoordinateText(blanksJoin: false)
    /// Of the track being read, seconds since 1970; NaN where a time is none.
    private var times: [Double] = []
    private var positionCount = 0

    func start(_ tag: XMLTag, in parent: XMLTag) {
        switch (parent, tag) {
        case (.lineString, .coordinates):
            lineCount += 1
            line.begin("LineString \(lineCount)", maximumGap: LineParts.joint)
            text = CoordinateText(blanksJoin: false)
        case (_, .multiTrack): isFirstOfMultiTrack = true
        case (_, .timedTrack):
            trackCount += 1
            let isContinued = parent == .multiTrack && !isFirstOfMultiTrack
            line.begin("Track \(trackCount)", maximumGap: isContinued ? LineParts.pause : LineParts.joint)
            isFirstOfMultiTrack = false
            times.removeAll(keepingCapacity: true)
            positionCount = 0
        case (.timedTrack, .trackCoordinate): text = CoordinateText(blanksJoin: true)
        default: break
        }
    }

    func text(_ bytes: UnsafeRawBufferPointer, of tag: XMLTag, in parent: XMLTag) throws(RouteFileError) {
        guard isPositions(tag, in: parent) else { return }
        for byte in bytes {
            if let position = try text.take(byte) { try append(position) }
        }
    }

    func end(_ tag: XMLTag, in parent: XMLTag, value: [UInt8]) throws(RouteFileError) {
        if parent == .timedTrack, tag == .when {
            times.append(value.withUnsafeBufferPointer { DateTime.parse($0) } ?? .nan)
        } else if isPositions(tag, in: parent) {
            if let position = try text.finish() { try append(position) }
        }
    }

    private func isPositions(_ tag: XMLTag, in parent: XMLTag) -> Bool {
        (tag == .coordinates && parent == .lineString) || (tag == .trackCoordinate && parent == .timedTrack)
    }

    /// Times come before the positions that they belong to, one for each.
    private func append(_ position: CoordinateText.Position) throws(RouteFileError) {
        guard let point = Ground.position(latitude: position.latitude, longitude: position.longitude, continues: true) else {
            throw RouteFileError("\(position.longitude),\(position.latitude) is not on earth; the longitude comes first")
        }
        try line.append(point, time: times.indices.contains(positionCount) ? times[positionCount] : .nan)
        positionCount += 1
    }

    func description() throws(RouteFileError) -> RouteDescription {
        if line.points.isEmpty { throw RouteFileError("the KML file has neither a LineString nor a gx:Track: add the route's line") }
        return try line.description()
    }
}
