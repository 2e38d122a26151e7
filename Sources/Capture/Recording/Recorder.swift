package import Configuration
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
    /// The error because a recording is running already.
    package struct AlreadyRunning: Error, Equatable {
        package var recording: Recording
    }

    private struct State {
        /// The demand for readings while a recording runs.
        var token: InterestToken?
        /// The recording in the state file.
        var stored: Recording?
        /// The reason why the last attempt to store the recording has failed, or why the first one will fail.
        var failure: String?
    }

    /// The time after which a recording that runs is looked at again, in seconds. It need not end on the second.
    private static let checkInterval = 3600.0

    /// The recording that runs, or else the one that ended last; nil if there was none.
    package let recording: Latest<Recording?>
    private let config: Latest<Settings>
    private let demand: Demand
    private let history: History
    private let stateFile: StateFile?
    private let log: Logger
    private let clocks: Clocks
    private let state: Mutex<State>

    /// Continues the recording of an earlier run, if the history has a folder.
    /// - Parameters:
    ///   - demand: The demand for readings, which a recording adds to.
    ///   - history: Gets the marks of the beginning and the end.
    ///   - stateFile: The file that keeps the recording; nil to forget it at exit.
    package init(
        _ config: Latest<Settings>, demand: Demand, history: History, stateFile: StateFile? = nil, log: Logger,
        clocks: Clocks = Clocks()
    ) {
        self.config = config
        self.demand = demand
        self.history = history
        self.stateFile = stateFile
        self.log = log
        self.clocks = clocks
        // The capture thread reports a file that cannot be read.
        let found = (try? stateFile?.read())?.recording
        let recalled = config.value.effective.history.folder == nil ? nil : found
        recording = Latest(recalled)
        var state = State(stored: found, failure: stateFile?.claimFailure)
        if let recalled, recalled.isRunning {
            state.token = demand.watch()
            log.info("The recording \"\(recalled.name)\" continues, which began on \(recalled.since.timestamp).")
        }
        self.state = Mutex(state)
    }

    /// The recording that is running; nil if there is none.
    package var running: Recording? { recording.value.flatMap { $0.isRunning ? $0 : nil } }

    /// A sentence about a running recording that will not continue after a restart of the program; nil if it will, or
    /// if there is none.
    package var problem: String? {
        guard running != nil else { return nil }
        if config.value.effective.history.folder == nil {
            return
                "This recording is kept in memory until Swatchcam is restarted. To keep it longer, name a folder in history.folder."
        }
        return state.withLock(\.failure).map { "This recording is kept in memory until Swatchcam is restarted: \($0)" }
    }

    /// Starts a recording, and marks its beginning.
    /// - Parameters:
    ///   - name: A name that `Recording.name` has returned.
    ///   - duration: The time after which it ends by itself, in seconds.
    package func start(
        _ name: String, duration: Double = Recording.maxDuration
    ) throws(AlreadyRunning) -> Recording {
        let new = Recording(name: name, since: clocks.date(), duration: duration)
        let other = state.withLock { state -> Recording? in
            if let running { return running }
            state.token = demand.watch()
            recording.publish(new)
            return nil
        }
        if let other { throw AlreadyRunning(recording: other) }
        history.mark(.recording, "\(name): start", at: new.since)
        return new
    }

    /// Ends the recording that is running, and marks its end.
    /// - Returns: The recording; nil if none was running.
    @discardableResult
    package func end() -> Recording? { end { _ in true } }

    private func end(if isMeant: (Recording) -> Bool) -> Recording? {
        let ended = state.withLock { state -> Recording? in
            guard var ended = running, isMeant(ended) else { return nil }
            ended.end(at: clocks.date())
            state.token = nil
            recording.publish(ended)
            return ended
        }
        if let ended { history.mark(.recording, "\(ended.name): end", at: ended.until) }
        return ended
    }

    /// Stores the recording whenever it begins or ends, and ends it when it has run for as long as it may, until the
    /// task is cancelled.
    package func run() async {
        // The folder of the history decides whether the recording is stored.
        let (edits, recordings) = (config.updates(), recording.updates())
        let (changes, change) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        await withTaskGroup { group in
            group.addTask { for await _ in edits { change.yield() } }
            group.addTask {
                var next = self.recording.value
                var updates = recordings.makeAsyncIterator()
                repeat {
                    change.yield()
                    if let next { await self.endInTime(next) }
                    next = await updates.next() ?? nil
                } while !Task.isCancelled
            }
            for await _ in changes { await self.store() }
            await self.store()
        }
    }

    /// Waits until a recording has ended or may run no longer, and ends it then.
    private func endInTime(_ recording: Recording) async {
        while running == recording {
            let left = recording.latestEnd.timeIntervalSince(clocks.date())
            guard left > 0 else {
                _ = end { $0 == recording }
                return
            }
            do { try await clocks.sleep(.seconds(min(left, Self.checkInterval))) } catch { return }
        }
    }

    /// The recording that the next run of the program is to know.
    private var lasting: Recording? { config.value.effective.history.folder == nil ? nil : recording.value }

    /// Stores the recording, unless it is stored, on a thread of its own, because a disk can take seconds.
    private func store() async {
        guard let stateFile, state.withLock(\.stored) != lasting else { return }
        await BlockingThread.run(named: "recording") { [self] in
            do {
                let stored = try stateFile.storeRecording { lasting }
                state.withLock { ($0.stored, $0.failure) = (stored, nil) }
            } catch {
                let reason = error.reason
                let before = state.withLock { state in
                    defer { state.failure = reason }
                    return state.failure
                }
                if before != reason, let problem { log.warning("\(problem)") }
            }
        }
    }
}
