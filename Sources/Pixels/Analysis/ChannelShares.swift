/// A share of pixels for each channel, 0...1.
public struct ChannelShares: Equatable, Sendable {
    /// Red.
    public var r: Double
    /// Green.
    public var g: Double
    /// Blue.
    public var b: Double

    /// Creates shares from the given values, unchecked.
    public init(r: Double, g: Double, b: Double) {
        self.r = r
        self.g = g
        self.b = b
    }
}
