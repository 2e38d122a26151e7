import Pixels
import Testing

@Suite("Bitmap")
struct BitmapTests {
    @Test("a new bitmap is black, and its sides are 1 to 65536 pixels long")
    func sides() {
        #expect(Bitmap(width: 3, height: 2)?.bytes == [UInt8](repeating: 0, count: 24))
        for (width, height) in [(65536, 1), (1, 65536)] {
            #expect(Bitmap(width: width, height: height)?.bytes.count == 262_144)
        }
        for (width, height) in [(0, 1), (1, 0), (-1, 1), (1, -1), (65537, 1), (1, 65537)] {
            #expect(Bitmap(width: width, height: height) == nil)
        }
    }

    @Test("a bitmap cannot be made from too few or too many bytes", arguments: [0, 23, 25, 18])
    func wrongCount(count: Int) {
        #expect(Bitmap(width: 3, height: 2, bytes: [UInt8](repeating: 0, count: count)) == nil)
    }

    @Test("bitmaps of equal sides and colours are equal, whatever their unused bytes are")
    func equality() {
        let bytes: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8]
        let bitmap = Bitmap(width: 2, height: 1, bytes: bytes)
        for index in bytes.indices {
            var other = bytes
            other[index] += 1
            #expect((Bitmap(width: 2, height: 1, bytes: other) == bitmap) == (index % 4 == 3))
        }
        #expect(Bitmap(width: 1, height: 2, bytes: bytes) != bitmap)
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
