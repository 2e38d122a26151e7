public import Synchronization

/// A command that a thread can be asked to carry out.
public protocol Command: Sendable {
    /// The result of a command.
    associatedtype Value: Sendable
    /// The reason why a command was not carried out.
    associatedtype Refusal: Error, Sendable

    /// The number of callers that may wait at a time.
    static var capacity: Int { get }
    /// The refusal that callers get if the thread has stopped or too many callers are waiting.
    static var unavailable: Refusal { get }
}

/// A queue of commands for a thread, which wakes the thread and returns its replies.
public final class RequestQueue<Work: Command>: Sendable {
    /// The reason why a command was not carried out.
    public typealias Refusal = Work.Refusal
    /// The result of a command, or the reason why it was not carried out.
    public typealias Reply = Result<Work.Value, Work.Refusal>

    /// A command together with the caller that is waiting for the reply.
    public struct Request: Sendable {
        /// The command to carry out.
        public let command: Work
        /// Replies to the caller; must be called exactly once.
        public let reply: @Sendable (Reply) -> Void
    }

    @usableFromInline struct State {
        @usableFromInline var requests: [Request] = []
        @usableFromInline var isStopped = false
    }

    /// The waker that ends whatever wait the thread is in.
    package let waker: Waker
    @usableFromInline let state = Mutex(State())

    /// Creates an empty queue.
    /// - Throws: `HandoffError.noDescriptor` if the process has no file descriptor left.
    package init() throws(HandoffError) {
        waker = try Waker()
    }

    /// Whether ``stop()`` was called.
    @inlinable public var isStopped: Bool { state.withLock { $0.isStopped } }

    package func submit(_ command: Work) async -> Reply {
        await withCheckedContinuation { continuation in
            enqueue(Request(command: command) { continuation.resume(returning: $0) })
        }
    }

    /// Adds a request, or refuses it at once if the thread has stopped or too many callers are waiting.
    func enqueue(_ request: Request) {
        let isQueued = state.withLock { state in
            guard !state.isStopped, state.requests.count < Work.capacity else { return false }
            state.requests.append(request)
            return true
        }
        if isQueued { waker.wake() } else { request.reply(.failure(Work.unavailable)) }
    }

    /// Removes and returns the oldest request; nil if there is none.
    @inlinable public func take() -> Request? {
        state.withLock { $0.requests.isEmpty ? nil : $0.requests.removeFirst() }
    }

    /// Refuses all waiting and future commands, and wakes the thread so that it can end.
    package func stop() {
        let requests = state.withLock { state in
            defer { state = State(isStopped: true) }
            return state.requests
        }
        for request in requests { request.reply(.failure(Work.unavailable)) }
        waker.wake()
    }
}
