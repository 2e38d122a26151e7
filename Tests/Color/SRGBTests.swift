import Color
import Testing

@Suite("The transfer function of sRGB")
struct SRGBTests {
    @Test(
        "the linear light is that of IEC 61966-2-1, on both sides of the end of the linear segment",
        arguments: [(0, 0), (0.04045, 0.0031308), (0.0404, 0.0404 / 12.92), (0.5, 0.2140411), (1, 1)])
    func linear(value: Double, light: Double) {
        #expect(abs(SRGB.linear(value) - light) < 1e-7)
    }

    @Test(
        "the encoded value is that of IEC 61966-2-1, on both sides of the end of the linear segment",
        arguments: [(0, 0), (0.0031308, 0.0404499), (0.003, 0.03876), (0.2140411, 0.5), (1, 1)])
    func encoded(light: Double, value: Double) {
        #expect(abs(SRGB.encoded(light) - value) < 1e-6)
    }

    @Test("decoding reverses encoding")
    func inverse() {
        for code in stride(from: 0.0, through: 255, by: 1) {
            #expect(abs(SRGB.encoded(SRGB.linear(code / 255)) * 255 - code) < 1e-4)
        }
    }
}
