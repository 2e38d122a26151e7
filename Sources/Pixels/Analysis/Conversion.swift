/// From a pixel's three code values to R'G'B' on the 8-bit scale, in fixed point.
///
/// With 24 fractional bits a coefficient is off by 2^-25 at most, a pixel by 0.0001 of a code value; the sum of
/// 2^31 pixels still fits 64 bits.
struct Conversion: Sendable {
    /// 1.0 in fixed point.
    static let one: Int64 = 1 << 24
    private static let white = 255 * one

    /// Added to each channel, which takes in the offsets of luma and chroma.
    private let offset: (r: Int64, g: Int64, b: Int64)
    /// What one step of the first, second and third code value adds to each channel.
    private let first: (r: Int64, g: Int64, b: Int64)
    private let second: (r: Int64, g: Int64, b: Int64)
    private let third: (r: Int64, g: Int64, b: Int64)

    init(model: PixelFormat.Model, encoding: ColorEncoding) {
        // Code values of black, and of the steps from black to white and of chroma from -0.5 to 0.5.
        let (black, luma, chroma): (Double, Double, Double) =
            encoding.range == .full ? (0, 255, 255) : (16, 219, 224)
        let unit = 255 / luma
        guard model == .yCbCr else {
            (first, second, third) = ((Self.fixed(unit), 0, 0), (0, Self.fixed(unit), 0), (0, 0, Self.fixed(unit)))
            let shift = Self.fixed(-black * unit)
            offset = (shift, shift, shift)
            return
        }
        // R' = Y' + 2(1 - Kr)Pr, B' = Y' + 2(1 - Kb)Pb, and G' from Y' = Kr R' + Kg G' + Kb B' (ITU-R BT.601-7, 2.5.1).
        let (kr, kb) = (encoding.matrix.kr, encoding.matrix.kb)
        let kg = 1 - kr - kb
        let step = 255 / chroma
        let (crToR, cbToB) = (2 * (1 - kr) * step, 2 * (1 - kb) * step)
        let (crToG, cbToG) = (-crToR * kr / kg, -cbToB * kb / kg)
        first = (Self.fixed(unit), Self.fixed(unit), Self.fixed(unit))
        second = (0, Self.fixed(cbToG), Self.fixed(cbToB))
        third = (Self.fixed(crToR), Self.fixed(crToG), 0)
        // 128 is chroma's zero in both ranges.
        offset = (
            Self.fixed(-black * unit - 128 * crToR), Self.fixed(-black * unit - 128 * (cbToG + crToG)),
            Self.fixed(-black * unit - 128 * cbToB)
        )
    }

    /// Adds a pixel's R'G'B', each channel clamped to 0...255.
    @inline(__always)
    func add(_ a: Int64, _ b: Int64, _ c: Int64, to sums: inout ChannelSums) {
        sums.r += Self.clamped(offset.r + a * first.r + b * second.r + c * third.r)
        sums.g += Self.clamped(offset.g + a * first.g + b * second.g + c * third.g)
        sums.b += Self.clamped(offset.b + a * first.b + b * second.b + c * third.b)
    }

    @inline(__always)
    private static func clamped(_ value: Int64) -> Int64 {
        min(max(value, 0), white)
    }

    private static func fixed(_ value: Double) -> Int64 {
        Int64((value * Double(one)).rounded())
    }
}
