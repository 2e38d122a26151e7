import Pixels
import Testing

@Suite("Bitmap")
struct BitmapTests {
    @Test("a new bitmap is black")
    func black() {
        #expect(Bitmap(width: 3, height: 2)?.bytes == [UInt8](repeating: 0, count: 24))
    }

    @Test(
        "a bitmap with a side outside of 1 to 65536 cannot be made",
        arguments: [(0, 1), (1, 0), (-1, 1), (1, -1), (65537, 1), (1, 65537)])
    func impossibleSides(width: Int, height: Int) {
        #expect(Bitmap(width: width, height: height) == nil)
    }

    @Test("a bitmap may be 65536 pixels wide or high", arguments: [(65536, 1), (1, 65536)])
    func longestSides(width: Int, height: Int) {
        #expect(Bitmap(width: width, height: height)?.bytes.count == 262_144)
    }

    @Test("a bitmap cannot be made from too few or too many bytes", arguments: [0, 23, 25, 18])
    func wrongCount(count: Int) {
        #expect(Bitmap(width: 3, height: 2, bytes: [UInt8](repeating: 0, count: count)) == nil)
    }

    @Test("bitmaps of equal colours are equal, whatever their unused bytes are")
    func equality() {
        #expect(
            Bitmap(width: 2, height: 1, bytes: [1, 2, 3, 4, 5, 6, 7, 8])
                == Bitmap(width: 2, height: 1, bytes: [1, 2, 3, 0, 5, 6, 7, 0]))
    }

    @Test("bitmaps that differ in one channel are not equal", arguments: [0, 1, 2, 4, 5, 6])
    func inequality(channel: Int) {
        var bytes: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8]
        bytes[channel] += 1
        #expect(
            Bitmap(width: 2, height: 1, bytes: [1, 2, 3, 4, 5, 6, 7, 8]) != Bitmap(width: 2, height: 1, bytes: bytes))
    }

    @Test("bitmaps of different width and height are not equal")
    func shape() {
        #expect(Bitmap(width: 2, height: 1) != Bitmap(width: 1, height: 2))
    }

    @Test("bytes written to a bitmap stay in it")
    func drawing() throws {
        var bitmap = try #require(Bitmap(width: 1, height: 1))
        bitmap.withMutableBytes { bytes in
            for index in 0..<3 { bytes[index] = UInt8(index + 7) }
        }
        #expect(bitmap.bytes == [7, 8, 9, 0])
    }
}
