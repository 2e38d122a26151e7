import Color

/// Sums of linear light: each channel of each pixel decoded by the transfer function of sRGB before it is added.
struct LightSums: PixelSink {
    /// The full scale of a channel. 64 bits hold the sum of 2^28 white pixels, a picture of 16384 x 16384, even of 64
    /// such pictures.
    static let white = Double(1 << 28)

    private(set) var totals: (r: UInt64, g: UInt64, b: UInt64) = (0, 0, 0)
    private let light = LightSums.light

    @inline(__always)
    mutating func take(_ p0: UInt64, _ p1: UInt64, _ p2: UInt64, _ p3: UInt64) {
        take(p0)
        take(p1)
        take(p2)
        take(p3)
    }

    @inline(__always)
    mutating func take(_ pixel: UInt64) {
        let fields = ConversionTable.clamped(pixel)
        add(
            r: fields & ConversionTable.fieldMask,
            g: (fields &>> ConversionTable.fieldBits) & ConversionTable.fieldMask,
            b: fields &>> (2 * ConversionTable.fieldBits))
    }

    /// Adds a pixel, given as its clamped channels.
    @inline(__always)
    mutating func add(r: UInt64, g: UInt64, b: UInt64) {
        totals.r &+= UInt64(light[Int(r)])
        totals.g &+= UInt64(light[Int(g)])
        totals.b &+= UInt64(light[Int(b)])
    }

    /// Returns the mean light of the pixels that were added.
    func mean(of pixels: Int) -> LinearRGB {
        let unit = Self.white * Double(pixels)
        return LinearRGB(r: Double(totals.r) / unit, g: Double(totals.g) / unit, b: Double(totals.b) / unit)
    }

    /// The light of every value that a channel can have, decoded exactly. The table takes a megabyte and is made when
    /// first needed.
    private static let light: [UInt32] = (0...ConversionTable.white).map { value in
        UInt32((SRGB.linear(Double(value) / Double(ConversionTable.white)) * white).rounded())
    }
}
