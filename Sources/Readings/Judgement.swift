package import Color
package import Metrology
package import Untrusted

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
        return "The colour is changing, by ΔE00 \(change.formatted(decimals: 2)): wait until it is steady."
    }
}

extension Reading.Judgement.Entry: JSONObject {
    /// Writes differences to four decimals.
    package func writeFields(to json: inout JSONWriter) {
        json.field("counts", counts)
        json.field("deltaC", verdict?.chroma.value, decimals: 4)
        json.field("deltaE", verdict?.deltaE, decimals: 4)
        json.field("deltaH", verdict?.hue.value, decimals: 4)
        json.field("deltaL", verdict?.lightness.value, decimals: 4)
        json.field("held", held)
        json.field("hex", RGB(target.color).rounded.hex)
        json.field("high", verdict?.interval?.upperBound, decimals: 4)
        json.field("low", verdict?.interval?.lowerBound, decimals: 4)
        json.field("name", name)
        json.field("readingsToDecide", verdict?.readingsToDecide)
        json.field("reason", verdict == nil ? "There is no colour." : verdict?.reason)
        json.field("tolerance", target.tolerance.deltaE, decimals: 4)
        json.field("verdict", verdict?.outcome)
        json.field("words", verdict?.description)
    }
}

extension Verdict.Outcome: JSONWritable {}
