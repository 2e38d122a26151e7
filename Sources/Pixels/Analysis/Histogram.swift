public import Color

/// The number of pixels of each code value: 256 counts for each channel.
public typealias Histogram = Channels<[Int], ChannelMeaning.Encoded>

/// The counts of one channel.
extension [Int] {
    /// The least code value that occurs; 0 if there are no pixels.
    var minimum: Double { Double(firstIndex { $0 > 0 } ?? 0) }

    /// The greatest code value that occurs; 0 if there are no pixels.
    var maximum: Double { Double(lastIndex { $0 > 0 } ?? 0) }

    /// The median: of an even number of pixels, the mean of the middle two.
    var median: Double {
        let total = reduce(0, +)
        return (codeValue(ranked: (total - 1) / 2) + codeValue(ranked: total / 2)) / 2
    }

    /// Returns the code value at a position, counted from 0, of all code values in ascending order.
    private func codeValue(ranked rank: Int) -> Double {
        var below = 0
        let code = firstIndex { count in
            below += count
            return below > rank
        }
        return Double(code ?? 0)
    }
}
