import Glibc

/// A space of the function `color()` (CSS Color 4, 10).
enum CSSColorSpace: String, CaseIterable {
    case srgb
    case srgbLinear = "srgb-linear"
    case displayP3 = "display-p3"
    case displayP3Linear = "display-p3-linear"
    case a98RGB = "a98-rgb"
    case proPhotoRGB = "prophoto-rgb"
    case rec2020
    case xyz
    case xyzD50 = "xyz-d50"
    case xyzD65 = "xyz-d65"

    /// All spaces in one list, for messages.
    static let list = allCases.dropLast().map(\.rawValue).joined(separator: ", ") + " and \(xyzD65.rawValue)"

    private var isXYZ: Bool { [.xyz, .xyzD50, .xyzD65].contains(self) }

    var components: [String] { isXYZ ? ["x", "y", "z"] : ["red", "green", "blue"] }

    /// Returns the colour with these components, each of which may be outside of 0...1.
    func color(_ first: Double, _ second: Double, _ third: Double) -> CIELab {
        let (x, y, z) = matrix * (light(first), light(second), light(third))
        switch self {
        case .proPhotoRGB, .xyzD50: return CIELab(d50X: x, y: y, z: z)
        default: return CIELab(XYZ(x: x, y: y, z: z))
        }
    }

    /// Returns the linear light of a component. Below 0, the curve is that above 0, reflected (CSS Color 4, 10).
    private func light(_ value: Double) -> Double {
        let size = value.magnitude
        let light =
            switch self {
            case .srgb, .displayP3: SRGB.linear(size)
            case .a98RGB: pow(size, 563 / 256)  // CSS Color 4, 18, `lin_a98rgb`
            case .proPhotoRGB: size <= 16 / 512 ? size / 16 : pow(size, 1.8)  // CSS Color 4, 18, `lin_ProPhoto`
            // The transfer function of displays, ITU-R BT.1886, instead of that of cameras, as the CSS Working Group
            // resolved in 2025 (CSS Color 4, 18, `lin_2020`).
            case .rec2020: pow(size, 2.4)
            case .srgbLinear, .displayP3Linear, .xyz, .xyzD50, .xyzD65: size
            }
        return value < 0 ? -light : light
    }

    /// From linear light to XYZ.
    private var matrix: Matrix {
        switch self {
        case .srgb, .srgbLinear: XYZ.fromSRGB
        case .displayP3, .displayP3Linear: Self.fromP3
        case .a98RGB: Self.fromA98
        case .proPhotoRGB: Self.fromProPhoto
        case .rec2020: Self.from2020
        case .xyz, .xyzD50, .xyzD65: Matrix((1, 0, 0), (0, 1, 0), (0, 0, 1))
        }
    }

    /// As exact fractions (CSS Color 4, 18, `lin_P3_to_XYZ`).
    private static let fromP3 = Matrix(
        (608_311 / 1_250_200, 189_793 / 714_400, 198_249 / 1_000_160),
        (35_783 / 156_275, 247_089 / 357_200, 198_249 / 2_500_400), (0, 32_229 / 714_400, 5_220_557 / 5_000_800))

    /// As exact fractions (CSS Color 4, 18, `lin_a98rgb_to_XYZ`).
    private static let fromA98 = Matrix(
        (573_536 / 994_567, 263_643 / 1_420_810, 187_206 / 994_567),
        (591_459 / 1_989_134, 6_239_551 / 9_945_670, 374_412 / 4_972_835),
        (53_769 / 1_989_134, 351_524 / 4_972_835, 4_929_758 / 4_972_835))

    /// To XYZ relative to D50 (CSS Color 4, 18, `lin_ProPhoto_to_XYZ`).
    private static let fromProPhoto = Matrix(
        (0.79776664490064230, 0.13518129740053308, 0.03134773412839220),
        (0.28807482881940130, 0.71183523424187300, 0.00008993693872564), (0, 0, 0.82510460251046020))

    /// As exact fractions (CSS Color 4, 18, `lin_2020_to_XYZ`).
    private static let from2020 = Matrix(
        (63_426_534 / 99_577_255, 20_160_776 / 139_408_157, 47_086_771 / 278_816_314),
        (26_158_966 / 99_577_255, 472_592_308 / 697_040_785, 8_267_143 / 139_408_157),
        (0, 19_567_812 / 697_040_785, 295_819_943 / 278_816_314))
}
