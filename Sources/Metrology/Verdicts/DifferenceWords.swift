package import Color

/// The words in which the colour trade describes a difference: lighter or darker, more vivid or duller, and the hue
/// towards which it goes (ASTM D2244, appendix; R. McDonald, "Colour Physics for Industry").
package struct DifferenceWords {
    private let hueWords: (greater: String, less: String)
    /// Whether both colours are so grey that only the direction of the difference has a hue.
    private let isGrey: Bool
    private let greyHue: String

    package init(of color: CIELab, from target: CIELab) {
        isGrey = max(color.polar.chroma, target.polar.chroma) < Self.greyChroma
        let difference = CIELab(
            lightness: 0, a: color.a - target.a, b: color.b - target.b
        ).polar.hue
        greyHue = Self.nearest(difference)
        let hues = [target, color].filter { $0.polar.chroma > Self.greyChroma }.map(\.polar.hue)
        let hue = hues.first ?? 0
        if let own = hues.dropFirst().first, Self.way(hue, own) > Self.maxShift {
            hueWords = (Self.nearest(own), Self.nearest(own))
        } else {
            hueWords = (Self.next(hue, 1), Self.next(hue, -1))
        }
    }

    /// Returns the word for ΔL'; nil for 0.
    package func lightness(_ difference: Double) -> String? {
        difference == 0 ? nil : difference > 0 ? "lighter" : "darker"
    }

    /// Returns the word for ΔC'; nil for 0.
    package func chroma(_ difference: Double) -> String? {
        difference == 0 ? nil : difference > 0 ? "more vivid" : "duller"
    }

    /// Returns the word for ΔH'; nil for 0.
    package func hue(_ difference: Double) -> String? {
        guard difference != 0 else { return nil }
        return isGrey ? greyHue : difference > 0 ? hueWords.greater : hueWords.less
    }

    /// Returns the components that exceed their noise and a quarter of the difference.
    func text(
        deltaE: Double, contributions: SIMD3<Double>, values: SIMD3<Double>, errors: SIMD3<Double>
    ) -> String {
        func matters(_ index: Int) -> Bool {
            abs(contributions[index]) >= max(deltaE / 4, Self.minDifference) && abs(values[index]) > 2 * errors[index]
        }
        var words = [matters(0) ? lightness(values.x) : nil]
        if isGrey {
            let (inPlane, error) = (SIMD3(0, values.y, values.z).length, SIMD3(0, errors.y, errors.z).length)
            let share = SIMD3(0, contributions.y, contributions.z).length
            if share >= max(deltaE / 4, Self.minDifference), inPlane > 2 * error { words.append(greyHue) }
        } else {
            words += [matters(1) ? chroma(values.y) : nil, matters(2) ? hue(values.z) : nil]
        }
        return words.compactMap(\.self).joined(separator: ", ")
    }

    /// The chroma below which a colour is grey (ours).
    private static let greyChroma = 3.0
    /// The difference of hue in degrees beyond which a colour is no longer a shade of the target: its own hue is named
    /// (ours; about the distance of two unique hues).
    private static let maxShift = 70.0
    /// The contribution in ΔE00 that is worth a word (ours).
    private static let minDifference = 0.1

    /// The angles of the unique hues in CIELAB, those of CIECAM02 (CIE 159:2004, table 3), which differ from them by a
    /// few degrees.
    private static let uniqueHues = [
        (20.14, "redder"), (90.0, "yellower"), (164.25, "greener"), (237.53, "bluer"),
    ]

    /// Returns the word for the unique hue that follows in a direction. A colour that is already there cannot become
    /// redder than red: within 20 degrees of a unique hue, the one after it has the word.
    private static func next(_ hue: Double, _ direction: Double) -> String {
        let start = hue + 20 * direction
        func way(_ angle: Double) -> Double {
            let turn = (direction * (angle - start)).truncatingRemainder(dividingBy: 360)
            return turn < 0 ? turn + 360 : turn
        }
        return uniqueHues.min { way($0.0) < way($1.0) }?.1 ?? ""
    }

    private static func nearest(_ hue: Double) -> String {
        uniqueHues.min { way(hue, $0.0) < way(hue, $1.0) }?.1 ?? ""
    }

    /// Returns the smaller angle between two hues, in degrees.
    private static func way(_ one: Double, _ other: Double) -> Double {
        let turn = abs(one - other)
        return min(turn, 360 - turn)
    }
}
