import Color
import TestSupport
import Testing

@testable import Pixels

@Suite("JFIF converter")
struct JFIFConverterTests {
    static let formats = PixelFormat.all.filter(\.isStoredByJPEG)

    @Test("a converter can be made for 8-bit Y'CbCr whose chroma JPEG can store, and for 8-bit grey")
    func readable() {
        #expect(
            Self.formats.map(\.fourCC) == [
                "YUV3", "YUV4", "AYUV", "XYUV", "VUYA", "VUYX", "YUVA", "YUVX", "NV24", "NV42", "YM24", "YM42", "YUYV",
                "UYVY", "YVYU", "VYUY", "NV16", "NV61", "NM16", "NM61", "422P", "YM16", "YM61", "NV12", "NV21", "NM12",
                "NM21", "YU12", "YV12", "YM12", "YM21", "M420", "GREY",
            ])
    }

    @Test(
        "the planes have each pixel's colour by JFIF's formulas, and nothing beyond the picture is read",
        arguments: formats.map(\.fourCC))
    func colors(fourCC: String) throws {
        let format = try #require(PixelFormat.named(fourCC))
        var random = SeededGenerator(seed: fourCC.utf8.reduce(1) { $0 &* 31 &+ UInt64($1) })
        var planes = JFIFPlanes()
        for (width, height) in [(2, 2), (38, 6), (130, 4), (1, 1), (7, 5), (33, 3), (65, 2), (200, 1)] {
            for range in [ColorEncoding.Range.full, .limited] {
                let encoding = ColorEncoding(matrix: .bt601, range: range)
                let picture = RandomPicture(
                    format, width: width, height: height, codes: RandomPicture.calm, encoding: encoding, using: &random)
                let isConverted = try picture.converted(into: &planes)
                #expect(isConverted)
                #expect((planes.width, planes.height) == (width, height))
                for (y, x) in (0..<height).flatMap({ y in (0..<width).map { (y, $0) } }) {
                    let expected = picture.reference(PixelRect(x: x, y: y, width: 1, height: 1))
                    #expect(planes.color(x, y).distance(to: expected) < 1.5, "(\(x), \(y)) of \(width) x \(height)")
                }
            }
        }
    }

    @Test(
        "each code value is rescaled, rounded to nearest and clamped", arguments: [ColorEncoding.Range.full, .limited])
    func codes(range: ColorEncoding.Range) throws {
        let codes = (0...255).map { UInt8($0) }
        let layout = PictureLayout(
            format: .decoded(xShift: 0, yShift: 0), encoding: ColorEncoding(matrix: .bt601, range: range), width: 256,
            height: 1, bytesPerLine: [256, 256, 256])
        let converter = try #require(JFIFConverter(layout: layout))
        var planes = JFIFPlanes()
        let isConverted = converter.convert(
            unsafe codes.span.bytes, unsafe codes.span.bytes, unsafe codes.span.bytes, into: &planes)
        #expect(isConverted)
        for code in 0...255 {
            let luma = range == .full ? Double(code) : Double(code - 16) * 255 / 219
            let chroma = range == .full ? Double(code) : Double(code - 128) * 255 / 224 + 128
            for (plane, value) in zip(planes.planes, [luma, chroma, chroma]) {
                #expect(abs(Double(plane.bytes[code]) - min(max(value, 0), 255)) <= 0.5)
            }
        }
    }

    @Test("the last column and row of luma are repeated to complete chroma cells", arguments: [(5, 3), (4, 3), (5, 2)])
    func padding(width: Int, height: Int) throws {
        let format = PixelFormat.decoded(xShift: 1, yShift: 1)
        var random = SeededGenerator(seed: 5)
        let picture = RandomPicture(
            format, width: width, height: height, encoding: ColorEncoding(matrix: .bt601, range: .full), using: &random)
        var planes = JFIFPlanes()
        let isConverted = try picture.converted(into: &planes)
        #expect(isConverted)
        let luma = planes.planes[0]
        #expect((luma.bytesPerLine, luma.rows) == ((width + 1) / 2 * 2, (height + 1) / 2 * 2))
        #expect((planes.planes[1].bytesPerLine, planes.planes[1].rows) == ((width + 1) / 2, (height + 1) / 2))
        for (y, x) in (0..<luma.rows).flatMap({ y in (0..<luma.bytesPerLine).map { (y, $0) } }) {
            let nearest = luma.bytes[min(y, height - 1) * luma.bytesPerLine + min(x, width - 1)]
            #expect(luma.bytes[y * luma.bytesPerLine + x] == nearest)
        }
    }

    @Test("a grey picture becomes luma alone")
    func grey() throws {
        var random = SeededGenerator(seed: 5)
        let picture = RandomPicture(try #require(PixelFormat.named("GREY")), width: 7, height: 3, using: &random)
        var planes = JFIFPlanes()
        let isConverted = try picture.converted(into: &planes)
        #expect(isConverted)
        #expect(planes.isGrey)
        #expect(planes.planes[0].bytes.count == 21)
        #expect(planes.planes[1].bytes.isEmpty && planes.planes[2].bytes.isEmpty)
    }

    @Test("a picture that lacks a byte leaves the planes unchanged", arguments: formats.map(\.fourCC))
    func missingByte(fourCC: String) throws {
        var random = SeededGenerator(seed: 3)
        let picture = RandomPicture(
            try #require(PixelFormat.named(fourCC)), width: 6, height: 4,
            encoding: ColorEncoding(matrix: .bt601, range: .full), using: &random)
        for buffer in picture.buffers.indices {
            var buffers = picture.buffers
            buffers[buffer].removeLast()
            var planes = JFIFPlanes()
            let isConverted = try picture.converted(buffers, into: &planes)
            #expect(!isConverted)
            #expect(planes == JFIFPlanes())
        }
    }

    @Test(
        "no converter can be made for a matrix other than BT.601's, or for an impossible layout",
        arguments: [(.bt709, 20), (.bt2020, 20), (.smpte240M, 20), (.bt601, 19)]
            as [(ColorEncoding.LumaCoefficients, Int)])
    func impossible(matrix: ColorEncoding.LumaCoefficients, bytesPerLine: Int) throws {
        let layout = PictureLayout(
            format: try #require(PixelFormat.named("YUYV")), encoding: ColorEncoding(matrix: matrix, range: .limited),
            width: 10, height: 10, bytesPerLine: [bytesPerLine])
        #expect(JFIFConverter(layout: layout) == nil)
    }
}

