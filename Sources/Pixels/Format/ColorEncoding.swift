/// How code values stand for R'G'B'.
public struct ColorEncoding: Equatable, Sendable {
    /// The luma coefficients of a Y'CbCr encoding; those of green follow, the three add up to 1.
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

    /// Means nothing to RGB and grey.
    public var matrix: Matrix
    /// Means nothing to grey.
    public var range: Range

    /// An encoding.
    public init(matrix: Matrix, range: Range) {
        self.matrix = matrix
        self.range = range
    }
}
