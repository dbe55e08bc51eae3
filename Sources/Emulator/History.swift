/// The requests that Fleet Engine and the token endpoint got, oldest first; the newest 50,000 are kept, and of each path as many as asked for.
struct History: Sendable {
    struct Entry: Sendable {
        var index: Int
        var path: String
        /// The whole entry as JSON text; nil once newer ones of its path have taken its place.
        var text: String?
    }

    private static let capacity = 50_000

    /// nil: no limit of its own.
    private let perPath: Int?
    private var entries: [Entry] = []
    private var nextIndex = 0
    /// Indexes of the entries of each path that still have their text, if those are limited.
    private var kept: [String: [Int]] = [:]

    init(perPath: Int? = nil) { self.perPath = perPath }

    /// Completes the entry with its index.
    mutating func append(path: String, _ entry: @autoclosure () -> JSONObject) {
        defer { nextIndex += 1 }
        if perPath == 0 { return }
        var whole: JSONObject = ["index": .integer(Int64(nextIndex))]
        for member in entry().members { whole.append(member.key, member.value) }
        entries.append(Entry(index: nextIndex, path: path, text: JSON.object(whole).text))
        if let perPath { limit(path, to: perPath) }
        // A quarter at a time, so that dropping costs little.
        if entries.count > Self.capacity { entries.removeFirst(Self.capacity / 4) }
    }

    private mutating func limit(_ path: String, to count: Int) {
        var indexes = kept[path] ?? []
        indexes.append(nextIndex)
        if indexes.count > count {
            let place = indexes.removeFirst() - (entries.first?.index ?? 0)
            if place >= 0 { entries[place].text = nil }
        }
        kept[path] = indexes
    }

    /// Begins again at index 0.
    mutating func clear() { self = History(perPath: perPath) }

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
        return entries[skipped...].filter { $0.text != nil && $0.path.hasPrefix(selection.under) }
    }
}
