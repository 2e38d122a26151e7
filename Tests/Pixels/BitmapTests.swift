import Pixels
import Testing

@Suite("A bitmap")
struct BitmapTests {
    @Test("is black at first")
    func black() {
        #expect(Bitmap(width: 3, height: 2)?.bytes == [UInt8](repeating: 0, count: 24))
    }

    @Test("has sides of 1 to 65536", arguments: [(0, 1), (1, 0), (-1, 1), (1, -1), (65537, 1), (1, 65537)])
    func impossibleSides(width: Int, height: Int) {
        #expect(Bitmap(width: width, height: height) == nil)
    }

    @Test("may be as long as 65536 pixels", arguments: [(65536, 1), (1, 65536)])
    func longestSides(width: Int, height: Int) {
        #expect(Bitmap(width: width, height: height)?.bytes.count == 262_144)
    }

    @Test("is not made of too few or too many bytes", arguments: [0, 23, 25, 18])
    func wrongCount(count: Int) {
        #expect(Bitmap(width: 3, height: 2, bytes: [UInt8](repeating: 0, count: count)) == nil)
    }

    @Test("equals one with the same colours, whatever is in the bytes that mean nothing")
    func equality() {
        #expect(
            Bitmap(width: 2, height: 1, bytes: [1, 2, 3, 4, 5, 6, 7, 8])
                == Bitmap(width: 2, height: 1, bytes: [1, 2, 3, 0, 5, 6, 7, 0]))
    }

    @Test("differs from one with another channel", arguments: [0, 1, 2, 4, 5, 6])
    func inequality(channel: Int) {
        var bytes: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8]
        bytes[channel] += 1
        #expect(
            Bitmap(width: 2, height: 1, bytes: [1, 2, 3, 4, 5, 6, 7, 8]) != Bitmap(width: 2, height: 1, bytes: bytes))
    }

    @Test("differs from one of another shape")
    func shape() {
        #expect(Bitmap(width: 2, height: 1) != Bitmap(width: 1, height: 2))
    }

    @Test("can be drawn into")
    func drawing() throws {
        var bitmap = try #require(Bitmap(width: 1, height: 1))
        bitmap.withMutableBytes { bytes in
            for index in 0..<3 { bytes[index] = UInt8(index + 7) }
        }
        #expect(bitmap.bytes == [7, 8, 9, 0])
    }
}
