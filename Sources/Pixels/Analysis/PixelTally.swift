import CPixels
import Color

/// A sink that gathers statistics of up to ``PixelGrid/mostPixels`` pixels.
@safe struct PixelTally: PixelSink {
    private static let capacity = 256

    /// Pixels that wait to be counted together: `capacity` at most.
    private let waiting: UnsafeMutablePointer<UInt64>
    private var waitingCount = 0
    private var pixels = 0
    private var codes = [UInt32](repeating: 0, count: 3 * 256)
    private var bins: ColorBins
    private var sums = cpixels_tally()

    /// Returns the statistics of the pixels that a closure passes to the sink, and the sums of their light; nil if there
    /// are none.
    /// - Parameter pixels: The number of pixels that it passes at most.
    static func statistics(
        ofPixels pixels: Int, regionPixels: Int, _ body: (inout PixelTally) -> Void
    ) -> (statistics: RegionStatistics, light: PictureSums)? {
        unsafe withUnsafeTemporaryAllocation(of: UInt64.self, capacity: capacity) { waiting in
            unsafe withUnsafeTemporaryAllocation(
                of: cpixels_bin.self, capacity: ColorBins.capacity(for: pixels)
            ) { bins in
                guard let waiting = waiting.baseAddress, let bins = bins.baseAddress else { return nil }
                var tally = unsafe PixelTally(waiting: waiting, bins: ColorBins(bins))
                body(&tally)
                tally.count()
                return tally.pixels > 0 ? (tally.statistics(regionPixels: regionPixels), tally.light) : nil
            }
        }
    }

    private init(waiting: UnsafeMutablePointer<UInt64>, bins: ColorBins) {
        unsafe self.waiting = unsafe waiting
        self.bins = bins
    }

    @inline(__always)
    mutating func take(_ p0: UInt64, _ p1: UInt64, _ p2: UInt64, _ p3: UInt64) {
        take(p0)
        take(p1)
        take(p2)
        take(p3)
    }

    @inline(__always)
    mutating func take(_ pixel: UInt64) {
        unsafe waiting[waitingCount] = pixel
        waitingCount &+= 1
        if waitingCount == Self.capacity { count() }
    }

    /// Counts the pixels that wait.
    @inline(never)
    private mutating func count() {
        unsafe cpixels_count(waiting, waitingCount, LightSums.light, &codes, &bins.numbers, bins.bins, &sums)
        pixels += waitingCount
        waitingCount = 0
    }

    private var light: PictureSums {
        PictureSums((sums.light.0, sums.light.1, sums.light.2), pixels: pixels, unit: .light)
    }

    private func statistics(regionPixels: Int) -> RegionStatistics {
        let counts = (0..<3).map { channel in codes[256 * channel..<256 * (channel + 1)].map { Int($0) } }
        let total = Double(pixels)
        let (sums, count) = (sums, UInt128(pixels))
        func deviation(_ sum: UInt64, _ squares: UInt64) -> Double {
            // Whole numbers lose nothing when they are subtracted.
            let difference = count * UInt128(squares) - UInt128(sum) * UInt128(sum)
            return (Double(difference) / (total * (total - 1))).squareRoot() / ConversionTable.unit
        }
        func rgb(_ value: ([Int]) -> Double) -> RGB {
            RGB(r: value(counts[0]), g: value(counts[1]), b: value(counts[2]))
        }
        let (minimum, maximum) = (rgb(Histogram.minimum), rgb(Histogram.maximum))
        return RegionStatistics(
            pixels: pixels, regionPixels: regionPixels,
            linear: light.linear ?? LinearRGB(r: 0, g: 0, b: 0),
            minimum: minimum, maximum: maximum, median: rgb(Histogram.median),
            standardDeviation: pixels < 2
                ? nil
                : RGB(
                    r: deviation(sums.sum.0, sums.squares.0), g: deviation(sums.sum.1, sums.squares.1),
                    b: deviation(sums.sum.2, sums.squares.2)),
            // In the table's units, 514 is the last value that is rounded to 0, and stands for 0.5; 261,629 is the first that
            // is rounded to 255, and stands for 254.5.
            clippedLow: ChannelShares(
                r: Double(counts[0][0]) / total,
                g: Double(counts[1][0]) / total,
                b: Double(counts[2][0]) / total),
            clippedHigh: ChannelShares(
                r: Double(counts[0][255]) / total, g: Double(counts[1][255]) / total,
                b: Double(counts[2][255]) / total),
            outOfGamut: Double(sums.out_of_gamut) / total,
            dominant: bins.dominant(of: pixels, inBins: Int(sums.bins)),
            histogram: Histogram(r: counts[0], g: counts[1], b: counts[2]))
    }
}