extension PixelFormat {
    /// Whether JPEG can store the format with the matrix of BT.601.
    fileprivate var isStoredByJPEG: Bool {
        let layout = PictureLayout(
            format: self, encoding: ColorEncoding(matrix: .bt601, range: .limited), width: 64, height: 64,
            bytesPerLine: [Int](repeating: 256, count: bufferCount))
        return JFIFConverter(layout: layout) != nil
    }
}

extension RandomPicture {
    /// Converts the picture from memory that ends where the picture does.
    /// - Parameter others: Buffers to use instead of the picture's.
    func converted(_ others: [[UInt8]]? = nil, into planes: inout JFIFPlanes) throws -> Bool {
        let converter = try #require(JFIFConverter(layout: layout))
        let memory = try (others ?? buffers).map { try GuardedMemory($0) }
        return memory.lent { converter.convert($0, $1, $2, into: &planes) }
    }
}

extension JFIFPlanes {
    /// Returns the colour of a pixel (JFIF 1.02, section 7).
    func color(_ x: Int, _ y: Int) -> RGB {
        func sample(_ index: Int, _ x: Int, _ y: Int) -> Double {
            Double(planes[index].bytes[y * planes[index].bytesPerLine + x])
        }
        let luma = sample(0, x, y)
        if isGrey { return RGB(r: luma, g: luma, b: luma) }
        let (cb, cr) = (sample(1, x >> xShift, y >> yShift) - 128, sample(2, x >> xShift, y >> yShift) - 128)
        return RGB(r: luma + 1.402 * cr, g: luma - 0.34414 * cb - 0.71414 * cr, b: luma + 1.772 * cb)
    }
}
