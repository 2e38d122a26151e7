import Testing

@testable import Color

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
            ("#f80", RGB8(r: 255, g: 136, b: 0)), ("#f80F", RGB8(r: 255, g: 136, b: 0)),
            ("#FF8800ff", RGB8(r: 255, g: 136, b: 0)), ("RebeccaPurple", RGB8(r: 102, g: 51, b: 153)),
            ("grey", RGB8(r: 128, g: 128, b: 128)), ("/* a */red/**/", RGB8(r: 255, g: 0, b: 0)),
            ("rgb(none 255 none)", RGB8(r: 0, g: 255, b: 0)), ("hsl(none 0% 100%)", .white),
            ("hwb(120 80% 80%)", RGB8(r: 127, g: 128, b: 128)), ("lab(none none none)", .black),
            ("oklch(1 0 none)", .white), ("color(srgb none 1 none)", RGB8(r: 0, g: 255, b: 0)),
            ("color(xyz none none none)", .black),
        ])
    func others(text: String, color: RGB8) throws {
        #expect(CIELab(RGB(color)).deltaE76(to: try CSSColor.parse(text)) < 0.7)
    }

    @Test(
        "the same colour is read with any syntax that CSS allows",
        arguments: [
            "rgb(255 0 51)", "rgba(255 0 51)", "rgb(255, 0, 51)", "rgba(255,0,51,1)", "rgb(255, 0, 51, 1.0)",
            "rgba(255, 0, 51, 100%)", "rgb(255 0 51 / 1)", "rgb(255 0 51/100%)", "rgb(255 0 51 / 1e0)",
            "rgb(255 0 51 / 2)", "rgb(255 0 51 / 150%)", "rgb(255,0,51,7)", "rgb(100% 0% 20%)", "rgb(100%, 0%, 20%)",
            "rgb(100%,0%,20%,1)", "rgb(255 0% 20%)", "rgb(100% 0 51)", "rgb(100%0%20%)", "rgb(255+0+51)",
            "rgb(25.5e1 -0 .51E+2)", "RgBa(\n255\r0\u{c}51\t)", "rgb(/* red */255/**/0/**/51/* / */)",
            "rgb(999 -1 51)", "rgb(1e999 0 51)", "rgb(200% -20% 20%)", "rgb(300, -5, 51)",
            "hsl(348 100% 50%)", "hsl(348deg, 100%, 50%)", "hsla(348, 100%, 50%, 1)", "hsla(348 100 50 / 1)",
            "hsl(348 100% 50)", "hsl(-12 100% 50%)", "hsl(1068deg 100% 50%)", "hsl(386.666666667grad 100% 50%)",
            "hsl(6.0737457969rad 100% 50%)", "hsl(0.966666666667turn 100% 50%)", "HSL(-.033333333333TURN,100%,50%)",
            "hwb(348 0% 0%)", "hwb(348deg 0 0% / 1)", "color(srgb 1 0 0.2)", "color(srgb 100% 0% 20%)",
            "color(SRGB 1 0% .2 / 100%)", "color(srgb 1 none 20%)", "color(srgb/**/1 0 20%)",
            "color(srgb-linear 1 0 3.310476657%)",
        ])
    func syntax(text: String) throws {
        #expect(CIELab(RGB(r: 255, g: 0, b: 51)).deltaE76(to: try CSSColor.parse(text)) < 1e-4)
    }

    /// By coloraide 8.13.1; for prophoto-rgb, with the matrix of CSS Color 4 in place of its own.
    @Test(
        "a colour of each space is that of another program, inside of sRGB and outside",
        arguments: [
            ("color(srgb 0.77191 0.50047 0.81112)", 62.969963, 37.033740, -30.029080),
            ("color(srgb 0.12546 0.65617 0.40897)", 60.770022, -47.450845, 22.353321),
            ("Color( SRGB/**/0.83632 96.145%+0.46423/1 )", 92.359505, -24.371768, 56.494458),
            ("color(srgb 0.7392 0.61477 1.19039)", 72.477460, 36.548378, -67.774530),
            ("color(srgb-linear 0.84075 0.1344 1.27995)", 66.596344, 71.199651, -66.383973),
            ("color(srgb-linear 0.53759 0.8554 0.10507)", 88.884877, -30.291299, 63.748265),
            ("Color( SRGB-LINEAR/**/0.73172 26.239%+0.24354/1 )", 66.950902, 31.705797, 16.358938),
            ("Color( SRGB-LINEAR/**/0.63739 -11.163%+1.08337/1 )", 42.378395, 118.116504, -94.933626),
            ("color(display-p3 0.7416 0.31104 1.23088)", 60.294621, 82.806030, -99.004266),
            ("color(display-p3 33.157% 84.018% 88.047%)", 78.359369, -46.394025, -18.727692),
            ("color(display-p3 30.012% 42.592% 96.54%)", 50.000494, 24.301192, -78.226664),
            ("color(display-p3 -10.765% 110.261% 7.913%)", 94.427859, -115.892756, 107.901655),
            ("color(display-p3-linear 0.13407 0.66759 0.48129)", 77.667987, -50.635053, 3.694546),
            ("color(display-p3-linear 11.378% 78.426% 86.721%)", 83.340337, -48.013093, -19.208654),
            ("Color( DISPLAY-P3-LINEAR/**/0.23809 51.101%+0.57736/1 )", 72.865482, -22.150971, -13.038469),
            ("Color( DISPLAY-P3-LINEAR/**/-0.04433 38.308%+0.9088/1 )", 62.926592, -29.296906, -55.817916),
            ("color(a98-rgb 72.625% 51.744% 46.72%)", 62.737971, 26.528580, 19.125240),
            ("color(a98-rgb 0.43465 0.94204 0.44343)", 82.326251, -84.057881, 48.898499),
            ("color(a98-rgb 11.953% 2.47% 17.52%)", 4.033805, 18.932992, -19.588465),
            ("color(a98-rgb 0.63481 0.03872 0.4697)", 42.310084, 68.729721, -12.399670),
            ("Color( PROPHOTO-RGB/**/1.17397 49.577%+0.52617/1 )", 81.062363, 106.091568, 31.296678),
            ("color(prophoto-rgb 0.46124 0.45049 0.4329)", 56.188056, 2.150631, 3.440661),
            ("color(prophoto-rgb 20.265% 7.874% 67.572%)", 17.302104, 56.718304, -100.667359),
            ("color(prophoto-rgb -0.00232 0.53132 0.52634)", 54.869002, -115.287737, -13.890663),
            ("color(rec2020 0.19638 0.54871 0.21651)", 47.841808, -81.594687, 45.849206),
            ("color(rec2020 0.93468 0.61243 0.57626)", 73.391425, 54.686082, 25.414161),
            ("color(rec2020 43.989% 18.453% 21.429%)", 27.215875, 48.483800, 16.614609),
            ("Color( REC2020/**/0.20123 120.864%+0.83537/1 )", 103.736238, -157.180774, 30.179242),
            ("color(xyz 26.368% 27.783% 39.771%)", 59.543342, -1.474360, -12.622575),
            ("color(xyz 0.27362 0.10746 0.62137)", 38.538670, 87.110586, -71.319838),
            ("color(xyz 37.776% 62.917% 9.972%)", 83.581154, -54.694882, 79.445957),
            ("Color( XYZ/**/0.69808 48.998%+1.17203/1 )", 75.199588, 52.803535, -47.265658),
            ("color(xyz-d50 82.37% 116.999% 125.484%)", 106.232128, -52.449942, -19.252449),
            ("Color( XYZ-D50/**/0.93695 58.128%+0.01405/1 )", 80.809902, 77.944179, 115.459630),
            ("Color( XYZ-D50/**/0.59608 90.286%+0.3516/1 )", 96.115277, -57.328886, 42.799851),
            ("Color( XYZ-D50/**/-0.0857 -15.787%+0.2304/1 )", -142.603386, 268.640490, -349.005446),
            ("Color( XYZ-D65/**/0.30817 80.483%+0.5251/1 )", 91.563412, -119.263458, 27.808532),
            ("color(xyz-d65 69.912% 38.427% 7.639%)", 69.469770, 88.869259, 65.413662),
            ("color(xyz-d65 22.04% 78.869% 58.449%)", 90.674673, -154.411235, 20.601975),
            ("color(xyz-d65 33.442% 103.049% -10.542%)", 101.237268, -138.956888, 300.708240),
        ] as [(String, Double, Double, Double)])
    func spaces(text: String, lightness: Double, a: Double, b: Double) throws {
        let found = try CSSColor.parse(text)
        #expect(CIELab(lightness: lightness, a: a, b: b).deltaE76(to: found) < 1e-4)
    }

    @Test(
        "a number outside of the range of its component is clamped as CSS says, or else taken as it is",
        arguments: [
            ("lab(150 20 30)", "lab(100 20 30)"), ("lab(-10% 20 30)", "lab(0 20 30)"),
            ("lch(50 -3 80)", "lch(50 0 80)"),
            ("lch(101% 3 80)", "lch(100 3 80)"), ("oklab(1.5 .1 .1)", "oklab(1 .1 .1)"),
            ("oklab(-1 .1 .1)", "oklab(0 .1 .1)"), ("oklch(.5 -10% 30)", "oklch(.5 0 30)"),
            ("hsl(30 -50% 50%)", "hsl(30 0% 50%)"), ("hsl(30 50% 150%)", "#fff"), ("hsl(30, 50%, -50%)", "#000"),
            ("hsl(0 400% 50%)", "#f00"), ("hwb(0 -10 0)", "#f00"), ("hwb(0 0% 500%)", "#000"),
            ("hwb(0 500% 0%)", "#fff"),
            ("lab(50 161 0)", "lab(50 128.8% 0)"), ("oklab(0.5 2 0)", "oklab(.5 500% 0)"),
            ("color(srgb 1.5 -50% 0)", "color(srgb 150% -.5 0)"), ("hsl(1e999 1% 1%)", "hsl(1e6 1% 1%)"),
        ])
    func clamping(text: String, same: String) throws {
        #expect(try CSSColor.parse(text).deltaE76(to: try CSSColor.parse(same)) < 1e-9)
    }

    @Test("outside of sRGB, a colour of color() is not clamped")
    func unclamped() throws {
        let light = LinearRGB(try CSSColor.parse("color(srgb-linear 1.5 -0.25 0.5)"))
        #expect(abs(light.r - 1.5) < 1e-9 && abs(light.g + 0.25) < 1e-9 && abs(light.b - 0.5) < 1e-9)
    }

    @Test(
        "the error about a text that is not an opaque colour says what is wrong",
        arguments: [
            ("", .empty), (" \t ", .empty), ("/* */", .empty), (String(repeating: "a", count: 129), .tooLong),
            ("r\u{e9}d", .notASCII), ("red\0", .notASCII), ("/* red", .openComment), ("rgb(1 2 3 /*)", .openComment),
            ("#12345", .hex), ("##12345", .hex), ("###", .hex), ("#", .hex), ("#12 345", .hex), ("# 123", .hex),
            ("#12", .hex), ("#1234567", .hex), ("#123456789", .hex), ("#ggg", .hex), ("#fffg", .hex), ("#-ff", .hex),
            ("#3fa7d6-0", .hex),
            ("#fffffffg", .hex), ("#fff;", .hex), ("#3fa7d680", .alpha), ("#3fa8", .alpha), ("#00000000", .alpha),
            ("transparent", .alpha), ("Transparent", .alpha), ("rgb(1 2 3 / 0.99)", .alpha), ("rgb(1 2 3 / 0)", .alpha),
            ("rgb(1 2 3 / 99%)", .alpha), ("rgb(1 2 3 / -1)", .alpha), ("rgb(1 2 3 / none)", .alpha),
            ("rgba(1,2,3,.5)", .alpha), ("hsla(1 2% 3% / 0)", .alpha), ("color(srgb 1 1 1 / 50%)", .alpha),
            ("currentcolor", .currentColor), ("currentColor", .currentColor), ("Canvas", .system),
            ("ButtonText", .system), ("WindowText", .system), ("red blue", .unknownName), ("red;", .unknownName),
            ("inherit", .unknownName), ("3fa7d6", .unknownName), ("r\\65 d", .unknownName), ("reddish", .unknownName),
            ("(1 2 3)", .unknownName), ("rgb", .unknownName), ("rgb (1 2 3)", .space), ("rgb/**/(1 2 3)", .space),
            ("color-mix(in srgb, red, blue)", .unknownFunction), ("device-cmyk(0 0 0 1)", .unknownFunction),
            ("hwba(1 2% 3%)", .unknownFunction), ("oklaba(1 0 0)", .unknownFunction), ("-rgb(1 2 3)", .unknownFunction),
            ("rgb(1 2 3", .unclosed(.rgb)), ("rgb(1 2 3))", .unclosed(.rgb)), ("rgb(1 2 3) x", .unclosed(.rgb)),
            ("rgb((1 2 3)", .unclosed(.rgb)), ("rgb(rgb(1 2 3))", .nested(.rgb)), ("rgb(calc(1) 2 3)", .nested(.rgb)),
            ("lab(from red l a b)", .count(.lab, 5)), ("rgb(1 2)", .count(.rgb, 2)), ("rgb()", .count(.rgb, 0)),
            ("rgb(1 2 3 4)", .count(.rgb, 4)), ("rgb(1, 2)", .count(.rgb, 2)), ("rgb(1,2,3,1,1)", .count(.rgb, 5)),
            ("rgb(1.2.3)", .count(.rgb, 2)), ("color(srgb 1 1)", .count(.color, 2)),
            ("color(xyz 1 1 1 1)", .count(.color, 4)), ("rgb(1,2,3,)", .commas(.rgb)), ("rgb(1, 2 3)", .commas(.rgb)),
            ("rgb(1, 2, 3 4)", .commas(.rgb)), ("rgb(1,2,3/1)", .commas(.rgb)), ("rgb(1 2 3, 1)", .commas(.rgb)),
            ("rgb(,1,2)", .commas(.rgb)), ("lab(1, 2, 3)", .commas(.lab)), ("hwb(1, 2%, 3%)", .commas(.hwb)),
            ("color(srgb 1, 1, 1)", .commas(.color)), ("rgb(255, 50%, 0%)", .mixed(.rgb)),
            ("rgb(100%, 0, 0)", .mixed(.rgb)), ("hsl(10, 50%, 0)", .mixed(.hsl)), ("hsla(10, 50, 50, 1)", .mixed(.hsl)),
            ("rgb(1 2 3 /)", .alphaValue(.rgb)), ("rgb(1 2 3 / 1 1)", .alphaValue(.rgb)),
            ("rgb(1 2 3 / 1 / 1)", .alphaValue(.rgb)), ("rgb(1 2 3 / 1deg)", .alphaValue(.rgb)),
            ("rgb(1,2,3,none)", .alphaValue(.rgb)), ("color(1 1 1)", .unknownSpace), ("color()", .unknownSpace),
            ("color(hsl 1 1 1)", .unknownSpace), ("color(--swop5c 0 0 0 1)", .unknownSpace),
            ("color(xyz-d55 1 1 1)", .unknownSpace), ("lab(nan 0 0)", .value(.lab, .lightness(100))),
            ("lab(inf 0 0)", .value(.lab, .lightness(100))), ("lab(0x10 0 0)", .value(.lab, .lightness(100))),
            ("lab(5deg 0 0)", .value(.lab, .lightness(100))),
            ("rgb(1none 1 0)", .value(.rgb, CSSComponent("red", 255))),
            ("rgb(5. 0)", .value(.rgb, CSSComponent("green", 255))),
            ("rgb(1 . 0)", .value(.rgb, CSSComponent("green", 255))),
            ("rgb(- 1 0)", .value(.rgb, CSSComponent("red", 255))),
            ("rgb(--1 1 0)", .value(.rgb, CSSComponent("red", 255))),
            ("rgb(1e 1 0)", .value(.rgb, CSSComponent("red", 255))),
            ("rgb(1e+ 1)", .value(.rgb, CSSComponent("red", 255))),
            ("rgb(1,none,0)", .value(.rgb, CSSComponent("green", 255))),
            ("rgb(1px 1 0)", .value(.rgb, CSSComponent("red", 255))),
            ("hsl(10% 1% 1%)", .value(.hsl, .hue)), ("hsl(1px 1% 1%)", .value(.hsl, .hue)),
            ("hsl(1 1deg 1%)", .value(.hsl, CSSComponent("saturation", 100))),
            ("lch(50 20 10%)", .value(.lch, .hue)), ("color(srgb 1 1 1deg)", .value(.color, CSSComponent("blue", 1))),
            ("color(xyz a 1 1)", .value(.color, CSSComponent("x", 1))),
        ] as [(String, CSSColorError)])
    func errors(text: String, expected: CSSColorError) {
        let error = #expect(throws: CSSColorError.self) { try CSSColor.parse(text) }
        #expect(error == expected)
    }

    @Test(
        "an error is a sentence",
        arguments: [
            (.hex, "A hexadecimal colour is # and 3, 4, 6 or 8 of the digits 0 to 9 and a to f."),
            (.alpha, "This colour is not opaque, so it cannot be compared: its alpha must be 1."),
            (
                .unknownFunction,
                "This notation is not one of rgb(), hsl(), hwb(), lab(), lch(), oklab(), oklch() and color()."
            ), (.count(.rgb, 2), "rgb() needs three numbers, not 2."),
            (.commas(.lab), "lab(): separate the numbers with spaces."),
            (.commas(.hsl), "hsl(): separate the numbers with spaces, or all with commas."),
            (.mixed(.rgb), "rgb(): with commas, write three numbers or three percentages."),
            (.value(.hsl, .hue), "hsl(): hue must be an angle."),
            (.value(.lch, .chroma(150)), "lch(): chroma must be a number or a percentage."),
            (
                .unknownSpace,
                "color() begins with a space: one of srgb, srgb-linear, display-p3, display-p3-linear, a98-rgb, "
                    + "prophoto-rgb, rec2020, xyz, xyz-d50 and xyz-d65."
            ),
        ] as [(CSSColorError, String)])
    func sentences(error: CSSColorError, sentence: String) {
        #expect(error.description == sentence)
    }
}
