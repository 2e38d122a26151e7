package import Color

/// The mean of several readings of one patch, a card or the covered lens, as the camera delivers it.
package struct PatchMeasurement: Codable, Equatable, Sendable {
    /// The minimum number of readings of a patch.
    package static let minReadings = 16
    /// The maximum share of clipped pixels in a channel.
    static let maxClipped = 0.001

    /// The mean light, 0...1.
    package var linear: LinearRGB
    /// The share of pixels at the lower end of each channel, 0...1.
    package var clippedLow: ChannelFigures
    /// The share of pixels at the upper end of each channel, 0...1.
    package var clippedHigh: ChannelFigures
    /// Whether the standard deviation of the pixels exceeds 20 % of the mean in a channel.
    package var uneven: Bool
    package var readings: Int
    /// Where in the picture it was measured; nil if that is not known.
    package var area: PictureArea?

    package init(
        linear: LinearRGB, clippedLow: ChannelFigures = .zero, clippedHigh: ChannelFigures = .zero,
        uneven: Bool = false, readings: Int = Self.minReadings, area: PictureArea? = nil
    ) {
        self.linear = linear
        self.clippedLow = clippedLow
        self.clippedHigh = clippedHigh
        self.uneven = uneven
        self.readings = readings
        self.area = area
    }

    /// The end of a sentence that says why the camera does not deliver the true mean; nil if it does.
    var clipping: String? {
        for (shares, end) in [(clippedHigh, "top"), (clippedLow, "bottom")] {
            let (name, share) = shares.greatest
            if share > Self.maxClipped { return "\(share.percent) of its pixels are at the \(end) of \(name)" }
        }
        return nil
    }

    /// The end of a sentence that says why the patch cannot be used; nil if it can.
    package var defect: String? {
        if readings < Self.minReadings {
            return "it has \(readings) readings, and \(Self.minReadings) are needed"
        }
        if uneven { return "it is uneven: it has an edge, a shadow or a reflection" }
        return clipping
    }

    /// Whether all numbers are in their ranges.
    var isValid: Bool {
        linear.values.allSatisfy { 0...1 ~= $0 } && (1...1_000_000).contains(readings)
            && (clippedLow.values + clippedHigh.values).allSatisfy { 0...1 ~= $0 } && area?.isValid != false
    }
}

/// A part of the picture, in shares of its width and height.
package struct PictureArea: Codable, Equatable, Sendable {
    package var x: Double
    package var y: Double
    package var width: Double
    package var height: Double

    package init(x: Double, y: Double, width: Double, height: Double) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    package static let whole = PictureArea(x: 0, y: 0, width: 1, height: 1)

    var isValid: Bool { [x, y, width, height].allSatisfy { 0...1 ~= $0 } && x + width <= 1.001 && y + height <= 1.001 }

    var center: (x: Double, y: Double) { (x + width / 2, y + height / 2) }
}
