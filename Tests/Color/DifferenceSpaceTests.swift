import Testing

@testable import Color

@Suite("The space of small differences")
struct DifferenceSpaceTests {
    /// Greys, saturated colours, hues on both sides of 0 degrees, and blues, where CIEDE2000 rotates its ellipses.
    static let centers = [
        RGB(r: 128, g: 128, b: 128), RGB(r: 2, g: 2, b: 2), RGB(r: 250, g: 250, b: 250), RGB(r: 130, g: 128, b: 127),
        RGB(r: 230, g: 20, b: 20), RGB(r: 200, g: 60, b: 130), RGB(r: 20, g: 200, b: 40), RGB(r: 30, g: 40, b: 220),
        RGB(r: 60, g: 80, b: 200), RGB(r: 240, g: 220, b: 20),
    ]

    @Test("the distance from the centre is ΔE00, within two percent for differences up to 0.6", arguments: centers)
    func distance(center: RGB) {
        let lab = CIELab(center)
        let space = DifferenceSpace(around: lab)
        for (l, a, b) in [(0.3, 0, 0), (0, 0.3, 0), (0, 0, 0.3), (0.2, -0.3, 0.3), (-0.3, -0.2, -0.3), (0, 0.4, -0.4)] {
            let color = CIELab(lightness: lab.lightness + l, a: lab.a + a, b: lab.b + b)
            let coordinates = space.coordinates(of: color)
            let total = CIEDE2000(lab, color).total
            #expect(abs(coordinates.length / total - 1) < 0.02)
        }
    }

    @Test("the components are ΔL', ΔC' and ΔH' of small differences", arguments: centers)
    func components(center: RGB) {
        let lab = CIELab(center)
        // Near grey, the hue turns with the slightest difference.
        guard lab.polar.chroma > 5 else { return }
        let space = DifferenceSpace(around: lab)
        for (l, a, b) in [(0.3, 0, 0), (0, 0.3, 0), (0.2, -0.3, 0.3), (-0.3, -0.2, -0.3)] {
            let color = CIELab(lightness: lab.lightness + l, a: lab.a + a, b: lab.b + b)
            let components = space.components(of: color)
            let difference = CIEDE2000(lab, color)
            #expect(abs(components.x - difference.lightness) < 1e-12)
            #expect(abs(components.y - difference.chroma) < 0.02)
            #expect(abs(components.z - difference.hue) < 0.02)
        }
    }

    @Test("opposite differences have opposite coordinates", arguments: centers)
    func sign(center: RGB) {
        let lab = CIELab(center)
        let space = DifferenceSpace(around: lab)
        let one = space.coordinates(of: CIELab(lightness: lab.lightness + 0.5, a: lab.a - 0.25, b: lab.b + 0.125))
        let two = space.coordinates(of: CIELab(lightness: lab.lightness - 0.5, a: lab.a + 0.25, b: lab.b - 0.125))
        #expect((one + two).length < 1e-12)
    }

    @Test("the first coordinate is positive for a lighter colour")
    func lightness() {
        let lab = CIELab(lightness: 50, a: 10, b: 10)
        #expect(DifferenceSpace(around: lab).coordinates(of: CIELab(lightness: 51, a: 10, b: 10)).x == 1)
    }
}
