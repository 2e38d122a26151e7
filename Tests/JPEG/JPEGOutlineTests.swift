import Testing

@testable import JPEG

@Suite("The outline of a JPEG image")
struct JPEGOutlineTests {
    private func outline(_ bytes: [UInt8]) throws -> JPEGOutline { try JPEGOutline(bytes.span) }

    @Test(
        "a JPEG image ends with its end marker, whatever comes before",
        arguments: [
            [],
            // TEM and restart markers have no length.
            [0xFF, 0x01], [0xFF, 0xD0], [0xFF, 0xD7],
            // Fill bytes and stray bytes.
            [0xFF], [0xFF, 0xFF, 0xFF], [0x00], [0x12, 0x34], [0xFF, 0x00],
            // Segments, of which one contains an end marker.
            [0xFF, 0xE0, 0x00, 0x02], [0xFF, 0xE0, 0x00, 0x05, 0xFF, 0xD9, 0x00], [0xFF, 0xCF, 0x00, 0x02],
            [0xFF, 0xE0, 0x01, 0x00] + [UInt8](repeating: 0xD9, count: 254),
            // A scan, in which 0 follows 0xFF, with restart markers and fill bytes, and a second one.
            [0xFF, 0xDA, 0x00, 0x02, 0x11, 0xFF, 0x00, 0xD9, 0xFF, 0xD0, 0x22, 0xFF, 0xD7, 0x33, 0xFF],
            [0xFF, 0xDA, 0x00, 0x02, 0x11, 0xFF, 0xC0, 0x00, 0x04, 0xFF, 0xD9, 0xFF, 0xDA, 0x00, 0x02, 0x22],
        ] as [[UInt8]])
    func length(content: [UInt8]) throws {
        let image = [0xFF, 0xD8] + content + [0xFF, 0xD9]
        #expect(try outline(image).length == image.count)
        #expect(try outline(image + [0xFF, 0xD9]).length == image.count)
        #expect(throws: JPEGError.truncated) { try outline(image.dropLast()) }
    }

    @Test("only a segment of Huffman tables counts as tables", arguments: [0xC0, 0xC4, 0xDB, 0xDD, 0xE0] as [UInt8])
    func tables(marker: UInt8) throws {
        let image: [UInt8] = [0xFF, 0xD8, 0xFF, marker, 0x00, 0x03, 0x00, 0xFF, 0xE1, 0x00, 0x02, 0xFF, 0xD9]
        #expect(try outline(image).hasHuffmanTables == (marker == 0xC4))
    }

    @Test("a segment with a length of less than 2 is refused", arguments: [0, 1] as [UInt8])
    func invalidLength(length: UInt8) {
        #expect(throws: JPEGError.corrupt("a segment with an invalid length")) {
            try outline([0xFF, 0xD8, 0xFF, 0xE0, 0x00, length, 0xFF, 0xD9])
        }
    }

    @Test(
        "a JPEG image that ends within a segment is refused as truncated",
        arguments: [
            [0xFF, 0xE0], [0xFF, 0xE0, 0x00], [0xFF, 0xE0, 0x00, 0x05, 0xFF, 0xD9], [0xFF, 0xE0, 0xFF, 0xFF],
        ]
            as [[UInt8]])
    func truncated(content: [UInt8]) {
        #expect(throws: JPEGError.truncated) { try outline([0xFF, 0xD8] + content) }
    }

    @Test(
        "bytes that do not begin with the start marker are refused",
        arguments: [[0xFF, 0xD9, 0, 0], [0xD8, 0xFF, 0, 0]] as [[UInt8]])
    func notJPEG(bytes: [UInt8]) {
        #expect(throws: JPEGError.notJPEG) { try outline(bytes) }
    }
}
