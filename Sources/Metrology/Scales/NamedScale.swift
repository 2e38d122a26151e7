package import Color
package import Untrusted

/// A scale as people define it.
package struct NamedScale: Named, Equatable, Sendable {
    /// The origin of its colours.
    package enum Colors: Equatable, Sendable {
        /// They are known.
        case known([CIELab])
        /// They are those of probes in the same picture, which are measured anew with each reading, so that the light does
        /// not matter.
        case probes([Name])
    }

    /// The permitted tolerances, in ΔE00.
    package static let tolerances = 0.5...100.0

    package let name: Name
    /// The unit of the values; may be empty.
    package let unit: String
    /// As many as there are colours, in their order.
    package let values: [Double]
    package let colors: Colors
    /// The probe whose colour is read; nil for the region.
    package let probe: Name?
    /// The greatest ΔE00 from the scale that a colour on it may have.
    package let tolerance: Double

    package init(
        name: Name, unit: String = "", values: [Double], colors: Colors, probe: Name? = nil, tolerance: Double = 6
    ) {
        (self.name, self.unit, self.values) = (name, unit, values)
        (self.colors, self.probe, self.tolerance) = (colors, probe, tolerance)
    }
}
