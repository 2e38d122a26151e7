import Color
import Testing

@testable import Pixels

@Suite("Analyser")
struct AnalyserTests {
    static let encodings = [
        ColorEncoding(matrix: .bt601, range: .limited), ColorEncoding(matrix: .bt601, range: .full),
        ColorEncoding(matrix: .bt709, range: .limited), ColorEncoding(matrix: .bt2020, range: .limited),
        ColorEncoding(matrix: .smpte240M, range: .full),
    ]

    @Test(
        "the mean of a picture is that of its pixels, each decoded and clamped", arguments: Picture.formats, encodings)
    func meanOfNoise(fourCC: String, encoding: ColorEncoding) throws {
        let picture = try Picture(noise: fourCC, encoding: encoding, width: 38, height: 22, padding: 6)
        let mean = try #require(picture.mean(.full))
        let expected = picture.reference(PixelRect(x: 0, y: 0, width: 38, height: 22))
        #expect(mean.distance(to: expected) < 0.002)
    }

    @Test("the linear mean is the encoded mean of the pixels' light", arguments: Picture.formats)
    func meanOfLight(fourCC: String) throws {
        let picture = try Picture(noise: fourCC, encoding: Self.encodings[0], width: 38, height: 22, padding: 2)
        let expected = picture.reference(PixelRect(x: 0, y: 0, width: 38, height: 22), light: true)
        let mean = try #require(picture.mean(.full, average: .linear))
        #expect(mean.distance(to: expected) < 0.01)
    }

    @Test(
        "code values that are proportional to light become light above black, times the gain",
        arguments: [("BA81", 8, 16), ("BG10", 10, 16), ("BG12", 12, 64), ("GREY", 8, .infinity)]
            as [(String, Int, Double)])
    func linear(fourCC: String, bits: Int, blackDivisor: Double) throws {
        let black = 1 / blackDivisor
        let levels = Double(1 << bits)
        let code = levels * (black + (1 - black) / 8)
        let light = ColorEncoding.LinearLight(black: black, gains: .init(r: 4, g: 1, b: 2))
        let encoding = ColorEncoding(matrix: .bt601, range: .full, linearLight: light)
        let format = try #require(PixelFormat.named(fourCC))
        let layout = PictureLayout(
            format: format, encoding: encoding, width: 8, height: 8, bytesPerLine: [bits > 8 ? 16 : 8])
        let analyser = try #require(Analyser(layout: layout, region: .full))
        let word = UInt16(code)
        let bytes = (0..<64).flatMap { _ in
            bits > 8 ? [UInt8(truncatingIfNeeded: word), UInt8(word >> 8)] : [UInt8(word)]
        }
        let linear = try #require(unsafe analyser.colors(of: bytes.span.bytes, withStatistics: false)?.light.linear)
        let above = (Double(word) - black * levels) / (levels - 1 - black * levels)
        #expect(abs(linear.r / (4 * above) - 1) < 0.001)
        #expect(abs(linear.g / above - 1) < 0.001)
        #expect(abs(linear.b / (2 * above) - 1) < 0.001)
    }

    @Test(
        "black and what is below it are black, and a saturated value is white", arguments: [("BG10", 64), ("BG10", 9)])
    func black(fourCC: String, code: Int) throws {
        let encoding = ColorEncoding(matrix: .bt601, range: .full, linearLight: .init(black: 1.0 / 16))
        let format = try #require(PixelFormat.named(fourCC))
        let layout = PictureLayout(format: format, encoding: encoding, width: 4, height: 4, bytesPerLine: [8])
        let analyser = try #require(Analyser(layout: layout, region: .full))
        func mean(_ word: Int) -> RGB? {
            let bytes = (0..<16).flatMap { _ in [UInt8(truncatingIfNeeded: word), UInt8(word >> 8)] }
            return analyser.mean(of: unsafe bytes.span.bytes)
        }
        #expect(mean(code) == RGB(r: 0, g: 0, b: 0))
        // The shares of the two greens are rounded.
        #expect(try #require(mean(1023)).distance(to: RGB(r: 255, g: 255, b: 255)) < 0.001)
    }

    /// ITU-T H.273, 8.3: Y = (2^n - 1) Y', Cb = (2^n - 1) Pb + 2^(n - 1).
    @Test(
        "full range of 10 bits has 1023 steps from black to white, and the zero of chroma at 512",
        arguments: [(1023, 255.0), (512, 127.6246), (100, 24.9267), (0, 0)] as [(Int, Double)])
    func fullRangeOfTenBits(luma: Int, level: Double) throws {
        let samples = [Int](repeating: luma, count: 4) + [512, 512]
        let bytes = samples.flatMap { [UInt8($0 << 6 & 0xFF), UInt8($0 >> 2)] }
        let layout = PictureLayout(
            format: try #require(PixelFormat.named("P010")), encoding: ColorEncoding(matrix: .bt709, range: .full),
            width: 2, height: 2, bytesPerLine: [4])
        let mean = Analyser(layout: layout, region: .full)?.mean(of: unsafe bytes.span.bytes)
        #expect(try #require(mean).distance(to: RGB(r: level, g: level, b: level)) < 0.002)
    }

