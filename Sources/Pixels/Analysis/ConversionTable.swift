import Color

/// A table that converts a pixel's code values to R'G'B'.
///
/// Each code value of each component has one 64-bit entry: its share of red, green and blue, in three fields of 21
/// bits. The sum of a pixel's entries is its colour, and one test of the fields' upper bits shows whether any channel
/// lies outside 0...255. This takes only loads and additions of whole numbers, which are as fast on a Pi as on a
/// desktop.
///
/// A field counts in units of 1 / `unit` of a code value, so that 255 is 2^18 - 1. An entry is off by at most 0.0005 of
/// a code value, and a channel in range does not touch the upper three bits. Those hold a bias of four times full
/// scale, which keeps every sum positive: no Y'CbCr lies below -1.2 or above 2.2 times full scale.
struct ConversionTable: Sendable {
    /// The full scale of a channel, which stands for 255.
    static let fullScale: UInt64 = (1 << 18) - 1
    /// The number of units in a code value.
    static let unit = Double(fullScale) / 255
    static let fieldBits: UInt64 = 21
    static let fieldMask: UInt64 = (1 << fieldBits) - 1
    /// A one in each field.
    static let ones = packed(1, 1, 1)
    /// The bias in each field. XOR with it removes the bias of a channel in range, and leaves an upper bit set in one
    /// that is not.
    static let bias = packed(4 << 18, 4 << 18, 4 << 18)
    /// The upper bits of each field.
    static let outOfRange = packed(7 << 18, 7 << 18, 7 << 18)

    /// The entries of all components one after another, one entry for each code value.
    let entries: [UInt64]
    /// The index of each component's first entry.
    let starts: [Int]

    init(_ format: PixelFormat, encoding: ColorEncoding) {
        let decoder = YCbCrDecoder(encoding)
        var (entries, starts): ([UInt64], [Int]) = ([], [])
        for (index, component) in format.components.enumerated() {
            starts.append(entries.count)
            // The bias is added only once, with the first component.
            let bias = index == 0 ? Self.bias : 0
            for code in 0..<1 << component.bits {
                entries.append(
                    bias &+ Self.entry(code, of: component, model: format.model, encoding, decoder))
            }
        }
        (self.entries, self.starts) = (entries, starts)
    }

    private static func entry(
        _ code: Int, of component: PixelFormat.Component, model: PixelFormat.Model, _ encoding: ColorEncoding,
        _ decoder: YCbCrDecoder
    ) -> UInt64 {
        let levels = Double(1 << component.bits)
        if let light = encoding.linearLight, model == .rgb || model == .grey {
            let value = light.gains.map {
                255 * component.weight * light.encoded(Double(code), of: levels, gain: $0)
            }
            func counts(_ channel: Int) -> Double { model == .grey || component.channel == channel ? 1 : 0 }
            return entry(value.r * counts(0), value.g * counts(1), value.b * counts(2))
        }
        // On the 8-bit scale, full range is stretched to 0...255, and limited range is scaled by a power of two. The
        // zero of chroma is in the middle of the code values in both (ITU-T H.273, 8.3; ITU-R BT.2100-2, table 9).
        let step = encoding.range == .full ? 255 / (levels - 1) : 256 / levels
        let difference = (Double(code) - levels / 2) * step
        let fromBlack = Double(code) * step - decoder.black
        switch (model, component.channel) {
        case (.grey, _), (.yCbCr, 0):
            let y = decoder.y * fromBlack
            return entry(y, y, y)
        case (.yCbCr, 1): return entry(0, decoder.gCb * difference, decoder.bCb * difference)
        case (.yCbCr, _): return entry(decoder.rCr * difference, decoder.gCr * difference, 0)
        case (.rgb, let channel):
            let value = component.weight * decoder.y * fromBlack
            return entry(channel == 0 ? value : 0, channel == 1 ? value : 0, channel == 2 ? value : 0)
        case (.hsv, _): return 0
        }
    }

    /// Returns a colour, or a share of one, as three fields.
    static func entry(_ r: Double, _ g: Double, _ b: Double) -> UInt64 {
        packed(Int64((r * unit).rounded()), Int64((g * unit).rounded()), Int64((b * unit).rounded()))
    }

    /// Packs three fields. A negative field borrows from the next one; the loan is repaid in the sum, which the bias
    /// keeps positive.
    private static func packed(_ r: Int64, _ g: Int64, _ b: Int64) -> UInt64 {
        UInt64(bitPattern: r &+ (g &<< Int64(fieldBits)) &+ (b &<< Int64(2 * fieldBits)))
    }
}

/// A table that converts hue, saturation and value to R'G'B' (the hexcone of A. R. Smith, "Color Gamut Transform
/// Pairs", SIGGRAPH 1978).
struct HueConversionTable {
    /// The position of each hue on the hexcone, 0..<6.
    private let positions: [Double]

    init(_ scale: ColorEncoding.HueScale) {
        positions = (0..<256).map { (Double($0) * 6 / scale.rawValue).truncatingRemainder(dividingBy: 6) }
    }

    /// Returns a pixel in the form of a sum of ``ConversionTable`` entries.
    /// - Parameters: Code values of 0...255.
    func pixel(h: Int, s: Int, v: Int) -> UInt64 {
        let position = positions[h]
        let chroma = Double(v) * Double(s) / 255
        // The hexcone has six faces. The position along a face runs from 0 to 1, between a primary and a secondary
        // colour.
        let face = Int(position)
        let along = position - Double(face)
        let (high, low) = (Double(v), Double(v) - chroma)
        let middle = low + chroma * (face % 2 == 0 ? along : 1 - along)
        let (r, g, b) =
            switch face {
            case 0: (high, middle, low)
            case 1: (middle, high, low)
            case 2: (low, high, middle)
            case 3: (low, middle, high)
            case 4: (middle, low, high)
            default: (high, low, middle)
            }
        return ConversionTable.bias &+ ConversionTable.entry(r, g, b)
    }
}

/// The coefficients that convert 8-bit Y'CbCr to R'G'B' on the 8-bit scale. Those of luma also decode grey and R'G'B'.
///
/// R' = Y' + 2(1 - Kr)Pr, B' = Y' + 2(1 - Kb)Pb, and G' from Y' = Kr R' + Kg G' + Kb B' (ITU-R BT.601-7, 2.5.1).
struct YCbCrDecoder {
    /// The code value of chroma's zero, in both ranges.
    static let chromaZero = 128
    /// The code value of black luma.
    let black: Double
    let y: Double
    let rCr: Double
    let gCb: Double
    let gCr: Double
    let bCb: Double

    init(_ encoding: ColorEncoding) {
        // The number of code values from black to white, and from -0.5 to 0.5 of chroma (BT.601-7, 2.5.3).
        let (luma, chroma): (Double, Double) = encoding.range == .full ? (255, 255) : (219, 224)
        let (kr, kb) = (encoding.matrix.kr, encoding.matrix.kb)
        let kg = 1 - kr - kb
        black = encoding.range == .full ? 0 : 16
        y = 255 / luma
        rCr = 2 * (1 - kr) * 255 / chroma
        bCb = 2 * (1 - kb) * 255 / chroma
        gCb = -bCb * kb / kg
        gCr = -rCr * kr / kg
    }
}
