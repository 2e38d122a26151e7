import Synchronization

/// A thread's work for others: what it can be asked to do.
package protocol Command: Sendable {
    /// What it returns.
    associatedtype Value: Sendable
    /// Why it was not done.
    associatedtype Refusal: Error, Sendable

    /// How many callers may wait at a time.
    static var capacity: Int { get }
    /// There is nobody to do it: the thread ends, or too many callers wait.
    static var unavailable: Refusal { get }
}

/// Commands for a thread, which is woken by them, and their replies.
package final class RequestQueue<Work: Command>: Sendable {
    package typealias Refusal = Work.Refusal
    package typealias Reply = Result<Work.Value, Work.Refusal>

    /// A command, and the caller that waits for its outcome.
    package struct Request: Sendable {
        package let command: Work
        /// Replies to the caller; to be called once.
        package let answer: @Sendable (Reply) -> Void
    }

    private struct State {
        var requests: [Request] = []
        var isStopped = false
    }

    /// Wakes the thread from whatever it is waiting for.
    package let waker: Waker
    private let state = Mutex(State())

    /// - Throws: `HandoffError.noDescriptor` if the process has no file descriptor left.
    package init() throws(HandoffError) {
        waker = try Waker()
    }

    package var isStopped: Bool { state.withLock { $0.isStopped } }

    /// Asks for a command, and waits for the reply.
    package func ask(_ command: Work) async -> Reply {
        await withCheckedContinuation { continuation in
            let request = Request(command: command) { continuation.resume(returning: $0) }
            let isTaken = state.withLock { state in
                guard !state.isStopped, state.requests.count < Work.capacity else { return false }
                state.requests.append(request)
                return true
            }
            if isTaken { waker.wake() } else { request.answer(.failure(Work.unavailable)) }
        }
    }

    /// The oldest request.
    package func take() -> Request? {
        state.withLock { $0.requests.isEmpty ? nil : $0.requests.removeFirst() }
    }

    /// Ends the thread.
    package func stop() {
        let requests = state.withLock { state in
            defer { state = State(isStopped: true) }
            return state.requests
        }
        for request in requests { request.answer(.failure(Work.unavailable)) }
        waker.wake()
    }
}
