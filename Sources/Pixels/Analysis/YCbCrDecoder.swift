/// The coefficients that convert 8-bit Y'CbCr to R'G'B' on the 8-bit scale.
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
