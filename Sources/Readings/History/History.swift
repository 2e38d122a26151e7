package import FoundationEssentials
package import Handoff
import Synchronization

/// The readings and the marks of the last 31 days, in memory.
///
/// Readings with a colour are kept for an hour, one by one, up to four a second. Summaries of 10 s are kept for a day,
/// and of 5 min for 31 days. Newer entries replace the oldest.
///
/// Times are those of the wall clock, which may be set. Nothing relies on their order: each entry has the place that
/// its time says. If the clock is turned back, the readings of the repeated time join the earlier ones; if it is turned
/// forward, there is a gap. Entries in the future are not shown until their time comes, unless others replace them
/// first.
package final class History: Sendable {
    private struct State {
        /// A store for each of ``History/resolutions``.
        var stores = History.resolutions.map(HistoryStore.init)
        var marks = MarkList()
        /// The colours of the probes, in intervals of the two coarser resolutions.
        var probes = [
            ProbeHistory(period: 10, maxBytes: 1 << 20), ProbeHistory(period: 300, maxBytes: 1 << 19),
        ]
        /// What else is known of the probes and of the region, in intervals of the middle resolution.
        var probeRows = ProbeRows(maxBytes: 2 << 20)
        /// The start of the interval of the newest of them, which is not complete.
        var probeInterval: Date?
        var events = EventMarker()
        /// The number of changes of anything above.
        var changes: UInt64 = 0

        mutating func add(_ summary: ReadingSummary, of reading: Reading) {
            let interval = summary.time.start(ofInterval: History.resolutions[1].period)
            if let start = probeInterval, start != interval { probeRows.complete(at: start) }
            probeInterval = interval
            probeRows.add(summary.probes, of: reading)
            for index in probes.indices { probes[index].add(summary.probes, at: summary.time) }
            var stored = summary
            stored.probes = ProbeSums()
            for index in stores.indices { stores[index].add(stored) }
        }
    }

    /// The time for which readings are kept, in seconds: 31 days.
    package static let maxAge = 31 * 86_400.0
    /// The maximum number of marks.
    package static let maxMarks = MarkList.capacity

    /// The resolutions in which readings are kept, the finest first.
    private static let resolutions = [
        HistoryStore.Resolution(grouping: .readings, period: 0.25, duration: 3600),
        HistoryStore.Resolution(grouping: .intervals, period: 10, duration: 86_400),
        HistoryStore.Resolution(grouping: .intervals, period: 300, duration: maxAge),
    ]
    /// The maximum number of entries that are copied at once. The thread that captures waits meanwhile.
    private static let maxSlice = 1000

    /// When the history began, with the program.
    package let start: Date
    private let revisions: Latest<Revisions>
    private let clocks: Clocks
    private let record: @Sendable (ReadingSummary, Reading) -> Void
    private let announce: @Sendable (Mark, Reading) -> Void
    private let state = Mutex(State())

    /// - Parameters:
    ///   - revisions: The versions of the API's documents, of which `history` counts the changes of the marks.
    ///   - announce: Called with the mark of each event and the reading that shows it, on the thread that makes it.
    ///   - record: Called with the summary of every reading that has a colour and is not repeated, and the reading, on the
    ///     thread that makes it.
    package init(
        revisions: Latest<Revisions> = Latest(Revisions()), clocks: Clocks = Clocks(),
        announce: @escaping @Sendable (_ event: Mark, Reading) -> Void = { _, _ in },
        record: @escaping @Sendable (ReadingSummary, Reading) -> Void = { _, _ in }
    ) {
        start = clocks.date()
        self.revisions = revisions
        self.clocks = clocks
        self.record = record
        self.announce = announce
    }

    /// The memory that is reserved for readings and marks, in bytes.
    package var byteCount: Int {
        state.withLock { state in
            (state.stores.map(\.byteCount) + state.probes.map(\.byteCount)).reduce(
                state.marks.byteCount + state.probeRows.byteCount, +)
        }
    }

    /// The version of what ``window(_:intervals:)`` and ``rows(_:)`` return. It changes at least four times a second,
    /// because both end at the present moment.
    package var version: String {
        "\(state.withLock(\.changes)) \((clocks.date().timeIntervalSince1970 * 4).rounded(.down))"
    }

    /// Adds a reading, and sets the mark that it calls for. A reading without a colour leaves a gap.
    /// - Parameters:
    ///   - isRepeated: Whether the reading repeats the frame of the previous one, and therefore does not count again.
    ///   - hold: The time for which a change has to hold before it is marked, in seconds.
    package func add(_ reading: Reading, isRepeated: Bool = false, hold: Double = 0) {
        let summary = isRepeated ? nil : ReadingSummary(reading)
        let marks = state.withLock { state in
            state.changes += 1
            if let summary { state.add(summary, of: reading) }
            return state.events.marks(for: reading, hold: hold, at: clocks.now()).map {
                state.marks.add($0.kind, $0.text, at: reading.time, event: $0.event)
            }
        }
        if let summary { record(summary, reading) }
        if !marks.isEmpty { revisions.update { $0.history += 1 } }
        for mark in marks where mark.event != nil { announce(mark, reading) }
    }

    /// Adds summaries of an earlier run, as long as there is room for them. None takes the place of a newer one.
    /// - Parameter summaries: Summaries by ascending time, all older than those that were restored before.
    package func restore(_ summaries: [ReadingSummary]) {
        let now = clocks.date()
        for (index, resolution) in Self.resolutions.enumerated() {
            // They are averaged before the lock is taken, because the thread that captures needs it.
            var store = HistoryStore(resolution)
            for summary in summaries where now - resolution.duration...now ~= summary.time { store.add(summary) }
            let entries = store.entries().elements
            state.withLock { state in
                state.stores[index].prepend(entries)
                state.changes += 1
            }
        }
    }

    /// Adds marks of an earlier run, as long as there is room for them. None takes the place of a newer one of those who
    /// have set as few.
    /// - Parameter marks: Marks in the order in which they were set, all older than those that were restored before.
    package func restore(_ marks: [Mark]) {
        guard !marks.isEmpty else { return }
        state.withLock {
            $0.marks.restore(marks)
            $0.changes += 1
        }
        revisions.update { $0.history += 1 }
    }

    /// Returns the program's own marks that have yet to be written to a folder, in the order in which they were set.
    /// - Parameter isLast: Whether nothing is written later. Otherwise a mark that further changes may move is left out.
    package func pendingMarks(at now: Date, isLast: Bool) -> [Mark] {
        state.withLock { $0.marks.pending(at: now, isLast: isLast) }
    }

    /// Removes marks that were written from those that are pending, up to the one with a number.
    package func removePendingMarks(through id: Int) { state.withLock { $0.marks.removePending(through: id) } }

    /// Sets a mark.
    /// - Parameters:
    ///   - text: A text that `Mark.text` has returned.
    ///   - subject: What was changed. Changes of the same thing in rapid succession move the mark of the first one. If
    ///     it is nil, each has its own.
    ///   - client: The network of the client that sets it; empty if the program does.
    ///   - time: The moment that it marks; nil for the present one.
    @discardableResult
    package func mark(
        _ kind: Mark.Kind, _ text: String, about subject: String? = nil, by client: String = "", at time: Date? = nil
    ) -> Mark {
        let time = time ?? clocks.date()
        let mark = state.withLock { state in
            state.changes += 1
            return state.marks.add(kind, text, about: subject, by: client, at: time)
        }
        revisions.update { $0.history += 1 }
        return mark
    }

    /// Marks an event that no reading shows by itself, and passes it on.
    package func announce(_ kind: Mark.Kind, _ text: String, _ event: Mark.Event, with reading: Reading) {
        let time = clocks.date()
        let mark = state.withLock { state in
            state.changes += 1
            return state.marks.add(kind, text, at: time, event: event)
        }
        revisions.update { $0.history += 1 }
        announce(mark, reading)
    }

    /// Adds the address of its picture to the mark of an event.
    /// - Returns: The mark; nil if it is gone.
    package func setPicture(_ address: String, ofMark id: Int) -> Mark? {
        let mark = state.withLock { state in
            state.changes += 1
            return state.marks.setPicture(address, of: id)
        }
        revisions.update { $0.history += 1 }
        return mark
    }

    /// Returns the mark with a number that a client has set; nil if there is none.
    package func mark(ofClient id: Int) -> Mark? { state.withLock { $0.marks.mark(ofClient: id) } }

    /// Removes the mark with a number, if there is one.
    package func removeMark(_ id: Int) {
        state.withLock { state in
            state.changes += 1
            state.marks.remove(id)
        }
        revisions.update { $0.history += 1 }
    }

    /// Returns the last part of the history, in intervals of equal length.
    /// - Parameters:
    ///   - span: The length of the part, up to now.
    ///   - count: The maximum number of intervals, at least 1.
    ///   - withProbes: Whether the colours of the probes are wanted.
    package func window(_ span: HistorySpan, intervals count: Int, withProbes: Bool = false) -> HistoryWindow {
        let now = clocks.date()
        let store = Self.store(for: span.seconds)
        var window = HistoryWindow(span, intervals: count, period: Self.resolutions[store].period, until: now)
        forEachEntry(of: store) { window.add($0) }
        if withProbes { for row in probeRows(for: store) { window.add(row) } }
        window.marks = marks(in: window.start...max(window.start, now))
        return window
    }

    /// Returns the last part of the history as it is kept, by ascending time.
    package func rows(_ span: HistorySpan) -> HistoryRows {
        let now = clocks.date()
        return rows(of: now - span.seconds...now, in: Self.store(for: span.seconds))
    }

    /// Returns the part of the history in which a recording was made, as it is kept, by ascending time.
    package func rows(of recording: Recording) -> HistoryRows {
        let now = clocks.date()
        let end = recording.until ?? now
        return rows(
            of: min(recording.since, end)...end, in: Self.store(for: now.timeIntervalSince(recording.since)))
    }

    /// Returns what is known of the probes, and of the region if there is a target, in a part of the history, in intervals
    /// of 10 s.
    package func probeRows(_ span: HistorySpan) -> [ProbeRow] {
        let now = clocks.date()
        return probeRows(in: now - span.seconds...now)
    }

    /// Returns the same for the time of a recording.
    package func probeRows(of recording: Recording) -> [ProbeRow] {
        let end = recording.until ?? clocks.date()
        return probeRows(in: min(recording.since, end)...end)
    }

    private func probeRows(in range: ClosedRange<Date>) -> [ProbeRow] {
        var (rows, interval) = state.withLock { ($0.probeRows, $0.probeInterval) }
        if let interval { rows.complete(at: interval) }
        let period = Self.resolutions[1].period
        return rows.batch.rows.filter { $0.time + period > range.lowerBound && $0.time <= range.upperBound }
    }

    /// Returns the length of the intervals in which the history has all of a recording at this moment, in seconds.
    package func period(of recording: Recording) -> Double {
        Self.resolutions[Self.store(for: clocks.date().timeIntervalSince(recording.since))].period
    }

    private func rows(of range: ClosedRange<Date>, in store: Int) -> HistoryRows {
        var summaries: [ReadingSummary] = []
        forEachEntry(of: store) { if range ~= $0.time { summaries.append($0) } }
        summaries.sort { $0.time < $1.time }
        attachProbes(to: &summaries, of: store)
        return HistoryRows(
            range: range, period: Self.resolutions[store].period, summaries: summaries,
            marks: marks(in: range).sorted { $0.time < $1.time })
    }

    /// Returns the colours of the probes that go with the entries of a store.
    private func probeRows(for store: Int) -> [ProbeHistory.Row] {
        state.withLock { $0.probes[max(store, 1) - 1].all }
    }

    /// Gives the first entry of each interval the colours of the probes in that interval.
    private func attachProbes(to summaries: inout [ReadingSummary], of store: Int) {
        let period = Self.resolutions[max(store, 1)].period
        var rows = Dictionary(probeRows(for: store).map { ($0.time, $0) }) { _, later in later }
        guard !rows.isEmpty else { return }
        for index in summaries.indices {
            guard let row = rows.removeValue(forKey: summaries[index].time.start(ofInterval: period)) else { continue }
            summaries[index].probes = row.sums
        }
    }

    /// Returns the index of the finest store that covers the last seconds.
    private static func store(for seconds: Double) -> Int {
        resolutions.firstIndex { seconds <= $0.duration } ?? resolutions.count - 1
    }

    private func marks(in range: ClosedRange<Date>) -> [Mark] { state.withLock { $0.marks.marks(in: range) } }

    /// Calls a function with every entry of a store, in the order of arrival, and releases the lock again and again.
    private func forEachEntry(of store: Int, _ body: (ReadingSummary) -> Void) {
        var next = Int.min
        repeat {
            let slice = state.withLock { $0.stores[store].entries(from: next, upTo: Self.maxSlice) }
            slice.elements.forEach(body)
            guard slice.elements.count == Self.maxSlice else { return }
            next = slice.first + Self.maxSlice
        } while true
    }
}
