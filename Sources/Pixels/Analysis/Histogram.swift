/// The number of pixels of each code value, 0...255, in each channel.
public struct Histogram: Equatable, Sendable {
    /// Red: 256 counts.
    public var r: [Int]
    /// Green: 256 counts.
    public var g: [Int]
    /// Blue: 256 counts.
    public var b: [Int]

    /// Creates a histogram from the given counts, unchecked.
    public init(r: [Int], g: [Int], b: [Int]) {
        self.r = r
        self.g = g
        self.b = b
    }

    /// Returns the least code value that occurs; 0 if there are no pixels.
    static func minimum(_ counts: [Int]) -> Double { Double(counts.firstIndex { $0 > 0 } ?? 0) }

    /// Returns the greatest code value that occurs; 0 if there are no pixels.
    static func maximum(_ counts: [Int]) -> Double { Double(counts.lastIndex { $0 > 0 } ?? 0) }

    /// Returns the median: of an even number of pixels, the mean of the middle two.
    static func median(_ counts: [Int]) -> Double {
        let total = counts.reduce(0, +)
        return (codeValue(ranked: (total - 1) / 2, in: counts) + codeValue(ranked: total / 2, in: counts)) / 2
    }

    /// Returns the code value at a position, counted from 0, of all code values in ascending order.
    private static func codeValue(ranked rank: Int, in counts: [Int]) -> Double {
        var below = 0
        let code = counts.firstIndex { count in
            below += count
            return below > rank
        }
        return Double(code ?? 0)
    }
}
