package import Color

/// A colour that others are compared with, and how far they may be from it.
package struct ColorTarget: Equatable, Sendable {
    package var name: String
    package var color: CIELab
    package var tolerance: Tolerance

    package init(name: String, color: CIELab, tolerance: Tolerance = Tolerance()) {
        (self.name, self.color, self.tolerance) = (name, color, tolerance)
    }
}

/// The greatest differences from a target that are accepted.
package struct Tolerance: Equatable, Sendable {
    /// The greatest ΔE00.
    package var deltaE: Double
    /// The greatest ΔL' in either direction; nil if lightness has no tolerance of its own.
    package var lightness: Double?
    /// The greatest ΔC' in either direction.
    package var chroma: Double?
    /// The greatest ΔH' in either direction.
    package var hue: Double?

    package init(deltaE: Double = 2, lightness: Double? = nil, chroma: Double? = nil, hue: Double? = nil) {
        (self.deltaE, self.lightness, self.chroma, self.hue) = (deltaE, lightness, chroma, hue)
    }
}

/// The target that a colour is taken for.
package enum TargetMatch: Equatable, Sendable {
    /// The colour is beyond the tolerance of every target.
    case none
    /// Some verdicts are missing or too close to call, and none is a pass.
    case undecided
    /// The nearest target whose verdict is a pass, by its index. It is unique if the colour is beyond the tolerance of
    /// every other target.
    case target(Int, isUnique: Bool)

    /// - Parameter verdicts: The verdict of each target.
    package init(_ verdicts: [Verdict]) {
        let passes = verdicts.indices.filter { verdicts[$0].outcome == .pass }
        if let nearest = passes.min(by: { verdicts[$0].deltaE < verdicts[$1].deltaE }) {
            let others = verdicts.indices.filter { $0 != nearest }
            self = .target(nearest, isUnique: others.allSatisfy { verdicts[$0].outcome == .fail })
        } else {
            self = verdicts.allSatisfy { $0.outcome == .fail } ? .none : .undecided
        }
    }
}
