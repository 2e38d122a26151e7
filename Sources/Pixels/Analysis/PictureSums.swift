public import Color

/// The sums of the colours of some pixels.
///
/// They are whole numbers, so the sums of a picture's parts add up exactly to that of the whole, and several pictures
/// can be averaged.
public struct PictureSums: Sendable {
    /// The unit of the sums.
    enum Unit: Equatable {
        /// R'G'B'. `perUnit` is the number of code values in a unit, on the 8-bit scale.
        case codeValues(perUnit: Double)
        /// Light, in units of 1 / `LightCurve.fullScale`.
        case light
    }

    private var totals: Channels<UInt64, ChannelMeaning.Figure>
    private var pixels: UInt64
    private let unit: Unit

    init(_ totals: (r: UInt64, g: UInt64, b: UInt64), pixels: Int, unit: Unit) {
        self.totals = .init(r: totals.r, g: totals.g, b: totals.b)
        self.pixels = UInt64(pixels)
        self.unit = unit
    }

    /// Whether both count in the same unit, so that they can be added.
    public func hasSameUnit(as other: PictureSums) -> Bool { unit == other.unit }

    /// Adds the pixels of another picture or part, which must have the same unit. Two sums from analysers of the same
    /// layout and average always have it.
    public static func += (left: inout PictureSums, right: PictureSums) {
        left.totals = left.totals.combined(with: right.totals, by: &+)
        left.pixels += right.pixels
    }

    /// The mean light of all pixels, 0...1; nil if the sums are of code values.
    public var linear: LinearRGB? {
        guard unit == .light else { return nil }
        let fullScale = LightCurve.fullScale * Double(pixels)
        return LinearRGB(totals.map { Double($0) / fullScale })
    }

    /// The mean of all pixels as R'G'B'; if the sums are of light, the mean light encoded as sRGB.
    public var mean: RGB { RGB(totals.map(mean)) }

    private func mean(_ total: UInt64) -> Double {
        let value = Double(total) / Double(pixels)
        return switch unit {
        // Rounding may put white slightly above 255.
        case .codeValues(let perUnit): min(value * perUnit, 255)
        case .light: 255 * SRGB.encoded(value / LightCurve.fullScale)
        }
    }
}
