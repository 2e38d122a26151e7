/// A list of bounded length. A new element replaces the oldest once the list is full.
///
/// Elements have numbers, which increase by one from element to element and stay while others come and go.
struct RingBuffer<Element> {
    private let capacity: Int
    private var elements: [Element] = []
    /// The index of the oldest element, once the list is full.
    private var start = 0
    /// The number of the oldest element.
    private(set) var first = 0

    /// - Parameter capacity: The maximum number of elements, at least 1. Their memory is reserved with the first one,
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
        first += 1
    }

    /// Adds elements before the oldest. If there is no room for all of them, the first are omitted.
    mutating func prepend(_ older: [Element]) {
        // A full list is the only one that does not start at 0.
        let room = older.suffix(capacity - elements.count)
        guard !room.isEmpty else { return }
        if elements.isEmpty { elements.reserveCapacity(capacity) }
        elements.insert(contentsOf: room, at: 0)
        first -= room.count
    }

    /// Returns the elements from a number on, the oldest first.
    /// - Parameter limit: The maximum number of elements to return.
    func elements(from number: Int = .min, upTo limit: Int = .max) -> (first: Int, elements: [Element]) {
        let begin = min(max(number, first) - first, count)
        let found = (begin..<begin + min(limit, count - begin)).map { elements[(start + $0) % count] }
        return (first + begin, found)
    }

    /// Removes the elements before the one with a number.
    mutating func remove(before number: Int) {
        guard number > first else { return }
        let rest = elements(from: number)
        (elements, start, first) = (rest.elements, 0, rest.first)
    }
}
