import CV4L2
import Testing

@testable import V4L2

@Suite("Colorimetry")
struct ColorimetryTests {
    @Test(
        "what the driver leaves at default is resolved from the colour space as the kernel's macros define",
        arguments: [
            (V4L2_COLORSPACE_SRGB, .bt601, nil), (V4L2_COLORSPACE_JPEG, .bt601, .fullRange),
            (V4L2_COLORSPACE_REC709, .bt709, nil), (V4L2_COLORSPACE_DCI_P3, .bt709, nil),
            (V4L2_COLORSPACE_BT2020, .bt2020, nil), (V4L2_COLORSPACE_SMPTE240M, .smpte240M, nil),
            (V4L2_COLORSPACE_DEFAULT, .bt601, nil),
        ] as [(v4l2_colorspace, Colorimetry.YCbCrEncoding, Colorimetry.Quantization?)])
    func defaults(space: v4l2_colorspace, encoding: Colorimetry.YCbCrEncoding, range: Colorimetry.Quantization?) {
        let declared = Colorimetry(colorspace: space.rawValue, encoding: 0, quantization: 0, transferFunction: 0)
        #expect(declared.ycbcrEncoding == encoding)
        #expect(declared.quantization == range)
    }

    @Test(
        "the transfer function is the declared one, or that of the colour space",
        arguments: [
            (V4L2_COLORSPACE_SRGB, V4L2_XFER_FUNC_DEFAULT, .srgb),
            (V4L2_COLORSPACE_JPEG, V4L2_XFER_FUNC_DEFAULT, .srgb),
            (V4L2_COLORSPACE_DEFAULT, V4L2_XFER_FUNC_DEFAULT, .srgb),
            (V4L2_COLORSPACE_REC709, V4L2_XFER_FUNC_DEFAULT, .rec709),
            (V4L2_COLORSPACE_BT2020, V4L2_XFER_FUNC_DEFAULT, .rec709),
            (V4L2_COLORSPACE_OPRGB, V4L2_XFER_FUNC_DEFAULT, .oprgb),
            (V4L2_COLORSPACE_SMPTE240M, V4L2_XFER_FUNC_DEFAULT, .smpte240M),
            (V4L2_COLORSPACE_DCI_P3, V4L2_XFER_FUNC_DEFAULT, .dcip3),
            (V4L2_COLORSPACE_RAW, V4L2_XFER_FUNC_DEFAULT, .linear),
            (V4L2_COLORSPACE_BT2020, V4L2_XFER_FUNC_SMPTE2084, .smpte2084),
            (V4L2_COLORSPACE_SRGB, V4L2_XFER_FUNC_NONE, .linear), (V4L2_COLORSPACE_RAW, V4L2_XFER_FUNC_709, .rec709),
        ] as [(v4l2_colorspace, v4l2_xfer_func, Colorimetry.TransferFunction)])
    func transferFunctions(space: v4l2_colorspace, value: v4l2_xfer_func, function: Colorimetry.TransferFunction) {
        let declared = Colorimetry(
            colorspace: space.rawValue, encoding: 0, quantization: 0, transferFunction: value.rawValue)
        #expect(declared.transferFunction == function)
    }

    @Test("primaries far from those of sRGB are named")
    func wide() {
        let spaces = [V4L2_COLORSPACE_BT2020, V4L2_COLORSPACE_OPRGB, V4L2_COLORSPACE_DCI_P3, V4L2_COLORSPACE_REC709]
        let names = spaces.map {
            Colorimetry(colorspace: $0.rawValue, encoding: 0, quantization: 0, transferFunction: 0).wideColorspace
        }
        #expect(names == ["BT.2020", "opRGB", "DCI-P3", nil])
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
            quantization: V4L2_QUANTIZATION_LIM_RANGE.rawValue, transferFunction: 0)
        #expect(declared.ycbcrEncoding == encoding)
        #expect(declared.quantization == .limitedRange)
    }

    @Test("the driver's HSV encoding gives the steps of hue")
    func hue() {
        let steps = [V4L2_HSV_ENC_180.rawValue, V4L2_HSV_ENC_256.rawValue, 0].map {
            Colorimetry(colorspace: 0, encoding: $0, quantization: 0, transferFunction: 0).hsvEncoding
        }
        #expect(steps == [.steps180, .steps256, nil])
    }

    @Test("explicit values from the driver are kept")
    func explicit() {
        let declared = Colorimetry(
            colorspace: V4L2_COLORSPACE_SRGB.rawValue, encoding: V4L2_YCBCR_ENC_709.rawValue,
            quantization: V4L2_QUANTIZATION_FULL_RANGE.rawValue, transferFunction: V4L2_XFER_FUNC_NONE.rawValue)
        #expect(declared == Colorimetry(ycbcrEncoding: .bt709, quantization: .fullRange, transferFunction: .linear))
    }
}
