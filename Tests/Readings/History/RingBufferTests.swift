import Testing

@testable import Readings

@Suite("Buffers of bounded length")
struct RingBufferTests {
    @Test("the newest elements stay, in the order in which they came", arguments: [0, 1, 2, 3, 4, 5, 6, 7])
    func newest(count: Int) {
        var buffer = RingBuffer<Int>(capacity: 3)
        for element in 0..<count { buffer.append(element) }
        #expect(buffer.elements().elements == Array((0..<count).suffix(3)))
        #expect(buffer.newest == (count > 0 ? count - 1 : nil) && buffer.count == min(count, 3))
    }

    @Test("the newest element can be replaced, even after older ones were overwritten", arguments: [0, 1, 3, 5])
    func replaced(count: Int) {
        var buffer = RingBuffer<Int>(capacity: 3)
        for element in 0..<count { buffer.append(element) }
        buffer.replaceNewest(with: 9)
        #expect(buffer.elements().elements == (0..<count).suffix(3).dropLast() + (count > 0 ? [9] : []))
    }

    @Test("elements keep their numbers while others come and go")
    func numbers() {
        var buffer = RingBuffer<Int>(capacity: 4)
        for element in 0..<6 { buffer.append(element) }
        #expect(buffer.elements(from: 4).elements == [4, 5] && buffer.elements(from: 9).elements.isEmpty)
        #expect(buffer.elements(upTo: 3) == (first: 2, elements: [2, 3, 4]))
        buffer.remove(before: 4)
        buffer.remove(before: 3)
        buffer.prepend([1, 2, 3])
        #expect(buffer.elements() == (first: 2, elements: [2, 3, 4, 5]))
        buffer.remove(before: .max)
        buffer.append(6)
        #expect(buffer.elements() == (first: 6, elements: [6]))
    }
}
