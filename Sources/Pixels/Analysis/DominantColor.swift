public import Color

/// The most frequent colour of a region.
///
/// Colours are counted in bins of 8 x 8 x 8 code values. The fullest bin and its 26 neighbours are taken together, so
/// that a colour on the border of two bins is not cut in half.
public struct DominantColor: Equatable, Sendable {
    /// The mean R'G'B' of the pixels in these bins.
    public var color: RGB
    /// Their share of all pixels, 0...1.
    public var share: Double

    /// Creates a dominant colour from the given values, unchecked.
    public init(color: RGB, share: Double) {
        self.color = color
        self.share = share
    }
}
