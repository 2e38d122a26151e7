import Color
import Testing

@Suite("A colour in the notations of CSS")
struct CSSNotationTests {
    /// The numbers are those of coloraide 8.13.1.
    @Test("a colour is written in every notation")
    func notations() {
        let notation = CSSNotation(RGB(r: 43.21, g: 56.4, b: 131.07))
        #expect(notation.hsl == "hsl(231 50.4% 34.2%)")
        #expect(notation.hwb == "hwb(231 16.9% 48.6%)")
        #expect(notation.lab == "lab(26.1 14.9 -44.7)")
        #expect(notation.lch == "lch(26.1 47.1 288.5)")
        #expect(notation.oklab == "oklab(0.377 0.003 -0.126)")
        #expect(notation.oklch == "oklch(0.377 0.126 271.5)")
    }

    @Test("a grey has no hue in any notation", arguments: [0.0, 0.3, 1, 127.5, 128, 200.123, 254.97, 255])
    func greys(value: Double) {
        let notation = CSSNotation(RGB(r: value, g: value, b: value))
        #expect(notation.hsl.hasPrefix("hsl(none 0% "))
        #expect(notation.hwb.hasPrefix("hwb(none "))
        #expect(notation.lab.hasSuffix(" 0 0)"))
        #expect(notation.lch.hasSuffix(" 0 none)"))
        #expect(notation.oklab.hasSuffix(" 0 0)"))
        #expect(notation.oklch.hasSuffix(" 0 none)"))
    }

    @Test("next to black and to white, noise is not a hue in HSL")
    func ends() {
        #expect(CSSNotation(RGB(r: 0.1, g: 0, b: 0)).hsl == "hsl(none 0% 0%)")
        #expect(CSSNotation(RGB(r: 255, g: 255, b: 254.9)).hsl == "hsl(none 0% 100%)")
    }

    @Test("a hue that is rounded to 360 is written as 0")
    func fullTurn() {
        #expect(CSSNotation(RGB(r: 255, g: 0, b: 0.1)).hsl == "hsl(0 100% 50%)")
        #expect(CSSNotation(RGB(r: 255, g: 0, b: 0.1)).hwb == "hwb(0 0% 0%)")
    }

    @Test("no notation contains -0, an exponent or a zero at the end")
    func numbers() {
        for red in stride(from: 0.0, through: 255, by: 8.5) {
            for offset in [0.0, 0.01, 0.04, -0.03, 3] {
                let channels = [red, red + offset, red - offset / 2].map { max(0, min(255, $0)) }
                let notation = CSSNotation(RGB(r: channels[0], g: channels[1], b: channels[2]))
                for text in [notation.hsl, notation.hwb, notation.lab, notation.lch, notation.oklab, notation.oklch] {
                    let numbers = text.split { "() %".contains($0) }.dropFirst()
                    #expect(numbers.count == 3)
                    for number in numbers where number != "none" {
                        #expect(number != "-0" && !number.contains("e") && Double(number) != nil, "\(text)")
                        #expect(!number.contains(".") || number.last != "0", "\(text)")
                    }
                }
            }
        }
    }

    @Test("a colour written in any notation is read back as one that looks the same", arguments: ReferenceColor.all)
    func roundTrip(color: ReferenceColor) throws {
        let (lab, notation) = (CIELab(color.rgb), CSSNotation(color.rgb))
        for text in [notation.hsl, notation.hwb, notation.lab, notation.lch, notation.oklab, notation.oklch] {
            #expect(CIEDE2000(lab, try CSSColor.parse(text)).total < 0.35, "\(text)")
        }
    }
}

extension CSSNotation {
    fileprivate init(_ rgb: RGB) {
        self.init(rgb: rgb, lab: CIELab(rgb), oklab: Oklab(XYZ(rgb)))
    }
}
