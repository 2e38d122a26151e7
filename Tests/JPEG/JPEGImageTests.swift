import CTurboJPEG
import Testing

@testable import JPEG

@Suite("JPEG image")
struct JPEGImageTests {
    private let whole = JPEGSample(subsampling: JPEGSample.subsamplings[1], y: 90, cb: 60, cr: 200).bytes

    private func complete(_ bytes: [UInt8]) throws -> [UInt8] {
        try JPEGImage.complete(unsafe bytes.span.bytes)
    }

    @Test(
        "a JPEG image ends at its end, gets the standard Huffman tables if it has none, and is refused if it is cut off"
    )
    func complete() throws {
        #expect(try complete(whole) == whole)
        #expect(try complete(whole + [0xFF, 0xD8, 1, 2, 3]) == whole)
        #expect(throws: JPEGError.truncated) { try complete(Array(whole.dropLast(3))) }
        // libjpeg-turbo encodes with these tables, so the same ones come back in another place.
        let completed = try complete(JPEGSample.withoutHuffmanTables(whole))
        let outline = try JPEGOutline(completed.span)
        #expect(outline.hasHuffmanTables)
        #expect(try JPEGSample.decodedRGBX(completed, 64, 48) == JPEGSample.decodedRGBX(whole, 64, 48))
    }
}

@Suite("JPEG transform")
struct JPEGTransformTests {
    /// An image of four quarters of 32 x 16 pixels, which differ in red.
    private static let quarters: [UInt8] = (0..<64 * 32).flatMap { index -> [UInt8] in
        let (column, row) = (index % 64 / 32, index / 64 / 16)
        return [UInt8(40 + column * 60 + row * 120), 80, 80, 0]
    }

    @Test(
        "the quarters of a turned JPEG image are in the right places",
        arguments: [
            (0, false, [40, 100, 160, 220]), (0, true, [100, 40, 220, 160]), (90, false, [160, 40, 220, 100]),
            (90, true, [40, 160, 100, 220]), (180, false, [220, 160, 100, 40]), (180, true, [160, 220, 40, 100]),
            (270, false, [100, 220, 40, 160]), (270, true, [220, 100, 160, 40]),
        ])
    func quarters(degrees: Int, isMirrored: Bool, expected: [Int]) throws {
        let pixels = Self.quarters
        let encoder = try JPEGEncoder()
        let image = try encoder.encode(
            unsafe pixels.span.bytes, order: .rgbx, bytesPerLine: 4 * 64, width: 64, height: 32, quality: 95)
        let turned = try JPEGTransform(degreesClockwise: degrees, isMirrored: isMirrored).apply(
            to: image, width: 64, height: 32)
        let (width, height) = degrees % 180 == 0 ? (64, 32) : (32, 64)
        let decoded = try JPEGSample.decodedRGBX(turned, width, height)
        let corners = [(0, 0), (width - 1, 0), (0, height - 1), (width - 1, height - 1)].map { x, y in
            Int(decoded[4 * (y * width + x)])
        }
        #expect(zip(corners, expected).allSatisfy { abs($0 - $1) <= 6 }, "\(corners)")
    }

    @Test("bytes that are not a JPEG image are not turned")
    func rubbish() {
        #expect(throws: JPEGError.self) {
            try JPEGTransform(degreesClockwise: 90, isMirrored: false).apply(to: [1, 2, 3, 4], width: 64, height: 48)
        }
    }

    @Test("a JPEG image of another size than the negotiated one is not turned, however large it claims to be")
    func otherSize() throws {
        var image = JPEGSample(subsampling: JPEGSample.subsamplings[0], y: 90).bytes
        let header = try #require((0..<image.count - 1).first { image[$0] == 0xFF && image[$0 + 1] == 0xC0 })
        // 65500 x 65500 is libjpeg's largest size, whose coefficients would take 24 GB.
        image.replaceSubrange(header + 5..<header + 9, with: [0xFF, 0xDC, 0xFF, 0xDC])
        #expect(throws: JPEGError.otherSize("65500 x 65500 pixels instead of the negotiated 64 x 48")) {
            try JPEGTransform(degreesClockwise: 90, isMirrored: false).apply(to: image, width: 64, height: 48)
        }
    }
}

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

@Suite("The standard Huffman tables")
struct HuffmanTablesTests {
    @Test("the standard Huffman tables are the four of ITU-T T.81, with 12 and 162 symbols each for luma and chroma")
    func bytes() throws {
        let segments = try HuffmanTables.segments.get()
        var symbols: [UInt8: Int] = [:]
        var position = 0
        while position < segments.count {
            #expect(segments[position...].starts(with: [0xFF, 0xC4]))
            let end = position + 2 + Int(segments[position + 2]) << 8 + Int(segments[position + 3])
            symbols[segments[position + 4]] = segments[(position + 5)..<(position + 21)].reduce(0) { $0 + Int($1) }
            position = end
        }
        #expect(symbols == [0x00: 12, 0x10: 162, 0x01: 12, 0x11: 162])
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

@Suite("JPEG errors")
struct JPEGErrorTests {
    @Test(
        "an error is described in words for a person",
        arguments: [
            (.notJPEG, "the frame is not a JPEG image"), (.truncated, "the frame is cut off"),
            (.corrupt("a bad segment"), "the frame is damaged: a bad segment"),
            (.failed("no memory"), "libjpeg-turbo failed: no memory"), (.unsupported("CMYK"), "no support for CMYK"),
        ] as [(JPEGError, String)])
    func description(error: JPEGError, words: String) {
        #expect("\(error)" == words)
    }
}
