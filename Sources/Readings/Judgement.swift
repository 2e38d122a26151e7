package import Color
package import Documents
package import Metrology
package import Pixels
import Untrusted

extension Reading {
    /// The verdicts on the colour of a reading, one for each target.
    package struct Judgement: Equatable, Sendable {
        /// What is known about one target.
        package struct Entry: Equatable, Sendable {
            package let target: ColorTarget
            /// The verdict; nil if there is no colour.
            package var verdict: Verdict?
            /// The verdict on the present part, which has held; nil if there is none yet.
            package var held: Verdict.Outcome?
            /// The parts by their verdict; nil if they are not counted.
            package var counts: VerdictTracker.Counts?
            /// The share of the area's pixels within the target; nil if there is no colour.
            package var coverage: Coverage?

            package var name: String { target.name }

            package init(target: ColorTarget, verdict: Verdict?) { (self.target, self.verdict) = (target, verdict) }
        }

        package private(set) var entries: [Entry]
        /// The target that the colour is taken for.
        package let match: TargetMatch

        /// The judgement while there is no colour.
        package init(without targets: [ColorTarget] = []) {
            self.init(entries: targets.map { Entry(target: $0, verdict: nil) }, match: .undecided)
        }

        private init(entries: [Entry], match: TargetMatch) { (self.entries, self.match) = (entries, match) }

        /// Judges the colour that successive readings show.
        /// - Parameters:
        ///   - colors: The colours of the readings, oldest first.
        ///   - refusal: Returns a sentence that says why no verdict on a target is possible; nil if one is.
        package init(of colors: [CIELab], against targets: [ColorTarget], refusal: (ColorTarget) -> String?) {
            guard !targets.isEmpty, let color = MeasuredColor(colors) else {
                self.init(without: targets)
                return
            }
            let verdicts = targets.map { Verdict(of: color, against: $0, refusal: refusal($0)) }
            self.init(
                entries: zip(targets, verdicts).map { Entry(target: $0, verdict: $1) }, match: TargetMatch(verdicts))
        }

        /// Returns the judgement with the coverage of each target, in their order.
        func with(_ coverage: [Coverage]) -> Judgement {
            var judgement = self
            for (index, coverage) in zip(entries.indices, coverage) { judgement.entries[index].coverage = coverage }
            return judgement
        }

        /// Adds what is known about the parts so far.
        package mutating func add(_ parts: PartCounts) {
            for index in entries.indices {
                let tracker = parts.tracker(of: entries[index].target)
                (entries[index].held, entries[index].counts) = (tracker?.current, tracker?.counts ?? .init())
            }
        }

        /// The name of the target that the colour is taken for; nil if there is none, or if that is undecided.
        package var matchName: String? {
            if case .target(let index, _) = match { entries[index].name } else { nil }
        }

        /// The target that the colour is taken for, or else the nearest; nil if there is none, or no colour.
        package var nearest: Sample.Target? {
            let entry =
                if case .target(let index, _) = match {
                    entries[index]
                } else {
                    entries.min { $0.verdict?.deltaE ?? .infinity < $1.verdict?.deltaE ?? .infinity }
                }
            guard let entry, let verdict = entry.verdict else { return nil }
            return Sample.Target(name: entry.name, deltaE: verdict.deltaE, verdict: verdict.outcome)
        }

        /// Whether the colour is beyond the tolerance of every other target; nil if none matches.
        package var isUnique: Bool? {
            if case .target(_, let isUnique) = match { isUnique } else { nil }
        }
    }
}

extension [Reading.Judgement.Entry] {
    /// The verdict on the colour as a whole: `pass` if a target does, `fail` if every target does, and `close` if none
    /// passes and one is too close to call.
    package var outcome: Verdict.Outcome? {
        let outcomes = map { $0.verdict?.outcome }
        if outcomes.contains(.pass) { return .pass }
        if outcomes.contains(nil) { return nil }
        return outcomes.contains(.close) ? .close : outcomes.first ?? nil
    }
}

