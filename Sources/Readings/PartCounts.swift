package import Documents
package import FoundationEssentials
package import Handoff
package import Metrology

/// The parts that the camera has seen since a reset, by the verdicts on them.
package struct PartCounts: Equatable, Sendable {
    private struct Counter: Equatable, Sendable {
        let target: ColorTarget
        var tracker: VerdictTracker
    }

    /// The time of the last reset.
    package private(set) var since: Date
    private var counters: [Counter] = []
    /// What has become of the parts that were compared with all targets at once.
    private var whole = VerdictTracker(hold: 0)

    package init(since: Date = Date()) { self.since = since }

    /// The number of parts that were beyond the tolerance of every target.
    package var none: Int { whole.counts.fail }

    /// What has become of the parts that were compared with a target; nil if it is new.
    package func tracker(of target: ColorTarget) -> VerdictTracker? {
        counters.first { $0.target == target }?.tracker
    }

    /// What has become of the parts that were compared with a target under another name, which no target has now.
    private func tracker(ofRenamed target: ColorTarget, among targets: [ColorTarget]) -> VerdictTracker? {
        counters.first { counter in
            var renamed = counter.target
            renamed.name = target.name
            return renamed == target && !targets.contains { $0.name == counter.target.name }
        }?.tracker
    }

    /// Takes the verdicts of a reading. A target that has another color or tolerance than before is counted anew; one that
    /// has another name is not.
    /// - Parameter hold: The time for which a verdict has to hold before it counts, in seconds.
    package mutating func add(_ judgement: Reading.Judgement, hold: Double, at time: MonotonicTime) {
        let targets = judgement.entries.map(\.target)
        if targets != counters.map(\.target) {
            counters = targets.map { target in
                let known = tracker(of: target) ?? tracker(ofRenamed: target, among: targets)
                return Counter(target: target, tracker: known ?? VerdictTracker(hold: hold))
            }
        }
        let seconds = time - MonotonicTime(nanoseconds: 0)
        for (index, entry) in judgement.entries.enumerated() {
            counters[index].tracker.hold = hold
            counters[index].tracker.add(entry.verdict?.outcome, at: seconds)
        }
        whole.hold = hold
        whole.add(judgement.entries.outcome, at: seconds)
    }

    /// Sets the counters to 0. The present part is not counted again.
    package mutating func reset(at time: Date) {
        since = time
        for index in counters.indices { counters[index].tracker.reset() }
        whole.reset()
    }
}

extension PartCounts: JSONFields {
    package static let fields: JSONFieldList<Self> = [
        .value(
            "none", .integer(from: 0), "The number of parts that were beyond the tolerance of every target."
        ) { $0.none },
        .value("since", .time, "The time of the last reset, or of the start.") { $0.since.timestamp },
    ]
}

extension VerdictTracker.Counts: JSONFields {
    package static let fields: JSONFieldList<Self> = [
        .value("close", .integer(from: 0)) { $0.close },
        .value("fail", .integer(from: 0)) { $0.fail },
        .value("pass", .integer(from: 0)) { $0.pass },
    ]
}
