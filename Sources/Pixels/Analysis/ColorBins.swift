import CPixels
import Color

/// The bins in which colours are counted to find the dominant one: 32 a channel, of 8 code values each.
@safe struct ColorBins {
    /// The number of bins in a channel.
    private static let side = 1 << Int(CPIXELS_BIN_BITS)

    /// The number of each bin, red by red, then green by green: its place in `bins`, counted from 1; 0 if it is empty.
    var numbers = [UInt16](repeating: 0, count: Int(CPIXELS_BINS))
    /// The bins that are not empty, in the order of their first pixels.
    let bins: UnsafeMutablePointer<cpixels_bin>

    /// Returns how many bins may be needed for some pixels.
    static func capacity(for pixels: Int) -> Int { min(pixels, Int(CPIXELS_BINS)) }

    /// - Parameter bins: Room for ``capacity(for:)`` bins, which need not be initialized.
    init(_ bins: UnsafeMutablePointer<cpixels_bin>) { unsafe self.bins = unsafe bins }

    /// Returns the mean colour of the fullest bin and its neighbours, and their share of the pixels. Of several fullest
    /// bins, it is the one with the least red, then the least green, then the least blue.
    /// - Parameters:
    ///   - pixels: The number of pixels in all bins, at least 1.
    ///   - count: The number of bins that are not empty.
    func dominant(of pixels: Int, inBins count: Int) -> DominantColor {
        var fullest = unsafe bins[0]
        for number in 1..<max(count, 1) {
            let bin = unsafe bins[number]
            if (bin.pixels, fullest.index) > (fullest.pixels, bin.index) { fullest = bin }
        }
        let index = Int(fullest.index)
        func near(_ index: Int) -> ClosedRange<Int> { max(index - 1, 0)...min(index + 1, Self.side - 1) }
        var (red, green, blue, total): (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
        for r in near(index / (Self.side * Self.side)) {
            for g in near(index / Self.side % Self.side) {
                for b in near(index % Self.side) {
                    let number = Int(numbers[(r * Self.side + g) * Self.side + b])
                    guard number > 0 else { continue }
                    let bin = unsafe bins[number - 1]
                    red += Self.sum(bin.sum.0, of: bin.pixels, inBin: r)
                    green += Self.sum(bin.sum.1, of: bin.pixels, inBin: g)
                    blue += Self.sum(bin.sum.2, of: bin.pixels, inBin: b)
                    total += UInt64(bin.pixels)
                }
            }
        }
        let unit = ConversionTable.unit * Double(total)
        return DominantColor(
            color: RGB(r: Double(red) / unit, g: Double(green) / unit, b: Double(blue) / unit),
            share: Double(total) / Double(pixels))
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
