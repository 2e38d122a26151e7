import CPixels

/// A sink that gathers statistics of up to ``PixelGrid/maxPixelsReadInFull`` pixels.
@safe struct PixelTally: PixelSink {
    /// The pixels that were taken, and room for the others.
    private let pixels: UnsafeMutableBufferPointer<UInt64>
    private var count = 0

    /// Returns the statistics of the pixels that a closure passes to the sink, and the sums of their light; nil if
    /// there are none.
    /// - Parameter pixels: The greatest number of pixels that it passes.
    static func statistics(
        ofPixels pixels: Int, regionPixels: Int, _ body: (inout PixelTally) -> Void
    ) -> (statistics: RegionStatistics, light: PictureSums)? {
        unsafe withUnsafeTemporaryAllocation(of: UInt64.self, capacity: pixels) { room in
            var tally = unsafe PixelTally(room)
            body(&tally)
            guard tally.count > 0 else { return nil }
            let counts = tally.counts()
            return (counts.statistics(regionPixels: regionPixels), counts.light)
        }
    }

    private init(_ room: UnsafeMutableBufferPointer<UInt64>) { unsafe pixels = unsafe room }

    @inline(__always)
    mutating func take(_ pixel: UInt64) {
        guard unsafe count < pixels.count else { return }
        unsafe pixels[count] = pixel
        count &+= 1
    }

    /// Counts the pixels that were taken, at least one.
    private func counts() -> PixelCounts {
        var (codes, sums) = ([UInt32](repeating: 0, count: 3 * 256), cpixels_tally())
        unsafe withUnsafeTemporaryAllocation(of: UInt16.self, capacity: count) { bins in
            unsafe cpixels_add_statistics(pixels.baseAddress, count, LightCurve.pieces, bins.baseAddress, &codes, &sums)
        }
        return PixelCounts(pixels: count, codes: codes, sums: sums)
    }
}
