/// Sums of R'G'B' over pixels, in units of 1 / `Conversion.unit` of a code value. Whole numbers: the sums of the parts
/// of a picture add up to the sum of the whole.
struct ChannelSums: Equatable, Sendable {
    private(set) var r: UInt64 = 0
    private(set) var g: UInt64 = 0
    private(set) var b: UInt64 = 0

    /// Adds four pixels, each the sum of its entries.
    @inline(__always)
    mutating func add(_ p0: UInt64, _ p1: UInt64, _ p2: UInt64, _ p3: UInt64) {
        let bias = Conversion.bias
        let (q0, q1, q2, q3) = (p0 ^ bias, p1 ^ bias, p2 ^ bias, p3 ^ bias)
        if (q0 | q1 | q2 | q3) & Conversion.outOfRange == 0 {
            // Four channels of 18 bits fit a field.
            add(fields: q0 &+ q1 &+ q2 &+ q3)
        } else {
            add(p0)
            add(p1)
            add(p2)
            add(p3)
        }
    }

    /// Adds a pixel, the sum of its entries, each channel clamped to 0...255.
    @inline(__always)
    mutating func add(_ pixel: UInt64) {
        let fields = pixel ^ Conversion.bias
        if fields & Conversion.outOfRange == 0 {
            add(fields: fields)
        } else {
            r &+= Self.clamped(pixel)
            g &+= Self.clamped(pixel &>> Conversion.fieldBits)
            b &+= Self.clamped(pixel &>> (2 * Conversion.fieldBits))
        }
    }

    @inline(__always)
    private mutating func add(fields: UInt64) {
        r &+= fields & Conversion.fieldMask
        g &+= (fields &>> Conversion.fieldBits) & Conversion.fieldMask
        b &+= fields &>> (2 * Conversion.fieldBits)
    }

    @inline(__always)
    private static func clamped(_ pixel: UInt64) -> UInt64 {
        let channel = Int64(pixel & Conversion.fieldMask) - Int64(4 << 18)
        return UInt64(min(max(channel, 0), Int64(Conversion.white)))
    }
}
