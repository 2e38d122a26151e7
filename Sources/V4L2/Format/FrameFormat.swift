/// The format of a stream, as the driver granted it.
public struct FrameFormat: Equatable, Sendable {
    /// One memory plane.
    public struct Plane: Equatable, Sendable {
        /// From the start of one row to the start of the next, in bytes; 0 for a compressed format.
        public var bytesPerLine: Int
        /// The size of the plane's buffer in bytes; of a stream, what was really allocated.
        public var sizeImage: Int

        /// A plane; the values are taken as they are.
        public init(bytesPerLine: Int, sizeImage: Int) {
            self.bytesPerLine = bytesPerLine
            self.sizeImage = sizeImage
        }
    }

    /// Pixel format.
    public var fourCC: FourCC
    /// Picture width in pixels.
    public var width: Int
    /// Picture height in pixels.
    public var height: Int
    /// Memory planes, at least one. A planar format such as NV12 may well lie in one memory plane.
    public var planes: [Plane]
    /// What the numbers mean.
    public var colorimetry: Colorimetry
    /// Frames per second that the driver says it delivers; nil if it does not say.
    public var framesPerSecond: Double?

    /// A format; the values are taken as they are.
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
    /// RGB and HSV formats, whose default quantization is full range (`V4L2_MAP_QUANTIZATION_DEFAULT`).
    var isRGBOrHSV: Bool { Self.rgbAndHSV.contains(self) }

    private static let rgbAndHSV: Set<FourCC> = [
        "RGB1", "R444", "AR12", "XR12", "RX12", "RA12", "AB12", "XB12", "GA12", "BX12", "RGBO", "AR15", "XR15", "RX15",
        "RA15", "AB15", "XB15", "BA15", "BX15", "RGBP", "RGBQ", "AR15-BE", "XR15-BE", "RGBR", "BGRH", "BGR3", "RGB3",
        "BGR4", "RGB4", "AR24", "XR24", "RA24", "RX24", "AB24", "XB24", "BA24", "BX24", "HSV3", "HSV4",
    ]
}
