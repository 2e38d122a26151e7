import Synchronization

/// What can be asked of a thread.
package protocol Conversation: Sendable {
    associatedtype Wish: Sendable
    associatedtype Value: Sendable
    associatedtype Refusal: Error, Sendable

    /// As many may wait for an answer at a time.
    static var capacity: Int { get }
    /// Nobody can say now: the thread ends, or too many have asked.
    static var unavailable: Refusal { get }
}

/// Where others leave word for a thread, which is woken by it, and wait for its answer.
package final class Desk<Talk: Conversation>: Sendable {
    package typealias Wish = Talk.Wish
    package typealias Refusal = Talk.Refusal
    package typealias Answer = Result<Talk.Value, Talk.Refusal>

    /// A wish and whoever waits for what becomes of it.
    package struct Request: Sendable {
        package let wish: Wish
        /// To be called once.
        package let answer: @Sendable (Answer) -> Void
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

    /// Asks, and waits for the answer.
    package func ask(_ wish: Wish) async -> Answer {
        await withCheckedContinuation { continuation in
            let request = Request(wish: wish) { continuation.resume(returning: $0) }
            let isTaken = state.withLock { state in
                guard !state.isStopped, state.requests.count < Talk.capacity else { return false }
                state.requests.append(request)
                return true
            }
            if isTaken { waker.wake() } else { request.answer(.failure(Talk.unavailable)) }
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
        for request in requests { request.answer(.failure(Talk.unavailable)) }
        waker.wake()
    }
}
