/// A random number generator that produces the same numbers in every run and on every machine (SplitMix64: Steele, Lea
/// and Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014).
public struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// Creates a generator whose numbers depend on the seed only.
    public init(seed: UInt64) { state = seed }

    /// Returns the next number.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    /// Returns random bytes within a range. Calling `UInt8.random(in:using:)` for each byte takes several times as long in
    /// a debug build.
    public mutating func bytes(_ count: Int, in range: ClosedRange<UInt8> = 0...255) -> [UInt8] {
        let (first, span) = (UInt64(range.lowerBound), UInt64(range.count))
        var bytes = [UInt8](repeating: range.lowerBound, count: count)
        var number: UInt64 = 0
        for index in bytes.indices {
            number = index % 8 == 0 ? next() : number >> 8
            bytes[index] = UInt8(truncatingIfNeeded: first + (number & 0xFF) * span / 256)
        }
        return bytes
    }
}
