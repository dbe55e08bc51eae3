import CJansson

/// A JSON object or array being built. A value that JSON cannot hold (NaN, infinity) leaves its member out.
public final class JSONBuilder {
    private var tree: OpaquePointer?

    private init(_ tree: OpaquePointer?) { self.tree = tree }

    deinit { if let tree { mp_json_release(tree) } }

    public static func object() -> JSONBuilder { JSONBuilder(mp_json_new_object()) }
    public static func array() -> JSONBuilder { JSONBuilder(mp_json_new_array()) }

    public func set(_ key: StaticString, _ value: String) { set(key, node: Self.node(value)) }
    public func set(_ key: StaticString, _ value: Int) { set(key, node: mp_json_new_integer(Int64(value))) }
    public func set(_ key: StaticString, _ value: Double) { set(key, node: mp_json_new_real(value)) }
    public func set(_ key: StaticString, _ value: Bool) { set(key, node: mp_json_new_boolean(value)) }

    /// Takes over the built value, which is empty afterwards.
    public func set(_ key: StaticString, _ value: JSONBuilder) { set(key, node: value.take()) }

    public func append(_ value: JSONBuilder) {
        guard let tree, let node = value.take() else { return }
        _ = mp_json_append(tree, node)
    }

    /// Compact JSON, reals with so many significant digits.
    public func text(significantDigits: Int32 = 15) -> String {
        var length = 0
        guard let tree, let text = mp_json_write(tree, significantDigits, &length) else { return "" }
        defer { mp_json_free_text(text) }
        return text.withMemoryRebound(to: UInt8.self, capacity: length) {
            String(decoding: UnsafeBufferPointer(start: $0, count: length), as: UTF8.self)
        }
    }

    private func set(_ key: StaticString, node: OpaquePointer?) {
        guard let tree, let node else { return }
        _ = mp_json_set(tree, UnsafeRawPointer(key.utf8Start).assumingMemoryBound(to: CChar.self), node)
    }

    private func take() -> OpaquePointer? {
        defer { tree = nil }
        return tree
    }

    private static func node(_ text: String) -> OpaquePointer? {
        var text = text
        return text.withUTF8 { bytes in
            guard let base = bytes.baseAddress else { return mp_json_new_string("", 0) }
            return base.withMemoryRebound(to: CChar.self, capacity: bytes.count) { mp_json_new_string($0, bytes.count) }
        }
    }
}
