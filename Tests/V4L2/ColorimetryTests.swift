import CV4L2
import Testing

@testable import V4L2

@Suite("Colorimetry")
struct ColorimetryTests {
    @Test(
        "values that the driver leaves at default resolve as the kernel's macros define",
        arguments: [
            (V4L2_COLORSPACE_SRGB, false, .bt601, .limitedRange), (V4L2_COLORSPACE_SRGB, true, .bt601, .fullRange),
            (V4L2_COLORSPACE_JPEG, false, .bt601, .fullRange), (V4L2_COLORSPACE_REC709, false, .bt709, .limitedRange),
            (V4L2_COLORSPACE_BT2020, false, .bt2020, .limitedRange),
            (V4L2_COLORSPACE_SMPTE240M, false, .smpte240M, .limitedRange),
            (V4L2_COLORSPACE_DEFAULT, false, .bt601, .limitedRange),
        ] as [(v4l2_colorspace, Bool, Colorimetry.YCbCrEncoding, Colorimetry.Quantization)])
    func defaults(
        space: v4l2_colorspace, isRGB: Bool, encoding: Colorimetry.YCbCrEncoding, range: Colorimetry.Quantization
    ) {
        let declared = Colorimetry(colorspace: space.rawValue, encoding: 0, quantization: 0, isRGB: isRGB)
        #expect(declared.encoding == encoding)
        #expect(declared.quantization == range)
    }

    @Test(
        "the driver's colorspace gives the primaries",
        arguments: [
            (V4L2_COLORSPACE_SMPTE170M, .smpte170M), (V4L2_COLORSPACE_SMPTE240M, .smpte240M),
            (V4L2_COLORSPACE_REC709, .rec709), (V4L2_COLORSPACE_470_SYSTEM_M, .bt470SystemM),
            (V4L2_COLORSPACE_470_SYSTEM_BG, .bt470SystemBG), (V4L2_COLORSPACE_JPEG, .jpeg),
            (V4L2_COLORSPACE_SRGB, .srgb), (V4L2_COLORSPACE_OPRGB, .oprgb), (V4L2_COLORSPACE_BT2020, .bt2020),
            (V4L2_COLORSPACE_RAW, .raw), (V4L2_COLORSPACE_DCI_P3, .dcip3), (V4L2_COLORSPACE_DEFAULT, .srgb),
        ] as [(v4l2_colorspace, Colorimetry.Colorspace)])
    func primaries(space: v4l2_colorspace, colorspace: Colorimetry.Colorspace) {
        let declared = Colorimetry(colorspace: space.rawValue, encoding: 0, quantization: 0, isRGB: false)
        #expect(declared.colorspace == colorspace)
    }

    @Test(
        "the driver's encoding gives the matrix",
        arguments: [
            (V4L2_YCBCR_ENC_601, .bt601), (V4L2_YCBCR_ENC_709, .bt709), (V4L2_YCBCR_ENC_XV601, .xv601),
            (V4L2_YCBCR_ENC_XV709, .xv709), (V4L2_YCBCR_ENC_BT2020, .bt2020),
            (V4L2_YCBCR_ENC_BT2020_CONST_LUM, .bt2020ConstantLuminance), (V4L2_YCBCR_ENC_SMPTE240M, .smpte240M),
        ] as [(v4l2_ycbcr_encoding, Colorimetry.YCbCrEncoding)])
    func matrices(value: v4l2_ycbcr_encoding, encoding: Colorimetry.YCbCrEncoding) {
        let declared = Colorimetry(
            colorspace: V4L2_COLORSPACE_REC709.rawValue, encoding: value.rawValue,
            quantization: V4L2_QUANTIZATION_LIM_RANGE.rawValue, isRGB: true)
        #expect(declared.encoding == encoding)
        #expect(declared.quantization == .limitedRange)
    }

    @Test("the driver's HSV encoding gives the steps of hue")
    func hue() {
        let steps = [V4L2_HSV_ENC_180.rawValue, V4L2_HSV_ENC_256.rawValue, 0].map {
            Colorimetry(colorspace: 0, encoding: $0, quantization: 0, isRGB: true).hsvEncoding
        }
        #expect(steps == [.steps180, .steps256, nil])
    }

    @Test("RGB and HSV formats are recognised")
    func rgbFormats() {
        let formats: [FourCC] = ["RGB3", "BGR4", "HSV3", "AR15-BE", "YUYV", "NV12", "GREY", "YUYV-BE"]
        #expect(formats.map(\.isRGBOrHSV) == [true, true, true, true, false, false, false, false])
    }

    @Test("explicit values from the driver are kept")
    func explicit() {
        let declared = Colorimetry(
            colorspace: V4L2_COLORSPACE_SRGB.rawValue, encoding: V4L2_YCBCR_ENC_709.rawValue,
            quantization: V4L2_QUANTIZATION_FULL_RANGE.rawValue, isRGB: false)
        #expect(declared == Colorimetry(colorspace: .srgb, encoding: .bt709, quantization: .fullRange))
    }
}
