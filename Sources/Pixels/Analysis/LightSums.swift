import CPixels

/// A sink that adds up linear light: each channel of each pixel decoded by the transfer function of sRGB.
@safe struct LightSums: PixelSink {
    private static let capacity = 256

    /// Pixels that wait to be added together: `capacity` at most.
    private let waiting: UnsafeMutablePointer<UInt64>
    private var waitingCount = 0
    private var totals = cpixels_sums()

    /// Returns the sums of the pixels that a closure passes to the sink.
    /// - Parameter pixels: The number of pixels that it passes.
    static func sums(ofPixels pixels: Int, _ body: (inout LightSums) -> Void) -> PictureSums {
        unsafe withUnsafeTemporaryAllocation(of: UInt64.self, capacity: capacity) { waiting in
            guard let waiting = waiting.baseAddress else { return PictureSums((0, 0, 0), pixels: pixels, unit: .light) }
            var sums = unsafe LightSums(waiting)
            body(&sums)
            sums.add()
            return PictureSums((sums.totals.r, sums.totals.g, sums.totals.b), pixels: pixels, unit: .light)
        }
    }

    private init(_ waiting: UnsafeMutablePointer<UInt64>) { unsafe self.waiting = unsafe waiting }

    @inline(__always)
    mutating func take(_ pixel: UInt64) {
        unsafe waiting[waitingCount] = pixel
        waitingCount &+= 1
        if waitingCount == Self.capacity { add() }
    }

    /// Adds the pixels that wait.
    @inline(never)
    private mutating func add() {
        unsafe cpixels_add_light(waiting, waitingCount, LightCurve.pieces, &totals)
        waitingCount = 0
    }
}
