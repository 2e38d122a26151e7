import Foundation
import Testing

@testable import Color
@testable import Palettes
@testable import Readings

@Suite("A palette")
struct PaletteTests {
    @Test("the nearest entry is that of the least ΔE00, and of several equal ones the first")
    func nearest() throws {
        let palette = Palette([
            .init(name: "far", rgb: RGB(.white)), .init(name: "first", rgb: RGB(r: 60, g: 160, b: 210)),
            .init(name: "second", rgb: RGB(r: 60, g: 160, b: 210)),
        ])
        let lab = CIELab(RGB(r: 63, g: 167, b: 214))
        let match = try #require(palette.nearest(to: lab))
        #expect(match.name == "first" && match.hex == "#3CA0D2")
        #expect(match.deltaE == CIEDE2000(lab, palette.entries[1].lab).total)
    }

    @Test("the nearest of 4,096 entries is the same as by comparing all of them")
    func exhaustive() throws {
        var generator = SystemRandomNumberGenerator()
        func color() -> RGB { RGB(all: 0).map { _ in Double(UInt8.random(in: 0...255, using: &generator)) } }
        let palette = Palette((0..<4096).map { .init(name: "\($0)", rgb: color()) })
        for _ in 0..<20 {
            let lab = CIELab(color())
            let least = try #require(palette.entries.map { CIEDE2000(lab, $0.lab).total }.min())
            #expect(palette.nearest(to: lab)?.deltaE == least)
        }
    }

    @Test(
        "a name is one printable line of up to 100 characters, and an empty one is replaced by the colour",
        arguments: [
            (" Brand blue\t", "Brand blue"), ("", "#3FA7D6"), ("a\u{202e}b\u{7}", "a\u{fffd}b\u{fffd}"),
            (String(repeating: "x", count: 101), String(repeating: "x", count: 99) + "…"),
        ])
    func name(text: String, name: String) {
        #expect(Palette.Entry(name: text, rgb: RGB(r: 63, g: 167, b: 214)).name == name)
    }

    @Test("a colour of CIELAB has the same figures after it was converted to sRGB and back")
    func conversion() {
        for rgb in [RGB(r: 63, g: 167, b: 214), RGB(.black), RGB(.white), RGB(r: 255, g: 0, b: 1)] {
            let back = RGB(CIELab(rgb))
            for (one, two) in zip(back.values, rgb.values) { #expect(abs(one - two) < 1e-6) }
        }
    }

    @Test("a colour outside of sRGB is shown as the nearest channels, but compared as it is")
    func outside() throws {
        let lab = CIELab(lightness: 50, a: 100, b: -100)
        let palette = Palette([.init(name: "violet", lab: lab)])
        #expect(try #require(palette.nearest(to: lab)).deltaE == 0)
        #expect(palette.entries[0].hex == RGB(lab).rounded.hex)
    }
}
