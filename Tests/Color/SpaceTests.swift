import Testing

@testable import Color

@Suite("Colour spaces")
struct SpaceTests {
    @Test(
        "a colour in other spaces matches that of another program, and is the same when it is converted back",
        arguments: ReferenceColor.all)
    func spaces(color: ReferenceColor) {
        let (xyz, lab, oklab) = (XYZ(color.rgb), CIELab(color.rgb), Oklab(XYZ(color.rgb)))
        #expect(isClose((xyz.x, xyz.y, xyz.z), color.xyz, within: 1e-6))
        #expect(isClose((lab.lightness, lab.a, lab.b), color.lab, within: 1e-5))
        #expect(isClose((oklab.lightness, oklab.a, oklab.b), color.oklab, within: 1e-6))
        #expect(isClose((oklab.xyz.x, oklab.xyz.y, oklab.xyz.z), (xyz.x, xyz.y, xyz.z), within: 1e-12))
        let rgb = (color.rgb.r, color.rgb.g, color.rgb.b)
        let (hsl, hwb) = (HSL(color.rgb).rgb, HWB(color.rgb).rgb)
        #expect(isClose((hsl.r, hsl.g, hsl.b), rgb, within: 1e-9))
        #expect(isClose((hwb.r, hwb.g, hwb.b), rgb, within: 1e-9))
    }

    @Test(
        "white and greys have the chromaticity of D65, red that of its primary, and black has none",
        arguments: [
            (RGB(all: 255), Chromaticity(x: 0.3127, y: 0.3290)), (RGB(all: 128), .init(x: 0.3127, y: 0.3290)),
            (RGB(all: 1), .init(x: 0.3127, y: 0.3290)), (RGB(r: 255, g: 0, b: 0), .init(x: 0.64, y: 0.33)),
            (RGB(all: 0), nil),
        ] as [(RGB, Chromaticity?)])
    func chromaticity(color: RGB, expected: Chromaticity?) throws {
        let found = XYZ(color).chromaticity
        guard let expected else { return #expect(found == nil) }
        let chromaticity = try #require(found)
        #expect(abs(chromaticity.x - expected.x) < 1e-12 && abs(chromaticity.y - expected.y) < 1e-12)
    }

    @Test(
        "hue is the angle of a and b, from 0 up to 360 degrees",
        arguments: [(1, 0, 0), (0, 1, 90), (-1, 0, 180), (0, -1, 270), (1, -1, 315), (1, -0.0, 0), (0, 0, 0)]
            as [(Double, Double, Double)])
    func angle(a: Double, b: Double, hue: Double) {
        #expect(CIELab(lightness: 50, a: a, b: b).polar.hue == hue)
        #expect(Oklab(lightness: 0.5, a: a, b: b).polar.hue == hue)
    }

    @Test("chroma is the distance from grey")
    func chroma() {
        #expect(
            CIELab(lightness: 50, a: 3, b: -4).polar == PolarColor(lightness: 50, chroma: 5, hue: 306.86989764584405))
    }

    @Test(
        "hue, saturation and lightness are those of CSS",
        arguments: [
            (RGB8(r: 255, g: 0, b: 0), 0, 1, 0.5), (RGB8(r: 255, g: 255, b: 0), 60, 1, 0.5),
            (RGB8(r: 0, g: 128, b: 0), 120, 1, 64.0 / 255), (RGB8(r: 0, g: 255, b: 255), 180, 1, 0.5),
            (RGB8(r: 0, g: 0, b: 255), 240, 1, 0.5), (RGB8(r: 255, g: 0, b: 255), 300, 1, 0.5),
            (RGB8(r: 191, g: 64, b: 128), 329.7637795275591, 127.0 / 255, 0.5), (.white, 0, 0, 1), (.black, 0, 0, 0),
        ] as [(RGB8, Double, Double, Double)])
    func hsl(color: RGB8, hue: Double, saturation: Double, lightness: Double) {
        let hsl = HSL(RGB(color))
        #expect(isClose((hsl.hue, hsl.saturation, hsl.lightness), (hue, saturation, lightness), within: 1e-9))
    }

    @Test(
        "whiteness is the least channel, and blackness is what the greatest channel lacks",
        arguments: [(RGB8(r: 51, g: 102, b: 204), 220, 0.2, 0.2), (.white, 0, 1, 0), (.black, 0, 0, 1)]
            as [(RGB8, Double, Double, Double)])
    func hwb(color: RGB8, hue: Double, whiteness: Double, blackness: Double) {
        let hwb = HWB(RGB(color))
        #expect(isClose((hwb.hue, hwb.whiteness, hwb.blackness), (hue, whiteness, blackness), within: 1e-9))
    }

    private func isClose(
        _ one: (Double, Double, Double), _ two: (Double, Double, Double), within limit: Double
    ) -> Bool {
        abs(one.0 - two.0) <= limit && abs(one.1 - two.1) <= limit && abs(one.2 - two.2) <= limit
    }
}
