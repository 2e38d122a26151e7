import Color
import Testing

@Suite("Colour differences")
struct CIEDE2000Tests {
    @Test("CIEDE2000 gives the published differences", arguments: PublishedDifference.all)
    func published(pair: PublishedDifference) {
        // The paper gives four decimals.
        #expect(abs(CIEDE2000(pair.one, pair.two).total - pair.difference) < 0.00006)
        #expect(abs(CIEDE2000(pair.two, pair.one).total - pair.difference) < 0.00006)
    }

    @Test(
        "the differences of sRGB colours match those of another program", arguments: ReferenceColor.all.indices)
    func reference(index: Int) {
        let (one, two) = (ReferenceColor.all[index], ReferenceColor.all[(index + 1) % ReferenceColor.all.count])
        #expect(abs(CIEDE2000(CIELab(one.rgb), CIELab(two.rgb)).total - one.difference) < 1e-6)
        #expect(CIEDE2000(CIELab(one.rgb), CIELab(one.rgb)).total == 0)
    }

    @Test("the lightness part of a difference is positive if the second colour is lighter")
    func lightness() {
        let difference = CIEDE2000(CIELab(lightness: 40, a: 0, b: 0), CIELab(lightness: 42, a: 0, b: 0))
        #expect(difference.lightness == 2)
        #expect(difference.chroma == 0)
        #expect(difference.hue == 0)
    }

    @Test("the chroma part of a difference is positive if the second colour is more colourful")
    func chroma() {
        // With a* of 0, the formula does not change the chroma.
        let difference = CIEDE2000(CIELab(lightness: 50, a: 0, b: 10), CIELab(lightness: 50, a: 0, b: 13))
        #expect(difference.lightness == 0)
        #expect(difference.chroma == 3)
        #expect(abs(difference.hue) < 1e-12)
    }

    @Test("the hue part of a difference is positive if the hue angle grows, also across 0 degrees")
    func hue() {
        let (one, two) = (CIELab(lightness: 50, a: 40, b: -10), CIELab(lightness: 50, a: 40, b: 10))
        let difference = CIEDE2000(one, two)
        #expect(abs(difference.chroma) < 1e-12)
        // a' is a little greater than a, and the chord of the hues is the distance of b.
        #expect(abs(difference.hue - 20) < 1e-9)
        #expect(abs(CIEDE2000(two, one).hue + 20) < 1e-9)
    }

    @Test(
        "the hue part of a difference follows the shorter way round if hues are nearly opposite",
        arguments: [1.0, -1])
    func opposite(side: Double) {
        let (one, two) = (CIELab(lightness: 50, a: 40, b: 0), CIELab(lightness: 50, a: -40, b: -0.3 * side))
        #expect(CIEDE2000(one, two).hue * side < -70)
        #expect(CIEDE2000(two, one).hue * side > 70)
    }

    @Test("the formula of 1976 is the distance in CIELAB")
    func distance() {
        let (one, two) = (CIELab(lightness: 50, a: 1, b: -2), CIELab(lightness: 52, a: 4, b: 4))
        #expect(one.deltaE76(to: two) == 7)
    }
}
