import Configuration
import JPEG
import Pixels
import V4L2

/// The reason why frames of a format cannot be read.
struct UnreadableFormat: Error, Equatable {
    /// Words that follow a colon, without a full stop.
    let reason: String
}

extension PictureLayout {
    /// Makes the layout of a camera's pictures.
    /// - Parameters:
    ///   - colorimetry: The configured colorimetry, which overrides what the driver declares.
    ///   - sensor: The configured black level and gains.
    init(
        _ format: FrameFormat, colorimetry: Config.Camera.Colorimetry,
        sensor: Config.Camera.Sensor = Config().camera.sensor
    ) throws(UnreadableFormat) {
        guard let pixels = PixelFormat.named(format.fourCC.description) else {
            throw UnreadableFormat(reason: "Swatchcam does not know this pixel format")
        }
        // For formats other than Y'CbCr, the declared encoding has no meaning.
        if pixels.model == .yCbCr, format.colorimetry.ycbcrEncoding == .bt2020ConstantLuminance,
            colorimetry.matrix == nil
        {
            throw UnreadableFormat(
                reason: "no matrix decodes BT.2020 with constant luminance. "
                    + "If the camera declares it wrongly, name its encoding in camera.colorimetry")
        }
        var encoding = ColorEncoding(format.colorimetry, of: pixels.model).applying(colorimetry)
        if format.colorimetry.sensorBlack != nil { encoding.linearLight?.apply(sensor) }
        self.init(
            format: pixels, encoding: encoding, width: format.width, height: format.height,
            bytesPerLine: format.planes.map(\.bytesPerLine),
            bufferSizes: format.planes.map(\.sizeImage))
    }

    init(_ image: PlanarImage, encoding: ColorEncoding) {
        self.init(
            format: image.isGrey ? .decodedGrey : .decoded(xShift: image.xShift, yShift: image.yShift),
            encoding: encoding, width: image.width, height: image.height,
            bytesPerLine: image.planes.prefix(image.isGrey ? 1 : 3).map(\.bytesPerLine))
    }

    /// The assumed interpretation of code values, such as `BT.601, limited range`; nil if nothing has to be assumed.
    var assumedEncoding: String? { encoding.name(for: format.model) }
}
