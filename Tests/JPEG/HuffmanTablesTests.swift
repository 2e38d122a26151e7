import CTurboJPEG
import Testing

@testable import JPEG

@Suite("The standard Huffman tables")
struct HuffmanTablesTests {
    @Test("the standard Huffman tables are those that libjpeg-turbo writes, byte for byte")
    func bytes() throws {
        let image = JPEGSample(subsampling: JPEGSample.subsamplings[0], y: 90).bytes
        var tables: [UInt8] = []
        var position = 2
        while image[position + 1] != 0xDA {
            let end = position + 2 + Int(image[position + 2]) << 8 + Int(image[position + 3])
            if image[position + 1] == 0xC4 { tables += image[(position + 4)..<end] }
            position = end
        }
        #expect(tables.count == 416)
        #expect(HuffmanTables.segment == [0xFF, 0xC4, 0x01, 0xA2] + tables)
    }

    @Test("the standard Huffman tables decode noise of the best quality, which needs most of their codes")
    func noise() throws {
        let pixels = JPEGSample.noise(count: 4 * 128 * 128)
        let whole = try JPEGEncoder().encode(
            unsafe pixels.span.bytes, order: .rgbx, bytesPerLine: 4 * 128, width: 128, height: 128, quality: 100)
        let without = JPEGSample.withoutHuffmanTables(whole)
        #expect(without.count < whole.count)
        let completed = try JPEGImage.complete(unsafe without.span.bytes)
        #expect(try JPEGSample.decodedRGBX(completed, 128, 128) == JPEGSample.decodedRGBX(whole, 128, 128))
    }
}
