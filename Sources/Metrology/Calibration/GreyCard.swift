package import Color

/// The balance of the channels and the scale of the light, from a white or grey card of known reflectance.
package struct GreyCard: Codable, Equatable, Sendable {
    /// The light that a channel needs, as a share of full scale.
    static let minLight = 0.1
    /// The luminances that a card may have.
    package static let luminances = 0.02...1.0

    /// The reflectance Y of the card, 0...1.
    package let luminance: Double
    /// The factor of each channel that makes the card neutral; that of green is 1.
    package let gains: LinearRGB
    /// The factor of all channels that gives the card its luminance.
    package let scale: Double

    /// Measures a card.
    /// - Parameters:
    ///   - card: The card, as the camera delivers it.
    ///   - light: Its light after the dark and the shading.
    package init(
        _ card: PatchMeasurement, light: LinearRGB, luminance: Double
    ) throws(MeasurementRefusal) {
        guard Self.luminances ~= luminance else {
            throw MeasurementRefusal(
                "The reflectance of the card, \(luminance), is not in \(Self.luminances). A grey card has 0.18.")
        }
        if let defect = card.defect { throw MeasurementRefusal("The card is not used: \(defect).") }
        for (name, value) in card.linear.combined(with: light, by: min).named where value < Self.minLight {
            throw MeasurementRefusal(
                "The card is dark: its \(name) is \(max(0, value).percent) of full scale, and 10 % are "
                    + "needed. Raise the exposure or add light.")
        }
        self.luminance = luminance
        gains = light.map { light.g / $0 }
        scale = luminance / light.g
    }

    /// Whether its figures are those of a card.
    var isValid: Bool {
        Self.luminances ~= luminance && (gains.values + [scale]).allSatisfy { 0.001...1000 ~= $0 }
    }

    func callAsFunction(_ light: LinearRGB) -> LinearRGB { light.combined(with: gains, by: *) * scale }
}
