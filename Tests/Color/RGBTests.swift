import Color
import Testing

@Suite("RGB colours")
struct RGBTests {
    @Test(
        "a colour is written as upper-case hex with two digits for each channel",
        arguments: [
            (RGB8(r: 63, g: 167, b: 214), "#3FA7D6"), (.black, "#000000"), (.white, "#FFFFFF"),
            (RGB8(r: 1, g: 10, b: 15), "#010A0F"),
        ])
    func hex(color: RGB8, text: String) {
        #expect(color.hex == text)
    }

    @Test(
        "a channel is rounded to nearest, half away from zero, and clamped to 0...255",
        arguments: [
            (62.5, 63), (62.499, 62), (0.5, 1), (254.5, 255), (255.4, 255), (300, 255), (-0.4, 0), (-7, 0),
            (Double.nan, 0), (Double.infinity, 0),
        ] as [(Double, UInt8)])
    func rounding(value: Double, code: UInt8) {
        #expect(RGB(r: value, g: 0, b: 0).rounded.r == code)
    }

    @Test(
        "the brightness of a colour is the mean of its channels",
        arguments: [
            (RGB(r: 0, g: 0, b: 0), 0), (RGB(r: 255, g: 255, b: 255), 1), (RGB(r: 255, g: 0, b: 0), 1.0 / 3),
            (RGB(r: 51, g: 102, b: 153), 0.4),
        ] as [(RGB, Double)])
    func brightness(color: RGB, value: Double) {
        #expect(abs(color.brightness - value) < 1e-12)
    }

    @Test(
        "the text colour is legible on every colour", arguments: Array(stride(from: 0, through: 255, by: 15)))
    func legibleText(red: Int) {
        for green in stride(from: 0, through: 255, by: 15) {
            for blue in stride(from: 0, through: 255, by: 15) {
                let color = RGB8(r: UInt8(red), g: UInt8(green), b: UInt8(blue))
                #expect(color.contrast(with: color.textColor) >= 4.5, "\(color.hex)")
            }
        }
    }

    @Test(
        "the contrast ratio of two colours is WCAG's",
        arguments: [
            (RGB8.white, RGB8.black, 21.0), (.white, RGB8(r: 0x76, g: 0x76, b: 0x76), 4.54),
            (.black, RGB8(r: 255, g: 0, b: 0), 5.25), (.white, RGB8(r: 0, g: 0, b: 255), 8.59),
        ])
    func contrast(one: RGB8, two: RGB8, ratio: Double) {
        #expect(abs(one.contrast(with: two) - ratio) < 0.005)
        #expect(one.contrast(with: two) == two.contrast(with: one))
    }
}
