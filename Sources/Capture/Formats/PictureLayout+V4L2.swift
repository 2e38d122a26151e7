import Configuration
import Pixels
import V4L2

extension PictureLayout {
    /// Makes the layout of a camera's pictures; nil if they cannot be read.
    /// - Parameter colorimetry: The configured colorimetry, which overrides what the driver declares.
    init?(_ format: FrameFormat, colorimetry: Config.Camera.Colorimetry) {
        guard let pixels = PixelFormat.named(format.fourCC.description) else { return nil }
        let encoding = ColorEncoding(format.colorimetry).applying(colorimetry)
        // No matrix decodes constant luminance. For formats other than Y'CbCr, the declared encoding has no meaning.
        let isConstantLuminance = format.colorimetry.encoding == .bt2020ConstantLuminance && colorimetry.matrix == nil
        guard pixels.model != .yCbCr || !isConstantLuminance else { return nil }
        self.init(
            format: pixels, encoding: encoding, width: format.width, height: format.height,
            bytesPerLine: format.planes.map(\.bytesPerLine), bufferSizes: format.planes.map(\.sizeImage))
    }

    /// The assumed interpretation of code values, such as `BT.601, limited range`; nil if nothing has to be assumed.
    var assumedEncoding: String? {
        let range = encoding.range == .full ? "full range" : "limited range"
        switch format.model {
        case .yCbCr: return "\(encoding.matrix.name), \(range)"
        case .rgb: return range
        case .hsv, .grey: return nil
        }
    }
}

extension ColorEncoding {
    /// The encoding that the driver declares.
    init(_ colorimetry: Colorimetry) {
        let matrix: Matrix
        switch colorimetry.encoding {
        case .bt601, .xv601: matrix = .bt601
        case .bt709, .xv709: matrix = .bt709
        case .bt2020, .bt2020ConstantLuminance: matrix = .bt2020
        case .smpte240M: matrix = .smpte240M
        }
        let hueScale: HueScale =
            switch colorimetry.hsvEncoding {
            case .steps180: .steps180
            case .steps256: .steps256
            case nil: .steps255
            }
        self.init(matrix: matrix, range: colorimetry.quantization == .fullRange ? .full : .limited, hueScale: hueScale)
    }

    /// Returns the encoding after the configured colorimetry has overridden it.
    func applying(_ colorimetry: Config.Camera.Colorimetry) -> ColorEncoding {
        ColorEncoding(matrix: colorimetry.matrix ?? matrix, range: colorimetry.range ?? range, hueScale: hueScale)
    }
}

extension ColorEncoding.Matrix {
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
    fileprivate var matrix: ColorEncoding.Matrix? {
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
