import Dispatch
import Synchronization

/// Work that waits for the disk and that many requests ask for: it is done at most twice a second, on a thread of its
/// own, and once for all who ask meanwhile. Nothing is done while nobody asks.
final class SharedRefresh: Sendable {
    private struct State {
        /// When the last one ended.
        var end: ContinuousClock.Instant
        var current: (task: Task<Void, Never>, start: ContinuousClock.Instant)?
    }

    /// After one refresh until the next.
    static let interval = Duration.milliseconds(500)
    /// One that takes longer than this, on a disk that does not answer, is not waited for by those who come after.
    static let patience = Duration.seconds(1)

    private let queue: DispatchQueue
    private let now: @Sendable () -> ContinuousClock.Instant
    private let state: Mutex<State>

    /// Starts fresh, as of now.
    init(label: String, now: @escaping @Sendable () -> ContinuousClock.Instant) {
        queue = DispatchQueue(label: label)
        self.now = now
        state = Mutex(State(end: now()))
    }

    /// Returns when everything is as fresh as it has to be.
    /// - Parameter work: the refresh; never run twice at a time.
    func run(_ work: @escaping @Sendable () -> Void) async {
        await state.withLock { task(for: work, &$0) }?.value
    }

    /// What to wait for; nil: nothing.
    private func task(for work: @escaping @Sendable () -> Void, _ state: inout State) -> Task<Void, Never>? {
        let now = now()
        if let current = state.current { return now - current.start < Self.patience ? current.task : nil }
        guard now - state.end >= Self.interval else { return nil }
        let task = Task {
            await withCheckedContinuation { continuation in
                queue.async {
                    work()
                    self.state.withLock { $0 = State(end: self.now()) }
                    continuation.resume()
                }
            }
        }
        state.current = (task, now)
        return task
    }
}
