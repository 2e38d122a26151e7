public import Color

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

    /// Code values that are proportional to light, as a sensor delivers them.
    public struct LinearLight: Equatable, Sendable {
        /// The code value of black, as a share of the number of code values, 0..<1: 1/16 is 64 of 1024.
        public var black: Double
        /// What each channel above black is multiplied by, at least 1, so that a saturated channel stays saturated.
        public var gains: ChannelFigures

        /// Creates a meaning from the given values, unchecked.
        public init(black: Double = 0, gains: ChannelFigures = .init(r: 1, g: 1, b: 1)) {
            self.black = black
            self.gains = gains
        }

        /// Returns the R'G'B' of sRGB of a code value, 0...1 for light within range.
        /// - Parameter levels: The number of code values.
        func encoded(_ code: Double, of levels: Double, gain: Double) -> Double {
            let light = (code - black * levels) / (levels - 1 - black * levels)
            // Light beyond twice the range is clamped anyway, and a sum of entries must not overflow.
            return SRGB.encoded(min(light * gain, 2))
        }
    }

    /// The matrix, which only Y'CbCr uses.
    public var matrix: LumaCoefficients
    /// The range, which HSV does not use.
    public var range: Range
    /// The scale of hue, which only HSV uses.
    public var hueScale: HueScale
    /// The meaning of RGB, mosaics and grey if their code values are proportional to light; nil if they are those of
    /// sRGB, as Y'CbCr and HSV always are.
    public var linearLight: LinearLight?

    /// Creates an encoding from the given values, unchecked.
    public init(
        matrix: LumaCoefficients, range: Range, hueScale: HueScale = .steps255, linearLight: LinearLight? = nil
    ) {
        self.matrix = matrix
        self.range = range
        self.hueScale = hueScale
        self.linearLight = linearLight
    }
}
