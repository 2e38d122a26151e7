public import Color

/// The distribution of the colours of a region's pixels.
///
/// A region of up to 50,000 pixels is read in full. Of a larger one, a regular grid of pixels is read, 8,192 at most,
/// and every figure here is that of the grid; ``pixels`` says how many there were. On the grid, nothing is estimated.
///
/// Pixels are decoded by `ConversionTable`, whatever the mean is computed with. It holds R'G'B' in units of
/// 255 / (2^18 - 1), about 0.001 of a code value, and a channel is off by at most 0.0015. Only the share of pixels out
/// of gamut needs the channels as they are before clamping. All other figures are of channels clamped to 0...255. The
/// standard deviation and the dominant colour use all 18 bits. The histogram, and with it the minimum, the
/// maximum and the median, uses code values rounded to whole numbers.
public struct RegionStatistics: Equatable, Sendable {
    /// The number of pixels that were read.
    public var pixels: Int
    /// The number of pixels in the region.
    public var regionPixels: Int
    /// The lowest code value of each channel.
    public var minimum: RGB
    /// The highest code value of each channel.
    public var maximum: RGB
    /// The median code value of each channel: of an even number of pixels, the mean of the middle two.
    public var median: RGB
    /// The sample standard deviation of each channel, in code values; nil for a single pixel.
    public var standardDeviation: ChannelFigures?
    /// The share of pixels whose channel is at most 0.5 before clamping.
    public var clippedLow: ChannelFigures
    /// The share of pixels whose channel is at least 254.5 before clamping.
    public var clippedHigh: ChannelFigures
    /// The share of pixels with a channel below -0.5 or above 255.5 before clamping: colours that sRGB cannot hold.
    public var outOfGamut: Double
    /// The most frequent colour.
    public var dominant: DominantColor
    /// The number of pixels of each code value.
    public var histogram: Histogram
}

/// The most frequent colour of a region.
///
/// Colours are counted in bins of 8 x 8 x 8 code values. The fullest bin and its 26 neighbours are taken together, so
/// that a colour on the border of two bins is not cut in half.
public struct DominantColor: Equatable, Sendable {
    /// The mean R'G'B' of the pixels in these bins.
    public var color: RGB
    /// Their share of all pixels, 0...1.
    public var share: Double
}

/// The number of pixels of each code value: 256 counts for each channel.
public typealias Histogram = Channels<[Int], ChannelMeaning.Encoded>
