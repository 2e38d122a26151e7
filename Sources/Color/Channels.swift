/// A value for each of red, green and blue.
///
/// `Meaning` is one of ``ChannelMeaning``, so that the compiler tells encoded values from linear light.
public struct Channels<Value, Meaning> {
    /// Red.
    public var r: Value
    /// Green.
    public var g: Value
    /// Blue.
    public var b: Value

    /// Creates channels from the given values, unchecked.
    @inlinable
    public init(r: Value, g: Value, b: Value) {
        self.r = r
        self.g = g
        self.b = b
    }

    /// Creates three equal channels.
    @inlinable
    public init(all value: Value) { self.init(r: value, g: value, b: value) }

    /// Gives the values of other channels this meaning.
    @inlinable
    public init<Other>(_ other: Channels<Value, Other>) { self.init(r: other.r, g: other.g, b: other.b) }

    /// Returns channels with the results of a function.
    @inlinable
    public func map<Result>(_ transform: (Value) throws -> Result) rethrows -> Channels<Result, Meaning> {
        try .init(r: transform(r), g: transform(g), b: transform(b))
    }

    /// Returns channels that a function makes of each pair of values.
    @inlinable
    public func combined<OtherValue, OtherMeaning, Result>(
        with other: Channels<OtherValue, OtherMeaning>, by combine: (Value, OtherValue) throws -> Result
    ) rethrows -> Channels<Result, Meaning> {
        try .init(r: combine(r, other.r), g: combine(g, other.g), b: combine(b, other.b))
    }

    /// The values in the order red, green, blue.
    @inlinable public var values: [Value] { [r, g, b] }

    /// The values with the names of their channels.
    package var named: [(name: String, value: Value)] { [("red", r), ("green", g), ("blue", b)] }
}

extension Channels where Value == Double {
    /// The greatest value and the name of its channel.
    package var greatest: (name: String, value: Double) {
        g > r ? b > g ? ("blue", b) : ("green", g) : b > r ? ("blue", b) : ("red", r)
    }
}

extension Channels: Equatable where Value: Equatable {}
extension Channels: Hashable where Value: Hashable {}
extension Channels: Sendable where Value: Sendable {}
extension Channels: Encodable where Value: Encodable {}
extension Channels: Decodable where Value: Decodable {}

/// What the values of `Channels` mean.
public enum ChannelMeaning {
    /// Values of sRGB as they are encoded: R'G'B'.
    public enum Encoded {}
    /// Linear light: sRGB decoded by its transfer function.
    public enum Linear {}
    /// Figures about channels that are not a colour, such as shares of pixels or deviations.
    public enum Figure {}
}

/// A colour as R'G'B', each channel on the 8-bit scale of 0...255, in floating point.
public typealias RGB = Channels<Double, ChannelMeaning.Encoded>
/// A colour as three bytes of sRGB.
public typealias RGB8 = Channels<UInt8, ChannelMeaning.Encoded>
/// A colour as linear light, each channel 0...1.
public typealias LinearRGB = Channels<Double, ChannelMeaning.Linear>
/// A figure for each channel.
public typealias ChannelFigures = Channels<Double, ChannelMeaning.Figure>

/// A figure of which sums and means can be taken.
package protocol Averageable {
    static var zero: Self { get }
    static func + (left: Self, right: Self) -> Self
    static func * (figure: Self, factor: Double) -> Self
    static func / (figure: Self, divisor: Double) -> Self
}

extension Double: Averageable {}

extension Channels: Averageable where Value == Double {
    // Without `map` and `combined`: here, the runtime would look up their generic types at each call.
    package static var zero: Self { .init(r: 0, g: 0, b: 0) }
    package static func + (left: Self, right: Self) -> Self {
        .init(r: left.r + right.r, g: left.g + right.g, b: left.b + right.b)
    }
    package static func * (channels: Self, factor: Double) -> Self {
        .init(r: channels.r * factor, g: channels.g * factor, b: channels.b * factor)
    }
    package static func / (channels: Self, divisor: Double) -> Self {
        .init(r: channels.r / divisor, g: channels.g / divisor, b: channels.b / divisor)
    }
}

extension Collection where Element: Averageable {
    /// The mean; nil if the collection is empty.
    package var mean: Element? { isEmpty ? nil : reduce(.zero, +) / Double(count) }
}
