/// The noise of the test pattern's sensor: normally distributed, with a mean of 0 and a standard deviation of 1 code
/// value, independent from byte to byte.
///
/// The same noise is used again and again, but each row of each frame takes it from another position.
enum SensorNoise {
    /// The number of values after which the noise repeats itself. A row may begin at each of them.
    static let period = 1 << 16

    /// Makes the noise for rows of a given length, in units of 1/256 code value.
    static func values(bytesPerLine: Int) -> [Int16] {
        // The sum of twelve numbers that are uniform in 0...255 is close to normal, and its standard deviation is 256
        // (that of one is 256 / sqrt(12), but for 8 in a million). Each value is followed by its opposite, half the
        // period later, so that the mean is exactly 0.
        let half = (0..<period / 2).map { index in
            var sum = -12 * 255 / 2
            for word in [hash(UInt64(index) * 2), hash(UInt64(index) * 2 + 1)] {
                for shift in stride(from: UInt64(0), to: 48, by: 8) { sum += Int(word >> shift & 255) }
            }
            return Int16(sum)
        }
        let all = half + half.map { -$0 }
        return all + (0..<bytesPerLine).map { all[$0 % all.count] }
    }

    /// Returns the position at which a row begins.
    /// - Parameter microseconds: The time of the frame after the start.
    static func position(row: Int, microseconds: Int64) -> Int {
        let seed = UInt64(bitPattern: microseconds) &* 0x1_0000 &+ UInt64(truncatingIfNeeded: row)
        return Int(hash(seed) % UInt64(period))
    }

    /// Returns a number that looks random: the output function of SplitMix64 (Steele, Lea, Flood 2014).
    private static func hash(_ seed: UInt64) -> UInt64 {
        var z = (seed &+ 1) &* 0x9E37_79B9_7F4A_7C15
        z = (z ^ z >> 30) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
        return z ^ z >> 31
    }
}
