public import Synchronization

/// A command that a thread can be asked to carry out.
public protocol Command: Sendable {
    /// The result of a command.
    associatedtype Value: Sendable
    /// The reason why a command was not carried out.
    associatedtype Refusal: Error, Sendable

    /// The number of callers that may wait at a time.
    static var capacity: Int { get }
    /// The refusal that callers get if too many callers are waiting, or the thread has stopped.
    static func unavailable(isStopped: Bool) -> Refusal
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
    /// The number of requests since the start, by which a task awaits them.
    private let arrivals = Latest(0)

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
        let refusal: Refusal? = state.withLock { state in
            guard !state.isStopped, state.requests.count < Work.capacity else {
                return Work.unavailable(isStopped: state.isStopped)
            }
            state.requests.append(request)
            return nil
        }
        if let refusal {
            request.reply(.failure(refusal))
        } else {
            arrivals.update { $0 += 1 }
            waker.wake()
        }
    }

    /// Waits until there is a request, or the task is cancelled.
    package func wait() async {
        let updates = arrivals.updates()
        guard state.withLock({ $0.requests.isEmpty }) else { return }
        for await _ in updates { return }
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
        for request in requests { request.reply(.failure(Work.unavailable(isStopped: true))) }
        waker.wake()
    }
}
