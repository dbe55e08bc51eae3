import JSON

extension JSONDocument {
    /// What `body` makes of the root of a JSON text; nil when the text is longer than `limit` bytes or is not JSON. Nodes must not leave `body`.
    static func read<Result>(_ bytes: [UInt8], limit: Int, _ body: (JSONNode) -> Result?) -> Result? {
        guard bytes.count <= limit else { return nil }
        return bytes.withUnsafeBytes { text in
            guard let document = try? JSONDocument(text) else { return nil }
            defer { extendLifetime(document) }
            return body(document.root)
        }
    }
}
