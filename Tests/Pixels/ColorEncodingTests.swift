import Testing

@testable import Pixels

@Suite("A colour encoding")
struct ColorEncodingTests {
    @Test(
        "a colour encoding has the luma coefficients of its standard",
        arguments: [
            (ColorEncoding.Matrix.bt601, 0.299, 0.114), (.bt709, 0.2126, 0.0722), (.bt2020, 0.2627, 0.0593),
            (.smpte240M, 0.212, 0.087),
        ])
    func coefficients(matrix: ColorEncoding.Matrix, kr: Double, kb: Double) {
        #expect(matrix.kr == kr)
        #expect(matrix.kb == kb)
    }
}
