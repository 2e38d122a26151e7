import CPixels
import Color

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
