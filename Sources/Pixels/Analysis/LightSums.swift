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
        totals.r &+= UInt64(light[Int(fields & ConversionTable.fieldMask)])
        totals.g &+= UInt64(light[Int((fields &>> ConversionTable.fieldBits) & ConversionTable.fieldMask)])
        totals.b &+= UInt64(light[Int(fields &>> (2 * ConversionTable.fieldBits))])
    }

    /// The light of every value that a channel can have, decoded exactly. The table takes a megabyte and is made when
    /// first needed.
    static let light: [UInt32] = (0...ConversionTable.white).map { value in
        UInt32((SRGB.linear(Double(value) / Double(ConversionTable.white)) * white).rounded())
    }
}
