/// Sums of R'G'B' over pixels, in units of 1 / `Conversion.unit` of a code value. Whole numbers: the sums of the parts
/// of a picture add up to the sum of the whole.
struct ChannelSums: Equatable, Sendable {
    private(set) var r: UInt64 = 0
    private(set) var g: UInt64 = 0
    private(set) var b: UInt64 = 0

    /// Adds four pixels, each the sum of its entries, each channel clamped to 0...255.
    @inline(__always)
    mutating func add(_ p0: UInt64, _ p1: UInt64, _ p2: UInt64, _ p3: UInt64) {
        let bias = Conversion.bias
        let (q0, q1, q2, q3) = (p0 ^ bias, p1 ^ bias, p2 ^ bias, p3 ^ bias)
        // Four channels of 18 bits fit a field.
        if (q0 | q1 | q2 | q3) & Conversion.outOfRange == 0 {
            add(fields: q0 &+ q1 &+ q2 &+ q3)
        } else {
            add(fields: Self.clamped(p0) &+ Self.clamped(p1) &+ Self.clamped(p2) &+ Self.clamped(p3))
        }
    }

    /// Adds a pixel, the sum of its entries, each channel clamped to 0...255.
    @inline(__always)
    mutating func add(_ pixel: UInt64) {
        add(fields: Self.clamped(pixel))
    }

    @inline(__always)
    private mutating func add(fields: UInt64) {
        r &+= fields & Conversion.fieldMask
        g &+= (fields &>> Conversion.fieldBits) & Conversion.fieldMask
        b &+= fields &>> (2 * Conversion.fieldBits)
    }

    /// All three channels at once. With its bias a channel has bit 20 set unless it is negative, and then bit 18 or 19
    /// if it is above white.
    @inline(__always)
    private static func clamped(_ pixel: UInt64) -> UInt64 {
        let ones = Conversion.ones
        let notNegative = (pixel &>> 20) & ones
        let aboveWhite = ((pixel &>> 18) | (pixel &>> 19)) & ones
        // A one in a field, times 2^18 - 1: all 18 bits of the channel.
        let keep = (notNegative &<< 18) &- notNegative
        let fill = (aboveWhite &<< 18) &- aboveWhite
        return (pixel | fill) & keep
    }
}
