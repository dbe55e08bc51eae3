import CExpat
import JSON
import Navigation

/// A route from GPX or KML, read as a stream. Document types are refused, and with them entities of the file's own; so is deep nesting.
final class XMLRoute {
    /// How many elements may lie in one another.
    static let maximumDepth = 64
    /// Bytes that the parser is given at a time: what it keeps is no more.
    private static let chunk = 1 << 20

    private enum Document {
        case unknown
        case gpx(GPXRoute)
        case kml(KMLRoute)
    }

    private var document = Document.unknown
    /// The elements that are open.
    private var path: [XMLTag] = []
    /// The text of a short value.
    private var value: [UInt8] = []
    private var parser: OpaquePointer?
    private var failure: RouteFileError?

    private init() {}

    static func describe(_ bytes: UnsafeRawBufferPointer) throws(RouteFileError) -> RouteDescription {
        let route = XMLRoute()
        try route.read(bytes)
        switch route.document {
        case .unknown: throw RouteFileError("this is XML without an element")
        case .gpx(let gpx): return try gpx.description()
        case .kml(let kml): return try kml.description()
        }
    }

    private func read(_ bytes: UnsafeRawBufferPointer) throws(RouteFileError) {
        var handlers = mp_xml_handlers(
            start: { context, name, attributes in
                guard let context, let name else { return }
                Unmanaged<XMLRoute>.fromOpaque(context).takeUnretainedValue().start(XMLTag(name), XMLAttributes(list: attributes))
            },
            end: { context, _ in
                guard let context else { return }
                Unmanaged<XMLRoute>.fromOpaque(context).takeUnretainedValue().end()
            },
            text: { context, bytes, length in
                guard let context, let bytes else { return }
                let text = UnsafeRawBufferPointer(start: bytes, count: Int(length))
                Unmanaged<XMLRoute>.fromOpaque(context).takeUnretainedValue().text(text)
            },
            doctype: { context, _, _, _, _ in
                guard let context else { return }
                let reason = "a document type (<!DOCTYPE …>), which no route needs and which can hide any amount of text: remove it"
                Unmanaged<XMLRoute>.fromOpaque(context).takeUnretainedValue().fail(RouteFileError(reason))
            })
        guard let parser = mp_xml_create(&handlers, Unmanaged.passUnretained(self).toOpaque()) else {
            throw RouteFileError("there is no memory to read XML")
        }
        self.parser = parser
        defer {
            self.parser = nil
            mp_xml_destroy(parser)
        }
        var offset = 0
        while offset < bytes.count {
            let end = min(offset + Self.chunk, bytes.count)
            let part = UnsafeRawBufferPointer(rebasing: bytes[offset..<end])
            guard mp_xml_feed(parser, part.baseAddress, Int32(part.count), end == bytes.count) else { throw failure ?? syntaxError(parser) }
            offset = end
        }
    }

    private func syntaxError(_ parser: OpaquePointer) -> RouteFileError {
        let reason = mp_xml_error(parser).map { String(cString: $0) } ?? "unreadable"
        return RouteFileError("line \(mp_xml_line(parser)), column \(mp_xml_column(parser)): not XML: \(reason): is the file complete?")
    }

    private func fail(_ error: RouteFileError) {
        guard let parser, failure == nil else { return }
        failure = error.inside("line \(mp_xml_line(parser))")
        mp_xml_stop(parser)
    }

    private func start(_ tag: XMLTag, _ attributes: XMLAttributes) {
        guard failure == nil else { return }
        guard path.count < Self.maximumDepth else {
            return fail(RouteFileError("elements nested deeper than \(Self.maximumDepth) levels: this is no route"))
        }
        value.removeAll(keepingCapacity: true)
        do throws(RouteFileError) {
            switch document {
            case .unknown: try open(tag)
            case .gpx(let gpx): try gpx.start(tag, in: path.last ?? .other, attributes)
            case .kml(let kml): kml.start(tag, in: path.last ?? .other)
            }
        } catch {
            fail(error)
        }
        path.append(tag)
    }

    private func open(_ root: XMLTag) throws(RouteFileError) {
        switch root {
        case .gpx: document = .gpx(GPXRoute())
        case .kml: document = .kml(KMLRoute())
        default: throw RouteFileError("this is XML, but neither GPX nor KML: save the route as one of them or as GeoJSON")
        }
    }

    private func end() {
        guard failure == nil, let tag = path.popLast() else { return }
        do throws(RouteFileError) {
            switch document {
            case .unknown: break
            case .gpx(let gpx): try gpx.end(tag, in: path.last ?? .other, value: value)
            case .kml(let kml): try kml.end(tag, in: path.last ?? .other, value: value)
            }
        } catch {
            fail(error)
        }
    }

    private func text(_ text: UnsafeRawBufferPointer) {
        guard failure == nil, let tag = path.last else { return }
        if tag.isValue {
            // One byte more than any value makes it none.
            value.append(contentsOf: text.filter { $0 > 32 }.prefix(DecimalNumber.maximumLength + 1 - value.count))
            return
        }
        guard case .kml(let kml) = document else { return }
        do throws(RouteFileError) {
            try kml.text(text, of: tag, in: path.count > 1 ? path[path.count - 2] : .other)
        } catch {
            fail(error)
        }
    }
}
