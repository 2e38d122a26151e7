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
