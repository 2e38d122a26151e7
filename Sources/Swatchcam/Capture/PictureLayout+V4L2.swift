import Pixels
import V4L2

extension PictureLayout {
    /// The layout of a camera's pictures; nil if they cannot be read.
    init?(_ format: FrameFormat) {
        guard let pixels = PixelFormat.named(format.fourCC.description), let plane = format.planes.first,
            let encoding = ColorEncoding(format.colorimetry)
        else { return nil }
        self.init(
            format: pixels, encoding: encoding, width: format.width, height: format.height,
            bytesPerLine: plane.bytesPerLine)
    }
}

extension ColorEncoding {
    /// Nil for BT.2020 with constant luminance, which no matrix decodes.
    init?(_ colorimetry: Colorimetry) {
        let matrix: Matrix
        switch colorimetry.encoding {
        case .bt601, .xv601: matrix = .bt601
        case .bt709, .xv709: matrix = .bt709
        case .bt2020: matrix = .bt2020
        case .smpte240M: matrix = .smpte240M
        case .bt2020ConstantLuminance: return nil
        }
        self.init(matrix: matrix, range: colorimetry.quantization == .fullRange ? .full : .limited)
    }
}
