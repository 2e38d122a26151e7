/// How code values stand for R'G'B'.
public struct ColorEncoding: Equatable, Sendable {
    /// The luma coefficients of a Y'CbCr encoding; that of green follows, the three add up to 1.
    public struct Matrix: Equatable, Sendable {
        /// Red's share of luma.
        public let kr: Double
        /// Blue's share of luma.
        public let kb: Double

        /// ITU-R BT.601-7, 2.5.1.
        public static let bt601 = Matrix(kr: 0.299, kb: 0.114)
        /// ITU-R BT.709-6, item 3.2.
        public static let bt709 = Matrix(kr: 0.2126, kb: 0.0722)
        /// ITU-R BT.2020-2, table 4, non-constant luminance.
        public static let bt2020 = Matrix(kr: 0.2627, kb: 0.0593)
        /// SMPTE 240M-1999.
        public static let smpte240M = Matrix(kr: 0.212, kb: 0.087)
    }

    /// Which code values are black and white.
    public enum Range: Equatable, Sendable {
        /// 0...255.
        case full
        /// Luma and RGB 16...235, chroma 16...240 (ITU-R BT.601-7, 2.5.3).
        case limited
    }

    /// The hue's code values, once round the circle.
    public enum Hue: Double, Equatable, Sendable {
        /// 0...179, two degrees a step (`V4L2_HSV_ENC_180`).
        case steps180 = 180
        /// 0...255 (`V4L2_HSV_ENC_256`).
        case steps256 = 256
        /// 0...254, thirds of 85: what vivid sends when it declares neither.
        case steps255 = 255
    }

    /// Means nothing but to Y'CbCr.
    public var matrix: Matrix
    /// Means nothing to grey and HSV.
    public var range: Range
    /// Means nothing but to HSV.
    public var hue: Hue

    /// An encoding.
    public init(matrix: Matrix, range: Range, hue: Hue = .steps255) {
        self.matrix = matrix
        self.range = range
        self.hue = hue
    }
}