    @Test(
        "grey of limited range is decoded as luma is",
        arguments: [
            ("GREY", [16], 0), ("GREY", [235], 255), ("Y10", [64, 0], 0), ("Y10", [0xAC, 3], 255),
            ("Y16-BE", [235, 0], 255), ("Y16", [0, 126], 128.0822),
        ] as [(String, [UInt8], Double)])
    func limitedGrey(fourCC: String, bytes: [UInt8], level: Double) throws {
        let layout = PictureLayout(
            format: try #require(PixelFormat.named(fourCC)), encoding: ColorEncoding(matrix: .bt601, range: .limited),
            width: 1, height: 1, bytesPerLine: [bytes.count])
        let mean = Analyser(layout: layout, region: .full)?.mean(of: unsafe bytes.span.bytes)
        #expect(try #require(mean).distance(to: RGB(r: level, g: level, b: level)) < 0.002)
    }

    @Test("a picture without its last byte has no mean", arguments: Picture.formats)
    func shortPicture(fourCC: String) throws {
        var picture = try Picture(noise: fourCC, encoding: Self.encodings[0], width: 38, height: 22, padding: 2)
        let needed = try #require(picture.bytesNeeded)
        picture.bytes.removeLast(picture.bytes.count - needed)
        #expect(picture.mean(.full) != nil)
        picture.bytes.removeLast()
        #expect(picture.mean(.full) == nil)
    }

    @Test(
        "an analyser cannot be made for an impossible layout",
        arguments: [(0, 10, 40), (10, 0, 40), (10, 10, 19), (10, 10, 0), (10, 10, -40), (-10, 10, 40)])
    func impossibleLayout(width: Int, height: Int, bytesPerLine: Int) throws {
        let layout = PictureLayout(
            format: try #require(PixelFormat.named("YUYV")), encoding: Self.encodings[0], width: width, height: height,
            bytesPerLine: [bytesPerLine])
        #expect(Analyser(layout: layout, region: .full) == nil)
    }

    @Test("the sums of an almost white picture do not overflow, whatever its height", arguments: [64, 4000])
    func bright(bytesPerLine: Int) throws {
        let format = try #require(PixelFormat.named("YUYV"))
        let bytes = Array(repeatElement([254, 128] as [UInt8], count: bytesPerLine * 50).joined())
        for height in 1...100 {
            let layout = PictureLayout(
                format: format, encoding: ColorEncoding(matrix: .bt601, range: .full), width: 32, height: height,
                bytesPerLine: [bytesPerLine])
            let mean = try #require(Analyser(layout: layout, region: .full)?.mean(of: unsafe bytes.span.bytes))
            #expect(mean.distance(to: RGB(r: 254, g: 254, b: 254)) < 0.01, "\(height)")
        }
    }
}

/// A picture of noise and its expected mean, computed in floating point from the definition of each format.
struct Picture {
    /// The formats that cameras deliver most, and those that the kernel's test driver does not produce.
    static let formats = [
        "RGB3", "BGR3", "XR24", "BGR4", "YUYV", "UYVY", "NV12", "GREY", "YUV3", "P010", "YUV9", "411P",
    ]

    var bytes: [UInt8]
    let layout: PictureLayout

    init(noise fourCC: String, encoding: ColorEncoding, width: Int, height: Int, padding: Int) throws {
        let perPixel =
            ["RGB3": 3, "BGR3": 3, "YUV3": 3, "XR24": 4, "BGR4": 4, "YUYV": 2, "UYVY": 2, "P010": 2][fourCC] ?? 1
        let stride = width * perPixel + padding
        let size =
            switch fourCC {
            case "NV12", "P010": stride * (height + (height + 1) / 2)
            case "YUV9": stride * height + 2 * (stride / 4 * ((height + 3) / 4))
            case "411P": stride * height + 2 * (stride / 4 * height)
            default: stride * height
            }
        var state: UInt32 = 0x1234_5678
        bytes = (0..<size).map { _ in
            state = state &* 1_664_525 &+ 1_013_904_223
            return UInt8(state >> 24)
        }
        layout = PictureLayout(
            format: try #require(PixelFormat.named(fourCC)), encoding: encoding, width: width, height: height,
            bytesPerLine: [stride])
    }

    /// The number of bytes that the picture needs; nil if its layout is impossible.
    var bytesNeeded: Int? {
        let rect = PixelRect(x: 0, y: 0, width: layout.width, height: layout.height)
        return layout.extents().flatMap { layout.bytesNeeded(for: rect, $0)?.first }
    }

    func mean(_ region: Region, average: Average = .srgb) -> RGB? {
        Analyser(layout: layout, region: region, average: average)?.mean(of: unsafe bytes.span.bytes)
    }

