/// A colour as linear light: the three channels of sRGB decoded by its transfer function, each 0...1.
public struct LinearRGB: Equatable, Sendable {
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

    /// The luminance Y relative to white, 0...1 (IEC 61966-2-1, with the primaries of ITU-R BT.709).
    public var luminance: Double { 0.2126 * r + 0.7152 * g + 0.0722 * b }
}
