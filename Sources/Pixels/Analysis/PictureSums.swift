/// What is averaged.
public enum Average: String, CaseIterable, Sendable {
    /// The code values of sRGB, as pictures have them: what most programs call a mean colour.
    case srgb
    /// The light that they stand for: what a camera out of focus would see.
    case linear
}

/// The colours of some pixels, added up. Whole numbers: the sums of the parts of a picture add up to that of the whole,
/// and several pictures can be averaged.
public struct PictureSums: Sendable {
    private var r: UInt64
    private var g: UInt64
    private var b: UInt64
    private var pixels: UInt64
    private let average: Average

    init(_ sums: some PixelSums, pixels: Int, average: Average) {
        (r, g, b) = sums.totals
        self.pixels = UInt64(pixels)
        self.average = average
    }

    /// Adds the pixels of another picture, or of another part.
    public static func += (left: inout PictureSums, right: PictureSums) {
        left.r &+= right.r
        left.g &+= right.g
        left.b &+= right.b
        left.pixels += right.pixels
    }

    /// The mean of all pixels.
    public var mean: RGB {
        RGB(r: mean(r), g: mean(g), b: mean(b))
    }

    private func mean(_ total: UInt64) -> Double {
        let value = Double(total) / Double(pixels)
        return average == .srgb ? value / Conversion.unit : LightSums.encoded(value / LightSums.white)
    }
}
