package import FoundationEssentials
package import Handoff
package import Readings
import Synchronization

/// The reason why a client's mark is not set.
package enum MarkRefusal: Error, Equatable {
    /// The client has used its share of the day's table; with the time until the next day, in seconds.
    case share(untilMidnight: Double)
    /// Clients have used all of the day's table that belongs to them; with the time until the next day, in seconds.
    case part(untilMidnight: Double)
    /// The table cannot be written, with the reason in a sentence.
    case notWritten(String)
    /// The folder is so slow that the mark has not been written in time. It may still be.
    case tooSlow
    /// Too many marks wait to be written.
    case queueFull
    case stopping

    init(_ refusal: MarkBudget.Refusal, until end: Date, at now: Date) {
        let time = max(0, end.timeIntervalSince(now))
        self = refusal == .share ? .share(untilMidnight: time) : .part(untilMidnight: time)
    }
}

/// What a client wants to do with a mark.
enum MarkChange: Sendable {
    /// To set it. The mark has no number yet.
    case set(Mark)
    /// To delete it. The mark names the client that deletes it.
    case delete(Mark)

    var mark: Mark {
        switch self {
        case .set(let mark), .delete(let mark): mark
        }
    }
}

/// The marks that clients want to set or delete. Each change waits until it is written to the folder of the history, if
/// there is one, because a change that a client was told about must not be lost.
package final class MarkRequests: Sendable {
    /// A change, and the client that waits for it.
    struct Request: Sendable {
        let change: MarkChange
        let began: MonotonicTime
        let reply: @Sendable (Result<Mark, MarkRefusal>) -> Void
    }

    private struct State {
        var requests: [Request] = []
        var isStopped = false
    }

    /// The maximum number of changes that wait.
    static let capacity = 256

    private let timeout: Duration
    private let clocks: Clocks
    private let state = Mutex(State())
    /// The number of requests since the start.
    private let arrivals = Latest(0)

    /// - Parameter timeout: The maximum time for which a client waits.
    package init(timeout: Duration = .seconds(5), clocks: Clocks = Clocks()) {
        self.timeout = timeout
        self.clocks = clocks
    }

    /// Sets a mark, and waits until it is kept.
    /// - Parameters:
    ///   - text: A text that `Mark.text` has returned.
    ///   - time: The moment that it marks; nil for the present one.
    ///   - client: The network of the client.
    package func submit(
        _ text: String, at time: Date? = nil, by client: String
    ) async -> Result<Mark, MarkRefusal> {
        await submit(.set(Mark(time: time ?? clocks.date(), kind: .user, text: text, client: client)))
    }

    /// Deletes a client's mark, and waits until that is kept.
    /// - Parameter client: The network of the client that deletes it.
    package func delete(_ mark: Mark, by client: String) async -> Result<Mark, MarkRefusal> {
        await submit(.delete(Mark(id: mark.id, time: mark.time, kind: mark.kind, text: mark.text, client: client)))
    }

    private func submit(_ change: MarkChange) async -> Result<Mark, MarkRefusal> {
        let began = clocks.now()
        return await withAbandonment(after: timeout, clocks: clocks) {
            await withCheckedContinuation { continuation in
                self.enqueue(Request(change: change, began: began) { continuation.resume(returning: $0) })
            }
        } ?? .failure(.tooSlow)
    }

    private func enqueue(_ request: Request) {
        let refusal = state.withLock { state -> MarkRefusal? in
            if state.isStopped { return .stopping }
            guard state.requests.count < Self.capacity else { return .queueFull }
            state.requests.append(request)
            return nil
        }
        if let refusal { request.reply(.failure(refusal)) } else { arrivals.update { $0 += 1 } }
    }

    /// Waits until there is a request, or the task is cancelled.
    func wait() async {
        let updates = arrivals.updates()
        guard state.withLock({ $0.requests.isEmpty }) else { return }
        for await _ in updates { return }
    }

    /// Removes and returns the requests, except those whose clients no longer wait.
    func take() -> [Request] {
        let requests = state.withLock { state in
            defer { state.requests = [] }
            return state.requests
        }
        let now = clocks.now()
        return requests.filter { request in
            let isAwaited = now - request.began < timeout / .seconds(1)
            if !isAwaited { request.reply(.failure(.tooSlow)) }
            return isAwaited
        }
    }

    /// Refuses all requests, also later ones.
    func stop() {
        let requests = state.withLock { state in
            defer { state = State(isStopped: true) }
            return state.requests
        }
        for request in requests { request.reply(.failure(.stopping)) }
    }
}
