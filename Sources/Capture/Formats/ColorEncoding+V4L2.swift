import Color
import Configuration
import Documents
import Pixels
import Readings
import V4L2

/// The one place that decides what code values mean: first what the driver declares, or else the default of the pixel
/// format; then what the configuration says instead.
extension ColorEncoding {
    /// The encoding of JPEG images: BT.601 with full range (JFIF 1.02, section 7), whatever the driver declares.
    static let jfif = ColorEncoding(matrix: .bt601, range: .full)

    /// The encoding that the driver declares.
    ///
    /// Where it declares no range, Y'CbCr is limited, and RGB, mosaics and HSV are full
    /// (`V4L2_MAP_QUANTIZATION_DEFAULT`). The macro would make grey limited too, but grey comes from sensors, whose
    /// samples have no footroom, and the kernel's test pattern sends it with full range.
    init(_ colorimetry: Colorimetry, of model: PixelFormat.Model) {
        let matrix: LumaCoefficients =
            switch colorimetry.ycbcrEncoding {
            case .bt601, .xv601: .bt601
            case .bt709, .xv709: .bt709
            case .bt2020, .bt2020ConstantLuminance: .bt2020
            case .smpte240M: .smpte240M
            }
        let range: Range =
            switch colorimetry.quantization {
            case .fullRange: .full
            case .limitedRange: .limited
            case nil: model == .yCbCr ? .limited : .full
            }
        let hueScale: HueScale =
            switch colorimetry.hsvEncoding {
            case .steps180: .steps180
            case .steps256: .steps256
            case nil: .steps255
            }
        let isLinear = colorimetry.transferFunction == .linear && model.canBeLinear
        let light = LinearLight(black: colorimetry.sensorBlack ?? 0)
        self.init(matrix: matrix, range: range, hueScale: hueScale, linearLight: isLinear ? light : nil)
    }

    /// Returns the encoding after the configured colorimetry has overridden it.
    func applying(_ colorimetry: Config.Camera.Colorimetry) -> ColorEncoding {
        var encoding = self
        encoding.matrix = colorimetry.matrix ?? matrix
        encoding.range = colorimetry.range ?? range
        return encoding
    }

    /// Returns the name for people, such as `BT.601, limited range`, of what matters to pictures of this model; nil if
    /// nothing does.
    func name(for model: PixelFormat.Model) -> String? {
        if let linearLight {
            let black = linearLight.black > 0 ? ", black at \((100 * linearLight.black).formatted(decimals: 2)) %" : ""
            return "linear\(black)"
        }
        let rangeName = range == .full ? "full range" : "limited range"
        return switch model {
        case .yCbCr: "\(matrix.name), \(rangeName)"
        case .rgb, .grey: rangeName
        case .hsv: nil
        }
    }
}

extension PixelFormat.Model {
    /// Whether code values that are proportional to light can be decoded: each belongs to one channel.
    fileprivate var canBeLinear: Bool { self == .rgb || self == .grey }
}

extension ColorEncoding.LinearLight {
    /// Applies the configured black level and gains.
    mutating func apply(_ sensor: Config.Camera.Sensor) {
        if let level = sensor.blackLevel { black = level / 65536 }
        let gains = sensor.whiteGains
        if gains.count == 3 { self.gains = .init(r: gains[0], g: gains[1], b: gains[2]) }
    }
}

extension FrameFormat {
    /// What the driver declares about the light of R'G'B' and is not followed, because the pictures are taken for
    /// sRGB; nil if it makes little difference, as BT.709 does.
    private var ignoredTransferFunction: String? {
        switch colorimetry.transferFunction {
        case .srgb, .rec709: nil
        case .linear where PixelFormat.named(fourCC.description)?.model.canBeLinear == true: nil
        case let function: function.rawValue
        }
    }

    /// Returns the name of an encoding, followed by what the driver declares and Swatchcam does not follow.
    func colorimetryName(_ encoding: String?) -> String? {
        if colorimetry.sensorBlack != nil {
            return (["camera RGB"] + [encoding].compactMap(\.self)).joined(separator: ", ")
        }
        let ignored = ignoredTransferFunction.map { "\($0) taken for sRGB" }
        let parts = [encoding, ignored].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }

    /// A warning that colours are wrong; nil if they are right as far as the driver declares.
    var colorimetryWarning: String? {
        if colorimetry.sensorBlack != nil {
            return "These are the sensor's own colours (camera RGB), proportional to light. Hex values and names are "
                + "those of sRGB only after a calibration."
        }
        let declared = [
            ignoredTransferFunction.map { "the transfer function \($0)" },
            colorimetry.wideColorspace.map { "the primaries of \($0)" },
        ].compactMap(\.self)
        guard !declared.isEmpty else { return nil }
        return "The camera declares \(declared.joined(separator: " and ")), but Swatchcam takes its pictures for sRGB: "
            + "the colours and their light are wrong. If the camera can deliver sRGB or BT.709, select that."
    }
}

extension ColorEncoding.LumaCoefficients {
    fileprivate var name: String {
        switch self {
        case .bt601: "BT.601"
        case .bt709: "BT.709"
        case .bt2020: "BT.2020"
        default: "SMPTE 240M"
        }
    }
}

extension Config.Camera.Colorimetry {
    /// The matrix that the configuration names; nil to use the one that the driver declares.
    var matrix: ColorEncoding.LumaCoefficients? {
        switch self {
        case .auto, .full, .limited: nil
        case .bt601Full, .bt601Limited: .bt601
        case .bt709Full, .bt709Limited: .bt709
        case .bt2020Full, .bt2020Limited: .bt2020
        case .smpte240MFull, .smpte240MLimited: .smpte240M
        }
    }

    fileprivate var range: ColorEncoding.Range? {
        switch self {
        case .auto: nil
        case .full, .bt601Full, .bt709Full, .bt2020Full, .smpte240MFull: .full
        case .limited, .bt601Limited, .bt709Limited, .bt2020Limited, .smpte240MLimited: .limited
        }
    }
}
