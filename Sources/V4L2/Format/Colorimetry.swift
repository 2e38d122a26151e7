import CV4L2

/// The relation between a frame's numbers and colours, as the driver declares it.
///
/// Drivers leave most of it at "default". Its meaning is defined by the macros `V4L2_MAP_*_DEFAULT` of
/// `<linux/videodev2.h>` and the chapter "Colorspaces" of the kernel's V4L2 documentation, and is resolved here.
public struct Colorimetry: Equatable, Sendable {
    /// Primaries and white point (`enum v4l2_colorspace`).
    public enum Colorspace: String, Sendable {
        /// SMPTE 170M: NTSC and PAL television.
        case smpte170M = "SMPTE 170M"
        /// SMPTE 240M: early HDTV.
        case smpte240M = "SMPTE 240M"
        /// ITU-R BT.709: HDTV.
        case rec709 = "Rec. 709"
        /// NTSC 1953.
        case bt470SystemM = "BT.470 M"
        /// Old PAL and SECAM.
        case bt470SystemBG = "BT.470 BG"
        /// sRGB through a full-range BT.601 matrix, as JFIF defines.
        case jpeg = "JPEG"
        /// IEC 61966-2-1: most webcams.
        case srgb = "sRGB"
        /// Adobe's opRGB, IEC 61966-2-5.
        case oprgb = "opRGB"
        /// ITU-R BT.2020: UHDTV.
        case bt2020 = "BT.2020"
        /// The sensor's own colours, unconverted.
        case raw
        /// SMPTE RP 431-2.
        case dcip3 = "DCI-P3"
    }

    /// The matrix between Y'CbCr and R'G'B' (`enum v4l2_ycbcr_encoding`).
    public enum YCbCrEncoding: String, Sendable {
        /// ITU-R BT.601.
        case bt601 = "BT.601"
        /// ITU-R BT.709.
        case bt709 = "BT.709"
        /// xvYCC with the BT.601 matrix.
        case xv601 = "xvYCC 601"
        /// xvYCC with the BT.709 matrix.
        case xv709 = "xvYCC 709"
        /// ITU-R BT.2020, non-constant luminance.
        case bt2020 = "BT.2020"
        /// ITU-R BT.2020, constant luminance: no matrix at all.
        case bt2020ConstantLuminance = "BT.2020 constant luminance"
        /// SMPTE 240M.
        case smpte240M = "SMPTE 240M"
    }

    /// The code values of hue (`enum v4l2_hsv_encoding`), which share a field with `enum v4l2_ycbcr_encoding`.
    public enum HSVEncoding: Sendable {
        /// 0...179, two degrees a step.
        case steps180
        /// 0...255.
        case steps256
    }

    /// The range of the code values (`enum v4l2_quantization`).
    public enum Quantization: String, Sendable {
        /// 0...255 at 8 bits.
        case fullRange = "full range"
        /// 16...235, chroma 16...240, at 8 bits.
        case limitedRange = "limited range"
    }

    /// The primaries and the white point.
    public var colorspace: Colorspace
    /// The matrix; without meaning for an RGB or grey format.
    public var encoding: YCbCrEncoding
    /// The range of the code values.
    public var quantization: Quantization
    /// The code values of hue; nil if the driver does not report them.
    public var hsvEncoding: HSVEncoding?

    /// Creates a colorimetry from the given values, unchecked.
    public init(colorspace: Colorspace, encoding: YCbCrEncoding, quantization: Quantization) {
        self.colorspace = colorspace
        self.encoding = encoding
        self.quantization = quantization
    }
}

extension Colorimetry {
    /// Resolves the driver's numbers, and its defaults by the kernel's own rules.
    /// - Parameter isRGB: Whether the pixel format is RGB (or HSV), whose default range is full.
    init(colorspace: UInt32, encoding: UInt32, quantization: UInt32, isRGB: Bool) {
        let space = Colorspace(v4l2: colorspace)
        self.colorspace = space
        self.encoding = YCbCrEncoding(v4l2: encoding) ?? space.defaultEncoding
        self.quantization = Quantization(v4l2: quantization) ?? (isRGB || space == .jpeg ? .fullRange : .limitedRange)
        switch encoding {
        case V4L2_HSV_ENC_180.rawValue: hsvEncoding = .steps180
        case V4L2_HSV_ENC_256.rawValue: hsvEncoding = .steps256
        default: hsvEncoding = nil
        }
    }
}

extension Colorimetry.Colorspace {
    fileprivate init(v4l2 value: UInt32) {
        self =
            switch value {
            case V4L2_COLORSPACE_SMPTE170M.rawValue: .smpte170M
            case V4L2_COLORSPACE_SMPTE240M.rawValue: .smpte240M
            case V4L2_COLORSPACE_REC709.rawValue: .rec709
            case V4L2_COLORSPACE_470_SYSTEM_M.rawValue: .bt470SystemM
            case V4L2_COLORSPACE_470_SYSTEM_BG.rawValue: .bt470SystemBG
            case V4L2_COLORSPACE_JPEG.rawValue: .jpeg
            case V4L2_COLORSPACE_OPRGB.rawValue: .oprgb
            case V4L2_COLORSPACE_BT2020.rawValue: .bt2020
            case V4L2_COLORSPACE_RAW.rawValue: .raw
            case V4L2_COLORSPACE_DCI_P3.rawValue: .dcip3
            // The kernel's default for a webcam (V4L2_MAP_COLORSPACE_DEFAULT) is sRGB.
            default: .srgb
            }
    }

    /// The encoding that `V4L2_MAP_YCBCR_ENC_DEFAULT` defines.
    fileprivate var defaultEncoding: Colorimetry.YCbCrEncoding {
        switch self {
        case .rec709, .dcip3: .bt709
        case .bt2020: .bt2020
        case .smpte240M: .smpte240M
        default: .bt601
        }
    }
}

extension Colorimetry.YCbCrEncoding {
    fileprivate init?(v4l2 value: UInt32) {
        switch value {
        case V4L2_YCBCR_ENC_601.rawValue: self = .bt601
        case V4L2_YCBCR_ENC_709.rawValue: self = .bt709
        case V4L2_YCBCR_ENC_XV601.rawValue: self = .xv601
        case V4L2_YCBCR_ENC_XV709.rawValue: self = .xv709
        case V4L2_YCBCR_ENC_BT2020.rawValue: self = .bt2020
        case V4L2_YCBCR_ENC_BT2020_CONST_LUM.rawValue: self = .bt2020ConstantLuminance
        case V4L2_YCBCR_ENC_SMPTE240M.rawValue: self = .smpte240M
        default: return nil
        }
    }
}

extension Colorimetry.Quantization {
    fileprivate init?(v4l2 value: UInt32) {
        switch value {
        case V4L2_QUANTIZATION_FULL_RANGE.rawValue: self = .fullRange
        case V4L2_QUANTIZATION_LIM_RANGE.rawValue: self = .limitedRange
        default: return nil
        }
    }
}
