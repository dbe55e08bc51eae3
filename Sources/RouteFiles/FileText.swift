/// A file's text without byte order mark and surrounding white space, and what it looks like.
struct FileText {
    enum Kind: Equatable {
        case json
        case polyline
        case page
        case xml
        /// None of these; the first byte that an encoded polyline cannot have, and its offset in the file.
        case unknown(byte: UInt8, offset: Int)
    }

    let bytes: UnsafeRawBufferPointer
    let kind: Kind

    init(_ file: UnsafeRawBufferPointer) throws(RouteFileError) {
        if file.starts(with: [0xFF, 0xFE]) || file.starts(with: [0xFE, 0xFF]) {
            throw RouteFileError("byte 0: this is UTF-16: save the file as UTF-8")
        }
        if file.starts(with: [0x50, 0x4B, 3, 4]) {
            throw RouteFileError("byte 0: this is a zip archive, as KMZ is: unpack it and give the KML file in it (doc.kml)")
        }
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let afterMark = file.starts(with: mark) ? mark.count : 0
        guard let start = file[afterMark...].firstIndex(where: { !Self.isSpace($0) }),
            let last = file.lastIndex(where: { !Self.isSpace($0) })
        else { throw RouteFileError("the file is empty") }
        bytes = UnsafeRawBufferPointer(rebasing: file[start...last])
        kind = Self.kind(of: bytes, at: start)
    }

    /// Polylines may begin like JSON, but never hold a quotation mark; JSON without one holds no route.
    private static func kind(of text: UnsafeRawBufferPointer, at start: Int) -> Kind {
        guard let odd = text.firstIndex(where: { !EncodedPolyline.alphabet.contains($0) }) else {
            return text.elementsEqual("{}".utf8) || text.elementsEqual("[]".utf8) ? .json : .polyline
        }
        switch text[0] {
        case UInt8(ascii: "{"), UInt8(ascii: "["): return .json
        case UInt8(ascii: "<"): return isPage(text) ? .page : .xml
        default: return .unknown(byte: text[odd], offset: start + odd)
        }
    }

    private static func isPage(_ text: UnsafeRawBufferPointer) -> Bool {
        ["<!doctype html", "<html"].contains { tag in
            text.count >= tag.utf8.count && zip(text, tag.utf8).allSatisfy { lowercased($0) == $1 }
        }
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 { (65...90).contains(byte) ? byte + 32 : byte }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 32 || (9...13).contains(byte) }
}
