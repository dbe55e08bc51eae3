import CEmulator
import Glibc

/// An HTTP request, read whole.
struct Request: Sendable {
    static let bodyLimit = 1 << 20

    var method: String
    /// Without the query, percent-decoded for people to read.
    var path: String
    /// The parts between slashes, each percent-decoded by itself.
    var segments: [String]
    var query: [(name: String, value: String)]
    var authorization: String?
    var contentType: String?
    var contentEncoding: String?
    var fieldMask: String?
    /// Unpacked.
    var body: [UInt8]
    /// Of the body as it came.
    var bodySize: Int
    var bodyTooLarge: Bool
    /// Its Content-Encoding is gzip and it is not.
    var bodyIsNoGzip = false
    /// Bytes of head and body as they came.
    var size: Int
    /// The connection's descriptor.
    var socket: Int32

    /// nil when the target is not properly percent-encoded.
    init?(_ raw: OpaquePointer) {
        let target = String(cString: emu_http_target(raw)).split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let pathText = target.first ?? ""
        var segments: [String] = []
        for part in pathText.split(separator: "/", omittingEmptySubsequences: false).dropFirst() {
            guard let segment = Self.decoded(part) else { return nil }
            segments.append(segment)
        }
        var query: [(name: String, value: String)] = []
        for pair in target.count > 1 ? target[1].split(separator: "&") : [] {
            let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = Self.decoded(sides[0], isQuery: true), let value = Self.decoded(sides.count > 1 ? sides[1] : "", isQuery: true)
            else { return nil }
            query.append((name, value))
        }
        self.segments = segments
        self.query = query
        method = String(cString: emu_http_method(raw))
        path = "/" + segments.joined(separator: "/")
        authorization = Self.header("Authorization", of: raw)
        contentType = Self.header("Content-Type", of: raw)
        contentEncoding = Self.header("Content-Encoding", of: raw)
        var length = 0
        let bytes = emu_http_body(raw, &length)
        body = Array(UnsafeBufferPointer(start: bytes, count: bytes == nil ? 0 : length))
        bodyTooLarge = emu_http_body_too_large(raw)
        bodySize = length
        size = length + emu_http_head_size(raw)
        socket = emu_http_socket(raw)
        fieldMask = Self.header("X-Goog-FieldMask", of: raw)
        if contentEncoding == "gzip" { unpack() }
    }

    private mutating func unpack() {
        var unpacked: UnsafeMutablePointer<UInt8>?
        var length = 0
        switch emu_gunzip(body, body.count, Self.bodyLimit, &unpacked, &length) {
        case EMU_GUNZIP_OK: body = Array(UnsafeBufferPointer(start: unpacked, count: length))
        case EMU_GUNZIP_TOO_LARGE: bodyTooLarge = true
        default: bodyIsNoGzip = true
        }
        free(unpacked)
    }

    /// The name of the resource that the path names, such as providers/p/vehicles/v; nil for other paths.
    var resource: String? {
        segments.count == 5 && segments[0] == "v1" ? segments.dropFirst().joined(separator: "/") : nil
    }

    /// The first value of a query parameter.
    func parameter(_ name: String) -> String? { query.first { $0.name == name }?.value }

    private static func header(_ name: String, of raw: OpaquePointer) -> String? {
        emu_http_header(raw, name).map { String(cString: $0) }
    }

    private static func decoded(_ text: Substring, isQuery: Bool = false) -> String? {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "%"):
                guard let high = rest.popFirst().flatMap(hexadecimal), let low = rest.popFirst().flatMap(hexadecimal) else { return nil }
                bytes.append(high << 4 | low)
            case UInt8(ascii: "+") where isQuery: bytes.append(UInt8(ascii: " "))
            default: bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func hexadecimal(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}

/// What goes back.
struct Reply: Sendable {
    var status: Int
    var contentType = "application/json; charset=UTF-8"
    var retryAfter: Int64?
    /// The connection is closed after so many bytes of the body.
    var truncatedTo: Int?
    var body: String

    static func json(_ value: JSON) -> Reply { Reply(status: 200, body: value.text + "\n") }

    static func text(_ text: String) -> Reply { Reply(status: 200, contentType: "text/plain; charset=UTF-8", body: text) }

    static func error(_ error: APIError) -> Reply { Reply(status: error.code.httpStatus, body: error.body().text + "\n") }
}

/// An answer, perhaps late, perhaps none.
struct Outcome: Sendable {
    struct Hold: Sendable {
        /// nil: until the gate opens.
        var milliseconds: Int32?
        var gate: Gate
    }

    /// nil closes the connection.
    var reply: Reply?
    var hold: Hold?
}
