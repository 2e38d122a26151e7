package import Color

/// The light of a patch that stays in view, when it was set as the reference. Later changes of this light come from the
/// lamp, and are removed from other colours.
package struct ReferenceLight: Codable, Equatable, Sendable {
    /// The greatest change of the light that is corrected, as a share.
    package static let maxChange = 0.3
    /// The number of readings that are averaged when a reference is set.
    package static let readings = 8
    /// The least light that a channel must have: below it, 8-bit code values are too coarse.
    private static let minLight = 0.01
    /// The share of clipped pixels from which a reference is refused.
    private static let maxClipped = 0.001

    /// The id of the camera.
    package let camera: String
    /// The region of the patch: x, y, width and height.
    package let region: [Double]
    /// The light when the reference was set.
    package let light: LinearRGB

    package init(camera: String, region: [Double], light: LinearRGB) {
        (self.camera, self.region, self.light) = (camera, region, light)
    }

    /// Throws the reason why light cannot serve as a reference.
    package static func check(_ light: LinearRGB, clippedHigh: ChannelFigures?) throws(MeasurementRefusal) {
        for (name, (value, clipped)) in light.combined(with: clippedHigh ?? .zero, by: { ($0, $1) }).named {
            guard clipped <= maxClipped else {
                throw MeasurementRefusal(
                    "\(clipped.percent) of the reference's pixels are at the top of \(name): "
                        + "lower the exposure.")
            }
            guard value >= minLight else {
                throw MeasurementRefusal(
                    "The reference is too dark in \(name): use a white or grey patch, or add light.")
            }
        }
    }

    /// Returns the factors that remove the change of the light since the reference was set.
    /// - Parameters:
    ///   - present: The present light of the patch.
    ///   - clippedHigh: The shares of its pixels that are at the upper end of each channel.
    package func correction(for present: LinearRGB, clippedHigh: ChannelFigures?) throws(MeasurementRefusal)
        -> ChannelFigures
    {
        try Self.check(present, clippedHigh: clippedHigh)
        let change = ChannelFigures(present.combined(with: light) { $0 / $1 - 1 })
        for (name, value) in change.named {
            // A light of exactly 30 % less is corrected, however it is rounded.
            guard abs(value) <= Self.maxChange + 1e-9 else {
                throw MeasurementRefusal(
                    "The reference is \((100 * abs(value)).text(decimals: 0)) % \(value < 0 ? "darker" : "brighter") "
                        + "in \(name) than when it was set, and more than 30 % is not corrected: restore the light, or set "
                        + "the reference again.")
            }
        }
        return change.map { 1 / (1 + $0) }
    }
}
