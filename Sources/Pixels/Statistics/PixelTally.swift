import Color

/// A sink that gathers statistics of up to ``PixelGrid/mostPixels`` pixels.
@safe struct PixelTally: PixelSink {
    /// 0.5 of a code value in each field.
    private static let half = UInt64((0.5 * ConversionTable.unit).rounded())
    private static let halves = ConversionTable.ones * half

    private var pixels = 0
    /// The number of pixels of each code value: 256 counts of red, then of green, then of blue.
    private let codes: UnsafeMutablePointer<UInt32>
    private let bins: ColorBins
    /// The sums of the channels, in units of 1 / `ConversionTable.unit` of a code value, and of their squares.
    private var sums = SIMD4<UInt64>()
    private var squares = SIMD4<UInt64>()
    private var light = LightSums()
    /// The number of channels that are not 0.5, each in its field: one that is counts as clipped, but not as black.
    private var otherThanHalf: UInt64 = 0
    private var outOfGamut = 0

    /// Returns the statistics of the pixels that a closure passes to the sink; nil if there are none.
    static func statistics(regionPixels: Int, _ body: (inout PixelTally) -> Void) -> RegionStatistics? {
        var codes = [UInt32](repeating: 0, count: 3 * 256)
        var bins = [SIMD4<UInt32>](repeating: SIMD4(), count: ColorBins.count)
        return unsafe codes.withUnsafeMutableBufferPointer { codes in
            unsafe bins.withUnsafeMutableBufferPointer { bins in
                guard let codes = codes.baseAddress, let bins = bins.baseAddress else { return nil }
                var tally = unsafe PixelTally(codes: codes, bins: ColorBins(bins))
                body(&tally)
                return tally.pixels > 0 ? tally.statistics(regionPixels: regionPixels) : nil
            }
        }
    }

    private init(codes: UnsafeMutablePointer<UInt32>, bins: ColorBins) {
        unsafe self.codes = unsafe codes
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
        var fields = pixel ^ ConversionTable.bias
        if fields & ConversionTable.outOfRange != 0 {
            fields = ConversionTable.clamped(pixel)
            outOfGamut &+= Self.isOutOfGamut(pixel) ? 1 : 0
        }
        pixels &+= 1
        // A field that differs from 0.5 carries into its upper bit. The sum of all pixels' carries fits a field.
        let mask = ConversionTable.fieldMask >> 1
        otherThanHalf &+= (((fields ^ Self.halves) &+ ConversionTable.ones &* mask) &>> 20) & ConversionTable.ones
        let codes = ConversionTable.rgbx(fields)
        unsafe self.codes[Int(codes & 255)] &+= 1
        unsafe self.codes[256 &+ Int((codes &>> 8) & 255)] &+= 1
        unsafe self.codes[512 &+ Int((codes &>> 16) & 255)] &+= 1
        let r = fields & ConversionTable.fieldMask
        let g = (fields &>> ConversionTable.fieldBits) & ConversionTable.fieldMask
        let b = fields &>> (2 * ConversionTable.fieldBits)
        bins.add(
            codes: codes,
            channels: SIMD4(
                UInt32(truncatingIfNeeded: r), UInt32(truncatingIfNeeded: g), UInt32(truncatingIfNeeded: b), 1))
        let channels = SIMD4(r, g, b, 0)
        sums &+= channels
        squares &+= channels &* channels
        light.add(r: r, g: g, b: b)
    }

    /// Returns whether a channel of a pixel is below -0.5 or above 255.5.
    @inline(__always)
    private static func isOutOfGamut(_ pixel: UInt64) -> Bool {
        let ones = ConversionTable.ones
        let (raised, lowered) = (pixel &+ halves, pixel &- halves)
        let notBelow = (raised &>> 20) & ones
        let above = (lowered &>> 20) & ((lowered &>> 18) | (lowered &>> 19)) & ones
        return (notBelow ^ ones) | above != 0
    }
}

extension PixelTally {
    private func statistics(regionPixels: Int) -> RegionStatistics {
        let histogram = Histogram(r: counts(0), g: counts(1), b: counts(2))
        let counts = [histogram.r, histogram.g, histogram.b]
        let total = Double(pixels)
        func shares(_ count: (Int) -> Int) -> ChannelShares {
            ChannelShares(r: Double(count(0)) / total, g: Double(count(1)) / total, b: Double(count(2)) / total)
        }
        func rgb(_ value: (Int) -> Double) -> RGB { RGB(r: value(0), g: value(1), b: value(2)) }
        return RegionStatistics(
            pixels: pixels, regionPixels: regionPixels,
            linear: light.mean(of: pixels),
            minimum: rgb { Histogram.minimum(counts[$0]) },
            maximum: rgb { Histogram.maximum(counts[$0]) },
            median: rgb { Histogram.median(counts[$0]) },
            standardDeviation: pixels > 1 ? rgb(standardDeviation) : nil,
            clippedLow: shares { counts[$0][0] + halves($0) },
            // 254.5 is rounded up.
            clippedHigh: shares { counts[$0][255] },
            outOfGamut: Double(outOfGamut) / total, dominant: bins.dominant(of: pixels), histogram: histogram)
    }

    private func counts(_ channel: Int) -> [Int] {
        (0..<256).map { unsafe Int(codes[256 * channel + $0]) }
    }

    /// Returns the number of pixels whose channel is exactly 0.5.
    private func halves(_ channel: Int) -> Int {
        let others = otherThanHalf >> (UInt64(channel) * ConversionTable.fieldBits) & ConversionTable.fieldMask
        return pixels - Int(others)
    }

    private func standardDeviation(_ channel: Int) -> Double {
        // Both are whole numbers, so that nothing is lost by the subtraction.
        let (count, sum, square) = (UInt128(pixels), UInt128(sums[channel]), UInt128(squares[channel]))
        let deviation = Double(count * square - sum * sum) / (Double(pixels) * Double(pixels - 1))
        return deviation.squareRoot() / ConversionTable.unit
    }
}
