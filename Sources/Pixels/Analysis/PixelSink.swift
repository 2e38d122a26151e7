/// What is done with the pixels of a rectangle: they come row by row from the top, each row from left to right.
///
/// A pixel is the sum of its entries in the conversion's tables: three channels, each with its bias, not clamped yet.
protocol PixelSink {
    /// Takes the next pixel.
    mutating func take(_ pixel: UInt64)

    /// Takes the next four.
    mutating func take(_ p0: UInt64, _ p1: UInt64, _ p2: UInt64, _ p3: UInt64)
}

extension ConversionTable {
    /// A pixel without its bias, each channel clamped to 0...`white`: all three at once.
    ///
    /// With its bias a channel has bit 20 set unless it is negative, and then bit 18 or 19 if it is above white.
    @inline(__always)
    static func clamped(_ pixel: UInt64) -> UInt64 {
        let notNegative = (pixel &>> 20) & ones
        let aboveWhite = ((pixel &>> 18) | (pixel &>> 19)) & ones
        // A one in a field, times 2^18 - 1: all 18 bits of the channel.
        let keep = (notNegative &<< 18) &- notNegative
        let fill = (aboveWhite &<< 18) &- aboveWhite
        return (pixel | fill) & keep
    }
}
