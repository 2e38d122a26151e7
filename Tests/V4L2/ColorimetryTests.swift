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

    @Test("explicit values from the driver are kept")
    func explicit() {
        let declared = Colorimetry(
            colorspace: V4L2_COLORSPACE_SRGB.rawValue, encoding: V4L2_YCBCR_ENC_709.rawValue,
            quantization: V4L2_QUANTIZATION_FULL_RANGE.rawValue, isRGB: false)
        #expect(declared == Colorimetry(colorspace: .srgb, encoding: .bt709, quantization: .fullRange))
    }
}
