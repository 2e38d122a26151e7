/// The way in which code values represent R'G'B'.
public struct ColorEncoding: Equatable, Sendable {
    /// The luma coefficients of a Y'CbCr encoding. Green's follows from the others, because the three add up to 1.
    public struct LumaCoefficients: Equatable, Sendable {
        /// Red's share of luma.
        public let kr: Double
        /// Blue's share of luma.
        public let kb: Double

        /// The coefficients of ITU-R BT.601-7, 2.5.1.
        public static let bt601 = LumaCoefficients(kr: 0.299, kb: 0.114)
        /// The coefficients of ITU-R BT.709-6, item 3.2.
        public static let bt709 = LumaCoefficients(kr: 0.2126, kb: 0.0722)
        /// The coefficients of ITU-R BT.2020-2, table 4, non-constant luminance.
        public static let bt2020 = LumaCoefficients(kr: 0.2627, kb: 0.0593)
        /// The coefficients of SMPTE 240M-1999.
        public static let smpte240M = LumaCoefficients(kr: 0.212, kb: 0.087)
    }

    /// The code values of black and white.
    public enum Range: Equatable, Sendable {
        /// 0...255.
        case full
        /// Luma and RGB 16...235, chroma 16...240 (ITU-R BT.601-7, 2.5.3).
        case limited
    }

    /// The number of code values in the full circle of hue.
    public enum HueScale: Double, Equatable, Sendable {
        /// 0...179, two degrees a step (`V4L2_HSV_ENC_180`).
        case steps180 = 180
        /// 0...255 (`V4L2_HSV_ENC_256`).
        case steps256 = 256
        /// 0...254, with 85 for each third of the circle, as the kernel's test pattern has hue unless it declares 180.
        case steps255 = 255
    }

    /// The matrix, which only Y'CbCr uses.
    public var matrix: LumaCoefficients
    /// The range, which HSV does not use.
    public var range: Range
    /// The scale of hue, which only HSV uses.
    public var hueScale: HueScale

    /// Creates an encoding.
    public init(matrix: LumaCoefficients, range: Range, hueScale: HueScale = .steps255) {
        self.matrix = matrix
        self.range = range
        self.hueScale = hueScale
    }
}
