/// The requests that Fleet Engine and the token endpoint got, oldest first; the newest 50,000 are kept.
struct History: Sendable {
    struct Entry: Sendable {
        var index: Int
        var path: String
        /// The whole entry as JSON text.
        var text: String
    }

    private static let capacity = 50_000

    private var entries: [Entry] = []
    private var nextIndex = 0

    /// Completes the entry with its index.
    mutating func append(path: String, _ entry: JSONObject) {
        var whole: JSONObject = ["index": .integer(Int64(nextIndex))]
        for member in entry.members { whole.append(member.key, member.value) }
        entries.append(Entry(index: nextIndex, path: path, text: JSON.object(whole).text))
        nextIndex += 1
        // A quarter at a time, so that dropping costs little.
        if entries.count > Self.capacity { entries.removeFirst(Self.capacity / 4) }
    }

    /// Begins again at index 0.
    mutating func clear() {
        entries = []
        nextIndex = 0
    }

    /// Which entries a request asks for.
    struct Selection: Sendable {
        /// Index of the first.
        var since = 0
        /// The beginning of their path.
        var under = ""
    }

    func entries(_ selection: Selection) -> [Entry] {
        let first = entries.first?.index ?? 0
        let skipped = min(max(0, selection.since - first), entries.count)
        return entries[skipped...].filter { $0.path.hasPrefix(selection.under) }
    }
}
