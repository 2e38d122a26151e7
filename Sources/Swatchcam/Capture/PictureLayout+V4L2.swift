import Pixels
import V4L2

extension PictureLayout {
    /// The layout of a camera's pictures; nil if they cannot be read.
    init?(_ format: FrameFormat) {
        guard let pixels = PixelFormat.named(format.fourCC.description) else { return nil }
        // No matrix decodes constant luminance; to a format that is no Y'CbCr it means nothing.
        let isConstantLuminance = format.colorimetry.encoding == .bt2020ConstantLuminance
        guard pixels.model != .yCbCr || !isConstantLuminance else { return nil }
        self.init(
            format: pixels, encoding: ColorEncoding(format.colorimetry), width: format.width, height: format.height,
            bytesPerLine: format.planes.map(\.bytesPerLine))
    }
}

extension ColorEncoding {
    /// What the driver declares.
    init(_ colorimetry: Colorimetry) {
        let matrix: Matrix
        switch colorimetry.encoding {
        case .bt601, .xv601: matrix = .bt601
        case .bt709, .xv709: matrix = .bt709
        case .bt2020, .bt2020ConstantLuminance: matrix = .bt2020
        case .smpte240M: matrix = .smpte240M
        }
        let hue: Hue =
            switch colorimetry.hsvEncoding {
            case .steps180: .steps180
            case .steps256: .steps256
            case nil: .steps255
            }
        self.init(matrix: matrix, range: colorimetry.quantization == .fullRange ? .full : .limited, hue: hue)
    }
}
