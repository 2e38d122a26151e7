package import Color

/// A target for what several things look like in a state, so that the state is recognised again.
package struct StateLesson: Sendable {
    /// The colours that are taken for one, in ΔE00.
    private static let sameColor = 2.0
    /// The tolerance of a state that is alone, and the least one, in ΔE00.
    private static let (maxTolerance, minTolerance) = (10.0, 1.0)
    /// How many times the noise a tolerance has to exceed.
    private static let minNoiseRatio = 2.0

    /// The different colours of the things, rounded to what a configuration holds.
    package let colors: [CIELab]
    /// Half of the difference from the nearest colour of another target, at most 10.
    package let tolerance: Double
    /// The target whose colour is nearest, and the difference in ΔE00; nil if there is no other.
    package let nearest: (name: String, deltaE: Double)?
    /// Whether the state can be told from all other targets, and from the noise.
    package let canBeTold: Bool

    /// - Parameters:
    ///   - colors: The colour of each thing in this state.
    ///   - noise: The greatest noise of them, in ΔE00.
    ///   - others: The other targets.
    /// - Returns: Nil if there is no colour, or if there are more than 8 different ones.
    package init?(_ colors: [CIELab], noise: Double, others: [ColorTarget]) {
        var distinct: [CIELab] = []
        for color in colors where !distinct.contains(where: { CIEDE2000($0, color).total <= Self.sameColor }) {
            distinct.append(color)
        }
        guard 1...ColorTarget.maxColors ~= distinct.count else { return nil }
        let differences = others.flatMap { target in
            target.colors.flatMap { other in
                distinct.map { (name: target.name, deltaE: CIEDE2000(other, $0).total) }
            }
        }
        nearest = differences.min { $0.deltaE < $1.deltaE }
        let half = (nearest?.deltaE ?? .infinity) / 2
        tolerance = min(max(half, Self.minTolerance), Self.maxTolerance)
        canBeTold = half >= Self.minTolerance && tolerance >= Self.minNoiseRatio * noise
        self.colors = distinct
    }

    /// What was learnt, in sentences.
    /// - Parameter name: The name of the state.
    package func description(_ name: String) -> String {
        let count = colors.count == 1 ? "one colour" : "\(colors.count) colours"
        let learnt = "“\(name)” has \(count), with a tolerance of ΔE \(tolerance.text(decimals: 1))."
        guard let nearest else { return "\(learnt) Now teach the other states." }
        let difference = "It differs from “\(nearest.name)” by ΔE \(nearest.deltaE.text(decimals: 1)) at least"
        return canBeTold
            ? "\(learnt) \(difference): they can be told apart."
            : "\(learnt) \(difference), which is not enough to tell them apart: change the exposure or the light, make the "
                + "probes smaller, or use a light's own state."
    }
}
