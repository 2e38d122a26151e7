import Glibc

extension RGB {
    /// Creates a colour from bytes.
    public init(_ color: RGB8) { self = color.map { Double($0) } }

    /// Converts a colour of CIELAB. Channels are outside of 0...255 if sRGB does not hold it.
    package init(_ lab: CIELab) { self = lab.xyz.rgb }

    /// The colour with each channel rounded to nearest, half away from zero, within 0...255.
    public var rounded: RGB8 {
        map { $0.isFinite ? UInt8(min(max($0.rounded(.toNearestOrAwayFromZero), 0), 255)) : 0 }
    }

    /// The mean of the channels as a fraction, (r + g + b) / (3 * 255), 0...1.
    public var brightness: Double { (r + g + b) / (3 * 255) }

    /// Whether no channel differs from that of another colour by more than a tolerance, in code values.
    package func isEqual(to other: RGB, within tolerance: Double) -> Bool {
        zip(values, other.values).allSatisfy { abs($0 - $1) <= tolerance }
    }

    /// The colour as linear light.
    public var linear: LinearRGB { LinearRGB(map { SRGB.linear($0 / 255) }) }
}

extension LinearRGB {
    /// Converts a colour of CIELAB. Channels are outside of 0...1 if sRGB does not hold it.
    package init(_ lab: CIELab) { self = lab.xyz.light }

    /// The luminance Y relative to white, 0...1 (IEC 61966-2-1, with the primaries of ITU-R BT.709).
    public var luminance: Double { 0.2126 * r + 0.7152 * g + 0.0722 * b }
}

extension RGB8 {
    /// Black, `#000000`.
    public static var black: RGB8 { RGB8(all: 0) }
    /// White, `#FFFFFF`.
    public static var white: RGB8 { RGB8(all: 255) }

    /// Creates a colour from `0xRRGGBB`.
    init(code: UInt32) {
        self.init(
            r: UInt8(truncatingIfNeeded: code >> 16), g: UInt8(truncatingIfNeeded: code >> 8),
            b: UInt8(truncatingIfNeeded: code))
    }

    /// Parses six hexadecimal digits with or without `#` before them (CSS Color 4, 5.2); nil for anything else.
    public init?(hex: some StringProtocol) {
        let digits = hex.hasPrefix("#") ? hex.dropFirst() : hex[...]
        guard digits.utf8.count == 6, digits.allSatisfy({ $0.isASCII && $0.isHexDigit }),
            let code = UInt32(digits, radix: 16)
        else { return nil }
        self.init(code: code)
    }

    /// The colour as `#RRGGBB` in upper case (CSS Color 4, 5.2).
    public var hex: String {
        values.reduce("#") { $0 + ($1 < 16 ? "0" : "") + String($1, radix: 16, uppercase: true) }
    }

    /// The relative luminance, 0...1 (WCAG 2.2, "relative luminance"; IEC 61966-2-1 for the decoding).
    public var relativeLuminance: Double { RGB(self).linear.luminance }

    /// Returns the contrast ratio, 1...21 (WCAG 2.2, "contrast ratio").
    public func contrast(with other: RGB8) -> Double {
        let (one, two) = (relativeLuminance, other.relativeLuminance)
        return (max(one, two) + 0.05) / (min(one, two) + 0.05)
    }

    /// Black or white, whichever is more legible on this colour. Its contrast is at least 4.58:1, more than WCAG 2.2
    /// requires of text (1.4.3: 4.5:1).
    public var textColor: RGB8 {
        contrast(with: .black) >= contrast(with: .white) ? .black : .white
    }
}

/// The transfer function of sRGB (IEC 61966-2-1).
public enum SRGB {
    /// Returns the linear light, 0...1, of a channel's encoded value, 0...1.
    public static func linear(_ value: Double) -> Double {
        value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }

    /// Returns the encoded value, 0...1, of a channel's linear light, 0...1.
    public static func encoded(_ light: Double) -> Double {
        light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055
    }
}
