import Color

/// The bins in which colours are counted to find the dominant one: 32 a channel, of 8 code values each.
///
/// The memory is lent by the creator.
@safe struct ColorBins {
    /// The number of bins in a channel.
    static let side = 32
    static let count = side * side * side

    /// The sums of red, green and blue in each bin, modulo 2^32, and its number of pixels.
    ///
    /// Nothing is lost by the modulus: the offset of a channel from the least that its bin can hold is below 2^14, so
    /// that the sum of all offsets fits.
    private let bins: UnsafeMutablePointer<SIMD4<UInt32>>

    /// - Parameter bins: Zeros, ``count`` of them.
    init(_ bins: UnsafeMutablePointer<SIMD4<UInt32>>) { unsafe self.bins = unsafe bins }

    /// Adds a pixel.
    /// - Parameters:
    ///   - codes: Its channels, rounded to code values, as ``ConversionTable/rgbx(_:)`` returns them.
    ///   - channels: Its channels in units of 1 / `ConversionTable.unit`, and 1.
    @inline(__always)
    func add(codes: UInt64, channels: SIMD4<UInt32>) {
        let (r, g, b) = ((codes &>> 3) & 31, (codes &>> 11) & 31, (codes &>> 19) & 31)
        unsafe bins[Int((r &<< 10) | (g &<< 5) | b)] &+= channels
    }

    /// Returns the mean colour of the fullest bin and its neighbours, and their share of the pixels. Of several fullest
    /// bins, the one with the least red counts, then the least green, then the least blue.
    func dominant(of pixels: Int) -> DominantColor {
        var (fullest, most): (Int, UInt32) = (0, 0)
        for index in 0..<Self.count where unsafe bins[index].w > most {
            (fullest, most) = unsafe (index, bins[index].w)
        }
        let (r, g, b) = (fullest >> 10, fullest >> 5 & 31, fullest & 31)
        func near(_ index: Int) -> ClosedRange<Int> { max(index - 1, 0)...min(index + 1, Self.side - 1) }
        var (red, green, blue, count): (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
        for r in near(r) {
            for g in near(g) {
                for b in near(b) {
                    let bin = unsafe bins[r << 10 | g << 5 | b]
                    red += Self.sum(bin.x, of: bin.w, inBin: r)
                    green += Self.sum(bin.y, of: bin.w, inBin: g)
                    blue += Self.sum(bin.z, of: bin.w, inBin: b)
                    count += UInt64(bin.w)
                }
            }
        }
        let unit = ConversionTable.unit * Double(max(count, 1))
        return DominantColor(
            color: RGB(r: Double(red) / unit, g: Double(green) / unit, b: Double(blue) / unit),
            share: Double(count) / Double(max(pixels, 1)))
    }

    /// Returns the sum of a channel from the same sum modulo 2^32.
    private static func sum(_ modulo: UInt32, of count: UInt32, inBin index: Int) -> UInt64 {
        // A code value has 1024 units less 1 / 256 of the channel, and is rounded to nearest.
        let least = UInt32(max(index * 8 * 1024 - 512, 0))
        return UInt64(least) * UInt64(count) + UInt64(modulo &- least &* count)
    }
}