extension Quality {
    /// A sentence that says why no verdict is given on a colour: the quality is poor, or the colour is changing. Nil if
    /// one is given.
    /// - Parameters:
    ///   - change: The change of the colour over the readings that are judged, in ΔE00.
    ///   - tolerance: The tolerance of the target. A change of up to a tenth of it does not matter (ours).
    package func refusal(change: Double, tolerance: Double) -> String? {
        if let flag = flags.first(where: { $0.grade == .poor }) { return flag.message }
        guard change > max(Reading.Steadiness.maxTrend, tolerance / 10) else { return nil }
        return "The colour is changing: wait until it is steady."
    }
}

extension Reading.Judgement.Entry: JSONFields {
    package static let fields: JSONFieldList<Self> = [
        .value(
            "counts", .component("VerdictCounts").orNull,
            "The parts by their verdict; null from `POST /api/verdict`."
        ) { $0.counts },
        .number(
            "coverage", .number(0...1).orNull, decimals: 4,
            "The share of the area's pixels that lie within the tolerance. Null if there is no colour."
        ) { $0.coverage?.share },
        .number(
            "coverageError", .number(0...1).orNull, decimals: 4,
            "The standard error of `coverage`."
        ) { $0.coverage?.standardError },
        .number(
            "deltaC", .number.orNull, decimals: 4,
            "ΔC', positive if the colour is more vivid."
        ) { $0.verdict?.chroma.value },
        .number(
            "deltaE", .number(from: 0).orNull, decimals: 4,
            "ΔE00. Null if there is no colour."
        ) { $0.verdict?.deltaE },
        .number(
            "deltaH", .number.orNull, decimals: 4,
            "ΔH', positive if the hue angle is greater."
        ) { $0.verdict?.hue.value },
        .number(
            "deltaL", .number.orNull, decimals: 4,
            "ΔL', positive if the colour is lighter than the target."
        ) { $0.verdict?.lightness.value },
        .value(
            "held", .words(of: Verdict.Outcome.self).orNull,
            "The verdict on the part in view, once it has held for `readings.hold`. It is kept while later readings "
                + "are too close to call. Null before that, and from `POST /api/verdict`."
        ) { $0.held },
        .value(
            "hex", .hex,
            "The color of the target, rounded; of several, the one that the other figures refer to."
        ) { RGB($0.verdict?.color ?? $0.target.color).rounded.hex },
        .number(
            "high", .number(from: 0).orNull, decimals: 4,
            "The true ΔE00 is greater with a probability of 2.5 % at most. Null for fewer than 8 readings."
        ) { $0.verdict?.interval?.upperBound },
        .number(
            "low", .number(from: 0).orNull, decimals: 4,
            "The true ΔE00 is less with a probability of 2.5 % at most. Null for fewer than 8 readings."
        ) { $0.verdict?.interval?.lowerBound },
        .value("name", .component("TargetName"), "The name of the target.") { $0.name },
        .value(
            "readingsToDecide", .integer(1...1000).orNull,
            "How many more readings would decide, with a probability of 80 %. Null unless `verdict` is `close`, and "
                + "if readings will not decide."
        ) { $0.verdict?.readingsToDecide },
        .value(
            "reason", .string.orNull,
            "Why no verdict is given, why it is too close to call, or which tolerance is exceeded; null for a pass."
        ) { $0.verdict == nil ? "There is no colour." : $0.verdict?.reason },
        .number(
            "tolerance", .number(0.1...100), decimals: 4,
            "The greatest ΔE00 that passes."
        ) { $0.target.tolerance.deltaE },
        .value(
            "verdict", .words(of: Verdict.Outcome.self).orNull,
            "`pass` if the true difference is within the tolerance with a confidence of 97.5 %, `fail` if it is "
                + "beyond it with the same confidence, otherwise `close`. Null if none is given, for the reason that "
                + "`reason` gives."
        ) { $0.verdict?.outcome },
        .value(
            "words", .string.orNull,
            "The difference in words, such as `lighter, yellower`; empty if it is too small or uncertain."
        ) { $0.verdict?.description },
    ]
}

extension Verdict.Outcome: JSONWritable {}
