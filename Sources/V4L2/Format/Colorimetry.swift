import CV4L2

/// The relation between a frame's numbers and colours, as the driver declares it.
///
/// Drivers leave most of it at "default". Its meaning is defined by the macros `V4L2_MAP_*_DEFAULT` of
/// `<linux/videodev2.h>` and the chapter "Colorspaces" of the kernel's V4L2 documentation. What follows from the colour
/// space is resolved here; what depends on the pixel format is left open.
public struct Colorimetry: Equatable, Sendable {
    /// The matrix between Y'CbCr and R'G'B', with the numbers of `enum v4l2_ycbcr_encoding`.
    public enum YCbCrEncoding: UInt32, Sendable {
        /// ITU-R BT.601.
        case bt601 = 1
        /// ITU-R BT.709.
        case bt709 = 2
        /// xvYCC with the BT.601 matrix.
        case xv601 = 3
        /// xvYCC with the BT.709 matrix.
        case xv709 = 4
        /// ITU-R BT.2020, non-constant luminance.
        case bt2020 = 6
        /// ITU-R BT.2020, constant luminance: no matrix at all.
        case bt2020ConstantLuminance = 7
        /// SMPTE 240M.
        case smpte240M = 8
    }

    /// The code values of hue, with the numbers of `enum v4l2_hsv_encoding`, which share a field with
    /// `enum v4l2_ycbcr_encoding`.
    public enum HSVEncoding: UInt32, Sendable {
        /// 0...179, two degrees a step.
        case steps180 = 128
        /// 0...255.
        case steps256 = 129
    }

    /// The range of the code values, with the numbers of `enum v4l2_quantization`.
    public enum Quantization: UInt32, Sendable {
        /// 0...255 at 8 bits.
        case fullRange = 1
        /// 16...235, chroma 16...240, at 8 bits.
        case limitedRange = 2
    }

    /// The relation between light and R'G'B' (`enum v4l2_xfer_func`).
    public enum TransferFunction: String, Sendable {
        /// IEC 61966-2-1.
        case srgb = "sRGB"
        /// ITU-R BT.709.
        case rec709 = "BT.709"
        /// IEC 61966-2-5.
        case oprgb = "opRGB"
        /// SMPTE 240M.
        case smpte240M = "SMPTE 240M"
        /// None: code values are proportional to light.
        case linear
        /// SMPTE RP 431-2.
        case dcip3 = "DCI-P3"
        /// SMPTE ST 2084: the perceptual quantizer.
        case smpte2084 = "SMPTE 2084"
    }

    /// The matrix; without meaning for an RGB or grey format.
    public var ycbcrEncoding: YCbCrEncoding
    /// The range of the code values; nil if the driver leaves it to the pixel format.
    public var quantization: Quantization?
    /// The code values of hue; nil if the driver does not report them.
    public var hsvEncoding: HSVEncoding?
    /// The relation between light and R'G'B'.
    public var transferFunction: TransferFunction
    /// The code value of black as a share of the number of code values, if the device is a sensor; its colours are then
    /// those of its own filters, not of sRGB.
    public var sensorBlack: Double?
    /// The colour space, if its primaries are far from sRGB's; else nil.
    public var wideColorspace: String?

    /// Creates a colorimetry from the given values, unchecked.
    public init(
        ycbcrEncoding: YCbCrEncoding = .bt601, quantization: Quantization? = nil,
        transferFunction: TransferFunction = .srgb
    ) {
        self.ycbcrEncoding = ycbcrEncoding
        self.quantization = quantization
        self.transferFunction = transferFunction
    }
}

extension Colorimetry {
    /// Resolves the driver's numbers, which are `V4L2_*_DEFAULT` where it does not care.
    init(colorspace: UInt32, encoding: UInt32, quantization: UInt32, transferFunction: UInt32) {
        // V4L2_MAP_YCBCR_ENC_DEFAULT
        let defaultEncoding: YCbCrEncoding =
            switch colorspace {
            case V4L2_COLORSPACE_REC709.rawValue, V4L2_COLORSPACE_DCI_P3.rawValue: .bt709
            case V4L2_COLORSPACE_BT2020.rawValue: .bt2020
            case V4L2_COLORSPACE_SMPTE240M.rawValue: .smpte240M
            default: .bt601
            }
        ycbcrEncoding = YCbCrEncoding(rawValue: encoding) ?? defaultEncoding
        // V4L2_MAP_QUANTIZATION_DEFAULT: JPEG's is full range, whatever the pixel format.
        self.quantization =
            Quantization(rawValue: quantization) ?? (colorspace == V4L2_COLORSPACE_JPEG.rawValue ? .fullRange : nil)
        // V4L2_MAP_XFER_FUNC_DEFAULT, except that an undeclared colour space has sRGB's function instead of BT.709's:
        // its pictures are made for screens, and sRGB is what a USB camera has that declares none ("Color Matching
        // Descriptor" in the USB Video Class).
        let defaultFunction: TransferFunction =
            switch colorspace {
            case V4L2_COLORSPACE_OPRGB.rawValue: .oprgb
            case V4L2_COLORSPACE_SMPTE240M.rawValue: .smpte240M
            case V4L2_COLORSPACE_DCI_P3.rawValue: .dcip3
            case V4L2_COLORSPACE_RAW.rawValue: .linear
            case V4L2_COLORSPACE_DEFAULT.rawValue, V4L2_COLORSPACE_SRGB.rawValue, V4L2_COLORSPACE_JPEG.rawValue: .srgb
            default: .rec709
            }
        self.transferFunction = TransferFunction(v4l2: transferFunction) ?? defaultFunction
        wideColorspace =
            switch colorspace {
            case V4L2_COLORSPACE_OPRGB.rawValue: "opRGB"
            case V4L2_COLORSPACE_BT2020.rawValue: "BT.2020"
            case V4L2_COLORSPACE_DCI_P3.rawValue: "DCI-P3"
            default: nil
            }
        hsvEncoding = HSVEncoding(rawValue: encoding)
    }
}

extension Colorimetry.TransferFunction {
    fileprivate init?(v4l2 value: UInt32) {
        switch value {
        case V4L2_XFER_FUNC_709.rawValue: self = .rec709
        case V4L2_XFER_FUNC_SRGB.rawValue: self = .srgb
        case V4L2_XFER_FUNC_OPRGB.rawValue: self = .oprgb
        case V4L2_XFER_FUNC_SMPTE240M.rawValue: self = .smpte240M
        case V4L2_XFER_FUNC_NONE.rawValue: self = .linear
        case V4L2_XFER_FUNC_DCI_P3.rawValue: self = .dcip3
        case V4L2_XFER_FUNC_SMPTE2084.rawValue: self = .smpte2084
        default: return nil
        }
    }
}
