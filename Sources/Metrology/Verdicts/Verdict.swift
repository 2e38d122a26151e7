package import Color

/// What readings say about a colour and a target.
package struct Verdict: Equatable, Sendable {
    package enum Outcome: String, Equatable, Sendable, CaseIterable {
        /// The colour is within the tolerance, with a confidence of 97.5 %.
        case pass
        /// The colour is beyond the tolerance, with a confidence of 97.5 %.
        case fail
        /// Too close to call.
        case close
    }

    /// A component of the difference and its standard error.
    package struct Component: Equatable, Sendable {
        package var value: Double
        package var standardError: Double
    }

    /// The decision; nil if there is none, for the reason that ``reason`` gives.
    package let outcome: Outcome?
    /// The colour of the target that the figures refer to.
    package let color: CIELab
    /// ΔE00 of the mean colour and the target.
    package let deltaE: Double
    /// The range of the true ΔE00: less than its start or more than its end has a probability of 2.5 % each, at most.
    /// Nil for too few readings.
    package let interval: ClosedRange<Double>?
    /// ΔL': positive if the colour is lighter than the target.
    package let lightness: Component
    /// ΔC': positive if the colour is more vivid than the target.
    package let chroma: Component
    /// ΔH': positive if the hue angle of the colour is greater.
    package let hue: Component
    /// The difference in words, such as "lighter, yellower"; empty if there is none to speak of.
    package let description: String
    /// A sentence that says why there is no verdict, why it is too close to call, or what is beyond its tolerance; nil
    /// for a pass.
    package let reason: String?
    /// How many more readings would decide; nil if the verdict is not too close to call, or if readings will not
    /// decide.
    package let readingsToDecide: Int?

    /// Judges a colour by a target, which passes if one of its colours does, and fails if all of them do. The figures
    /// are those of the nearest colour that gives this verdict.
    /// - Parameter refusal: A sentence that says why no verdict is possible, although there are enough readings: the
    ///   quality is poor, or the colour is changing.
    package init(of color: MeasuredColor, against target: ColorTarget, refusal: String? = nil) {
        self.init(of: color, againstOnly: target, refusal)
        guard !target.alternatives.isEmpty else { return }
        let all = [self] + target.single.dropFirst().map { Verdict(of: color, againstOnly: $0, refusal) }
        let decided = all.filter { $0.outcome == .pass }
        let candidates = decided.isEmpty ? all.filter { $0.outcome != .fail } : decided
        self = (candidates.isEmpty ? all : candidates).min { $0.deltaE < $1.deltaE } ?? self
    }

    /// Judges a colour by the first colour of a target.
    private init(of color: MeasuredColor, againstOnly target: ColorTarget, _ refusal: String?) {
        self.color = target.color
        let difference = CIEDE2000(target.color, color.mean)
        let rule = DecisionRule(target, color, difference: difference)
        let isEnough = color.count >= MeasuredColor.minCount
        let errors = isEnough ? rule.componentErrors : .zero
        deltaE = difference.total
        lightness = Component(value: difference.lightness, standardError: errors.x)
        chroma = Component(value: difference.chroma, standardError: errors.y)
        hue = Component(value: difference.hue, standardError: errors.z)
        let limits = rule.interval
        interval = isEnough ? min(limits.low, limits.high)...limits.high : nil
        description = DifferenceWords(of: color.mean, from: target.color).text(
            deltaE: difference.total, contributions: rule.contributions,
            values: SIMD3(lightness.value, chroma.value, hue.value), errors: errors)

        let outcome = refusal == nil && isEnough ? rule.outcome : nil
        let readings = outcome == .close ? rule.readingsToDecide : nil
        self.outcome = outcome
        readingsToDecide = readings
        reason =
            switch outcome {
            case nil:
                refusal ?? "There are \(color.count) of the \(MeasuredColor.minCount) readings that a verdict needs."
            case .pass: nil
            case .fail: Self.failure(difference, target.tolerance, errors)
            case .close:
                readings.map { "The difference is too close to the tolerance: about \($0) more readings would decide." }
                    ?? (rule.noise > target.tolerance.deltaE
                        ? "More readings will not decide: the tolerance is below the noise of"
                            + " ΔE00 \(rule.noise.text(decimals: 2))."
                        : "The difference is so close to the tolerance that \(DecisionRule.maxReadings) more readings"
                            + " would not decide.")
            }
    }

    /// Returns a sentence that names the tolerances that are exceeded.
    private static func failure(_ difference: CIEDE2000, _ tolerance: Tolerance, _ errors: SIMD3<Double>) -> String {
        var exceeded: [String] = []
        func check(_ name: String, _ value: Double, _ limit: Double?) {
            guard let limit, abs(value) > limit else { return }
            exceeded.append("\(name) is \(value.text(decimals: 2)), and the tolerance is \(limit.text(decimals: 2))")
        }
        check("ΔE00", difference.total, tolerance.deltaE)
        check("ΔL'", difference.lightness, tolerance.lightness)
        check("ΔC'", difference.chroma, tolerance.chroma)
        check("ΔH'", difference.hue, tolerance.hue)
        return exceeded.joined(separator: "; ") + "."
    }
}

/// The reason why there is no calibration, correction, curve or concentration.
package struct MeasurementRefusal: Error, Equatable, Sendable {
    /// Sentences that say what is wrong, and what to do about it.
    package let message: String

    package init(_ message: String) { self.message = message }
}

extension Double {
    /// The share in per cent with at most one decimal.
    var percent: String { "\((100 * self).text(decimals: 1)) %" }

    /// Formats the number with at most this many decimals, without zeros at the end.
    func text(decimals: Int) -> String {
        isFinite && magnitude < 1e12 ? CSSNotation.number(self, decimals) : "\(self)"
    }
}
