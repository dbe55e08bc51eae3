/// Cuts a stream of bytes into lines, however the bytes arrive. Bounded: an overlong line is dropped, and the next newline starts afresh.
struct LineSplitter {
    /// The longest line that libgps itself takes, without its newline.
    static let limit = 20_479

    /// Lines dropped for their length.
    private(set) var overlong = 0
    private var line: [UInt8] = []
    private var isComplete = false
    private var isSkipping = false

    init() { line.reserveCapacity(Self.limit) }

    /// Takes bytes from the front of `input`, up to and including the next newline. True: `withLine` has a complete line. False: `input` is used up.
    mutating func next(from input: inout UnsafeRawBufferPointer) -> Bool {
        if isComplete {
            line.removeAll(keepingCapacity: true)
            isComplete = false
        }
        while !input.isEmpty {
            let newline = input.firstIndex(of: 10)
            let piece = UnsafeRawBufferPointer(rebasing: input[..<(newline ?? input.endIndex)])
            input = UnsafeRawBufferPointer(rebasing: input[(newline.map { $0 + 1 } ?? input.endIndex)...])
            take(piece)
            guard newline != nil else { return false }
            if isSkipping {
                isSkipping = false
            } else {
                isComplete = true
                if line.last == 13 { line.removeLast() }
                return true
            }
        }
        return false
    }

    private mutating func take(_ piece: UnsafeRawBufferPointer) {
        guard !isSkipping else { return }
        if line.count + piece.count <= Self.limit {
            line.append(contentsOf: piece)
        } else {
            overlong &+= 1
            isSkipping = true
            line.removeAll(keepingCapacity: true)
        }
    }

    /// The line without its end.
    func withLine<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result { line.withUnsafeBufferPointer(body) }

    /// Forgets a line begun: the next byte starts another connection.
    mutating func reset() {
        line.removeAll(keepingCapacity: true)
        isComplete = false
        isSkipping = false
    }
}
