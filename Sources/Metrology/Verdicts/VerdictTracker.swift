/// Turns the verdicts of successive readings into one verdict for each part that passes the camera.
///
/// A verdict counts when it has held for a time. While a part stays, a pass or a fail is kept through verdicts that are
/// too close to call. A part is over when there has been no verdict for the same time, because the colour was changing,
/// or when the opposite verdict has held.
package struct VerdictTracker: Equatable, Sendable {
    /// The number of parts by their verdict, since a reset.
    package struct Counts: Equatable, Sendable {
        package var pass = 0
        package var fail = 0
        package var close = 0

        package init() {}

        fileprivate mutating func add(_ number: Int, to outcome: Verdict.Outcome) {
            switch outcome {
            case .pass: pass += number
            case .fail: fail += number
            case .close: close += number
            }
        }
    }

    /// The time for which a verdict has to hold, in seconds.
    package var hold: Double
    /// The verdict on the present part; nil if there is none yet.
    package private(set) var current: Verdict.Outcome?
    /// The time at which the current verdict began to hold, in seconds; nil if there is none.
    package private(set) var since: Double?
    package private(set) var counts = Counts()

    /// Whether the current verdict is among the counts.
    private var isCounted = false
    private var candidate: Verdict.Outcome?
    private var candidateSince: Double?

    package init(hold: Double) { self.hold = hold }

    /// Takes the verdict of a reading.
    /// - Parameter time: The time in seconds, not earlier than that of the previous reading.
    /// - Returns: The new verdict if it has begun to count.
    @discardableResult
    package mutating func add(_ outcome: Verdict.Outcome?, at time: Double) -> Verdict.Outcome? {
        if candidateSince == nil || candidate != outcome { (candidate, candidateSince) = (outcome, time) }
        guard let start = candidateSince, time - start >= hold, candidate != current else { return nil }
        // A decision outlasts doubts about the same part.
        if candidate == .close, current != nil { return nil }
        // The doubts about this part are over.
        if current == .close, candidate != nil, isCounted { counts.add(-1, to: .close) }
        (current, since) = (candidate, candidate == nil ? nil : start)
        guard let candidate else { return nil }
        counts.add(1, to: candidate)
        isCounted = true
        return candidate
    }

    /// Sets the counters to 0. The present part is not counted again.
    package mutating func reset() {
        counts = Counts()
        isCounted = false
    }
}
