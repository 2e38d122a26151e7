import Testing

@testable import Pixels

@Suite("A colour encoding")
struct ColorEncodingTests {
    @Test(
        "a colour encoding has the luma coefficients of its standard",
        arguments: [
            (ColorEncoding.LumaCoefficients.bt601, 0.299, 0.114), (.bt709, 0.2126, 0.0722), (.bt2020, 0.2627, 0.0593),
            (.smpte240M, 0.212, 0.087),
        ])
    func coefficients(matrix: ColorEncoding.LumaCoefficients, kr: Double, kb: Double) {
        #expect(matrix.kr == kr)
        #expect(matrix.kb == kb)
    }
}

extension ColorEncoding.LumaCoefficients {
    /// The shares of red and blue in the standards: ITU-R BT.709-6, BT.2020-2 and BT.601-7, and SMPTE 240M-1999. They
    /// are stated again, so that the references of other tests do not depend on the code.
    var published: (kr: Double, kb: Double) {
        switch self {
        case .bt709: (0.2126, 0.0722)
        case .bt2020: (0.2627, 0.0593)
        case .smpte240M: (0.212, 0.087)
        default: (0.299, 0.114)
        }
    }
}
