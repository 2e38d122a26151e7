package import Color
package import Untrusted

/// A scale as people define it.
package struct NamedScale: Named, Equatable, Sendable {
    /// The origin of its colours: for each value, those of all pads.
    package enum Colors: Equatable, Sendable {
        /// They are known.
        case known([Known])
        /// They are those of probes in the same picture, which are measured anew with each reading, so that the light does
        /// not matter.
        case probes([[Name]])
    }

    /// Colours that are known.
    package struct Known: Equatable, Sendable {
        package let colors: [CIELab]
        /// The standard error of each, as a difference in CIELAB; 0 if they are exact.
        package let error: Double

        package init(_ colors: [CIELab], error: Double = 0) { (self.colors, self.error) = (colors, error) }
    }

    /// The maximum number of scales.
    package static let maxCount = 8
    /// The permitted standard errors of a known colour, as a difference in CIELAB.
    package static let errors = 0.0...20.0
    /// The permitted tolerances, in ΔE00.
    package static let tolerances = 0.5...100.0

    package let name: Name
    /// The unit of the values; may be empty.
    package let unit: String
    /// As many as there are colours, in their order.
    package let values: [Double]
    package let colors: Colors
    /// The probes whose colours are read, one for each pad; empty for the region.
    package let probes: [Name]
    /// The greatest ΔE00 from the scale that a colour on it may have.
    package let tolerance: Double

    package init(
        name: Name, unit: String = "", values: [Double], colors: Colors, probes: [Name] = [], tolerance: Double = 6
    ) {
        (self.name, self.unit, self.values) = (name, unit, values)
        (self.colors, self.probes, self.tolerance) = (colors, probes, tolerance)
    }
}
