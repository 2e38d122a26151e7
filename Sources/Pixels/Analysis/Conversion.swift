/// From a pixel's code values to R'G'B', by table.
///
/// Each code value of each component has one 64-bit entry: what it adds to red, green and blue, in three fields of 21
/// bits. The sum of a pixel's entries is its colour, and one look at the fields' upper bits tells whether any channel
/// lies outside 0...255. Nothing but loads and additions of whole numbers, as fast on a Pi as on a desktop.
///
/// A field counts in units of 1 / `unit` of a code value, so that 255 is 2^18 - 1: an entry is off by 0.0005 of a code
/// value at most, and a channel in range leaves the upper three bits alone. Those hold a bias of four times full scale,
/// under which every sum stays positive: no Y'CbCr reaches below -1.2 or above 2.2 times full scale.
struct Conversion: Sendable {
    /// Full scale of a channel, 255.
    static let white: UInt64 = (1 << 18) - 1
    /// Units to a code value.
    static let unit = Double(white) / 255
    static let fieldBits: UInt64 = 21
    static let fieldMask: UInt64 = (1 << fieldBits) - 1
    /// A one in each field.
    static let ones = packed(1, 1, 1)
    /// The bias in each field; XOR with it leaves a channel that is in range, and sets an upper bit of one that is not.
    static let bias = packed(4 << 18, 4 << 18, 4 << 18)
    /// The upper bits of each field.
    static let outOfRange = packed(7 << 18, 7 << 18, 7 << 18)

    /// 256 entries for each of three components. Of a grey format only the first are looked at.
    let entries: [UInt64]

    init(model: PixelFormat.Model, encoding: ColorEncoding) {
        switch model {
        case .grey:
            entries = (0..<256).map { Self.bias &+ Self.entry(Double($0), Double($0), Double($0)) }
        case .rgb:
            let values = (0..<256).map { Self.rgb(Double($0), range: encoding.range) }
            entries =
                values.map { Self.bias &+ Self.entry($0, 0, 0) } + values.map { Self.entry(0, $0, 0) }
                + values.map { Self.entry(0, 0, $0) }
        case .yCbCr:
            entries = Self.yCbCr(encoding)
        }
    }

    /// R'G'B' of limited range on the full scale. Clamped here: the channels do not depend on one another.
    private static func rgb(_ code: Double, range: ColorEncoding.Range) -> Double {
        range == .full ? code : min(max((code - 16) * 255 / 219, 0), 255)
    }

    /// R' = Y' + 2(1 - Kr)Pr, B' = Y' + 2(1 - Kb)Pb, and G' from Y' = Kr R' + Kg G' + Kb B' (ITU-R BT.601-7, 2.5.1).
    private static func yCbCr(_ encoding: ColorEncoding) -> [UInt64] {
        // Code values of black, from black to white, and of chroma from -0.5 to 0.5; 128 is chroma's zero in both.
        let (black, luma, chroma): (Double, Double, Double) = encoding.range == .full ? (0, 255, 255) : (16, 219, 224)
        let (kr, kb) = (encoding.matrix.kr, encoding.matrix.kb)
        let kg = 1 - kr - kb
        let (crToR, cbToB) = (2 * (1 - kr) * 255 / chroma, 2 * (1 - kb) * 255 / chroma)
        let codes = (0..<256).map(Double.init)
        let y = codes.map { ($0 - black) * 255 / luma }.map { bias &+ entry($0, $0, $0) }
        let cb = codes.map { $0 - 128 }.map { entry(0, -$0 * cbToB * kb / kg, $0 * cbToB) }
        let cr = codes.map { $0 - 128 }.map { entry($0 * crToR, -$0 * crToR * kr / kg, 0) }
        return y + cb + cr
    }

    private static func entry(_ r: Double, _ g: Double, _ b: Double) -> UInt64 {
        packed(Int64((r * unit).rounded()), Int64((g * unit).rounded()), Int64((b * unit).rounded()))
    }

    /// Three fields. A negative one borrows from the next, and gives it back in the sum, which the bias keeps positive.
    private static func packed(_ r: Int64, _ g: Int64, _ b: Int64) -> UInt64 {
        UInt64(bitPattern: r &+ (g &<< Int64(fieldBits)) &+ (b &<< Int64(2 * fieldBits)))
    }
}
