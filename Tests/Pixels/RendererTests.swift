import Color
import TestSupport
import Testing

@testable import Pixels

@Suite("Renderer")
struct RendererTests {
    @Test(
        "each pixel is drawn in its colour, rounded to nearest, and nothing beyond the picture is read",
        arguments: PixelFormat.all.map(\.fourCC))
    func colors(fourCC: String) throws {
        let format = try #require(PixelFormat.named(fourCC))
        let areCodesExact =
            format.model == .rgb && !format.isMosaic && format.components.allSatisfy { $0.bits == 8 }
        var random = SeededGenerator(seed: fourCC.utf8.reduce(1) { $0 &* 31 &+ UInt64($1) })
        for (width, height) in [(2, 2), (38, 6), (130, 4), (1, 1), (7, 5), (33, 3)] {
            // Mosaics do not have incomplete cells.
            let cell = format.isMosaic ? 2 : 1
            let picture = RandomPicture(format, width: width * cell, height: height * cell, using: &random)
            let bitmap = try #require(try picture.rendered())
            for (index, color) in bitmap.colors.enumerated() {
                let (y, x) = index.quotientAndRemainder(dividingBy: picture.layout.width)
                let expected = picture.reference(PixelRect(x: x, y: y, width: 1, height: 1))
                if areCodesExact {
                    #expect(color == expected.rounded)
                } else {
                    #expect(color.distance(to: expected) < 0.503, "(\(x), \(y)) of \(width) x \(height)")
                }
            }
        }
    }

    @Test(
        "a rendered picture has the mean that the analyser reads",
        arguments: ["YUYV", "NV12", "RGB3", "RGGB", "HSV3", "P010"])
    func mean(fourCC: String) throws {
        var random = SeededGenerator(seed: 11)
        let format = try #require(PixelFormat.named(fourCC))
        let picture = RandomPicture(format, width: 640, height: 48, using: &random)
        let analyser = try #require(Analyser(layout: picture.layout, region: .full))
        let memory = try picture.buffers.map { try GuardedMemory($0) }
        let sums = memory.lent { analyser.sums(of: $0, $1, $2) }
        let mean = try #require(sums).mean
        let bitmap = try #require(try picture.rendered())
        let drawn = try #require(bitmap.mean(.full))
        // In a mosaic, the mean of two greens often ends on a half.
        #expect(drawn.distance(to: mean) < (format.isMosaic ? 0.3 : 0.1))
    }

    @Test("a picture without its last byte is not drawn", arguments: PixelFormat.all.map(\.fourCC))
    func missingByte(fourCC: String) throws {
        var random = SeededGenerator(seed: 3)
        let picture = RandomPicture(
            try #require(PixelFormat.named(fourCC)), width: 6, height: 4, codes: 100...200, using: &random)
        for buffer in picture.buffers.indices {
            var buffers = picture.buffers
            buffers[buffer].removeLast()
            let bitmap = try picture.rendered(buffers)
            #expect(bitmap == nil)
        }
    }

    @Test("a picture is not drawn into a bitmap of another size, nor in an impossible layout")
    func otherSize() throws {
        var random = SeededGenerator(seed: 3)
        let picture = RandomPicture(
            try #require(PixelFormat.named("GREY")), width: 6, height: 4, codes: 100...200, using: &random)
        let renderer = try #require(Renderer(layout: picture.layout))
        let buffer = picture.buffers[0]
        for (width, height) in [(5, 4), (6, 3), (4, 6), (7, 4)] {
            var bitmap = try #require(Bitmap(width: width, height: height))
            let isDrawn = renderer.render(unsafe buffer.span.bytes, into: &bitmap)
            #expect(!isDrawn && bitmap == Bitmap(width: width, height: height))
        }
        var layout = picture.layout
        layout.bytesPerLine = [5]
        #expect(Renderer(layout: layout) == nil)
    }

    @Test("every channel is rounded to nearest, from black to white")
    func rounding() {
        for step in 0...2550 {
            let value = Double(step) / 10
            let pixel = ConversionTable.bias &+ ConversionTable.entry(value, 255 - value, value)
            let word = ConversionTable.rgbx(ConversionTable.clamped(pixel))
            for (byte, channel) in [value, 255 - value, value].enumerated() {
                #expect(abs(Double(word >> UInt64(8 * byte) & 255) - channel) < 0.5021)
            }
            #expect(word >> 24 == 0)
        }
    }
}

extension RandomPicture {
    /// Renders the picture from memory that ends where the picture does.
    /// - Parameter others: Buffers to use instead of the picture's.
    func rendered(_ others: [[UInt8]]? = nil) throws -> Bitmap? {
        let renderer = try #require(Renderer(layout: layout))
        var bitmap = try #require(Bitmap(width: layout.width, height: layout.height))
        let memory = try (others ?? buffers).map { try GuardedMemory($0) }
        let isDrawn = memory.lent { renderer.render($0, $1, $2, into: &bitmap) }
        return isDrawn ? bitmap : nil
    }
}

extension Bitmap {
    /// The colours row by row.
    var colors: [RGB8] {
        stride(from: 0, to: bytes.count, by: 4).map { RGB8(r: bytes[$0], g: bytes[$0 + 1], b: bytes[$0 + 2]) }
    }

    func mean(_ region: Region) -> RGB? {
        let layout = PixelFormat.named("XB24").map {
            PictureLayout(
                format: $0, encoding: ColorEncoding(matrix: .bt601, range: .full), width: width, height: height,
                bytesPerLine: [4 * width])
        }
        return layout.flatMap { Analyser(layout: $0, region: region) }?.mean(of: unsafe bytes.span.bytes)
    }
}

extension RGB8 {
    func distance(to color: RGB) -> Double {
        RGB(r: Double(r), g: Double(g), b: Double(b)).distance(to: color)
    }
}
