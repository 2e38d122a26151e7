package import Configuration
import Documents
import FoundationEssentials
package import Handoff
package import Logging
package import Readings
import Synchronization
import Untrusted

/// The recording that a client starts and ends, one at a time.
///
/// While one runs, the recorder is a watcher, so that every reading is made and kept in the history. If the history has
/// a folder, the next run of the program continues the recording.
package final class Recorder: Sendable {
    /// The error if a recording is running already.
    package struct AlreadyRunning: Error, Equatable {
        package var recording: Recording
    }

    /// The longest time until the wall clock is read again, in seconds: it may have been set.
    private static let checkInterval = 3600.0

    /// The recording that runs, or else the one that ended last; nil if there was none.
    package let recording: Latest<Recording?>
    private let config: Latest<Settings>
    private let demand: Demand
    private let history: History
    private let file: StoredFile<Recording>
    private let log: Logger
    private let clocks: Clocks
    /// The demand for readings while a recording runs.
    private let token: Mutex<InterestToken?>

    /// Continues the recording of an earlier run, if the history has a folder. It blocks the thread.
    /// - Parameters:
    ///   - demand: The demand for readings, which a recording adds to.
    ///   - history: Gets the marks of the beginning and the end.
    ///   - folder: The folder of the file that keeps the recording; nil to forget it at exit.
    package init(
        _ config: Latest<Settings>, demand: Demand, history: History, in folder: StateFolder? = nil, log: Logger,
        clocks: Clocks = Clocks()
    ) {
        self.config = config
        self.demand = demand
        self.history = history
        self.log = log
        self.clocks = clocks
        file = StoredFile("recording.json", for: "the recording", in: folder, log: RateLimitedLogger(log))
        let recalled = config.value.effective.history.folder == nil ? nil : file.restored
        recording = Latest(recalled)
        guard let recalled, recalled.isRunning else {
            token = Mutex(nil)
            return
        }
        token = Mutex(demand.watch())
        log.info("The recording \"\(recalled.name)\" continues, which began on \(recalled.since.timestamp).")
    }

    /// The recording that is running; nil if there is none.
    package var running: Recording? { recording.value.flatMap { $0.isRunning ? $0 : nil } }

    /// A sentence about a running recording that will not continue after a restart of the program, or about the end of
    /// one that will be forgotten; nil if all will be remembered.
    package var problem: String? {
        guard running != nil else { return file.problem }
        if config.value.effective.history.folder == nil {
            return
                "This recording is kept in memory until Swatchcam is restarted. To keep it longer, name a folder in history.folder."
        }
        return file.reason.map { "This recording is kept in memory until Swatchcam is restarted: \($0)" }
    }

    /// Starts a recording, and marks its beginning. It waits for the disk.
    /// - Parameters:
    ///   - name: A name that `Recording.name` has returned.
    ///   - duration: The time after which it ends by itself, in seconds.
    package func start(
        _ name: String, duration: Double = Recording.maxDuration
    ) async throws(AlreadyRunning) -> Recording {
        let new = Recording(name: name, since: clocks.date(), duration: duration)
        let other = token.withLock { token -> Recording? in
            if let running { return running }
            token = demand.watch()
            recording.publish(new)
            return nil
        }
        if let other { throw AlreadyRunning(recording: other) }
        history.mark(.recording, "\(name): start", at: new.since)
        await save()
        return new
    }

    /// Ends the recording that is running, and marks its end. It waits for the disk.
    /// - Returns: The recording; nil if none was running.
    @discardableResult
    package func end() async -> Recording? { await end { _ in true } }

    private func end(if isMeant: (Recording) -> Bool) async -> Recording? {
        let ended = token.withLock { token -> Recording? in
            guard var ended = running, isMeant(ended) else { return nil }
            ended.end(at: clocks.date())
            token = nil
            recording.publish(ended)
            return ended
        }
        guard let ended else { return nil }
        history.mark(.recording, "\(ended.name): end", at: ended.until)
        await save()
        return ended
    }

    /// Ends the recording when its time is up, and forgets it when the history no longer has a folder, until the task
    /// is cancelled.
    package func run() async {
        // The folder of the history decides whether the recording is stored.
        let (edits, recordings) = (config.updates(), recording.updates())
        await save()
        await withTaskGroup { group in
            group.addTask { for await _ in edits { await self.save() } }
            var next = recording.value
            var updates = recordings.makeAsyncIterator()
            repeat {
                if let next { await endInTime(next) }
                next = await updates.next() ?? nil
            } while !Task.isCancelled
        }
    }

    /// Waits until a recording has ended or its time is up, and then ends it.
    private func endInTime(_ recording: Recording) async {
        while running == recording {
            let left = recording.latestEnd.timeIntervalSince(clocks.date())
            guard left > 0 else {
                _ = await end { $0 == recording }
                return
            }
            do { try await clocks.sleep(.seconds(min(left, Self.checkInterval))) } catch { return }
        }
    }

    /// The recording that the next run of the program continues.
    private var lasting: Recording? { config.value.effective.history.folder == nil ? nil : recording.value }

    private func save() async { await file.save { [self] in lasting } }
}
