import Testing

@testable import Readings

@Suite("Buffers of bounded length")
struct RingBufferTests {
    private func elements(of buffer: RingBuffer<Int>) -> [Int] {
        var elements: [Int] = []
        buffer.forEach { elements.append($0) }
        return elements
    }

    @Test("the newest elements stay, in the order in which they came", arguments: [0, 1, 2, 3, 4, 5, 6, 7])
    func newest(count: Int) {
        var buffer = RingBuffer<Int>(capacity: 3)
        for element in 0..<count { buffer.append(element) }
        #expect(elements(of: buffer) == Array((0..<count).suffix(3)))
        #expect(buffer.newest == (count > 0 ? count - 1 : nil) && buffer.count == min(count, 3))
    }

    @Test("the newest element can be replaced, even after older ones were overwritten", arguments: [1, 3, 5])
    func replaced(count: Int) {
        var buffer = RingBuffer<Int>(capacity: 3)
        for element in 0..<count { buffer.append(element) }
        buffer.replaceNewest(with: 9)
        #expect(elements(of: buffer) == (0..<count).suffix(3).dropLast() + [9])
    }

    @Test("an empty buffer has no newest element to replace")
    func empty() {
        var buffer = RingBuffer<Int>(capacity: 3)
        buffer.replaceNewest(with: 9)
        #expect(buffer.newest == nil && buffer.byteCount == 0)
    }
}
