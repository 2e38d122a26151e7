package import Configuration
package import Documents
import FoundationEssentials
package import Handoff
package import Logging
package import Readings

/// The recording of readings in the folder that the configuration names, from which a later run restores its history.
///
/// Rows are written once a minute, and the marks of clients at once. If rows cannot be written, they wait, and nothing
/// else is affected.
package final class HistoryWriter: Sendable {
    /// A power cut erases the readings of at most this many seconds, if a row averages no more than half of it.
    private static let maxLoss = 60.0
    /// The maximum time for reading the tables back, in seconds. The remaining tables are left out.
    private static let readBackTimeout = 300.0

    private let config: Latest<Settings>
    private let history: History
    private let requests: MarkRequests
    private let demand: Demand
    private let notices: Notices
    private let clocks: Clocks
    private let rows: PendingRows
    private let writer: TableWriter
    /// The time at which this run began.
    private let start: Date
    private let log: Logger
    private let problems: RateLimitedLogger

    /// - Parameters:
    ///   - requests: The changes that clients make to the marks.
    ///   - rows: The rows that the history has gathered.
    ///   - description: Returns what the readings depend on at this moment, as `ReadingCSV.comments` does.
    package init(
        _ config: Latest<Settings>, history: History, requests: MarkRequests, rows: PendingRows, demand: Demand,
        notices: Notices, clocks: Clocks, log: Logger, description: @escaping @Sendable () -> [String]
    ) {
        (self.config, self.history, self.requests, self.rows) = (config, history, requests, rows)
        (self.demand, self.notices, self.clocks, self.log) = (demand, notices, clocks, log)
        problems = RateLimitedLogger(log)
        start = clocks.date()
        writer = TableWriter(rows: rows, history: history, clocks: clocks, description: description)
    }

    /// Records until the task is cancelled, and writes what is left.
    package func run() async {
        await withTaskGroup { group in
            var hasReadBack = false
            while !Task.isCancelled {
                await record(config.value.effective.history, &group, &hasReadBack)
            }
            group.cancelAll()
        }
        requests.stop()
    }

    /// Records until the settings change or the task is cancelled.
    /// - Parameter hasReadBack: Whether tables were read back. Only those in the first folder that can be opened are:
    ///   tables in later folders may come from this run.
    private func record(
        _ settings: Config.History, _ group: inout TaskGroup<Void>, _ hasReadBack: inout Bool
    ) async {
        guard let path = settings.folder else {
            rows.end()
            problems.report(nil)
            notices.post(nil, about: .history)
            _ = await wait(while: settings) { self.setMarks() }
            return
        }
        let token = demand.watch()
        defer { withExtendedLifetime(token) {} }
        rows.begin(every: Double(settings.interval))
        writer.begin()
        let folder = TableFolder(path) { [log, notices] sentence in
            log.warning("\(sentence)")
            notices.add(sentence, about: .storage)
        }
        var isLast = false
        repeat {
            await onThread { self.write(to: folder, settings, isLast: false) }
            if folder.isOpen, !hasReadBack {
                hasReadBack = true
                group.addTask { await self.readBack(folder) }
            }
            let wait = Self.pause(settings.interval)
            let isChanged = await self.wait(while: settings, upTo: wait) { await self.setMarks(in: folder, settings) }
            isLast = isChanged || Task.isCancelled
        } while !isLast
        rows.finish()
        await onThread { self.write(to: folder, settings, isLast: true) }
        await setMarks(in: folder, settings)
        // The next settings may name the same folder, and the thread that wrote may still hold this one.
        folder.close()
    }

    /// Returns the time from one write to the next. A power cut erases the rows since the last write and the newest
    /// row, which is not complete yet, so the interval of a row counts as well.
    /// - Parameter interval: The time that a row averages, in seconds.
    static func pause(_ interval: Int) -> Duration {
        let interval = Double(interval)
        return .seconds(interval <= maxLoss / 2 ? maxLoss - interval : maxLoss)
    }

    private enum Event {
        case settingsChanged, timeIsUp, marksWait
    }

    /// Waits until the settings change, the time is up or the task is cancelled, and sets marks for clients meanwhile.
    /// - Parameters:
    ///   - limit: The time to wait; nil if it is not limited.
    ///   - setMarks: Called when marks wait to be set.
    /// - Returns: Whether the settings have changed.
    private func wait(
        while settings: Config.History, upTo limit: Duration? = nil, setMarks: @escaping @Sendable () async -> Void
    ) async -> Bool {
        await withTaskGroup(of: Event.self) { [clocks, requests] group in
            group.addTask { await self.waitForChange(from: settings) ? .settingsChanged : .timeIsUp }
            if let limit {
                group.addTask {
                    try? await clocks.sleep(limit)
                    return .timeIsUp
                }
            }
            defer { group.cancelAll() }
            repeat {
                group.addTask {
                    await requests.wait()
                    return .marksWait
                }
                switch await group.next() {
                case .marksWait: await setMarks()
                case let event: return event == .settingsChanged
                }
            } while !Task.isCancelled
            return false
        }
    }

    /// Waits until the settings change, and returns true; returns false if the task is cancelled first.
    private func waitForChange(from settings: Config.History) async -> Bool {
        let updates = config.updates()
        if config.value.effective.history != settings { return true }
        for await config in updates where config.effective.history != settings { return true }
        return false
    }

    private func onThread(_ work: @escaping @Sendable () -> Void) async {
        await BlockingThread.run(named: "history", work)
    }

    private func write(to folder: TableFolder, _ settings: Config.History, isLast: Bool) {
        do throws(TableFolder.Problem) {
            let result = try writer.write(to: folder, settings, isLast: isLast)
            if !result.deleted.isEmpty {
                log.info("Deleted the oldest tables of the history: \(result.deleted.joined(separator: ", ")).")
            }
            report(result.omission)
        } catch {
            report(notWritten: error.sentence)
        }
    }

    /// Sets and deletes the marks that clients wait for, if the history has no folder.
    private func setMarks() {
        for request in requests.take() { reply(to: request, nil) }
    }

    /// Writes the changes of marks that clients wait for, and then carries them out.
    private func setMarks(in folder: TableFolder, _ settings: Config.History) async {
        let waiting = requests.take()
        guard !waiting.isEmpty else { return }
        await onThread {
            let refusals = self.writer.write(waiting.map(\.command.change), to: folder, settings)
            for (request, refusal) in zip(waiting, refusals) { self.reply(to: request, refusal) }
            for case .notWritten(let sentence) in refusals { self.report(notWritten: sentence) }
        }
    }

    private func reply(to request: RequestQueue<MarkCommand>.Request, _ refusal: MarkRefusal?) {
        if let refusal {
            request.reply(.failure(refusal))
            return
        }
        switch request.command.change {
        case .set(let mark):
            request.reply(.success(history.mark(mark.kind, mark.text, by: mark.client, at: mark.time)))
        case .delete(let mark):
            history.removeMark(mark.id)
            request.reply(.success(mark))
        }
    }

    private func report(notWritten sentence: String) {
        report("The history is not written. \(sentence) The newest \(PendingRows.capacity) rows are kept until it is.")
    }

    /// Reports what is not written and why: once in the log, and in the readings for as long as it lasts.
    private func report(_ message: String?) {
        guard problems.report(message) else { return }
        notices.post(message, about: .history)
        if message == nil { log.notice("The history is written again.") }
    }

    private func readBack(_ folder: TableFolder) async {
        let now = clocks.now
        let end = now() + Self.readBackTimeout
        let reader = TableReader(folder, into: history, isOver: { now() > end })
        await BlockingThread.run(named: "history reader") { [start, log] in
            let report = reader.read(until: start)
            if let line = report.line { log.info("\(line)") }
        } onCancel: {
            reader.cancel()
        }
    }
}

extension TableReader.Report {
    /// The line for the log; nil if there was nothing to read.
    var line: String? {
        guard days > 0 else { return nil }
        let rest = isComplete ? "" : " Older rows took too long to read and were left out."
        let damage = damagedLines > 0 ? " Damaged lines that were skipped: \(damagedLines)." : ""
        let (rowCount, dayCount) = (rows == 1 ? "1 row" : "\(rows) rows", days == 1 ? "1 day" : "\(days) days")
        return "Read back into the history: \(rowCount) of \(dayCount).\(damage)\(rest)"
    }
}
