/// A colour as R'G'B': the three channels of sRGB as they are encoded, each on the 8-bit scale of 0...255, in floating
/// point.
public struct RGB: Equatable, Sendable {
    /// Red.
    public var r: Double
    /// Green.
    public var g: Double
    /// Blue.
    public var b: Double

    /// Creates a colour from the given values, unchecked.
    public init(r: Double, g: Double, b: Double) {
        self.r = r
        self.g = g
        self.b = b
    }

    /// Creates a colour from bytes.
    public init(_ color: RGB8) {
        self.init(r: Double(color.r), g: Double(color.g), b: Double(color.b))
    }

    /// The colour with each channel rounded to nearest, half away from zero, within 0...255.
    public var rounded: RGB8 {
        RGB8(r: Self.code(r), g: Self.code(g), b: Self.code(b))
    }

    /// The mean of the channels as a fraction, (r + g + b) / (3 * 255), 0...1.
    public var brightness: Double { (r + g + b) / (3 * 255) }

    private static func code(_ value: Double) -> UInt8 {
        guard value.isFinite else { return 0 }
        return UInt8(min(max(value.rounded(.toNearestOrAwayFromZero), 0), 255))
    }
}

/// A colour as three bytes of sRGB.
public struct RGB8: Equatable, Hashable, Sendable {
    /// Red.
    public var r: UInt8
    /// Green.
    public var g: UInt8
    /// Blue.
    public var b: UInt8

    /// Black.
    public static let black = RGB8(r: 0, g: 0, b: 0)
    /// White.
    public static let white = RGB8(r: 255, g: 255, b: 255)

    /// Creates a colour.
    public init(r: UInt8, g: UInt8, b: UInt8) {
        self.r = r
        self.g = g
        self.b = b
    }

    /// Parses six hexadecimal digits with or without `#` before them (CSS Color 4, 5.2); nil for anything else.
    public init?(hex: some StringProtocol) {
        let digits = hex.hasPrefix("#") ? hex.dropFirst() : hex[...]
        guard digits.utf8.count == 6, digits.allSatisfy({ $0.isASCII && $0.isHexDigit }),
            let value = UInt32(digits, radix: 16)
        else { return nil }
        self.init(
            r: UInt8(truncatingIfNeeded: value >> 16), g: UInt8(truncatingIfNeeded: value >> 8),
            b: UInt8(truncatingIfNeeded: value))
    }

    /// The colour as `#RRGGBB` in upper case (CSS Color 4, 5.2).
    public var hex: String {
        var text = "#"
        for channel in [r, g, b] {
            text += (channel < 16 ? "0" : "") + String(channel, radix: 16, uppercase: true)
        }
        return text
    }
}