    /// Returns the expected mean of a rectangle.
    /// - Parameter light: Whether to average light instead of code values.
    func reference(_ rect: PixelRect, light: Bool = false) -> RGB {
        func value(_ channel: Double) -> Double {
            let clamped = min(max(channel, 0), 255)
            return light ? SRGB.linear(clamped / 255) : clamped
        }
        var sum = RGB(r: 0, g: 0, b: 0)
        for y in rect.y..<rect.y + rect.height {
            for x in rect.x..<rect.x + rect.width {
                let pixel = decoded(x, y)
                sum.r += value(pixel.r)
                sum.g += value(pixel.g)
                sum.b += value(pixel.b)
            }
        }
        let count = Double(rect.width * rect.height)
        let mean = RGB(r: sum.r / count, g: sum.g / count, b: sum.b / count)
        guard light else { return mean }
        return RGB(r: 255 * SRGB.encoded(mean.r), g: 255 * SRGB.encoded(mean.g), b: 255 * SRGB.encoded(mean.b))
    }

    private func decoded(_ x: Int, _ y: Int) -> RGB {
        let (stride, fourCC) = (layout.bytesPerLine[0], layout.format.fourCC)
        let row = y * stride
        func byte(_ index: Int) -> Double { Double(bytes[index]) }
        switch fourCC {
        case "RGB3": return rgb(byte(row + 3 * x), byte(row + 3 * x + 1), byte(row + 3 * x + 2))
        case "BGR3": return rgb(byte(row + 3 * x + 2), byte(row + 3 * x + 1), byte(row + 3 * x))
        case "XR24", "BGR4": return rgb(byte(row + 4 * x + 2), byte(row + 4 * x + 1), byte(row + 4 * x))
        case "YUYV": return yuv(byte(row + 2 * x), byte(row + x / 2 * 4 + 1), byte(row + x / 2 * 4 + 3))
        case "UYVY": return yuv(byte(row + 2 * x + 1), byte(row + x / 2 * 4), byte(row + x / 2 * 4 + 2))
        case "YUV3": return yuv(byte(row + 3 * x), byte(row + 3 * x + 1), byte(row + 3 * x + 2))
        case "YUV9", "411P":
            let (width, lines) = fourCC == "YUV9" ? (stride / 4, (layout.height + 3) / 4) : (stride / 4, layout.height)
            let chroma = stride * layout.height + (fourCC == "YUV9" ? y / 4 : y) * width + x / 4
            return yuv(byte(row + x), byte(chroma), byte(chroma + lines * width))
        case "P010":
            func sample(_ index: Int) -> Double {
                // The ten bits are the upper ones of sixteen.
                Double((Int(bytes[index]) + Int(bytes[index + 1]) * 256) / 64)
            }
            // ITU-T H.273, 8.3: in full range, 1023 steps lie between black and white.
            let step = layout.encoding.range == .full ? 255 / 1023 : 0.25
            let chroma = stride * (layout.height + y / 2) + x / 2 * 4
            let (cb, cr) = (128 + (sample(chroma) - 512) * step, 128 + (sample(chroma + 2) - 512) * step)
            return yuv(sample(row + 2 * x) * step, cb, cr)
        case "NV12":
            let chroma = stride * (layout.height + y / 2) + x / 2 * 2
            return yuv(byte(row + x), byte(chroma), byte(chroma + 1))
        default: return rgb(byte(row + x), byte(row + x), byte(row + x))
        }
    }

    private func rgb(_ r: Double, _ g: Double, _ b: Double) -> RGB {
        if layout.encoding.range == .full { return RGB(r: r, g: g, b: b) }
        return RGB(r: (r - 16) * 255 / 219, g: (g - 16) * 255 / 219, b: (b - 16) * 255 / 219)
    }

    private func yuv(_ y: Double, _ cb: Double, _ cr: Double) -> RGB {
        let full = layout.encoding.range == .full
        let luma = full ? y / 255 : (y - 16) / 219
        let (pb, pr) = ((cb - 128) / (full ? 255 : 224), (cr - 128) / (full ? 255 : 224))
        let (kr, kb) = layout.encoding.matrix.published
        let r = luma + 2 * (1 - kr) * pr
        let b = luma + 2 * (1 - kb) * pb
        let g = (luma - kr * r - kb * b) / (1 - kr - kb)
        return RGB(r: r * 255, g: g * 255, b: b * 255)
    }
}

extension ColorEncoding.LumaCoefficients {
    /// The shares of red and blue in the standards: ITU-R BT.709-6, BT.2020-2 and BT.601-7, and SMPTE 240M-1999. They
    /// are stated again, so that the references of tests do not depend on the code.
    var published: (kr: Double, kb: Double) {
        switch self {
        case .bt709: (0.2126, 0.0722)
        case .bt2020: (0.2627, 0.0593)
        case .smpte240M: (0.212, 0.087)
        default: (0.299, 0.114)
        }
    }
}

extension RGB {
    func distance(to other: RGB) -> Double {
        max(abs(r - other.r), abs(g - other.g), abs(b - other.b))
    }
}
