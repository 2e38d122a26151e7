import Pixels
import Testing
import V4L2

@testable import Capture
@testable import Configuration

@Suite("The assumed interpretation of code values")
struct PictureLayoutTests {
    private func layout(
        _ fourCC: FourCC, encoding: Colorimetry.YCbCrEncoding = .bt601, range: Colorimetry.Quantization? = nil,
        config: Config.Camera.Colorimetry
    ) -> PictureLayout? {
        let format = FrameFormat(
            fourCC: fourCC, width: 16, height: 16, planes: [.init(bytesPerLine: 64, sizeImage: 1024)],
            colorimetry: Colorimetry(ycbcrEncoding: encoding, quantization: range), framesPerSecond: nil)
        return try? PictureLayout(format, colorimetry: config)
    }

    @Test(
        "code values are interpreted as the driver declares, unless the config says otherwise",
        arguments: [
            ("YUYV", .auto, "BT.601, limited range"), ("RGB3", .limited, "limited range"),
            ("RGB3", .bt709Full, "full range"), ("GREY", .auto, "full range"), ("GREY", .limited, "limited range"),
            ("HSV3", .limited, nil),
        ] as [(FourCC, Config.Camera.Colorimetry, String?)])
    func assumedEncoding(fourCC: FourCC, config: Config.Camera.Colorimetry, words: String?) throws {
        let found = try #require(self.layout(fourCC, config: config))
        #expect(found.assumedEncoding == words)
    }

    @Test(
        "without a declared range, only Y'CbCr has limited range",
        arguments: [
            ("YUYV", .limited), ("RGB3", .full), ("RGGB", .full), ("BA81", .full), ("RG10", .full), ("pRAA", .full),
            ("BYR2", .full), ("GREY", .full), ("Y10", .full),
        ] as [(FourCC, ColorEncoding.Range)])
    func defaultRange(fourCC: FourCC, range: ColorEncoding.Range) throws {
        #expect(try #require(layout(fourCC, config: .auto)).encoding.range == range)
    }

    @Test(
        "a declared range counts for every format, also for mosaics and grey",
        arguments: ["YUYV", "RGB3", "RGGB", "GREY"] as [FourCC],
        [(.limitedRange, .limited), (.fullRange, .full)] as [(Colorimetry.Quantization, ColorEncoding.Range)])
    func declaredRange(fourCC: FourCC, range: (declared: Colorimetry.Quantization, found: ColorEncoding.Range)) throws {
        #expect(try #require(layout(fourCC, range: range.declared, config: .auto)).encoding.range == range.found)
    }

    @Test("constant luminance is refused, unless the config declares another matrix")
    func constantLuminance() {
        #expect(layout("YUYV", encoding: .bt2020ConstantLuminance, config: .auto) == nil)
        #expect(layout("YUYV", encoding: .bt2020ConstantLuminance, config: .bt2020Limited) != nil)
        #expect(layout("RGB3", encoding: .bt2020ConstantLuminance, config: .auto) != nil)
    }

    @Test(
        "the config overrides the range, or both the range and the matrix",
        arguments: [
            (.auto, "BT.709, limited range"), (.full, "BT.709, full range"), (.limited, "BT.709, limited range"),
            (.bt601Full, "BT.601, full range"), (.bt601Limited, "BT.601, limited range"),
            (.bt709Full, "BT.709, full range"), (.bt709Limited, "BT.709, limited range"),
            (.bt2020Full, "BT.2020, full range"), (.bt2020Limited, "BT.2020, limited range"),
            (.smpte240MFull, "SMPTE 240M, full range"), (.smpte240MLimited, "SMPTE 240M, limited range"),
        ] as [(Config.Camera.Colorimetry, String)])
    func overridden(config: Config.Camera.Colorimetry, words: String) {
        #expect(layout("YUYV", encoding: .bt709, config: config)?.assumedEncoding == words)
        guard config != .auto else { return }
        let range: Colorimetry.Quantization = words.hasSuffix("full range") ? .limitedRange : .fullRange
        #expect(layout("YUYV", encoding: .bt709, range: range, config: config)?.assumedEncoding == words)
    }

    @Test(
        "the matrix is the one that the driver declares",
        arguments: [
            (.bt601, .bt601), (.xv601, .bt601), (.bt709, .bt709), (.xv709, .bt709), (.bt2020, .bt2020),
            (.smpte240M, .smpte240M),
        ] as [(Colorimetry.YCbCrEncoding, ColorEncoding.LumaCoefficients)])
    func matrix(encoding: Colorimetry.YCbCrEncoding, matrix: ColorEncoding.LumaCoefficients) {
        #expect(layout("YUYV", encoding: encoding, config: .auto)?.encoding.matrix == matrix)
    }

    @Test(
        "the code values of hue are those that the driver declares, or 0...255 in 255 steps",
        arguments: [(.steps180, .steps180), (.steps256, .steps256), (nil, .steps255)]
            as [(Colorimetry.HSVEncoding?, ColorEncoding.HueScale)])
    func hue(declared: Colorimetry.HSVEncoding?, scale: ColorEncoding.HueScale) {
        var colorimetry = Colorimetry(ycbcrEncoding: .bt601, quantization: .fullRange)
        colorimetry.hsvEncoding = declared
        #expect(ColorEncoding(colorimetry, of: .hsv).hueScale == scale)
        #expect(ColorEncoding(colorimetry, of: .hsv).applying(.bt709Limited).hueScale == scale)
    }
}
