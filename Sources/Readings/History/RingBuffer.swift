/// A list of bounded length. A new element replaces the oldest once the list is full.
struct RingBuffer<Element> {
    private let capacity: Int
    private var elements: [Element] = []
    /// The index of the oldest element, once the list is full.
    private var start = 0

    /// - Parameter capacity: The greatest number of elements, at least 1. Their memory is reserved with the first one,
    ///   and taken from the system as it is filled.
    init(capacity: Int) {
        self.capacity = capacity
    }

    /// The memory that is reserved, in bytes.
    var byteCount: Int { elements.capacity * MemoryLayout<Element>.stride }

    var count: Int { elements.count }

    /// The newest element; nil if the list is empty.
    var newest: Element? { elements.isEmpty ? nil : elements[newestIndex] }

    private var newestIndex: Int { (start + elements.count - 1) % elements.count }

    /// Replaces the newest element. Nothing happens if the list is empty.
    mutating func replaceNewest(with element: Element) {
        guard !elements.isEmpty else { return }
        elements[newestIndex] = element
    }

    mutating func append(_ element: Element) {
        guard elements.count == capacity else {
            if elements.isEmpty { elements.reserveCapacity(capacity) }
            elements.append(element)
            return
        }
        elements[start] = element
        start = (start + 1) % capacity
    }

    /// Adds elements before the oldest. If there is no room for all of them, the first are omitted.
    mutating func prepend(_ older: [Element]) {
        // A full list is the only one that does not start at 0.
        let room = older.suffix(capacity - elements.count)
        guard !room.isEmpty else { return }
        if elements.isEmpty { elements.reserveCapacity(capacity) }
        elements.insert(contentsOf: room, at: 0)
    }

    /// Calls a function with every element, the oldest first.
    func forEach(_ body: (Element) -> Void) {
        for element in elements[start...] { body(element) }
        for element in elements[..<start] { body(element) }
    }
}
