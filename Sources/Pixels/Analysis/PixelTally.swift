import CPixels
import Color

/// A sink that gathers statistics of up to ``PixelGrid/maxPixelsReadInFull`` pixels.
@safe struct PixelTally: PixelSink {
    /// The pixels that were taken, and room for the others.
    private let pixels: UnsafeMutableBufferPointer<UInt64>
    private var count = 0

    struct Result {
        let statistics: RegionStatistics
        let light: PictureSums
        let coverage: [Coverage]
    }

    /// Returns the statistics of the pixels that a closure passes to the sink, the sums of their light, and the coverage
    /// of targets; nil if there are no pixels.
    /// - Parameters:
    ///   - pixels: The maximum number of pixels that it passes.
    ///   - blocks: Which of them are in the area.
    static func statistics(
        ofPixels pixels: Int, in blocks: PixelBlocks, regionPixels: Int, coverage table: CoverageTable?,
        _ body: (inout PixelTally) -> Void
    ) -> Result? {
        unsafe withUnsafeTemporaryAllocation(of: UInt64.self, capacity: pixels) { room in
            var tally = unsafe PixelTally(room)
            body(&tally)
            let taken = unsafe UnsafeMutableBufferPointer(rebasing: room[..<tally.count])
            let coverage = unsafe table?.coverage(of: taken, in: blocks) ?? []
            if !blocks.isFull { tally.keep(blocks) }
            guard tally.count > 0 else { return nil }
            let counts = tally.counts()
            return Result(
                statistics: counts.statistics(regionPixels: regionPixels), light: counts.light, coverage: coverage)
        }
    }

    /// Lends the pixels that a closure passes to the sink, without their order being changed.
    /// - Parameter pixels: The maximum number of pixels that it passes.
    static func reading<Result>(
        ofPixels pixels: Int, _ body: (inout PixelTally) -> Void,
        _ use: (UnsafeMutableBufferPointer<UInt64>) -> Result
    ) -> Result {
        unsafe withUnsafeTemporaryAllocation(of: UInt64.self, capacity: pixels) { room in
            var tally = unsafe PixelTally(room)
            body(&tally)
            return unsafe use(UnsafeMutableBufferPointer(rebasing: room[..<tally.count]))
        }
    }

    private init(_ room: UnsafeMutableBufferPointer<UInt64>) { unsafe pixels = unsafe room }

    @inline(__always)
    mutating func take(_ pixel: UInt64) {
        guard unsafe count < pixels.count else { return }
        unsafe pixels[count] = pixel
        count &+= 1
    }

    @inline(__always)
    mutating func take(_ count: Int, _ pixel: (Int) -> UInt64) {
        let (start, taken) = unsafe (self.count, min(count, pixels.count - self.count))
        for index in 0..<taken { unsafe pixels[start &+ index] = pixel(index) }
        self.count += taken
    }

    /// Keeps the pixels that are in the area.
    private mutating func keep(_ blocks: PixelBlocks) {
        var kept = 0
        for (index, block) in zip(0..<count, blocks.numbers) where block != PixelBlocks.outside {
            unsafe pixels[kept] = pixels[index]
            kept += 1
        }
        count = kept
    }

    /// Counts the pixels that were taken, at least one.
    private func counts() -> PixelCounts {
        // Each channel has an array of its own: one that is shared is copied before it is changed.
        func none() -> [Int] { [Int](repeating: 0, count: 256) }
        var (histogram, sums) = (Histogram(r: none(), g: none(), b: none()), cpixels_tally())
        unsafe withUnsafeTemporaryAllocation(of: UInt16.self, capacity: count) { bins in
            unsafe cpixels_add_statistics(
                pixels.baseAddress, count, LightCurve.pieces, bins.baseAddress, &histogram.r, &histogram.g,
                &histogram.b, &sums)
        }
        return PixelCounts(pixels: count, histogram: histogram, sums: sums)
    }
}

/// The counts and sums of some pixels, at least one.
struct PixelCounts {
    let pixels: Int
    let histogram: Histogram
    let sums: cpixels_tally

    var light: PictureSums {
        PictureSums((sums.light.0, sums.light.1, sums.light.2), pixels: pixels, unit: .light)
    }

    private var dominant: DominantColor {
        let (sum, count) = (sums.dominant.sum, Double(sums.dominant.pixels))
        let unit = ConversionTable.unit * count
        return DominantColor(
            color: RGB(r: Double(sum.0) / unit, g: Double(sum.1) / unit, b: Double(sum.2) / unit),
            share: count / Double(pixels))
    }

    /// Returns the statistics of these pixels, which stand for a region of `regionPixels` pixels.
    func statistics(regionPixels: Int) -> RegionStatistics {
        let total = Double(pixels)
        let (sums, count) = (sums, UInt64(pixels))
        func deviation(_ sum: UInt64, _ squares: UInt64) -> Double {
            // Subtracting whole numbers loses no precision. Converting a UInt128 would take longer than all the rest.
            let (all, own) = (count.multipliedFullWidth(by: squares), sum.multipliedFullWidth(by: sum))
            let (low, borrows) = all.low.subtractingReportingOverflow(own.low)
            let high = all.high - own.high - (borrows ? 1 : 0)
            let difference = Double(high) * 0x1p64 + Double(low)
            return (difference / (total * (total - 1))).squareRoot() / ConversionTable.unit
        }
        let (red, green, blue) = sums.order
        func code(_ value: (cpixels_order) -> Double) -> RGB { RGB(r: value(red), g: value(green), b: value(blue)) }
        return RegionStatistics(
            pixels: pixels, regionPixels: regionPixels,
            minimum: code { Double($0.minimum) }, maximum: code { Double($0.maximum) },
            median: code { (Double($0.lower_median) + Double($0.upper_median)) / 2 },
            standardDeviation: pixels < 2
                ? nil
                : ChannelFigures(
                    r: deviation(sums.sum.0, sums.squares.0), g: deviation(sums.sum.1, sums.squares.1),
                    b: deviation(sums.sum.2, sums.squares.2)),
            // In the table's units, 514 is the last value that is rounded to 0, and stands for 0.5; 261,629 is the
            // first that is rounded to 255, and stands for 254.5.
            clippedLow: ChannelFigures(histogram.map { Double($0[0]) / total }),
            clippedHigh: ChannelFigures(histogram.map { Double($0[255]) / total }),
            outOfGamut: Double(sums.out_of_gamut) / total,
            dominant: dominant, histogram: histogram)
    }
}
