/// A receiver of the pixels of a rectangle, row by row from the top and each row from left to right.
///
/// A pixel is the sum of its entries in the conversion table: three channels, each with its bias and not yet clamped.
protocol PixelSink {
    /// Takes the next pixel.
    mutating func take(_ pixel: UInt64)

    /// Takes the next four pixels.
    mutating func take(_ p0: UInt64, _ p1: UInt64, _ p2: UInt64, _ p3: UInt64)

    /// Takes the next pixels, which a closure returns by their index.
    mutating func take(_ count: Int, _ pixel: (Int) -> UInt64)
}

extension PixelSink {
    @inline(__always)
    mutating func take(_ p0: UInt64, _ p1: UInt64, _ p2: UInt64, _ p3: UInt64) {
        take(p0)
        take(p1)
        take(p2)
        take(p3)
    }

    @inline(__always)
    mutating func take(_ count: Int, _ pixel: (Int) -> UInt64) {
        for index in 0..<count { take(pixel(index)) }
    }
}

extension ConversionTable {
    /// Returns a pixel without its bias, with all three channels clamped to 0...`fullScale` at once.
    ///
    /// With its bias, a channel that is not negative has bit 20 set; bit 18 or 19 is also set if it is above white.
    @inline(__always)
    static func clamped(_ pixel: UInt64) -> UInt64 {
        let notNegative = (pixel &>> 20) & ones
        let aboveWhite = ((pixel &>> 18) | (pixel &>> 19)) & ones
        // A one in a field times 2^18 - 1 sets all 18 bits of the channel.
        let keep = (notNegative &<< 18) &- notNegative
        let fill = (aboveWhite &<< 18) &- aboveWhite
        return (pixel | fill) & keep
    }
}

/// A sink that adds up R'G'B', in units of 1 / `ConversionTable.unit` of a code value.
struct ChannelSums: PixelSink {
    private(set) var totals: (r: UInt64, g: UInt64, b: UInt64) = (0, 0, 0)

    @inline(__always)
    mutating func take(_ p0: UInt64, _ p1: UInt64, _ p2: UInt64, _ p3: UInt64) {
        let bias = ConversionTable.bias
        let (q0, q1, q2, q3) = (p0 ^ bias, p1 ^ bias, p2 ^ bias, p3 ^ bias)
        // The sum of four 18-bit channels fits in a field.
        if (q0 | q1 | q2 | q3) & ConversionTable.outOfRange == 0 {
            add(fields: q0 &+ q1 &+ q2 &+ q3)
        } else {
            add(
                fields: ConversionTable.clamped(p0) &+ ConversionTable.clamped(p1) &+ ConversionTable.clamped(p2)
                    &+ ConversionTable.clamped(p3))
        }
    }

    @inline(__always)
    mutating func take(_ pixel: UInt64) {
        add(fields: ConversionTable.clamped(pixel))
    }

    @inline(__always)
    private mutating func add(fields: UInt64) {
        totals.r &+= fields & ConversionTable.fieldMask
        totals.g &+= (fields &>> ConversionTable.fieldBits) & ConversionTable.fieldMask
        totals.b &+= fields &>> (2 * ConversionTable.fieldBits)
    }
}
