package import Color

extension [ColorTarget] {
    /// A difference in ΔE00 that two colours within 2 code values of R'G'B' in each channel do not have.
    private static let reach = 10.0

    /// Finds the targets that contain the colours between two limits of R'G'B', which are 4 code values apart at most.
    /// - Returns: A bit for each target that contains the colour in the middle, and one for each that contains some of
    ///   the corners and the middle but not all. Only as many targets as there are bits have one.
    package func contained(from low: RGB, to high: RGB) -> (within: UInt64, mixed: UInt64) {
        let middle = CIELab((low + high) / 2)
        var corners: [CIELab] = []
        var (within, mixed): (UInt64, UInt64) = (0, 0)
        for (index, target) in prefix(UInt64.bitWidth).enumerated() {
            let limit = target.tolerance.deltaE + Self.reach
            // Most targets are far away, which is quickly known.
            guard target.colors.contains(where: { CIEDE2000.minSquare($0, middle) <= limit * limit }) else { continue }
            if corners.isEmpty {
                corners = (0..<8).map { corner in
                    func end(_ bit: Int, _ channel: (RGB) -> Double) -> Double {
                        channel(corner >> bit & 1 == 0 ? low : high)
                    }
                    return CIELab(RGB(r: end(0, \.r), g: end(1, \.g), b: end(2, \.b)))
                }
            }
            let isWithin = target.contains(middle)
            if isWithin { within |= 1 << UInt64(index) }
            if corners.contains(where: { target.contains($0) != isWithin }) { mixed |= 1 << UInt64(index) }
        }
        return (within, mixed)
    }
}

/// A colour that others are compared with, or several of which any will do, and how far they may be from it.
package struct ColorTarget: Equatable, Sendable {
    /// The maximum number of colours of a target.
    package static let maxColors = 8

    package var name: String
    package var color: CIELab
    /// The colours that will do as well.
    package var alternatives: [CIELab]
    package var tolerance: Tolerance

    package init(name: String, color: CIELab, alternatives: [CIELab] = [], tolerance: Tolerance = Tolerance()) {
        (self.name, self.color, self.alternatives, self.tolerance) = (name, color, alternatives, tolerance)
    }

    /// All colours of the target.
    package var colors: [CIELab] { [color] + alternatives }

    /// Returns whether a colour is within the tolerance of one of the colours.
    package func contains(_ color: CIELab) -> Bool {
        colors.contains { tolerance.contains(CIEDE2000($0, color)) }
    }

    /// A target for each of the colours.
    var single: [ColorTarget] { colors.map { ColorTarget(name: name, color: $0, tolerance: tolerance) } }
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
