import CPixels
import Color

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

/// The transfer function of sRGB, from the values of a channel to linear light, approximated by parabolas.
///
/// It is off by at most 2^-29 from the exact value, and exact for black and white.
enum LightCurve {
    /// The full scale of a channel. 64 bits hold the sum of 60 white pictures of 16384 x 16384, the largest that can be
    /// averaged.
    static let fullScale = Double(1 << 30)

    /// The pieces, as `cpixels_add_light` takes them.
    static let pieces: [UInt64] = (0..<Int(CPIXELS_CURVE)).map(piece)

    private static let length = 128

    private static func piece(_ index: Int) -> UInt64 {
        let start = index * length - Int(CPIXELS_KNOT)
        // The parabola passes through Chebyshev nodes, which keeps its error small. sRGB changes from a line to a power
        // at the border of two pieces.
        let nodes = [-0.8660254037844387, 0, 0.8660254037844387].map { (1 + $0) * Double(length) / 2 }
        let light = nodes.map { fullScale * SRGB.linear((Double(start) + $0) / Double(ConversionTable.fullScale)) }
        let slope = (light[1] - light[0]) / (nodes[1] - nodes[0])
        let c = ((light[2] - light[1]) / (nodes[2] - nodes[1]) - slope) / (nodes[2] - nodes[0])
        let b = slope - c * (nodes[0] + nodes[1])
        let a = light[0] - (b + c * nodes[0]) * nodes[0]
        let (linear, quadratic) = (UInt64((b * 512).rounded()), UInt64((max(c, 0) * 32768).rounded()))
        var constant = Int(a.rounded())
        func rise(to t: UInt64) -> Int { Int((linear * t + (quadratic * t * t) >> 6 + 256) >> 9) }
        if start <= 0 { constant = -rise(to: UInt64(-start)) }
        let top = Int(ConversionTable.fullScale) - start
        if top < length { constant = Int(fullScale) - rise(to: UInt64(top)) }
        return UInt64(constant + Int(CPIXELS_CURVE_BIAS)) << 33 | linear << 10 | quadratic
    }
}
