import FoundationEssentials
package import Handoff
package import Logging
package import Readings
import Synchronization
import Untrusted

/// The samples that clients have taken, kept from one run to the next.
///
/// If they cannot be stored they are kept in memory, and ``problem`` says why. A file that is damaged, or that another
/// program wrote, is never overwritten.
package final class SampleStore: Sendable {
    private struct State {
        var list = SampleList()
        /// The number of changes since the start.
        var changes = 0
        /// The reason why nothing is written in this run, in a sentence.
        var blockedReason: String?
        /// The reason why the last change was not written, in a sentence.
        var lastFailure: String?
        /// The sentence about a damaged file that was put aside at the start.
        var startNotice: String?
        /// Whether a caller has its turn to write.
        var isWriting = false
        /// The callers that wait for their turn.
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let file: SampleFile?
    private let revisions: Latest<Revisions>
    private let log: Logger
    private let state: Mutex<State>
    /// Runs the work of a write, which blocks.
    private let runOnThread: @Sendable (@escaping @Sendable () -> Void) async -> Void
    /// The number of changes that the last attempt to write comprised. The mutex is held while the file is written.
    private let attempted = Mutex(0)

    /// Reads the samples of earlier runs.
    /// - Parameters:
    ///   - folder: The folder of the file; nil to forget the samples at exit.
    ///   - runOnThread: Runs work that blocks, on a thread of its own.
    package init(
        folder: StateFolder?, revisions: Latest<Revisions> = Latest(Revisions()), log: Logger,
        runOnThread: @escaping @Sendable (@escaping @Sendable () -> Void) async -> Void = { work in
            await BlockingThread.run(named: "samples", work, onCancel: {})
        }
    ) {
        let file = folder.map(SampleFile.init)
        self.file = file
        self.revisions = revisions
        self.log = log
        self.runOnThread = runOnThread
        var state = State()
        if let file {
            do {
                state.list = try file.read() ?? SampleList()
            } catch {
                switch error {
                case .damaged(let problem): Self.putAside(file, because: problem, &state)
                case .unusable(let sentence): state.blockedReason = sentence
                }
            }
        }
        self.state = Mutex(state)
        if let problem { log.warning("\(problem)") }
    }

    /// The samples, in the order in which they were taken.
    package var samples: [Sample] { list.samples }

    /// The list that holds the samples.
    package var list: SampleList { state.withLock { $0.list } }

    /// The version of ``samples`` and ``problem``.
    package var version: String { "\(revisions.value.samples) \(problem ?? "")" }

    /// The reason why samples are not stored, in a sentence; nil if they are.
    package var lossReason: String? { state.withLock { $0.blockedReason ?? $0.lastFailure } }

    /// The sentences for the clients of a running program about samples that are not stored; nil if they are.
    package var lossWarning: String? {
        lossReason.map { "Samples will be lost when Swatchcam stops; export them first. \($0)" }
    }

    /// The ``lossWarning``, or else the problem with the samples of earlier runs, in a sentence; nil if there is neither.
    package var problem: String? { lossWarning ?? state.withLock { $0.startNotice } }

    /// Adds a sample and stores it.
    /// - Parameter make: Makes the sample with its number.
    /// - Returns: The sample; nil if there are too many, or none was made.
    package func add(_ make: (_ id: Int) -> Sample?) async -> Sample? { await change { $0.add(make) } }

    /// Gives a sample another name, and returns it; nil if there is no such sample.
    package func rename(_ id: Int, to name: String) async -> Sample? {
        await change { $0.change(id) { $0.name = name } }
    }

    /// Deletes a sample, and returns it; nil if there is no such sample.
    package func remove(_ id: Int) async -> Sample? { await change { $0.remove(id) } }

    private func change(_ change: (inout SampleList) -> Sample?) async -> Sample? {
        let (sample, number) = state.withLock { state -> (Sample?, Int) in
            let sample = change(&state.list)
            if sample != nil { state.changes += 1 }
            return (sample, state.changes)
        }
        guard let sample else { return nil }
        revisions.update { $0.samples += 1 }
        // One caller at a time, because the threads of the service are limited (TasksMax). Most find that the caller
        // before them has written their change.
        await takeTurn()
        if attempted.withLock({ $0 < number }) { await runOnThread { self.store() } }
        passTurn()
        return sample
    }

    /// Waits until no other caller has its turn.
    private func takeTurn() async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                guard state.isWriting else {
                    state.isWriting = true
                    return true
                }
                state.waiting.append(continuation)
                return false
            }
            if isFree { continuation.resume() }
        }
    }

    /// Passes the turn to the caller that has waited longest.
    private func passTurn() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            state.isWriting = !state.waiting.isEmpty
            return state.waiting.isEmpty ? nil : state.waiting.removeFirst()
        }
        next?.resume()
    }

    /// Writes the newest list, which may contain the changes of several callers.
    private func store() {
        attempted.withLock { attempted in
            let (list, changes, isBlocked) = state.withLock { ($0.list, $0.changes, $0.blockedReason != nil) }
            attempted = changes
            guard let file, !isBlocked else { return }
            do throws(SampleFile.Problem) {
                try file.write(list)
                state.withLock { $0.lastFailure = nil }
            } catch {
                report(error)
            }
        }
    }

    private func report(_ problem: SampleFile.Problem) {
        let reason =
            switch problem {
            case .damaged(let problem): "\(file?.path.sanitized() ?? "") is not overwritten, because \(problem)."
            case .unusable(let sentence): sentence
            }
        let isNews = state.withLock { state in
            defer { state.lastFailure = reason }
            return state.lastFailure == nil
        }
        if isNews, let problem = self.problem { log.warning("\(problem)") }
    }

    private static func putAside(_ file: SampleFile, because problem: String, _ state: inout State) {
        let path = file.path.sanitized()
        if let aside = file.putAside() {
            state.startNotice = "\(path) is not used, because \(problem). It was renamed to \(aside.sanitized())."
        } else {
            state.blockedReason = "\(path) is not used, because \(problem). Move it away and start Swatchcam again."
        }
    }
}
