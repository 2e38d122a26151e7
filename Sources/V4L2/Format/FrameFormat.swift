/// The format of a stream, as the driver granted it.
public struct FrameFormat: Equatable, Sendable {
    /// The layout of one memory plane.
    public struct Plane: Equatable, Sendable {
        /// The distance between the starts of two rows, in bytes; 0 for a compressed format.
        public var bytesPerLine: Int
        /// The size of the plane's buffer in bytes; for a stream, the size that was allocated.
        public var sizeImage: Int

        /// Creates a plane from the given values, unchecked.
        public init(bytesPerLine: Int, sizeImage: Int) {
            self.bytesPerLine = bytesPerLine
            self.sizeImage = sizeImage
        }
    }

    /// The pixel format.
    public var fourCC: FourCC
    /// The picture width in pixels.
    public var width: Int
    /// The picture height in pixels.
    public var height: Int
    /// The memory planes, at least one. A planar format such as NV12 may occupy a single memory plane.
    public var planes: [Plane]
    /// The relation between the numbers and colours.
    public var colorimetry: Colorimetry
    /// The rate that the driver reports, in frames per second; nil if it reports none.
    public var framesPerSecond: Double?

    /// Creates a format from the given values, unchecked.
    public init(
        fourCC: FourCC, width: Int, height: Int, planes: [Plane], colorimetry: Colorimetry, framesPerSecond: Double?
    ) {
        self.fourCC = fourCC
        self.width = width
        self.height = height
        self.planes = planes
        self.colorimetry = colorimetry
        self.framesPerSecond = framesPerSecond
    }
}

extension FourCC {
    /// Whether it is an RGB or HSV format, whose default quantization is full range (`V4L2_MAP_QUANTIZATION_DEFAULT`).
    var isRGBOrHSV: Bool { Self.rgbAndHSV.contains(self) }

    private static let rgbAndHSV: Set<FourCC> = [
        "RGB1", "R444", "AR12", "XR12", "RX12", "RA12", "AB12", "XB12", "GA12", "BX12", "RGBO", "AR15", "XR15", "RX15",
        "RA15", "AB15", "XB15", "BA15", "BX15", "RGBP", "RGBQ", "AR15-BE", "XR15-BE", "RGBR", "BGRH", "BGR3", "RGB3",
        "BGR4", "RGB4", "AR24", "XR24", "RA24", "RX24", "AB24", "XB24", "BA24", "BX24", "HSV3", "HSV4",
    ]
}
