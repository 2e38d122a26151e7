import Testing

@testable import Color

@Suite("Correlated colour temperatures")
struct CorrelatedColorTemperatureTests {
    /// A light, and its colour temperature as another program computed it.
    struct Light: Sendable, CustomTestStringConvertible {
        var chromaticity: Chromaticity
        /// The temperature by McCamy's polynomial, in kelvins.
        var approximate: Double
        /// The temperature and Duv that a search along the Planckian locus finds.
        var exact: (kelvins: Double, duv: Double)

        var testDescription: String { "x \(chromaticity.x) y \(chromaticity.y)" }
    }

    /// Chromaticities, rounded, of the temperatures and Duv in the last columns, and McCamy's temperature. All were
    /// computed by colour-science 0.4.7 of PyPI: `CCT_to_uv_Ohno2013`, `uv_to_CCT_Ohno2013`, `xy_to_CCT_McCamy1992`.
    static let lights = [
        (0.396016, 0.296014, 2658.37, 2700, -0.045),
        (0.337739, 0.269698, 5069.94, 5003, -0.045),
        (0.302070, 0.238068, 10_667.68, 11_000, -0.045),
        (0.428371, 0.354085, 2684.55, 2700, -0.020),
        (0.324391, 0.297952, 5999.63, 6000, -0.020),
        (0.288119, 0.261534, 10_744.55, 11_000, -0.020),
        (0.483554, 0.396905, 2272.45, 2300, -0.006),
        (0.358363, 0.349842, 4512.94, 4500, -0.006),
        (0.314843, 0.313701, 6500.14, 6504, -0.006),
        (0.288186, 0.285931, 9218.51, 9300, -0.006),
        (0.495687, 0.415204, 2283.25, 2300, 0.000),
        (0.447537, 0.407430, 2857.65, 2856, 0.000),
        (0.380441, 0.376749, 4008.88, 4000, 0.000),
        (0.345018, 0.351543, 5005.93, 5003, 0.000),
        (0.300335, 0.310268, 7491.73, 7500, 0.000),
        (0.270756, 0.276282, 11_892.97, 12_300, 0.000),
        (0.452363, 0.416734, 2858.02, 2856, 0.003),
        (0.408484, 0.399238, 3507.23, 3500, 0.003),

        (0.312755, 0.328651, 6504.65, 6504, 0.003),
        (0.283163, 0.296958, 9236.63, 9300, 0.003),
        (0.577188, 0.481481, 2030.09, 2005, 0.020),
        (0.469159, 0.470591, 3001.61, 3000, 0.020),
        (0.349135, 0.397826, 4991.69, 5003, 0.020),
        (0.262021, 0.305431, 10_807.70, 11_000, 0.020),
        (0.520420, 0.576392, 2998.68, 3000, 0.045),
        (0.355364, 0.467868, 4979.08, 5003, 0.045),
        (0.315511, 0.428080, 6001.18, 6000, 0.045),
        (0.242759, 0.337829, 10_831.03, 11_000, 0.045),
    ].map {
        Light(chromaticity: Chromaticity(x: $0.0, y: $0.1), approximate: $0.2, exact: ($0.3, $0.4))
    }

    @Test(
        "colour temperatures and Duv are close to those that a search along the Planckian locus finds",
        arguments: lights)
    func search(light: Light) throws {
        let temperature = try #require(CorrelatedColorTemperature(light.chromaticity))
        // The same polynomial in another program.
        #expect(abs(temperature.kelvins - light.approximate) < 0.006)
        let error = abs(temperature.kelvins / light.exact.kelvins - 1)
        #expect(error < (abs(light.exact.duv) > 0.02 ? 0.09 : 0.05))
        #expect(abs(temperature.duv - light.exact.duv) < 0.001)
    }

    @Test("the white of sRGB has about 6500 K, and lies on the green side of the Planckian locus")
    func white() throws {
        let chromaticity = try #require(XYZ(RGB(r: 200, g: 200, b: 200)).chromaticity)
        let temperature = try #require(CorrelatedColorTemperature(chromaticity))
        #expect(abs(temperature.kelvins - 6504) < 2)
        #expect(abs(temperature.duv - 0.0032) < 0.0001)
    }

    @Test(
        "colours that are no kind of white have no colour temperature",
        arguments: [
            RGB(r: 255, g: 0, b: 0), RGB(r: 0, g: 255, b: 0), RGB(r: 0, g: 0, b: 255), RGB(r: 150, g: 255, b: 0),
            RGB(r: 255, g: 0, b: 255), RGB(r: 0, g: 255, b: 255), RGB(r: 255, g: 80, b: 0),
        ])
    func saturated(color: RGB) throws {
        #expect(CorrelatedColorTemperature(try #require(XYZ(color).chromaticity)) == nil)
    }

    @Test(
        "a light has a colour temperature up to a Duv of 0.05",
        arguments: [
            (0.3130, 0.4360, true), (0.3130, 0.4420, false), (0.3245, 0.2540, true), (0.3245, 0.2480, false),
        ])
    func distance(x: Double, y: Double, has: Bool) {
        #expect((CorrelatedColorTemperature(Chromaticity(x: x, y: y)) != nil) == has)
    }

    /// The first four are black bodies of about 12,900, 13,600, 2030 and 1990 K.
    @Test(
        "a light has a colour temperature from 2000 to 12,500 K of the polynomial",
        arguments: [
            (0.2690, 0.2739, true), (0.2670, 0.2712, false), (0.5236, 0.4145, true), (0.5278, 0.4137, false),
            // 1200 K with a Duv of -0.03: the polynomials alone would say 2278 K and 0.044.
            (0.5548, 0.3005, false),
            // Purples, for which the polynomials alone would say 4600 K and -0.004.
            (0.3175, 0.0883, false), (0.3320, 0.1858, false),
        ])
    func range(x: Double, y: Double, has: Bool) {
        #expect((CorrelatedColorTemperature(Chromaticity(x: x, y: y)) != nil) == has)
    }
}
