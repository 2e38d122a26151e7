import Color
import JPEG
import Testing

@testable import Capture
@testable import Configuration
@testable import Pixels

@Suite("A reading of MJPG")
struct JPEGReaderTests {
    private static let (width, height) = (160, 120)

    /// Makes an image of single-colour blocks, with a little noise or with channels that are either 0 or 255.
    private static func image(seed: UInt32, isClipped: Bool) throws -> [UInt8] {
        var state = seed
        func random(_ range: ClosedRange<Int>) -> Int {
            state = state &* 1_664_525 &+ 1_013_904_223
            return range.lowerBound + Int(state >> 8) % range.count
        }
        let blocks = (0..<300).map { _ in (random(90...160), random(90...160), random(90...160)) }
        let pixels = (0..<width * height).flatMap { index -> [UInt8] in
            let block = blocks[index / width / 8 * 20 + index % width / 8]
            return [block.0, block.1, block.2, 100].map {
                isClipped ? (random(0...3) == 0 ? 0 : 255) : UInt8($0 + random(-6...6))
            }
        }
        let encoder = try JPEGEncoder()
        return try encoder.encode(
            unsafe pixels.span.bytes, order: .rgbx, bytesPerLine: 4 * width, width: width, height: height, quality: 90)
    }

    private static let unclipped = Result { try image(seed: 1, isClipped: false) }
    private static let clipped = Result { try image(seed: 2, isClipped: true) }

    private func mean(_ image: [UInt8], average: Average = .srgb) throws -> RGB {
        var reader = JPEGReader(width: Self.width, height: Self.height, average: average)
        let sums = try? unsafe reader.content(of: image.span.bytes, WantedColors(statistics: true)).colors?.region.sums
        return try #require(sums).mean
    }

    /// Decodes with floating point: each pixel by the equations of JFIF (section 7), with the chroma of its block, and
    /// clamped.
    private func reference(_ image: [UInt8]) throws -> RGB {
        var planar = PlanarImage()
        try JPEGDecoder.decode(unsafe image.span.bytes, width: Self.width, height: Self.height, into: &planar)
        var sum = (r: 0.0, g: 0.0, b: 0.0)
        for row in 0..<Self.height {
            for column in 0..<Self.width {
                func sample(_ plane: Int, _ x: Int, _ y: Int) -> Double {
                    let plane = planar.planes[plane]
                    return Double(plane.bytes[(row >> y) * plane.bytesPerLine + (column >> x)])
                }
                let y = sample(0, 0, 0)
                let cb = sample(1, planar.xShift, planar.yShift) - 128
                let cr = sample(2, planar.xShift, planar.yShift) - 128
                sum.r += min(max(y + 1.402 * cr, 0), 255)
                sum.g += min(max(y - 0.344136 * cb - 0.714136 * cr, 0), 255)
                sum.b += min(max(y + 1.772 * cb, 0), 255)
            }
        }
        let count = Double(Self.width * Self.height)
        return RGB(r: sum.r / count, g: sum.g / count, b: sum.b / count)
    }

    @Test("a reading of MJPG is the mean of every pixel, even if many are clamped", arguments: [false, true])
    func accuracy(isClipped: Bool) throws {
        let image = try (isClipped ? Self.clipped : Self.unclipped).get()
        let (mean, expected) = (try mean(image), try reference(image))
        #expect(abs(mean.r - expected.r) < 0.01)
        #expect(abs(mean.g - expected.g) < 0.01)
        #expect(abs(mean.b - expected.b) < 0.01)
    }

    @Test("a reading of MJPG differs between the mean of code values and the mean of light")
    func linear() throws {
        let image = try Self.unclipped.get()
        #expect(try mean(image, average: .linear).g > mean(image).g + 0.5)
    }

    @Test("a cut-off MJPG frame has no reading", arguments: [0, 1, 100])
    func damaged(length: Int) throws {
        var reader = JPEGReader(width: Self.width, height: Self.height)
        let cut = Array(try Self.unclipped.get().prefix(length))
        let sums = try? unsafe reader.content(of: cut.span.bytes, WantedColors(statistics: true)).colors?.region.sums
        #expect(sums == nil)
    }

    /// Makes a grey image of 16 x 16 pixels.
    /// - Parameter shifts: The subsampling of its chroma; nil if it has none.
    private static func grey(_ luma: UInt8, chromaShifts shifts: (x: Int, y: Int)?) throws -> [UInt8] {
        let (y, chroma) = ([UInt8](repeating: luma, count: 256), [UInt8](repeating: 128, count: 256))
        return try unsafe JPEGEncoder().encode(
            (y.span.bytes, chroma.span.bytes, chroma.span.bytes), bytesPerLine: [16, 16, 16], width: 16, height: 16,
            chromaShifts: shifts, quality: 95)
    }

    @Test("every MJPG frame is read by its own layout, whatever the layouts before it were")
    func layouts() throws {
        var reader = JPEGReader(width: 16, height: 16)
        let layouts: [(x: Int, y: Int)?] = [(0, 0), (1, 1), nil, (1, 0), (0, 0), nil, nil, (1, 1)]
        for (index, shifts) in layouts.enumerated() {
            let luma = 60 + 20 * index
            let image = try Self.grey(UInt8(luma), chromaShifts: shifts)
            let sums = try? unsafe reader.content(of: image.span.bytes, WantedColors(statistics: true)).colors?.region
                .sums
            #expect(abs(try #require(sums).mean.g - Double(luma)) <= 1)
        }
    }

    @Test(
        "MJPG is assumed to be BT.601 with full range, unless the configuration says otherwise",
        arguments: [
            (.auto, "BT.601, full range", 126), (.bt709Limited, "BT.709, limited range", 128.08),
            (.limited, "BT.601, limited range", 128.08),
        ] as [(Config.Camera.Colorimetry, String, Double)])
    func colorimetry(colorimetry: Config.Camera.Colorimetry, words: String, level: Double) throws {
        var reader = JPEGReader(width: 16, height: 16, colorimetry: colorimetry)
        #expect(reader.assumedEncoding == words)
        let image = try Self.grey(126, chromaShifts: (1, 1))
        let sums = try? unsafe reader.content(of: image.span.bytes, WantedColors(statistics: true)).colors?.region.sums
        #expect(abs(try #require(sums).mean.g - level) < 0.1)
    }
}
