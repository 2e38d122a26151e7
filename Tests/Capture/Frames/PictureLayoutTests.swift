import Pixels
import Testing
import V4L2

@testable import Capture
@testable import Configuration

@Suite("The assumed interpretation of code values")
struct PictureLayoutTests {
    private func layout(
        _ fourCC: FourCC, encoding: Colorimetry.YCbCrEncoding = .bt601, range: Colorimetry.Quantization = .limitedRange,
        config: Config.Camera.Colorimetry
    ) -> PictureLayout? {
        let format = FrameFormat(
            fourCC: fourCC, width: 16, height: 16, planes: [.init(bytesPerLine: 64, sizeImage: 1024)],
            colorimetry: Colorimetry(colorspace: .srgb, encoding: encoding, quantization: range), framesPerSecond: nil)
        return PictureLayout(format, colorimetry: config)
    }

    @Test(
        "code values are interpreted as the driver declares, unless the config says otherwise",
        arguments: [
            ("YUYV", .auto, "BT.601, limited range"), ("YUYV", .full, "BT.601, full range"),
            ("YUYV", .bt709Limited, "BT.709, limited range"), ("YUYV", .smpte240MFull, "SMPTE 240M, full range"),
            ("RGB3", .auto, "limited range"), ("RGB3", .bt709Full, "full range"), ("GREY", .auto, nil),
        ] as [(FourCC, Config.Camera.Colorimetry, String?)])
    func assumedEncoding(fourCC: FourCC, config: Config.Camera.Colorimetry, words: String?) throws {
        let found = try #require(self.layout(fourCC, config: config))
        #expect(found.assumedEncoding == words)
    }

    @Test("constant luminance is refused, unless the config declares another matrix")
    func constantLuminance() {
        #expect(layout("YUYV", encoding: .bt2020ConstantLuminance, config: .auto) == nil)
        #expect(layout("YUYV", encoding: .bt2020ConstantLuminance, config: .bt2020Limited) != nil)
        #expect(layout("RGB3", encoding: .bt2020ConstantLuminance, config: .auto) != nil)
    }
}
