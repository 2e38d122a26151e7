import Configuration
import JPEG
import Pixels
import V4L2

extension PictureLayout {
    /// Makes the layout of a camera's pictures; nil if they cannot be read.
    /// - Parameter colorimetry: The configured colorimetry, which overrides what the driver declares.
    init?(_ format: FrameFormat, colorimetry: Config.Camera.Colorimetry) {
        guard let pixels = PixelFormat.named(format.fourCC.description) else { return nil }
        // No matrix decodes constant luminance. For formats other than Y'CbCr, the declared encoding has no meaning.
        let isConstantLuminance =
            format.colorimetry.ycbcrEncoding == .bt2020ConstantLuminance && colorimetry.matrix == nil
        guard pixels.model != .yCbCr || !isConstantLuminance else { return nil }
        self.init(
            format: pixels, encoding: ColorEncoding(format.colorimetry, of: pixels.model).applying(colorimetry),
            width: format.width, height: format.height, bytesPerLine: format.planes.map(\.bytesPerLine),
            bufferSizes: format.planes.map(\.sizeImage))
    }

    /// Makes the layout of a decoded JPEG image.
    init(_ image: PlanarImage, encoding: ColorEncoding) {
        self.init(
            format: image.isGrey ? .decodedGrey : .decoded(xShift: image.xShift, yShift: image.yShift),
            encoding: encoding, width: image.width, height: image.height,
            bytesPerLine: image.planes.prefix(image.isGrey ? 1 : 3).map(\.bytesPerLine))
    }

    /// The assumed interpretation of code values, such as `BT.601, limited range`; nil if nothing has to be assumed.
    var assumedEncoding: String? { encoding.name(for: format.model) }
}
