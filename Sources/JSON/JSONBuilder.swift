import CRapidJSON

/// A JSON object or array being written. Each key is set once. A value that JSON cannot hold (NaN, infinity) leaves its member out.
public final class JSONBuilder {
    /// nil once another has taken it over.
    private var writer: OpaquePointer?

    private init(isArray: Bool) { writer = mp_json_writer_create(isArray) }

    deinit { if let writer { mp_json_writer_destroy(writer) } }

    public static func object() -> JSONBuilder { JSONBuilder(isArray: false) }
    public static func array() -> JSONBuilder { JSONBuilder(isArray: true) }

    public func set(_ key: StaticString, _ value: String) {
        var value = value
        guard let writer = begin(key) else { return }
        value.withUTF8 { Self.withCharacters($0) { mp_json_write_string(writer, $0, $1) } }
    }

    public func set(_ key: StaticString, _ value: Int) {
        if let writer = begin(key) { mp_json_write_integer(writer, Int64(value)) }
    }

    /// In the few digits that read back as the same number.
    public func set(_ key: StaticString, _ value: Double) {
        if value.isFinite, let writer = begin(key) { mp_json_write_real(writer, value) }
    }

    public func set(_ key: StaticString, _ value: Bool) {
        if let writer = begin(key) { mp_json_write_boolean(writer, value) }
    }

    /// Takes over the built value, which is empty afterwards.
    public func set(_ key: StaticString, _ value: JSONBuilder) {
        if value.writer != nil, let writer = begin(key) { value.move(to: writer) }
    }

    public func append(_ value: JSONBuilder) {
        if let writer { value.move(to: writer) }
    }

    /// Compact JSON, after which nothing can be added.
    public func text() -> String {
        var length = 0
        guard let writer, let text = mp_json_written(writer, &length) else { return "" }
        return text.withMemoryRebound(to: UInt8.self, capacity: length) {
            String(decoding: UnsafeBufferPointer(start: $0, count: length), as: UTF8.self)
        }
    }

    private func begin(_ key: StaticString) -> OpaquePointer? {
        guard let writer else { return nil }
        key.withUTF8Buffer { Self.withCharacters($0) { mp_json_write_key(writer, $0, $1) } }
        return writer
    }

    private func move(to other: OpaquePointer) {
        guard let writer else { return }
        mp_json_write_part(other, writer)
        mp_json_writer_destroy(writer)
        self.writer = nil
    }

    private static func withCharacters(_ bytes: UnsafeBufferPointer<UInt8>, _ body: (UnsafePointer<CChar>, Int) -> Void) {
        guard let start = bytes.baseAddress else { return body("", 0) }
        start.withMemoryRebound(to: CChar.self, capacity: bytes.count) { body($0, bytes.count) }
    }
}
