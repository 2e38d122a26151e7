/// A figure for each channel and for the colour, as written to JSON.
struct ChannelFigures: Codable {
    let r: Double
    let g: Double
    let b: Double
    /// The figure for the colour in ΔE00.
    let deltaE: Double

    /// Creates figures, rounded to four decimals.
    init(r: Double, g: Double, b: Double, deltaE: Double) {
        self.r = r.rounded(decimals: 4)
        self.g = g.rounded(decimals: 4)
        self.b = b.rounded(decimals: 4)
        self.deltaE = deltaE.rounded(decimals: 4)
    }
}
