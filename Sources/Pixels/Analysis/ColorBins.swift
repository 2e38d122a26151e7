import CPixels
import Color

/// The bins in which colours are counted to find the dominant one: 32 a channel, of 8 code values each.
struct ColorBins {
    /// The number of bins in a channel.
    private static let side = 32

    /// The bins, red by red, then green by green.
    var bins = [cpixels_bin](repeating: cpixels_bin(), count: side * side * side)

    /// Returns the mean colour of the fullest bin and its neighbours, and their share of the pixels. Of several fullest
    /// bins, it is the one with the least red, then the least green, then the least blue.
    /// - Parameters:
    ///   - pixels: The number of pixels in all bins.
    ///   - minimum: The least code value of each channel.
    ///   - maximum: The greatest code value of each channel. Only the bins between them are searched.
    func dominant(of pixels: Int, from minimum: RGB, to maximum: RGB) -> DominantColor {
        func range(_ least: Double, _ greatest: Double) -> ClosedRange<Int> { Int(least) / 8...Int(greatest) / 8 }
        let greens = range(minimum.g, maximum.g)
        let blues = range(minimum.b, maximum.b)
        var (r, g, b, most): (Int, Int, Int, UInt32) = (0, 0, 0, 0)
        for red in range(minimum.r, maximum.r) {
            for green in greens {
                for blue in blues where bins[(red * Self.side + green) * Self.side + blue].pixels > most {
                    (r, g, b, most) = (red, green, blue, bins[(red * Self.side + green) * Self.side + blue].pixels)
                }
            }
        }
        func near(_ index: Int) -> ClosedRange<Int> { max(index - 1, 0)...min(index + 1, Self.side - 1) }
        var (red, green, blue, count): (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
        for r in near(r) {
            for g in near(g) {
                for b in near(b) {
                    let bin = bins[(r * Self.side + g) * Self.side + b]
                    red += Self.sum(bin.sum.0, of: bin.pixels, inBin: r)
                    green += Self.sum(bin.sum.1, of: bin.pixels, inBin: g)
                    blue += Self.sum(bin.sum.2, of: bin.pixels, inBin: b)
                    count += UInt64(bin.pixels)
                }
            }
        }
        let unit = ConversionTable.unit * Double(count)
        return DominantColor(
            color: RGB(r: Double(red) / unit, g: Double(green) / unit, b: Double(blue) / unit),
            share: Double(count) / Double(pixels))
    }

    /// Returns the sum of a channel from the same sum modulo 2^32.
    ///
    /// A channel exceeds the least that its bin can hold by less than 2^14, so that the sum of these differences fits
    /// 32 bits.
    private static func sum(_ modulo: UInt32, of count: UInt32, inBin index: Int) -> UInt64 {
        // A code value has a little more than 1028 units, and is rounded to nearest.
        let least = UInt32(max(index * 8 * 1028 - 515, 0))
        return UInt64(least) * UInt64(count) + UInt64(modulo &- least &* count)
    }
}
