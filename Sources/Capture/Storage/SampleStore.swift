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
        /// The reason why nothing is written in this run, in a sentence.
        var blockedReason: String?
        /// The reason why the last change was not written, in a sentence.
        var lastFailure: String?
        /// The sentence about a damaged file that was put aside at the start.
        var startNotice: String?
        /// The write that was requested last.
        var lastWrite: Task<Void, Never>?
        /// Whether ``lastWrite`` has yet to take the list, so that it will comprise further changes.
        var isWriteDue = false
    }

    private let file: SampleFile?
    private let revisions: Latest<Revisions>
    private let log: RateLimitedLogger
    private let state: Mutex<State>
    /// Runs the work of a write, which blocks.
    private let runOnThread: @Sendable (@escaping @Sendable () -> Void) async -> Void

    /// Reads the samples of earlier runs.
    /// - Parameters:
    ///   - folder: The folder of the file; nil to forget the samples at exit.
    ///   - runOnThread: Runs work that blocks, on a thread of its own.
    package init(
        folder: StateFolder?, revisions: Latest<Revisions> = Latest(Revisions()), log: Logger,
        runOnThread: @escaping @Sendable (@escaping @Sendable () -> Void) async -> Void = { work in
            await BlockingThread.run(named: "samples", work)
        }
    ) {
        file = folder.map(SampleFile.init)
        self.revisions = revisions
        self.log = RateLimitedLogger(log)
        self.runOnThread = runOnThread
        var state = State()
        do throws(SampleFile.Problem) {
            if let file { (state.list, state.startNotice) = try file.read() }
        } catch {
            state.blockedReason = error.sentence
        }
        self.state = Mutex(state)
        if let problem { log.warning("\(problem)") }
    }

    /// The samples, in the order in which they were taken.
    package var samples: [Sample] { list.samples }

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
        guard let sample = state.withLock({ change(&$0.list) }) else { return nil }
        revisions.update { $0.samples += 1 }
        if file != nil { await store() }
        return sample
    }

    /// Waits until the newest list was written, or could not be.
    ///
    /// One write follows another, because the threads of the service are limited (TasksMax), and comprises all changes
    /// that were made before it began.
    private func store() async {
        let write = state.withLock { state in
            if state.isWriteDue, let next = state.lastWrite { return next }
            let next = Task { [lastWrite = state.lastWrite] in
                await lastWrite?.value
                await runOnThread { self.write() }
            }
            (state.lastWrite, state.isWriteDue) = (next, true)
            return next
        }
        await write.value
    }

    private func write() {
        let (list, isBlocked) = state.withLock { state in
            state.isWriteDue = false
            return (state.list, state.blockedReason != nil)
        }
        guard let file, !isBlocked else { return }
        var failure: String?
        do throws(SampleFile.Problem) {
            try file.write(list)
        } catch {
            failure = error.sentence
        }
        state.withLock { $0.lastFailure = failure }
        log.report(lossWarning)
    }
}
