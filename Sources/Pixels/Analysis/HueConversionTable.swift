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
