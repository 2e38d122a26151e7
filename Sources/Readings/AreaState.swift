package import Documents
package import FoundationEssentials
package import Handoff
import Metrology
import Pixels

/// The state of an area: the target that its colour is taken for, once that has held for `readings.hold`.
package struct AreaState: Equatable, Sendable {
    /// The name of the target.
    package let name: String
    /// The time at which the colour began to match it.
    package let since: Date
    /// How often this state was entered since the day began, in UTC.
    package let entered: Int
}

extension AreaState: JSONFields {
    package static let fields: JSONFieldList<Self> = [
        .value("entered", .integer(from: 1), "How often it was entered since the day began, in UTC.") { $0.entered },
        .value("name", .component("TargetName"), "The name of the target.") { $0.name },
        .value("since", .time, "When the colour began to match it.") { $0.since.timestamp },
    ]
}

/// A follower of the matches of successive readings, which turns them into states.
package struct AreaStateTracker: Sendable {
    /// The present state; nil if none has held, or nothing matches.
    package private(set) var state: AreaState?
    /// Whether the present state, or that there is none, has held.
    package private(set) var hasHeld = false
    /// What the newest readings match, and since when.
    private var candidate: (name: String?, start: MonotonicTime, date: Date)?
    /// The number of times that each state was entered on a day, counted from 1970.
    private var entered: (day: Int, counts: [String: Int]) = (0, [:])

    package init() {}

    /// Takes the verdicts of a new reading. A match that is undecided says nothing, so it ends no state.
    /// - Parameter hold: The time for which a match has to hold before it is the state, in seconds.
    package mutating func add(_ judgement: Reading.Judgement, hold: Double, at now: MonotonicTime, _ date: Date) {
        if let state, !judgement.entries.contains(where: { $0.name == state.name }) {
            (self.state, hasHeld) = (nil, false)
        }
        if case .undecided = judgement.match { return }
        let name = judgement.matchName
        if candidate == nil || candidate?.name != name { candidate = (name, now, date) }
        guard let candidate, now - candidate.start >= hold else { return }
        hasHeld = true
        guard candidate.name != state?.name else { return }
        guard let name else {
            state = nil
            return
        }
        let day = Int((candidate.date.timeIntervalSince1970 / 86_400).rounded(.down))
        if day != entered.day { entered = (day, [:]) }
        entered.counts[name, default: 0] += 1
        // Names of targets come from clients.
        if entered.counts.count > 2 * CoverageTable.maxTargets { entered.counts = [name: 1] }
        state = AreaState(name: name, since: candidate.date, entered: entered.counts[name] ?? 1)
    }

    /// Forgets the state, because there is no colour. The counts of the day stay.
    package mutating func reset() { (state, candidate, hasHeld) = (nil, nil, false) }
}
