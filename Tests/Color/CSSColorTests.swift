import Color
import Testing

@Suite("Reading a CSS colour")
struct CSSColorTests {
    /// The numbers are those of coloraide 8.13.1.
    @Test(
        "a colour is read in every notation",
        arguments: [
            "#3fa7d6", "#3FA7D6", " #3fa7d6\t", "rgb(63 167 214)", "rgb(63, 167, 214)", "rgb(63,167,214)",
            "rgb( 63  167 214 )", "RGB(63 167 214)", "rgb(63 65.490196078% 214)", "rgb(6.3e1 1.67E+2 2140e-1)",
            "hsl(198.675496689 64.8068669528% 54.3137254902%)", "hsl(198.675496689deg, 64.8068669528%, 54.3137254902%)",
            "hsl(198.675496689 64.8068669528 54.3137254902)", "hsl(-161.324503311 64.8068669528% 54.3137254902%)",
            "hsl(558.675496689 64.8068669528% 54.3137254902%)", "hwb(198.675496689 24.7058823529% 16.0784313725%)",
            "lab(64.067603 -19.342914 -33.2488)", "lab(64.067603% -15.4743312% -26.59904%)",
            "lch(64.067603 38.4659726 239.8107494)", "lch(64.067603 25.64398173% 239.8107494deg)",
            "oklab(.688451215 -.072162723 -.091247282)", "oklab(68.8451215% -18.04068075% -22.8118205%)",
            "oklch(0.688451215 0.11633368 231.661363515)", "oklch(68.8451215% 29.08342% -128.338636485)",
        ])
    func notations(text: String) throws {
        let expected = CIELab(RGB(r: 63, g: 167, b: 214))
        #expect(expected.deltaE76(to: try CSSColor.parse(text)) < 1e-4)
    }

    @Test(
        "short digits, names and missing components are read as CSS defines them",
        arguments: [
            ("#f80", RGB8(r: 255, g: 136, b: 0)), ("RebeccaPurple", RGB8(r: 102, g: 51, b: 153)),
            ("grey", RGB8(r: 128, g: 128, b: 128)), ("rgb(none 255 none)", RGB8(r: 0, g: 255, b: 0)),
            ("hsl(none 0% 100%)", .white), ("hwb(120 80% 80%)", RGB8(r: 127, g: 128, b: 128)),
            ("lab(none none none)", .black), ("oklch(1 0 none)", .white),
        ])
    func others(text: String, color: RGB8) throws {
        #expect(CIELab(RGB(color)).deltaE76(to: try CSSColor.parse(text)) < 0.7)
    }

    @Test(
        "the error about a text that is not a colour says what is wrong",
        arguments: [
            ("", "The colour is empty."), (" \t ", "The colour is empty."),
            (String(repeating: "a", count: 65), "The colour is longer than 64 bytes."),
            ("réd", "The colour contains characters that no notation has."),
            ("red\0", "The colour contains characters that no notation has."),
            ("#12345", "A hexadecimal colour is # and 3 or 6 of the digits 0 to 9 and a to f."),
            ("##12345", "A hexadecimal colour is # and 3 or 6 of the digits 0 to 9 and a to f."),
            ("###", "A hexadecimal colour is # and 3 or 6 of the digits 0 to 9 and a to f."),
            ("#12 345", "A hexadecimal colour is # and 3 or 6 of the digits 0 to 9 and a to f."),
            ("#3fa7d680", "This hexadecimal colour has transparency. Write 3 or 6 digits after #."),
            (
                "color(srgb 1 0 0)",
                "This notation is not one of rgb(), hsl(), hwb(), lab(), lch(), oklab() and oklch()."
            ),
            ("rgb (1 2 3)", "This notation is not one of rgb(), hsl(), hwb(), lab(), lch(), oklab() and oklch()."),
            ("rgb(1 2 3", "rgb() needs exactly one closing parenthesis, at its end."),
            ("rgb(1 2 3))", "rgb() needs exactly one closing parenthesis, at its end."),
            ("rgb(rgb(1 2 3))", "rgb() needs exactly one closing parenthesis, at its end."),
            ("rgb(1 2 3) x", "rgb() needs exactly one closing parenthesis, at its end."),
            ("rgb(1 2)", "rgb() needs three numbers, not 2."), ("rgb()", "rgb() needs three numbers, not 0."),
            ("rgb(1 2 3 4)", "rgb() needs three numbers, not 4."),
            ("rgb(1,2,3,)", "rgb() needs three numbers, not 4."),
            ("rgb(1, 2 3)", "rgb() needs three numbers, not 2."),
            ("rgb(1, 2, 3 4)", "rgb(): separate the numbers with spaces, or all with commas."),
            ("lab(1, 2, 3)", "lab(): separate the numbers with spaces."),
            ("rgb(1 2 3 / 1)", "Transparent colours cannot be compared: omit the slash and what follows."),
            ("rgb(1 2 256)", "rgb(): blue is out of range 0 to 255."),
            ("rgb(1 -1 2)", "rgb(): green is out of range 0 to 255."),
            ("rgb(101% 1 2)", "rgb(): red is out of range 0 to 255."),
            ("lab(1e999 0 0)", "lab(): lightness is out of range 0 to 100."),
            ("lab(50 201 0)", "lab(): a is out of range -200 to 200."),
            ("lch(50 301 0)", "lch(): chroma is out of range 0 to 300."),
            ("oklch(1.1 0 0)", "oklch(): lightness is out of range 0 to 1."),
            ("hsl(1e9 1% 1%)", "hsl(): hue is out of range -36000 to 36000."),
            ("lab(nan 0 0)", "lab(): lightness is not a number."),
            ("lab(inf 0 0)", "lab(): lightness is not a number."),
            ("lab(0x10 0 0)", "lab(): lightness is not a number."),
            ("rgb(5. 0 0)", "rgb(): red must be a number or a percentage."),
            ("rgb(1 . 0)", "rgb(): green is not a number."),
            ("rgb(1.e1 0 0)", "rgb(): red is not a number."),
            ("rgb(1e+ 1 0)", "rgb(): red must be a number or a percentage."),
            ("rgb(- 1 0)", "rgb(): red is not a number."), ("rgb(--1 1 0)", "rgb(): red is not a number."),
            ("rgb(1e 1 0)", "rgb(): red must be a number or a percentage."),
            ("rgb(1,none,0)", "rgb(): green is not a number."),
            ("hsl(10% 1% 1%)", "hsl(): hue must be in degrees."), ("hsl(1rad 1% 1%)", "hsl(): hue must be in degrees."),
            ("lab(5deg 0 0)", "lab(): lightness must be a number or a percentage."),
            (
                "3fa7d6",
                "CSS has no colour of this name. A colour is a name in CSS, hexadecimal such as #3fa7d6, or one of "
                    + "rgb(), hsl(), hwb(), lab(), lch(), oklab() and oklch()."
            ),
        ])
    func errors(text: String, message: String) {
        let error = #expect(throws: CSSColorError.self) { try CSSColor.parse(text) }
        #expect(error?.description == message)
    }
}
