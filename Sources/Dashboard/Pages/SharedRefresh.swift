import Dispatch
import Synchronization

/// A refresh from disk that many requests share. It runs only on request, at most twice a second, and on a separate
/// thread. Requests that arrive during a run wait for that run.
final class SharedRefresh: Sendable {
    private struct State {
        /// The end of the last refresh.
        var lastEnd: ContinuousClock.Instant
        var current: (task: Task<Void, Never>, start: ContinuousClock.Instant)?
    }

    /// The time from the end of a refresh to the start of the next one.
    static let interval = Duration.milliseconds(500)
    /// The age of a running refresh after which new callers no longer wait for it, because the disk may not respond.
    static let timeout = Duration.seconds(1)

    private let queue: DispatchQueue
    private let now: @Sendable () -> ContinuousClock.Instant
    private let state: Mutex<State>

    /// Starts as if everything had just been refreshed.
    init(label: String, now: @escaping @Sendable () -> ContinuousClock.Instant) {
        queue = DispatchQueue(label: label)
        self.now = now
        state = Mutex(State(lastEnd: now()))
    }

    /// Refreshes if the last refresh is too old, and waits for a refresh that is running.
    /// - Parameter work: The refresh. It is never run twice at the same time.
    func run(_ work: @escaping @Sendable () -> Void) async {
        await state.withLock { task(for: work, &$0) }?.value
    }

    /// Returns the task to wait for, and starts one if a refresh is due; nil if there is nothing to wait for.
    private func task(for work: @escaping @Sendable () -> Void, _ state: inout State) -> Task<Void, Never>? {
        let now = now()
        if let current = state.current { return now - current.start < Self.timeout ? current.task : nil }
        guard now - state.lastEnd >= Self.interval else { return nil }
        let task = Task {
            await withCheckedContinuation { continuation in
                queue.async {
                    work()
                    self.state.withLock { $0 = State(lastEnd: self.now()) }
                    continuation.resume()
                }
            }
        }
        state.current = (task, now)
        return task
    }
}
