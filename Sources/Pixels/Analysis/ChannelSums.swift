/// Sums of R'G'B', in units of 1 / `Conversion.unit` of a code value.
struct ChannelSums: PixelTaker {
    private(set) var totals: (r: UInt64, g: UInt64, b: UInt64) = (0, 0, 0)

    @inline(__always)
    mutating func take(_ p0: UInt64, _ p1: UInt64, _ p2: UInt64, _ p3: UInt64) {
        let bias = Conversion.bias
        let (q0, q1, q2, q3) = (p0 ^ bias, p1 ^ bias, p2 ^ bias, p3 ^ bias)
        // Four channels of 18 bits fit a field.
        if (q0 | q1 | q2 | q3) & Conversion.outOfRange == 0 {
            add(fields: q0 &+ q1 &+ q2 &+ q3)
        } else {
            add(
                fields: Conversion.clamped(p0) &+ Conversion.clamped(p1) &+ Conversion.clamped(p2)
                    &+ Conversion.clamped(p3))
        }
    }

    @inline(__always)
    mutating func take(_ pixel: UInt64) {
        add(fields: Conversion.clamped(pixel))
    }

    @inline(__always)
    private mutating func add(fields: UInt64) {
        totals.r &+= fields & Conversion.fieldMask
        totals.g &+= (fields &>> Conversion.fieldBits) & Conversion.fieldMask
        totals.b &+= fields &>> (2 * Conversion.fieldBits)
    }
}
