/// First in, first out; the oldest is dropped when there are too many, so that a host whose callbacks are slow costs no memory.
struct BoundedQueue<Element> {
    private let capacity: Int
    private var elements: [Element] = []

    init(capacity: Int) { self.capacity = capacity }

    var isEmpty: Bool { elements.isEmpty }

    mutating func append(_ element: Element) {
        if elements.count >= capacity { elements.removeFirst() }
        elements.append(element)
    }

    mutating func takeAll() -> [Element] {
        let all = elements
        elements.removeAll(keepingCapacity: true)
        return all
    }
}
